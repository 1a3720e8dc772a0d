import type { NodeInfo } from '../framework/node-info.ts';
import { maxNodeScore } from '../framework/normalize.ts';
import { type Cycle, type Plugin, skip } from '../framework/plugin.ts';
import type { NodeResourcesBalancedAllocationArgs, ResourceWeight } from '../framework/profile.ts';
import { int64 } from '../framework/resources.ts';
import { exactRequestsOf, exactUsageOf, type ScoredRequests, scoredRequests, usageOf } from './resource-allocation.ts';

/**
 * Prefers nodes on which the resources are used to similar fractions, or, by release, become so through the pod.
 * Source: pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go
 */
export class NodeResourcesBalancedAllocationPlugin implements Plugin<undefined, ScoredRequests> {
  readonly name = 'NodeResourcesBalancedAllocation';
  readonly dependsOnPods = false;
  readonly #resources: readonly ResourceWeight[];
  /** CPU and memory: the loop for them is written out. */
  readonly #isDefault: boolean;

  constructor(args: NodeResourcesBalancedAllocationArgs) {
    this.#resources = args.resources;
    const [first, second] = args.resources;
    this.#isDefault = args.resources.length === 2 && first?.name === 'cpu' && second?.name === 'memory';
  }

  preScore({ pod }: Cycle): ScoredRequests | typeof skip {
    const requests = scoredRequests(this.#resources, exactRequestsOf(pod));
    const asksForNothing = requests.exact === null && requests.amounts.every((amount) => amount === 0);
    return asksForNothing ? skip : requests;
  }

  score({ cluster }: Cycle, requests: ScoredRequests, node: NodeInfo): number {
    const after: number[] = [];
    const before: number[] = [];
    for (const [i, { name }] of this.#resources.entries()) {
      const fractions = fractionsOf(name, requests, i, node);
      if (fractions === null) continue;
      after.push(Math.min(1, fractions.after));
      before.push(Math.min(1, fractions.before));
    }
    const balanced = balance(after);
    return cluster.release.behaviours.scoresChangeOfBalance ? change(balanced, balance(before)) : balanced;
  }

  scoreNodes(
    cycle: Cycle,
    requests: ScoredRequests,
    nodes: readonly NodeInfo[],
    feasible: Int32Array,
    scores: Float64Array,
  ): void {
    const fast = this.#isDefault && requests.exact === null;
    const scoresChange = cycle.cluster.release.behaviours.scoresChangeOfBalance;
    const milliCpu = requests.amounts[0] ?? 0;
    const memory = requests.amounts[1] ?? 0;
    for (let i = 0; i < feasible.length; i++) {
      const node = nodes[feasible[i]!]!;
      const hasMilliCpu = node.allocatableMilliCpu;
      const hasMemory = node.allocatableMemory;
      if (!fast || node.exact !== null || hasMilliCpu === 0 || hasMemory === 0) {
        scores[i] = this.score(cycle, requests, node);
        continue;
      }
      const { requestedMilliCpu, requestedMemory } = node;
      const balanced = balanceOf((requestedMilliCpu + milliCpu) / hasMilliCpu, (requestedMemory + memory) / hasMemory);
      scores[i] = scoresChange
        ? change(balanced, balanceOf(requestedMilliCpu / hasMilliCpu, requestedMemory / hasMemory))
        : balanced;
    }
  }
}

/** How much of a resource is used with the pod and without it. */
interface Fractions {
  readonly after: number;
  readonly before: number;
}

/** Null for a resource that the node does not have, or that is no matter of this pod. */
function fractionsOf(resource: string, requests: ScoredRequests, at: number, node: NodeInfo): Fractions | null {
  if (requests.exact === null && node.exact === null) {
    const request = requests.amounts[at]!;
    const usage = usageOf(resource, request, node, false);
    if (usage === null) return null;
    const { requested, allocatable } = usage;
    return { after: requested / allocatable, before: (requested - request) / allocatable };
  }
  const request = requests.exact?.[at] ?? BigInt(requests.amounts[at]!);
  const usage = exactUsageOf(resource, request, node, false);
  if (usage === null) return null;
  const allocatable = Number(usage.allocatable);
  return {
    after: Number(usage.requested) / allocatable,
    before: Number(int64(usage.requested - request)) / allocatable,
  };
}

/** 75 for a pod that changes nothing. Both balances are 50 to 100. Source: balancedResourceScorer at v1.36 */
function change(after: number, before: number): number {
  const half = maxNodeScore / 2;
  return half + Math.trunc((half + after - before) / 2);
}

/** `balance` of two fractions. */
function balanceOf(first: number, second: number): number {
  return Math.trunc((1 - Math.abs((Math.min(1, first) - Math.min(1, second)) / 2)) * maxNodeScore);
}

/** Of fractions that are at most 1. */
function balance(fractions: readonly number[]): number {
  let deviation = 0;
  if (fractions.length === 2) return balanceOf(fractions[0]!, fractions[1]!);
  if (fractions.length > 2) {
    const mean = fractions.reduce((sum, each) => sum + each, 0) / fractions.length;
    const squares = fractions.reduce((sum, each) => sum + (each - mean) * (each - mean), 0);
    deviation = Math.sqrt(squares / fractions.length);
  }
  return Math.trunc((1 - deviation) * maxNodeScore);
}
