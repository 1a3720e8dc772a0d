import type { NodeInfo } from '../framework/node-info.ts';
import { maxNodeScore } from '../framework/normalize.ts';
import { type Blocker, type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PodTopologySpreadArgs } from '../framework/profile.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { forEachCounted, nodesWithAllKeys, type SpreadConstraint, spreadConstraintsOf } from './spread-constraints.ts';

const name = 'PodTopologySpread';
const hostname = 'kubernetes.io/hostname';
const missingLabel = unresolvable(
  name,
  "node(s) didn't match pod topology spread constraints (missing required label)",
);
const skewed = unschedulable(name, "node(s) didn't match pod topology spread constraints");

/** What one hard constraint counts, domain by domain. */
interface Domains {
  readonly constraint: SpreadConstraint;
  /** 1 if the pod itself would be counted where it lands. */
  readonly selfMatch: number;
  /** By number of the topology value; dry runs change it. */
  readonly counts: Float64Array;
  /** By number of the topology value: 1 where a node that qualifies has it. */
  readonly isDomain: Uint8Array;
  /** How many values are domains: those of nodes that qualify. */
  readonly size: number;
  /** The domain with the fewest pods, and the count of the next one, before any dry run. */
  readonly fewest: { readonly value: number; readonly count: number; readonly next: number };
  /** The value whose count a dry run last changed; -1 at first. A dry run changes one node, thus one value. */
  touched: number;
}

interface FilterState {
  readonly domains: readonly Domains[];
  /** By node index: 1 where the node has the keys of all constraints; null when every node has. */
  readonly complete: Uint8Array | null;
}

interface Soft {
  readonly constraint: SpreadConstraint;
  readonly weight: number;
  /** Pods counted, by number of the topology value; one more is for nodes without the label. Hostnames: by node. */
  readonly counts: Float64Array;
}

interface ScoreState {
  readonly soft: readonly Soft[];
  /** By node index: 1 where a node lacks a key that scoring asks for; it scores 0. Null when none does. */
  readonly ignored: Uint8Array | null;
}

/** Spreading over topology domains. Source: pkg/scheduler/framework/plugins/podtopologyspread */
export class PodTopologySpreadPlugin implements Plugin<FilterState, ScoreState> {
  readonly name = name;
  readonly dependsOnPods = true;
  readonly #args: PodTopologySpreadArgs;

  constructor(args: PodTopologySpreadArgs) {
    this.#args = args;
  }

