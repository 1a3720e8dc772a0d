import type { Pod } from '../kubernetes/objects.ts';
import {
  addQuantities,
  compareQuantities,
  integerQuantity,
  isQuantityError,
  maxQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../kubernetes/quantity.ts';

/** Sources for this file: pkg/kubelet/eviction/helpers.go, pkg/kubelet/types/pod_update.go */

/** A pod's place in the order, with what put it there. */
export interface RankedPod {
  readonly pod: Pod;
  readonly priority: number;
  /** Requested memory in bytes. */
  readonly request: Quantity;
  /** Working set in bytes; absent when the node has no statistics of the pod. */
  readonly usage?: Quantity;
  /** Usage is above the request; such pods go before others, and those without statistics go first of all. */
  readonly exceedsRequest: boolean;
}

const noMemory = integerQuantity(0, 'BinarySI');

/** Pods from here on are critical. Source: SystemCriticalPriority in pkg/apis/scheduling/types.go */
const criticalPriority = 2_000_000_000;

/**
 * The order in which the kubelet evicts the pods of one node when memory runs short: groups, first to go first. Pods of
 * one group are equals, and any of them may go first. Budgets do not matter here, and critical pods are then passed
 * over: see `isCriticalPod`.
 * Source: rankMemoryPressure.
 */
export function rankForMemoryPressure(
  pods: readonly Pod[],
  usageOf: (pod: Pod) => Quantity | undefined,
): readonly (readonly RankedPod[])[] {
  const ranked = pods.map((pod) => rank(pod, usageOf(pod))).sort(compare);
  const groups: RankedPod[][] = [];
  for (const entry of ranked) {
    const group = groups[groups.length - 1];
    const first = group?.[0];
    if (group !== undefined && first !== undefined && compare(first, entry) === 0) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** Pods that are never evicted for pressure: the node's own, and those of system priority. Source: IsCriticalPod. */
export function isCriticalPod(pod: Pod): boolean {
  const annotations = new Map(Object.entries(pod.metadata?.annotations ?? {}));
  const source = annotations.get('kubernetes.io/config.source');
  const isStatic = source !== undefined && source !== 'api';
  return isStatic || annotations.has('kubernetes.io/config.mirror') || priorityOf(pod) >= criticalPriority;
}

function rank(pod: Pod, usage: Quantity | undefined): RankedPod {
  const request = memoryRequest(pod);
  const entry = { pod, priority: priorityOf(pod), request };
  if (usage === undefined) return { ...entry, exceedsRequest: true };
  return { ...entry, usage, exceedsRequest: compareQuantities(usage, request) > 0 };
}

/** Negative when the first pod goes before the second. */
function compare(one: RankedPod, other: RankedPod): number {
  const known = Number(one.usage !== undefined) - Number(other.usage !== undefined);
  if (known !== 0) return known;
  const exceeds = Number(other.exceedsRequest) - Number(one.exceedsRequest);
  if (exceeds !== 0) return exceeds;
  if (one.priority !== other.priority) return one.priority - other.priority;
  if (one.usage === undefined || other.usage === undefined) return 0;
  const excess = subtractQuantities(one.usage, one.request);
  return compareQuantities(subtractQuantities(other.usage, other.request), excess);
}

/**
 * The larger of what the containers ask for together and what the hungriest init container asks for; overhead comes on
 * top of a request, if there is one. Source: GetResourceRequestQuantity in pkg/api/v1/resource/helpers.go
 */
export function memoryRequest(pod: Pod): Quantity {
  let request = noMemory;
  for (const container of pod.spec?.containers ?? []) {
    request = addQuantities(request, memoryOf(container.resources?.requests));
  }
  for (const container of pod.spec?.initContainers ?? []) {
    request = maxQuantity(request, memoryOf(container.resources?.requests));
  }
  return request.nanos === 0n ? request : addQuantities(request, memoryOf(pod.spec?.overhead));
}

function memoryOf(list: Readonly<Record<string, string>> | undefined): Quantity {
  const text = list?.['memory'];
  const quantity = text === undefined ? noMemory : parseQuantity(text);
  return isQuantityError(quantity) ? noMemory : quantity;
}

function priorityOf(pod: Pod): number {
  return pod.spec?.priority ?? 0;
}
