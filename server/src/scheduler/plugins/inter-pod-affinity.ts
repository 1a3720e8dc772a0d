import { compileLabelSelector, type Labels } from '../../kubernetes/labels.ts';
import type { PodAffinityTerm } from '../../kubernetes/objects.ts';
import { labelSelectorText } from '../../kubernetes/requirement-text.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { maxNodeScore } from '../framework/normalize.ts';
import { type Blocker, type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { PodClass } from '../framework/pod-class.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { InterPodAffinityArgs } from '../framework/profile.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';
import {
  type AffinityTerm,
  type ClassTerms,
  matchesAllTerms,
  termMatches,
  termsOf,
  withNamespacesSelected,
} from './affinity-terms.ts';
import { TopologyCounts } from './topology-counts.ts';

const name = 'InterPodAffinity';
const affinityNotMet = unresolvable(name, "node(s) didn't match pod affinity rules");
const antiAffinityNotMet = unschedulable(name, "node(s) didn't match pod anti-affinity rules");
const existingAntiAffinity = unschedulable(name, "node(s) didn't satisfy existing pods anti-affinity rules");

interface FilterState {
  /** The incoming pod's terms. */
  readonly terms: ClassTerms;
  /** Labels of the incoming pod's namespace; undefined when it is not among the objects. */
  readonly namespaceLabels: Labels | undefined;
  /** Required anti-affinity terms of existing pods that match the incoming pod. */
  readonly existingAnti: TopologyCounts;
  /** Existing pods that match all required affinity terms of the incoming pod, once per term. */
  readonly affinity: TopologyCounts;
  /** Existing pods by required anti-affinity term of the incoming pod that they match. */
  readonly anti: TopologyCounts;
}

/** Affinity between pods. Source: pkg/scheduler/framework/plugins/interpodaffinity */
export class InterPodAffinityPlugin implements Plugin<FilterState, TopologyCounts> {
  readonly name = name;
  readonly dependsOnPods = true;
  readonly #args: InterPodAffinityArgs;

  constructor(args: InterPodAffinityArgs) {
    this.#args = args;
  }

  preFilter({ cluster, pod }: Cycle): PreFilterAnswer<FilterState> {
    const state: FilterState = {
      terms: this.#incomingTerms(cluster, pod),
      namespaceLabels: cluster.objects.fixed.namespaces.get(pod.namespace),
      existingAnti: new TopologyCounts(cluster.nodeSet),
      affinity: new TopologyCounts(cluster.nodeSet),
      anti: new TopologyCounts(cluster.nodeSet),
    };
    for (const existing of cluster.classes.withAffinity) {
      const keys = matchingAntiKeys(existing, pod.class, state);
      if (keys.length === 0) continue;
      for (const [node, pods] of cluster.nodesOfClass(existing)) addAll(state.existingAnti, keys, node, pods);
    }
    const { requiredAffinity, requiredAntiAffinity } = state.terms;
    if (requiredAffinity.length === 0 && requiredAntiAffinity.length === 0) {
      return state.existingAnti.isEmpty ? skip : { state };
    }
    for (const existing of cluster.classes.all) {
      if (cluster.countOfClass(existing) === 0) continue;
      const affinityKeys = matchedAffinityKeys(state, existing);
      const antiKeys = matchedAntiKeys(state, existing);
      if (affinityKeys.length === 0 && antiKeys.length === 0) continue;
      for (const [node, pods] of cluster.nodesOfClass(existing)) {
        addAll(state.affinity, affinityKeys, node, pods);
        addAll(state.anti, antiKeys, node, pods);
      }
    }
    return { state };
  }

  addPod(cycle: Cycle, state: FilterState, added: PodInfo, node: NodeInfo): void {
    update(cycle, state, added, node, 1);
  }

  removePod(cycle: Cycle, state: FilterState, removed: PodInfo, node: NodeInfo): void {
    update(cycle, state, removed, node, -1);
  }

  filter({ pod }: Cycle, state: FilterState, { index }: NodeInfo): Status | null {
    if (!affinityHolds(state, pod, index)) return affinityNotMet;
    if (state.anti.anyPositiveAt(index)) return antiAffinityNotMet;
    return state.existingAnti.anyPositiveAt(index) ? existingAntiAffinity : null;
  }

  explain({ cluster, pod }: Cycle, state: FilterState, { index }: NodeInfo): readonly Blocker[] {
    const found: Blocker[] = [];
    if (!affinityHolds(state, pod, index)) found.push(...unmetTerms(state, cluster, pod, index));
    const domain = { cluster, index };
    const own = state.terms.requiredAntiAffinity;
    found.push(...keptApart(domain, false, (each) => own.filter((term) => termMatches(term, each, undefined))));
    const matching = (each: PodClass): readonly AffinityTerm[] =>
      termsOf(each).requiredAntiAffinity.filter((term) => termMatches(term, pod.class, state.namespaceLabels));
    found.push(...keptApart(domain, true, matching));
    return found;
  }

  filterNodes(
    cycle: Cycle,
    state: FilterState,
    nodes: readonly NodeInfo[],
    candidates: Int32Array,
    count: number,
    statuses: (Status | null)[],
  ): number {
    const needsAffinity = state.terms.requiredAffinity.length > 0;
    const anti = state.anti.positiveNodes();
    const existing = state.existingAnti.positiveNodes();
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const index = candidates[i]!;
      if (needsAffinity || anti[index] === 1 || existing[index] === 1) {
        const status = this.filter(cycle, state, nodes[index]!);
        if (status !== null) {
          statuses[index] = status;
          continue;
        }
      }
      candidates[kept++] = index;
    }
    return kept;
  }

  preScore({ cluster, pod }: Cycle): TopologyCounts | typeof skip {
    const { preferredAffinity, preferredAntiAffinity } = this.#incomingTerms(cluster, pod);
    const hasPreferences = preferredAffinity.length > 0 || preferredAntiAffinity.length > 0;
    if (this.#args.ignorePreferredTermsOfExistingPods && !hasPreferences) return skip;
    const namespaceLabels = cluster.objects.fixed.namespaces.get(pod.namespace);
    const scores = new TopologyCounts(cluster.nodeSet);
    for (const existing of hasPreferences ? cluster.classes.all : cluster.classes.withAffinity) {
      if (cluster.countOfClass(existing) === 0) continue;
      const weights: { readonly key: string; readonly weight: number }[] = [];
      for (const { term, weight } of preferredAffinity) {
        if (termMatches(term, existing, undefined)) weights.push({ key: term.topologyKey, weight });
      }
      for (const { term, weight } of preferredAntiAffinity) {
        if (termMatches(term, existing, undefined)) weights.push({ key: term.topologyKey, weight: -weight });
      }
      const terms = termsOf(existing);
      if (this.#args.hardPodAffinityWeight > 0) {
        for (const term of terms.requiredAffinity) {
          if (!termMatches(term, pod.class, namespaceLabels)) continue;
          weights.push({ key: term.topologyKey, weight: this.#args.hardPodAffinityWeight });
        }
      }
      for (const { term, weight } of terms.preferredAffinity) {
        if (termMatches(term, pod.class, namespaceLabels)) weights.push({ key: term.topologyKey, weight });
      }
      for (const { term, weight } of terms.preferredAntiAffinity) {
        if (termMatches(term, pod.class, namespaceLabels)) weights.push({ key: term.topologyKey, weight: -weight });
      }
      if (weights.length === 0) continue;
      for (const [node, pods] of cluster.nodesOfClass(existing)) {
        for (const { key, weight } of weights) scores.add(key, node, weight * pods);
      }
    }
    return scores.isTouched ? scores : skip;
  }

  scoreNodes(
    _cycle: Cycle,
    sums: TopologyCounts,
    _nodes: readonly NodeInfo[],
    feasible: Int32Array,
    scores: Float64Array,
  ): void {
    for (let i = 0; i < feasible.length; i++) scores[i] = sums.sumAt(feasible[i]!);
  }

  normalize(
    _cycle: Cycle,
    _state: TopologyCounts,
    _nodes: readonly NodeInfo[],
    _feasible: Int32Array,
    scores: Float64Array,
  ): void {
    let min = Infinity;
    let max = -Infinity;
    for (const score of scores) {
      if (score < min) min = score;
      if (score > max) max = score;
    }
    const range = max - min;
    for (let i = 0; i < scores.length; i++) {
      scores[i] = range > 0 ? Math.trunc(maxNodeScore * ((scores[i]! - min) / range)) : 0;
    }
  }

  #incomingTerms(cluster: ClusterState, pod: PodInfo): ClassTerms {
    return withNamespacesSelected(termsOf(pod.class), cluster, this.#args.namespaceSelectorMatchesNoLabels);
  }
}

/** The topology keys of an existing pod's required anti-affinity terms that keep the incoming pod away. */
function matchingAntiKeys(existing: PodClass, incoming: PodClass, { namespaceLabels }: FilterState): readonly string[] {
  const matching = termsOf(existing).requiredAntiAffinity.filter((term) =>
    termMatches(term, incoming, namespaceLabels),
  );
  return matching.map(({ topologyKey }) => topologyKey);
}

/** The keys under which an existing pod counts for the incoming pod's required affinity. */
function matchedAffinityKeys({ terms }: FilterState, existing: PodClass): readonly string[] {
  if (!matchesAllTerms(terms.requiredAffinity, existing)) return [];
  return terms.requiredAffinity.map(({ topologyKey }) => topologyKey);
}

/** The keys under which an existing pod counts for the incoming pod's required anti-affinity. */
function matchedAntiKeys({ terms }: FilterState, existing: PodClass): readonly string[] {
  const matching = terms.requiredAntiAffinity.filter((term) => termMatches(term, existing, undefined));
  return matching.map(({ topologyKey }) => topologyKey);
}

function addAll(counts: TopologyCounts, keys: readonly string[], node: number, amount: number): void {
  for (const key of keys) counts.add(key, node, amount);
}

/** Source: preFilterState.updateWithPod in interpodaffinity/filtering.go */
function update({ pod }: Cycle, state: FilterState, changed: PodInfo, { index }: NodeInfo, by: 1 | -1): void {
  addAll(state.existingAnti, matchingAntiKeys(changed.class, pod.class, state), index, by);
  addAll(state.affinity, matchedAffinityKeys(state, changed.class), index, by);
  addAll(state.anti, matchedAntiKeys(state, changed.class), index, by);
}

/** Source: satisfyPodAffinity in interpodaffinity/filtering.go */
function affinityHolds({ terms, affinity }: FilterState, pod: PodInfo, node: number): boolean {
  let podsExist = true;
  for (const { topologyKey } of terms.requiredAffinity) {
    const count = affinity.at(topologyKey, node);
    if (count === undefined) return false;
    if (count <= 0) podsExist = false;
  }
  // The first pod of a series that wants to be together would wait for ever otherwise.
  return podsExist || (affinity.isEmpty && matchesAllTerms(terms.requiredAffinity, pod.class));
}

function unmetTerms(
  { affinity }: FilterState,
  cluster: ClusterState,
  { pod, class: own }: PodInfo,
  node: number,
): readonly Blocker[] {
  const terms = pod.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const unmet = terms.filter(({ topologyKey }) => (affinity.at(topologyKey, node) ?? 0) <= 0);
  return unmet.map((term) => ({
    kind: 'affinity',
    topologyKey: term.topologyKey,
    selectors: [labelSelectorText(term.labelSelector)],
    elsewhere: namespacesWith(term, cluster, own.namespace),
  }));
}

/** Other namespaces that have such pods, of a term that looks into its own alone. */
function namespacesWith(
  { labelSelector, namespaces = [], namespaceSelector }: PodAffinityTerm,
  cluster: ClusterState,
  own: string,
): readonly string[] {
  if (namespaces.length > 0 || namespaceSelector !== undefined) return [];
  const selector = compileLabelSelector(labelSelector);
  const others = [...cluster.classes.all].filter(
    (each) => each.namespace !== own && cluster.countOfClass(each) > 0 && selector.matches(each.labels),
  );
  return [...new Set(others.map(({ namespace }) => namespace))].slice(0, podsNamed);
}

/** Pods that are named in an explanation. */
const podsNamed = 3;

/** The pods in the node's domains with which the pod may not be, by the topology key. */
function keptApart(
  { cluster, index }: { readonly cluster: ClusterState; readonly index: number },
  theirs: boolean,
  termsAgainst: (podClass: PodClass) => readonly AffinityTerm[],
): readonly Blocker[] {
  const byKey = new Map<string, { count: number; readonly pods: string[] }>();
  for (const existing of theirs ? cluster.classes.withAffinity : cluster.classes.all) {
    if (cluster.countOfClass(existing) === 0) continue;
    for (const topologyKey of new Set(termsAgainst(existing).map((term) => term.topologyKey))) {
      const { valueOfNode } = cluster.nodeSet.column(topologyKey);
      if (valueOfNode[index] === -1) continue;
      for (const [node, pods] of cluster.nodesOfClass(existing)) {
        if (pods <= 0 || valueOfNode[node] !== valueOfNode[index]) continue;
        const known = getOrInsert(byKey, topologyKey, () => ({ count: 0, pods: [] }));
        known.count += pods;
        if (known.pods.length >= podsNamed) continue;
        const here = cluster.nodes[node]!.pods.filter((each) => each.class === existing);
        known.pods.push(...here.slice(0, podsNamed - known.pods.length).map(({ key }) => key));
      }
    }
  }
  return [...byKey].map(([topologyKey, { count, pods }]) => ({
    kind: 'anti-affinity',
    topologyKey,
    pods,
    count,
    theirs,
  }));
}
