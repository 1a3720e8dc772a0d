import { own } from '../util/own.ts';
import type { Kinds } from '../kubernetes/objects.ts';
import type { ClusterState } from './framework/cluster-state.ts';
import type { NodeFacts } from './framework/node-facts.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { Resources } from './framework/resources.ts';
import type { ClusterEvent, NodeChange, PodChange } from './queue/cluster-event.ts';

/** What may come, change or go while the scheduler runs; preemption asks the scheduler's copy of a budget's status. */
type ChangingKind =
  | 'Node'
  | 'Pod'
  | 'PodDisruptionBudget'
  | 'PersistentVolumeClaim'
  | 'PersistentVolume'
  | 'StorageClass'
  | 'CSINode'
  | 'ResourceClaim'
  | 'DeviceClass'
  | 'ResourceSlice';

/** An object in place of the one of its kind and name, or a new one. */
export type ClusterChange = {
  [Kind in ChangingKind]: { readonly kind: Kind; readonly object: Kinds[Kind] };
}[ChangingKind];

/** An object that is deleted; `key` is its name, with its namespace and a slash before it where it has one. */
export interface Deletion {
  readonly kind: ClusterChange['kind'];
  readonly key: string;
}

/** Puts the object into the cluster, and says what the scheduler hears of it. Pods take another way. */
export function putObject(
  cluster: ClusterState,
  change: Exclude<ClusterChange, { kind: 'Pod' }>,
): readonly ClusterEvent[] {
  const { objects } = cluster;
  switch (change.kind) {
    case 'Node': {
      const name = change.object.metadata?.name ?? '';
      const before = cluster.node(name)?.facts;
      cluster.putNode(change.object);
      const node = cluster.node(name)!.facts;
      if (before === undefined) return [{ kind: 'nodeAdded', node }];
      return nodeChanges(before, node).map((each): ClusterEvent => ({
        kind: 'nodeChanged',
        change: each,
        before,
        node,
      }));
    }
    case 'PersistentVolumeClaim':
      return [
        { kind: objects.putClaim(change.object) === undefined ? 'claimAdded' : 'claimChanged', claim: change.object },
      ];
    case 'PersistentVolume': {
      const volume = change.object;
      const before = objects.putVolume(volume);
      return [before === undefined ? { kind: 'volumeAdded', volume } : { kind: 'volumeChanged', before, volume }];
    }
    case 'StorageClass': {
      const storageClass = change.object;
      const before = objects.putStorageClass(storageClass);
      if (before === undefined) return [{ kind: 'storageClassAdded', storageClass }];
      return [{ kind: 'storageClassChanged', before, storageClass }];
    }
    case 'CSINode': {
      const csiNode = change.object;
      const before = objects.putCsiNode(csiNode);
      return [before === undefined ? { kind: 'csiNodeAdded', csiNode } : { kind: 'csiNodeChanged', before, csiNode }];
    }
    case 'ResourceClaim': {
      const claim = change.object;
      const before = objects.putResourceClaim(claim);
      return [
        before === undefined ? { kind: 'resourceClaimAdded', claim } : { kind: 'resourceClaimChanged', before, claim },
      ];
    }
    case 'DeviceClass':
      objects.putDeviceClass(change.object);
      return [{ kind: 'deviceClassChanged' }];
    case 'ResourceSlice':
      objects.putResourceSlice(change.object);
      return [{ kind: 'resourceSliceChanged' }];
    // No plugin registers for budgets.
    case 'PodDisruptionBudget':
      cluster.putBudget(change.object);
      return [];
  }
}

/** Takes the object out of the cluster, and says what the scheduler hears of it; null when there is none. */
export function removeObject(
  cluster: ClusterState,
  { kind, key }: Deletion & { readonly kind: Exclude<ClusterChange['kind'], 'Pod'> },
): readonly ClusterEvent[] | null {
  const { objects } = cluster;
  switch (kind) {
    case 'Node': {
      const node = cluster.node(key)?.facts;
      if (node === undefined) return null;
      cluster.removeNode(key);
      return [{ kind: 'nodeDeleted', node }];
    }
    // Plugins register for volumes and their like that come or change, and for none that goes.
    case 'PersistentVolumeClaim':
      return objects.persistentVolumeClaims.delete(key) ? [] : null;
    case 'PersistentVolume':
      return objects.persistentVolumes.delete(key) ? [] : null;
    case 'StorageClass':
      return objects.removeFixed('storageClasses', key) ? [] : null;
    case 'CSINode':
      return objects.removeFixed('csiNodes', key) ? [] : null;
    case 'ResourceClaim':
      return objects.removeResourceClaim(key) ? [] : null;
    case 'DeviceClass':
      return objects.removeFixed('deviceClasses', key) ? [] : null;
    case 'ResourceSlice':
      return objects.removeResourceSlice(key) ? [] : null;
    case 'PodDisruptionBudget':
      return cluster.removeBudget(key) ? [] : null;
  }
}

/** Source: NodeSchedulingPropertiesChange; conditions and annotations interest no plugin. */
function nodeChanges(before: NodeFacts, node: NodeFacts): readonly NodeChange[] {
  const changes: NodeChange[] = [];
  if (!isSame(before.node.status?.allocatable, node.node.status?.allocatable)) changes.push('allocatable');
  if (!isSame(before.labels, node.labels)) changes.push('labels');
  const uncordoned = before.unschedulable && !node.unschedulable;
  if (uncordoned || JSON.stringify(before.node.spec?.taints ?? []) !== JSON.stringify(node.node.spec?.taints ?? [])) {
    changes.push('taints');
  }
  return changes;
}

/** Source: PodSchedulingPropertiesChange; gates that open take another way. */
export function podChanges(before: PodInfo, pod: PodInfo): readonly PodChange[] {
  const changes: PodChange[] = [];
  if (!isSame(before.pod.metadata?.labels, pod.pod.metadata?.labels)) changes.push('labels');
  if (asksForLess(before.requests, pod.requests)) changes.push('scaledDown');
  // The API server lets tolerations be added only.
  if ((before.pod.spec?.tolerations ?? []).length !== (pod.pod.spec?.tolerations ?? []).length) {
    changes.push('tolerations');
  }
  return changes;
}

type Flat = Readonly<Record<string, string | number>>;

function isSame(a: Flat = {}, b: Flat = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && own(a, key) === b[key]);
}

function asksForLess(before: Resources, after: Resources): boolean {
  return (
    before.milliCpu > after.milliCpu ||
    before.memory > after.memory ||
    before.ephemeralStorage > after.ephemeralStorage ||
    [...before.scalars].some(([name, amount]) => amount > (after.scalars.get(name) ?? 0))
  );
}
