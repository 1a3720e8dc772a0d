import { exactly, type NodeInfo } from '../framework/node-info.ts';
import { maxNodeScore } from '../framework/normalize.ts';
import { incomingScoringRequests } from '../framework/pod-requests.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { NodeResourcesFitArgs, ResourceWeight, ShapePoint } from '../framework/profile.ts';
import { type ExactResources, int64, isSafe, toExact } from '../framework/resources.ts';
import { isScalarResourceName } from '../framework/scalar-resource-name.ts';

/** What the pod asks of each scored resource, in the order of the plugin's arguments. */
export interface ScoredRequests {
  readonly amounts: readonly number[];
  /** Set when an amount is not safe as a double. */
  readonly exact: readonly bigint[] | null;
}

/** Allocatable and requested (the pod included) of one resource on one node; null where it does not take part. */
type Usage<N> = { readonly allocatable: N; readonly requested: N } | null;

/** Usage of a resource by the pods of a node and the incoming pod. Source: calculateResourceAllocatableRequest */
export function usageOf(resource: string, request: number, node: NodeInfo, nonZero: boolean): Usage<number> {
  switch (resource) {
    case 'cpu': {
      if (node.allocatableMilliCpu === 0) return null;
      const used = nonZero ? node.nonZeroMilliCpu : node.requestedMilliCpu;
      return { allocatable: node.allocatableMilliCpu, requested: used + request };
    }
    case 'memory': {
      if (node.allocatableMemory === 0) return null;
      const used = nonZero ? node.nonZeroMemory : node.requestedMemory;
      return { allocatable: node.allocatableMemory, requested: used + request };
    }
    case 'ephemeral-storage': {
      const allocatable = node.facts.allocatable.ephemeralStorage;
      return allocatable === 0 ? null : { allocatable, requested: node.requestedEphemeralStorage + request };
    }
    default: {
      if (request === 0 && isScalarResourceName(resource)) return null;
      const allocatable = node.facts.allocatable.scalars.get(resource) ?? 0;
      if (allocatable === 0) return null;
      return { allocatable, requested: (node.requestedScalars.get(resource) ?? 0) + request };
    }
  }
}

/** The same in int64 arithmetic. */
export function exactUsageOf(resource: string, request: bigint, node: NodeInfo, nonZero: boolean): Usage<bigint> {
  const { allocatable, requested, nonZeroMilliCpu, nonZeroMemory } = exactly(node);
  const usage = (has: bigint, used: bigint): Usage<bigint> =>
    has === 0n ? null : { allocatable: has, requested: int64(used + request) };
  switch (resource) {
    case 'cpu':
      return usage(allocatable.milliCpu, nonZero ? nonZeroMilliCpu : requested.milliCpu);
    case 'memory':
      return usage(allocatable.memory, nonZero ? nonZeroMemory : requested.memory);
    case 'ephemeral-storage':
      return usage(allocatable.ephemeralStorage, requested.ephemeralStorage);
    default:
      if (request === 0n && isScalarResourceName(resource)) return null;
      return usage(allocatable.scalars.get(resource) ?? 0n, requested.scalars.get(resource) ?? 0n);
  }
}

/** What `requests` ask of the scored resources. */
export function scoredRequests(resources: readonly ResourceWeight[], requests: ExactResources): ScoredRequests {
  const exact = resources.map(({ name }) => amountOf(name, requests));
  return { amounts: exact.map(Number), exact: exact.every(isSafe) ? null : exact };
}

/** What a pod takes, status and pod-level requests included. */
export function exactRequestsOf(pod: PodInfo): ExactResources {
  return pod.exact?.requests ?? toExact(pod.requests);
}

function amountOf(resource: string, requests: ExactResources): bigint {
  if (resource === 'cpu') return requests.milliCpu;
  if (resource === 'memory') return requests.memory;
  if (resource === 'ephemeral-storage') return requests.ephemeralStorage;
  return requests.scalars.get(resource) ?? 0n;
}

/**
 * The scoring of NodeResourcesFit: a score per resource, then their weighted mean.
 * Divisions round down exactly: below `safeLimit` a quotient of at most 100 is never rounded up to the next integer.
 * Source: pkg/scheduler/framework/plugins/noderesources/{resource_allocation,least_allocated,most_allocated}.go
 */
export class AllocationScorer {
  readonly #type: NodeResourcesFitArgs['scoringStrategy']['type'];
  readonly #resources: readonly ResourceWeight[];
  readonly #shape: readonly ShapePoint[];
  /** LeastAllocated of cpu and memory, equally: the loop for it is written out. */
  readonly #isDefault: boolean;

