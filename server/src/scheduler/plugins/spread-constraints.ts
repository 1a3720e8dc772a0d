import {
  compileLabelSelector,
  compileRequirements,
  type CompiledSelector,
  labelValue,
  type LabelRequirement,
} from '../../kubernetes/labels.ts';
import type { Release } from '../../kubernetes/release.ts';
import { compileRequiredNodeAffinity } from '../../kubernetes/node-selector.ts';
import type { Taint, TopologySpreadConstraint } from '../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { TopologyColumn } from '../framework/node-set.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PodTopologySpreadArgs } from '../framework/profile.ts';
import { defaultSpreadSelector } from './default-spread-selector.ts';
import { comparesNumbers } from './taint-toleration.ts';

export type SpreadAction = 'DoNotSchedule' | 'ScheduleAnyway';

/** A spread constraint made ready to count. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: CompiledSelector;
  /** By node index: 1 where the inclusion policies let the node count; null when they let every node. */
  readonly included: Uint8Array | null;
  readonly column: TopologyColumn;
}

/** Source: systemDefaultConstraints in pkg/scheduler/framework/plugins/podtopologyspread/plugin.go */
const systemDefaults: readonly TopologySpreadConstraint[] = [
  { topologyKey: 'kubernetes.io/hostname', maxSkew: 3, whenUnsatisfiable: 'ScheduleAnyway' },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5, whenUnsatisfiable: 'ScheduleAnyway' },
];

/**
 * The constraints of one action that hold for the pod: its own if it has any of either action, else those of the
 * profile, which count what services and the controller select.
 * Source: filterTopologySpreadConstraints and buildDefaultConstraints in podtopologyspread/common.go
 */
export function spreadConstraintsOf(
  cluster: ClusterState,
  pod: PodInfo,
  action: SpreadAction,
  args: PodTopologySpreadArgs,
): readonly SpreadConstraint[] {
  const own = pod.pod.spec?.topologySpreadConstraints ?? [];
  const written = own.length > 0 ? own : args.defaultingType === 'System' ? systemDefaults : args.defaultConstraints;
  const wanted = written.filter((constraint) => constraint.whenUnsatisfiable === action);
  if (wanted.length === 0) return [];
  let shared: CompiledSelector | null = null;
  if (own.length === 0) {
    shared = defaultSpreadSelector(cluster, pod);
    if (shared.isEmpty) return [];
  }
  return wanted.map((constraint) => ({
    topologyKey: constraint.topologyKey,
    maxSkew: constraint.maxSkew,
    minDomains: constraint.minDomains ?? 1,
    selector: shared ?? selectorOf(constraint, pod, cluster.release),
    included: includedNodes(cluster, pod, constraint),
    column: cluster.nodeSet.column(constraint.topologyKey),
  }));
}

/** The selector with the pod's own values of `matchLabelKeys`. Source: mergeLabelSetWithSelector */
function selectorOf(constraint: TopologySpreadConstraint, pod: PodInfo, { featureGates }: Release): CompiledSelector {
  const selector = compileLabelSelector(constraint.labelSelector);
  const own: LabelRequirement[] = [];
  const keys = constraint.matchLabelKeys ?? [];
  if (keys.length > 0 && !featureGates.has('MatchLabelKeysInPodTopologySpread')) {
    // The API server drops the keys. What is selected of them was merged in here: a selector may not name them itself.
    const kept = selector.requirements.filter(({ key }) => !keys.includes(key));
    return kept.length === selector.requirements.length ? selector : compileRequirements(kept);
  }
  for (const key of keys) {
    const value = labelValue(pod.class.labels, key);
    if (value !== undefined) own.push({ key, operator: 'In', values: [value] });
  }
  // A selector that matches nothing has no requirements to keep, so that what is left are the keys.
  return own.length === 0 ? selector : compileRequirements([...own, ...selector.requirements]);
}

/** Source: matchNodeInclusionPolicies in podtopologyspread/common.go */
function includedNodes(
  cluster: ClusterState,
  { pod }: PodInfo,
  { nodeAffinityPolicy, nodeTaintsPolicy }: TopologySpreadConstraint,
): Uint8Array | null {
  const spec = pod.spec;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const byAffinity =
    (nodeAffinityPolicy ?? 'Honor') === 'Honor' && (spec?.nodeSelector !== undefined || required !== undefined);
  const byTaints = nodeTaintsPolicy === 'Honor' && cluster.nodeSet.anyHardTaint;
  if (!byAffinity && !byTaints) return null;
  const numeric = comparesNumbers(cluster);
  const refuses = (taints: readonly Taint[]): boolean =>
    firstUntolerated(taints, spec?.tolerations, NO_SCHEDULE_EFFECTS, numeric) !== undefined;
  const affinity = compileRequiredNodeAffinity(spec);
  const included = new Uint8Array(cluster.nodeSet.size);
  for (const facts of cluster.nodeSet.facts) {
    if (byAffinity && !affinity.matches(facts)) continue;
    if (byTaints && refuses(facts.hardTaints)) continue;
    included[facts.index] = 1;
  }
  return included;
}

/** By node index: 1 where the node has the topology keys of all constraints; null when every node has. */
export function nodesWithAllKeys(cluster: ClusterState, constraints: readonly SpreadConstraint[]): Uint8Array | null {
  const columns = constraints.map(({ column }) => column.valueOfNode);
  if (columns.every((column) => !column.includes(-1))) return null;
  const complete = new Uint8Array(cluster.nodeSet.size).fill(1);
  for (const column of columns) {
    for (let node = 0; node < complete.length; node++) if (column[node] === -1) complete[node] = 0;
  }
  return complete;
}

/**
 * Calls `count` for each node that runs pods which the constraint counts, with how many: pods of the namespace that the
 * selector matches and that are not terminating. A selector without requirements counts none, as upstream shortcuts it.
 * Source: countPodsMatchSelector in podtopologyspread/common.go
 */
export function forEachCounted(
  cluster: ClusterState,
  namespace: string,
  { selector, included }: SpreadConstraint,
  complete: Uint8Array | null,
  count: (node: number, pods: number) => void,
): void {
  if (selector.isEmpty || selector.isNothing) return;
  for (const podClass of cluster.classes.mayMatch(namespace, selector)) {
    if (podClass.terminating || cluster.countOfClass(podClass) === 0 || !selector.matches(podClass.labels)) continue;
    for (const [node, pods] of cluster.nodesOfClass(podClass)) {
      if ((complete === null || complete[node] === 1) && (included === null || included[node] === 1)) count(node, pods);
    }
  }
}
