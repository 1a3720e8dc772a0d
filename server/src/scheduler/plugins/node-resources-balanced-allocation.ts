import type { NodeInfo } from '../framework/node-info.ts';
import { maxNodeScore } from '../framework/normalize.ts';
import { type Cycle, type Plugin, skip } from '../framework/plugin.ts';
import type { NodeResourcesBalancedAllocationArgs, ResourceWeight } from '../framework/profile.ts';
import { exactRequestsOf, exactUsageOf, type ScoredRequests, scoredRequests, usageOf } from './resource-allocation.ts';

/**
 * Prefers nodes on which the resources are used to similar fractions.
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

  score(_cycle: Cycle, requests: ScoredRequests, node: NodeInfo): number {
    const fractions: number[] = [];
    for (const [i, { name }] of this.#resources.entries()) {
      const fraction = fractionOf(name, requests, i, node);
      if (fraction !== null) fractions.push(Math.min(1, fraction));
    }
    return balance(fractions);
  }

  scoreNodes(
    cycle: Cycle,
    requests: ScoredRequests,
    nodes: readonly NodeInfo[],
    feasible: Int32Array,
    scores: Float64Array,
  ): void {
    const fast = this.#isDefault && requests.exact === null;
    const milliCpu = requests.amounts[0] ?? 0;
    const memory = requests.amounts[1] ?? 0;
    for (let i = 0; i < feasible.length; i++) {
      const node = nodes[feasible[i]!]!;
      if (!fast || node.exact !== null || node.allocatableMilliCpu === 0 || node.allocatableMemory === 0) {
        scores[i] = this.score(cycle, requests, node);
        continue;
      }
      let cpuFraction = (node.requestedMilliCpu + milliCpu) / node.allocatableMilliCpu;
      if (cpuFraction > 1) cpuFraction = 1;
      let memoryFraction = (node.requestedMemory + memory) / node.allocatableMemory;
      if (memoryFraction > 1) memoryFraction = 1;
      scores[i] = Math.trunc((1 - Math.abs((cpuFraction - memoryFraction) / 2)) * maxNodeScore);
    }
  }
}

function fractionOf(resource: string, requests: ScoredRequests, at: number, node: NodeInfo): number | null {
  if (requests.exact === null && node.exact === null) {
    const usage = usageOf(resource, requests.amounts[at]!, node, false);
    return usage === null ? null : usage.requested / usage.allocatable;
  }
  const usage = exactUsageOf(resource, requests.exact?.[at] ?? BigInt(requests.amounts[at]!), node, false);
  return usage === null ? null : Number(usage.requested) / Number(usage.allocatable);
}

function balance(fractions: readonly number[]): number {
  let deviation = 0;
  if (fractions.length === 2) {
    deviation = Math.abs((fractions[0]! - fractions[1]!) / 2);
  } else if (fractions.length > 2) {
    const mean = fractions.reduce((sum, each) => sum + each, 0) / fractions.length;
    const squares = fractions.reduce((sum, each) => sum + (each - mean) * (each - mean), 0);
    deviation = Math.sqrt(squares / fractions.length);
  }
  return Math.trunc((1 - deviation) * maxNodeScore);
}