  private constructor({ type, resources, shape }: NodeResourcesFitArgs['scoringStrategy']) {
    this.#type = type;
    this.#resources = resources;
    // Source: requested_to_capacity_ratio.go: scores are given from 0 to 10.
    this.#shape = shape.map(({ utilization, score }) => ({ utilization, score: score * 10 }));
    const [first, second] = resources;
    this.#isDefault =
      type === 'LeastAllocated' &&
      resources.length === 2 &&
      first?.name === 'cpu' &&
      second?.name === 'memory' &&
      first.weight === 1 &&
      second.weight === 1;
  }

  static forFit(strategy: NodeResourcesFitArgs['scoringStrategy']): AllocationScorer {
    return new AllocationScorer(strategy);
  }

  requestsOf(pod: PodInfo): ScoredRequests {
    return scoredRequests(this.#resources, incomingScoringRequests(pod.pod));
  }

  score(requests: ScoredRequests, node: NodeInfo): number {
    let sum = 0;
    let weights = 0;
    for (const [i, { name, weight }] of this.#resources.entries()) {
      const score = this.#resourceScore(name, requests, i, node);
      if (score === null) continue;
      if (this.#type === 'RequestedToCapacityRatio' && score <= 0) continue;
      sum += score * weight;
      weights += weight;
    }
    if (weights === 0) return 0;
    return this.#type === 'RequestedToCapacityRatio' ? Math.round(sum / weights) : Math.trunc(sum / weights);
  }

  scoreNodes(requests: ScoredRequests, nodes: readonly NodeInfo[], feasible: Int32Array, scores: Float64Array): void {
    if (!this.#isDefault || requests.exact !== null) {
      for (let i = 0; i < feasible.length; i++) scores[i] = this.score(requests, nodes[feasible[i]!]!);
      return;
    }
    const milliCpu = requests.amounts[0]!;
    const memory = requests.amounts[1]!;
    for (let i = 0; i < feasible.length; i++) {
      const node = nodes[feasible[i]!]!;
      const hasCpu = node.allocatableMilliCpu;
      const hasMemory = node.allocatableMemory;
      if (node.exact !== null || hasCpu === 0 || hasMemory === 0) {
        scores[i] = this.score(requests, node);
        continue;
      }
      const freeCpu = hasCpu - node.nonZeroMilliCpu - milliCpu;
      const freeMemory = hasMemory - node.nonZeroMemory - memory;
      const cpuScore = freeCpu < 0 ? 0 : Math.floor((freeCpu * maxNodeScore) / hasCpu);
      const memoryScore = freeMemory < 0 ? 0 : Math.floor((freeMemory * maxNodeScore) / hasMemory);
      scores[i] = (cpuScore + memoryScore) >> 1;
    }
  }

  #resourceScore(resource: string, requests: ScoredRequests, at: number, node: NodeInfo): number | null {
    if (requests.exact !== null || node.exact !== null) {
      const request = requests.exact?.[at] ?? BigInt(requests.amounts[at]!);
      const usage = exactUsageOf(resource, request, node, true);
      return usage === null ? null : this.#exactScore(usage.requested, usage.allocatable);
    }
    const usage = usageOf(resource, requests.amounts[at]!, node, true);
    if (usage === null) return null;
    const { requested, allocatable } = usage;
    switch (this.#type) {
      case 'LeastAllocated':
        return requested > allocatable ? 0 : Math.trunc(((allocatable - requested) * maxNodeScore) / allocatable);
      case 'MostAllocated':
        return Math.trunc((Math.min(requested, allocatable) * maxNodeScore) / allocatable);
      case 'RequestedToCapacityRatio':
        return alongShape(this.#shape, requested > allocatable ? 100 : Math.trunc((requested * 100) / allocatable));
    }
  }

  #exactScore(requested: bigint, allocatable: bigint): number {
    switch (this.#type) {
      case 'LeastAllocated':
        return requested > allocatable ? 0 : Number(int64(int64(allocatable - requested) * 100n) / allocatable);
      case 'MostAllocated':
        return Number(int64((requested > allocatable ? allocatable : requested) * 100n) / allocatable);
      case 'RequestedToCapacityRatio': {
        const utilization = requested > allocatable ? 100n : int64(requested * 100n) / allocatable;
        return alongShape(this.#shape, Number(utilization));
      }
    }
  }
}

/** The broken line through the points. Source: pkg/scheduler/framework/plugins/helper/shape_score.go */
export function alongShape(shape: readonly ShapePoint[], utilization: number): number {
  let before: ShapePoint | undefined;
  for (const point of shape) {
    if (utilization <= point.utilization) {
      if (before === undefined) return point.score;
      const rise = (point.score - before.score) * (utilization - before.utilization);
      return before.score + Math.trunc(rise / (point.utilization - before.utilization));
    }
    before = point;
  }
  return before?.score ?? 0;
}
