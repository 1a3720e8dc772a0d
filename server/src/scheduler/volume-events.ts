import type { ClusterState } from './framework/cluster-state.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { claimOf, claimUsesOf } from './plugins/volume-claims.ts';
import type { ClusterEvent } from './queue/cluster-event.ts';

/**
 * What others hear when a pod's claims are bound: first that volumes, then that claims have changed.
 * `reserve` does the binding. Source: bindAPIUpdate in pkg/scheduler/framework/plugins/volumebinding/binder.go
 */
export function volumeEvents({ objects }: ClusterState, pod: PodInfo, reserve: () => void): readonly ClusterEvent[] {
  const uses = claimUsesOf(pod);
  if (uses.length === 0) {
    reserve();
    return [];
  }
  const before = uses.map((use) => claimOf(objects, pod, use));
  const volumes = objects.persistentVolumes.branch();
  reserve();
  const changed = uses.flatMap((use, i) => {
    const claim = claimOf(objects, pod, use);
    return claim === undefined || claim === before[i] ? [] : [claim];
  });
  const volumesChanged = changed.flatMap((claim): ClusterEvent[] => {
    const name = claim.spec?.volumeName ?? '';
    const [old, volume] = [volumes.get(name), objects.persistentVolumes.get(name)];
    return old === undefined || volume === undefined ? [] : [{ kind: 'volumeChanged', before: old, volume }];
  });
  return [...volumesChanged, ...changed.map((claim): ClusterEvent => ({ kind: 'claimChanged', claim }))];
}
