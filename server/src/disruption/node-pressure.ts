import type { Pod } from '../kubernetes/objects.ts';
import { podRequests, readResourceList, type ResourceSpec } from '../kubernetes/pod-resources.ts';
import {
  addQuantities,
  compareQuantities,
  integerQuantity,
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
 * What containers and sidecars ask for together, or a step of initialisation if that is more, or what the pod as a whole
 * asks for instead; overhead comes on top of a request, if there is one.
 * Source: GetResourceRequestQuantity in pkg/api/v1/resource/helpers.go
 */
export function memoryRequest({ spec = { containers: [] } }: Pod): Quantity {
  const request = podRequests(omitOverhead(spec)).get('memory') ?? noMemory;
  return request.nanos === 0n ? request : addQuantities(request, memoryOf(spec.overhead));
}

function omitOverhead({ containers, initContainers, resources }: NonNullable<Pod['spec']>): ResourceSpec {
  return {
    containers,
    ...(initContainers === undefined ? {} : { initContainers }),
    ...(resources === undefined ? {} : { resources }),
  };
}

function memoryOf(list: Readonly<Record<string, string>> | undefined): Quantity {
  return readResourceList(list).get('memory') ?? noMemory;
}

function priorityOf(pod: Pod): number {
  return pod.spec?.priority ?? 0;
}
