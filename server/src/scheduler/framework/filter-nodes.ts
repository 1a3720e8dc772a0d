import { type ActivePlugin, type PreFilterResult, runAddPod, runFilters, runRemovePod } from './framework.ts';
import type { NodeInfo } from './node-info.ts';
import { nominatedBefore, withNominated } from './node-view.ts';
import type { Cycle } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/** What filtering found. */
export interface Filtered {
  /** By node index: why it was refused; null where it was not, or was not looked at. */
  readonly statuses: readonly (Status | null)[];
  /** Indexes of the nodes that passed, ascending. */
  readonly feasible: Int32Array;
}

/**
 * Runs the filters on the candidates, plugin by plugin over the nodes that are left: the first plugin to refuse a node
 * still gives its status. Where pods are nominated to a node it must pass with them and without them.
 * Source: pkg/scheduler/schedule_one.go (findNodesThatPassFilters)
 */
export function filterNodes(
  cycle: Cycle,
  active: PreFilterResult,
  schedulers: ReadonlySet<string>,
  candidates: Int32Array,
): Filtered {
  const { cluster, pod } = cycle;
  const statuses = new Array<Status | null>(cluster.nodes.length).fill(null);
  const { nominations } = cluster;
  if (nominations.size === 0) {
    const count = filterAll(cycle, active.filters, cluster.nodes, candidates, candidates.length, statuses);
    return { statuses, feasible: candidates.slice(0, count) };
  }
  // Plugins that are told of pods that come and go must be told node by node; for the others a node with the pods
  // nominated to it stands in for the node.
  const isReported = active.hooks.length > 0;
  const nodes = cluster.nodes.slice();
  const apart: number[] = [];
  let count = 0;
  for (const index of candidates) {
    const nominated = nominatedBefore(nominations, index, pod, schedulers);
    if (nominated.length > 0) {
      if (isReported) {
        apart.push(index);
        continue;
      }
      nodes[index] = withNominated(nodes[index]!, nominated);
    }
    candidates[count++] = index;
  }
  count = filterAll(cycle, active.filters, nodes, candidates, count, statuses);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const index = candidates[i]!;
    const node = cluster.nodes[index]!;
    const status = nodes[index] === node ? null : runFilters(cycle, active.filters, node);
    statuses[index] = status;
    if (status === null) candidates[kept++] = index;
  }
  for (const index of apart) {
    const nominated = nominatedBefore(nominations, index, pod, schedulers);
    const status = filterNode(cycle, active, nominated, cluster.nodes[index]!);
    statuses[index] = status;
    if (status === null) candidates[kept++] = index;
  }
  const feasible = candidates.slice(0, kept);
  return { statuses, feasible: apart.length > 0 ? feasible.sort() : feasible };
}

/** One byte a node: 0 where it passed, 1 where it was not looked at, from 2 on the place of its status among those given. */
export class PackedFiltered implements Filtered {
  readonly #codes: Uint8Array;
  readonly #given: readonly Status[];

  private constructor(codes: Uint8Array, given: readonly Status[]) {
    this.#codes = codes;
    this.#given = given;
  }

  /** The same in less memory; as it is where nodes differ in more ways than a byte has. */
  static of(filtered: Filtered): Filtered {
    const { statuses, feasible } = filtered;
    const given = [...new Set(statuses)].filter((status) => status !== null);
    if (given.length > 254) return filtered;
    const codeOf = new Map<Status | null, number>([[null, 1], ...given.map((status, at) => [status, at + 2] as const)]);
    const codes = Uint8Array.from(statuses, (status) => codeOf.get(status)!);
    for (const index of feasible) codes[index] = 0;
    return new PackedFiltered(codes, given);
  }

  get statuses(): readonly (Status | null)[] {
    return Array.from(this.#codes, (code) => this.#given[code - 2] ?? null);
  }

  get feasible(): Int32Array {
    return Int32Array.from([...this.#codes.keys()].filter((index) => this.#codes[index] === 0));
  }
}

/** The filters on one node, with `nominated` pods on it and without. Source: RunFilterPluginsWithNominatedPods */
export function filterNode(
  cycle: Cycle,
  { filters, hooks }: PreFilterResult,
  nominated: readonly PodInfo[],
  node: NodeInfo,
): Status | null {
  if (nominated.length > 0) {
    const view = withNominated(node, nominated);
    for (const pod of nominated) runAddPod(cycle, hooks, pod, view);
    const status = runFilters(cycle, filters, view);
    for (const pod of nominated) runRemovePod(cycle, hooks, pod, view);
    if (status !== null) return status;
  }
  return runFilters(cycle, filters, node);
}

function filterAll(
  cycle: Cycle,
  filters: readonly ActivePlugin[],
  nodes: readonly NodeInfo[],
  candidates: Int32Array,
  count: number,
  statuses: (Status | null)[],
): number {
  let left = count;
  for (const { plugin, state } of filters) {
    if (left === 0) break;
    if (plugin.filterNodes !== undefined) {
      left = plugin.filterNodes(cycle, state, nodes, candidates, left, statuses);
      continue;
    }
    let kept = 0;
    for (let i = 0; i < left; i++) {
      const index = candidates[i]!;
      const status = plugin.filter!(cycle, state, nodes[index]!);
      if (status === null) candidates[kept++] = index;
      else statuses[index] = status;
    }
    left = kept;
  }
  return left;
}
