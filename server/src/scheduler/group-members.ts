import { groupKeyOf, type PodGroup } from '../kubernetes/pod-groups.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { PodInfo } from './framework/pod-info.ts';

/** The scheduler's view of who belongs to a PodGroup. Source: pkg/scheduler/backend/cache/podgroupstate.go */

/** `namespace/name` of the PodGroup that a pod belongs to; null where the scheduler looks at none. */
export function groupOf({ release }: ClusterState, { pod }: PodInfo): string | null {
  return groupKeyOf(pod, release);
}

/** Pods that have a node, or are taken to have one. */
export function placedOf(cluster: ClusterState, group: string): number {
  let placed = 0;
  for (const pod of cluster.running()) if (groupOf(cluster, pod) === group) placed += 1;
  for (const pod of cluster.orphans) if (groupOf(cluster, pod) === group) placed += 1;
  return placed;
}

/** All pods that are there, those with gates among them. */
export function sizeOf(cluster: ClusterState, group: string): number {
  let waiting = 0;
  for (const pod of cluster.pending()) if (groupOf(cluster, pod) === group) waiting += 1;
  return placedOf(cluster, group) + waiting;
}

/** How many of its pods must have a node at once; null where each may have one by itself. */
export function minCountOf({ release, objects }: ClusterState, group: string): number | null {
  return release.featureGates.has('GangScheduling') ? (objects.fixed.podGroups.get(group)?.minCount ?? null) : null;
}

export function podGroup({ objects }: ClusterState, group: string): PodGroup | undefined {
  return objects.fixed.podGroups.get(group);
}

/**
 * PreEnqueue of GangScheduling: a pod waits until its PodGroup is there, and as many of its pods as must have a node at
 * once. Null when it may be tried. Source: pkg/scheduler/framework/plugins/gangscheduling/gangscheduling.go
 */
export function heldByGroup(cluster: ClusterState, pod: PodInfo): string | null {
  const group = groupOf(cluster, pod);
  if (group === null || !cluster.release.featureGates.has('GangScheduling')) return null;
  if (podGroup(cluster, group) === undefined) {
    const name = pod.pod.spec?.schedulingGroup?.podGroupName ?? '';
    return `waiting for pods's pod group ${JSON.stringify(name)} to appear in scheduling queue`;
  }
  const minCount = minCountOf(cluster, group);
  return minCount !== null && sizeOf(cluster, group) < minCount
    ? 'waiting for minCount pods from a gang to appear in scheduling queue'
    : null;
}