  preFilter({ cluster, pod }: Cycle): PreFilterAnswer<FilterState> {
    const constraints = spreadConstraintsOf(cluster, pod, 'DoNotSchedule', this.#args);
    if (constraints.length === 0) return skip;
    const complete = nodesWithAllKeys(cluster, constraints);
    const domains = constraints.map((constraint): Domains => {
      const { column, included, selector } = constraint;
      const counts = new Float64Array(column.values.length);
      const isDomain = new Uint8Array(column.values.length);
      for (let node = 0; node < column.valueOfNode.length; node++) {
        if ((complete === null || complete[node] === 1) && (included === null || included[node] === 1)) {
          isDomain[column.valueOfNode[node]!] = 1;
        }
      }
      forEachCounted(cluster, pod.namespace, constraint, complete, (node, pods) => {
        counts[column.valueOfNode[node]!]! += pods;
      });
      const selfMatch = selector.matches(pod.class.labels) ? 1 : 0;
      return { constraint, selfMatch, counts, isDomain, ...fewestOf(counts, isDomain), touched: -1 };
    });
    return { state: { domains, complete } };
  }

  addPod(cycle: Cycle, state: FilterState, added: PodInfo, node: NodeInfo): void {
    update(cycle, state, added, node, 1);
  }

  removePod(cycle: Cycle, state: FilterState, removed: PodInfo, node: NodeInfo): void {
    update(cycle, state, removed, node, -1);
  }

  filter(_cycle: Cycle, { domains }: FilterState, { index }: NodeInfo): Status | null {
    for (const each of domains) {
      const { constraint, counts, selfMatch } = each;
      const value = constraint.column.valueOfNode[index]!;
      if (value === -1) return missingLabel;
      if (counts[value]! + selfMatch - globalMinimum(each) > constraint.maxSkew) return skewed;
    }
    return null;
  }

  explain(_cycle: Cycle, { domains }: FilterState, { index }: NodeInfo): readonly Blocker[] {
    return domains.flatMap((each): readonly Blocker[] => {
      const { constraint, counts, selfMatch, isDomain, size } = each;
      const { topologyKey, maxSkew, minDomains, column } = constraint;
      const value = column.valueOfNode[index]!;
      const minimum = globalMinimum(each);
      if (value !== -1 && counts[value]! + selfMatch - minimum <= maxSkew) return [];
      const fewest = column.values.filter((_, at) => isDomain[at] === 1 && counts[at] === each.fewest.count);
      return [
        {
          kind: 'spread',
          topologyKey,
          maxSkew,
          domain: column.values[value] ?? '',
          count: counts[value] ?? 0,
          fewest: fewest.slice(0, fewestNamed),
          minimum,
          domains: size,
          minDomains: size < minDomains ? minDomains : 0,
        },
      ];
    });
  }

  filterNodes(
    _cycle: Cycle,
    { domains }: FilterState,
    _nodes: readonly NodeInfo[],
    candidates: Int32Array,
    count: number,
    statuses: (Status | null)[],
  ): number {
    let left = count;
    for (const each of domains) {
      const { valueOfNode } = each.constraint.column;
      const { counts } = each;
      const most = each.constraint.maxSkew + globalMinimum(each) - each.selfMatch;
      let kept = 0;
      for (let i = 0; i < left; i++) {
        const index = candidates[i]!;
        const value = valueOfNode[index]!;
        if (value === -1) statuses[index] = missingLabel;
        else if (counts[value]! > most) statuses[index] = skewed;
        else candidates[kept++] = index;
      }
      left = kept;
    }
    return left;
  }

  preScore({ cluster, pod }: Cycle, nodes: readonly NodeInfo[], feasible: Int32Array): ScoreState | typeof skip {
    const constraints = spreadConstraintsOf(cluster, pod, 'ScheduleAnyway', this.#args);
    if (constraints.length === 0) return skip;
    const own = pod.pod.spec?.topologySpreadConstraints ?? [];
    const requireAll = own.length > 0 || this.#args.defaultingType !== 'System';
    const complete = requireAll ? nodesWithAllKeys(cluster, constraints) : null;
    const ignored = complete === null ? null : complete.map((has) => 1 - has);
    let scored = feasible.length;
    if (ignored !== null) for (const node of feasible) scored -= ignored[node]!;
    const soft = constraints.map((constraint): Soft => {
      const isHostname = constraint.topologyKey === hostname;
      const slotOf = isHostname ? undefined : slots(constraint);
      const registered = new Uint8Array(constraint.column.values.length + 1);
      let size = scored;
      if (slotOf !== undefined) {
        size = 0;
        for (const node of feasible) {
          if (ignored?.[node] === 1) continue;
          const slot = slotOf(node);
          if (registered[slot] === 0) size++;
          registered[slot] = 1;
        }
      }
      const counts = new Float64Array(isHostname ? nodes.length : registered.length);
      // Upstream counts hostnames node by node when it scores, and asks for no label and no policy there.
      const counted = isHostname ? { ...constraint, included: null } : constraint;
      forEachCounted(cluster, pod.namespace, counted, isHostname ? null : complete, (node, pods) => {
        counts[slotOf === undefined ? node : slotOf(node)]! += pods;
      });
      return { constraint, weight: Math.log(size + 2), counts };
    });
    return { soft, ignored };
  }

  scoreNodes(
    _cycle: Cycle,
    { soft, ignored }: ScoreState,
    _nodes: readonly NodeInfo[],
    feasible: Int32Array,
    scores: Float64Array,
  ): void {
    for (const { constraint, weight, counts } of soft) {
      const { valueOfNode } = constraint.column;
      const isHostname = constraint.topologyKey === hostname;
      const slack = constraint.maxSkew - 1;
      for (let i = 0; i < feasible.length; i++) {
        const node = feasible[i]!;
        const value = valueOfNode[node]!;
        if (value !== -1) scores[i]! += counts[isHostname ? node : value]! * weight + slack;
      }
    }
    for (let i = 0; i < feasible.length; i++) {
      scores[i] = ignored?.[feasible[i]!] === 1 ? 0 : roundHalfAway(scores[i]!);
    }
  }

  normalize(
    _cycle: Cycle,
    { ignored }: ScoreState,
    _nodes: readonly NodeInfo[],
    feasible: Int32Array,
    scores: Float64Array,
  ): void {
    let min = Infinity;
    let max = 0;
    for (let i = 0; i < feasible.length; i++) {
      if (ignored?.[feasible[i]!] === 1) continue;
      const score = scores[i]!;
      if (score < min) min = score;
      if (score > max) max = score;
    }
    for (let i = 0; i < feasible.length; i++) {
      if (ignored?.[feasible[i]!] === 1) scores[i] = 0;
      else if (max === 0) scores[i] = maxNodeScore;
      else scores[i] = Math.trunc((maxNodeScore * (max + min - scores[i]!)) / max);
    }
  }
}

/** Domains that are named in an explanation. */
const fewestNamed = 5;

/** Where a node's pods are counted for scoring: nodes without the label count as those whose value is empty. */
function slots({ column }: SpreadConstraint): (node: number) => number {
  const emptyValue = column.values.indexOf('');
  const missing = emptyValue === -1 ? column.values.length : emptyValue;
  return (node) => {
    const value = column.valueOfNode[node]!;
    return value === -1 ? missing : value;
  };
}

function fewestOf(counts: Float64Array, isDomain: Uint8Array): Pick<Domains, 'fewest' | 'size'> {
  let size = 0;
  let value = -1;
  let count = Infinity;
  let next = Infinity;
  for (let each = 0; each < counts.length; each++) {
    if (isDomain[each] === 0) continue;
    size++;
    const pods = counts[each]!;
    if (pods < count) {
      next = count;
      count = pods;
      value = each;
    } else if (pods < next) {
      next = pods;
    }
  }
  return { size, fewest: { value, count, next } };
}

/** The fewest pods in any domain; 0 while there are fewer domains than `minDomains`. Source: minMatchNum */
function globalMinimum({ constraint, size, fewest, touched, counts }: Domains): number {
  if (size < constraint.minDomains) return 0;
  if (touched === -1) return fewest.count;
  const others = touched === fewest.value ? fewest.next : fewest.count;
  return Math.min(others, counts[touched]!);
}

/**
 * Counts a pod that joins or leaves in a dry run. Unlike the counting before it, this neither leaves out terminating
 * pods nor selectors without requirements, and so may go below zero.
 * Source: updateWithPod in podtopologyspread/filtering.go
 */
function update({ pod }: Cycle, state: FilterState, changed: PodInfo, { index }: NodeInfo, by: 1 | -1): void {
  if (changed.namespace !== pod.namespace || state.complete?.[index] === 0) return;
  for (const domains of state.domains) {
    const { selector, included, column } = domains.constraint;
    if (included?.[index] === 0 || !selector.matches(changed.class.labels)) continue;
    const value = column.valueOfNode[index]!;
    domains.counts[value]! += by;
    domains.touched = value;
  }
}

/** Go's math.Round. */
function roundHalfAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value);
}
