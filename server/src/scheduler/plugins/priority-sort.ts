import { compareBytewise } from '../framework/order.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/**
 * An order for pods that no queue has seen: higher priority first, then who was created earlier, then the name. A queue
 * goes by arrival instead (`SchedulingQueue`).
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
