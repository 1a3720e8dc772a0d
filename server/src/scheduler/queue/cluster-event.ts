import type {
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceClaim,
  StorageClass,
} from '../../kubernetes/objects.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/** What of a pod changed. Source: PodSchedulingPropertiesChange in pkg/scheduler/framework/events.go */
export type PodChange = 'labels' | 'scaledDown' | 'tolerations';

/** What of a node changed; being cordoned no longer counts as `taints`. Source: NodeSchedulingPropertiesChange */
export type NodeChange = 'allocatable' | 'labels' | 'taints';

/**
 * Something that may make waiting pods schedulable.
 * - `podAdded`: a pod is on a node now.
 * - `podDeleted`: a pod on a node is gone, or one that was nominated to a node no longer is; `pod` as it was.
 * - `nodeDeleted`: the node as it was.
 * - `podChanged`: a pod on a node, or one that waits, is another than `before`.
 * - The others: the object is new, or another than `before`.
 * Source: pkg/scheduler/framework/events.go, pkg/scheduler/eventhandlers.go
 */
export type ClusterEvent =
  | { readonly kind: 'podAdded'; readonly pod: PodInfo }
  | { readonly kind: 'podDeleted'; readonly pod: PodInfo }
  | { readonly kind: 'podChanged'; readonly change: PodChange; readonly before: PodInfo; readonly pod: PodInfo }
  | { readonly kind: 'nodeAdded'; readonly node: NodeFacts }
  | { readonly kind: 'nodeDeleted'; readonly node: NodeFacts }
  | { readonly kind: 'nodeChanged'; readonly change: NodeChange; readonly before: NodeFacts; readonly node: NodeFacts }
  | { readonly kind: 'claimAdded' | 'claimChanged'; readonly claim: PersistentVolumeClaim }
  | { readonly kind: 'volumeAdded'; readonly volume: PersistentVolume }
  | { readonly kind: 'volumeChanged'; readonly before: PersistentVolume; readonly volume: PersistentVolume }
  | { readonly kind: 'storageClassAdded'; readonly storageClass: StorageClass }
  | { readonly kind: 'storageClassChanged'; readonly before: StorageClass; readonly storageClass: StorageClass }
  | { readonly kind: 'csiNodeAdded'; readonly csiNode: CSINode }
  | { readonly kind: 'csiNodeChanged'; readonly before: CSINode; readonly csiNode: CSINode }
  | { readonly kind: 'resourceClaimAdded'; readonly claim: ResourceClaim }
  | { readonly kind: 'resourceClaimChanged'; readonly before: ResourceClaim; readonly claim: ResourceClaim }
  | { readonly kind: 'deviceClassChanged' | 'resourceSliceChanged' };

/** An event as plugins register for it. */
export type EventName =
  Exclude<ClusterEvent['kind'], 'podChanged' | 'nodeChanged'> | `pod:${PodChange}` | `node:${NodeChange}`;

export function nameOf(event: ClusterEvent): EventName {
  switch (event.kind) {
    case 'podChanged':
      return `pod:${event.change}`;
    case 'nodeChanged':
      return `node:${event.change}`;
    default:
      return event.kind;
  }
}
