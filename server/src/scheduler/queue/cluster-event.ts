import type { PodInfo } from '../framework/pod-info.ts';

/**
 * Something that may make waiting pods schedulable.
 * - `podAdded`: a pod is on a node now.
 * - `podDeleted`: a pod on a node is gone, or one that was nominated to a node no longer is; `pod` as it was.
 * Source: pkg/scheduler/framework/events.go (EventAssignedPodAdd, EventAssignedPodDelete)
 */
export interface ClusterEvent {
  readonly kind: 'podAdded' | 'podDeleted';
  readonly pod: PodInfo;
}
