import { compareBytewise } from '../framework/order.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/**
 * The order of the active queue: higher priority first, then who came earlier. Upstream compares the time of queueing;
 * where nothing was queued yet the time of creation stands for it, and the name decides what is left.
 * Source: pkg/scheduler/framework/plugins/queuesort/priority_sort.go
 */
export function compareInQueue(a: PodInfo, b: PodInfo): number {
  return (
    b.priority - a.priority ||
    a.createdAt - b.createdAt ||
    compareBytewise(a.namespace, b.namespace) ||
    compareBytewise(a.name, b.name)
  );
}
