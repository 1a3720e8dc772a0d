import { labelValue } from '../../kubernetes/labels.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import type { InstanceType, Offering } from './catalog.ts';
import type { ExistingNode } from './existing-node.ts';
import { fault, type Fault } from './faults.ts';
import { labelsWithTooFewValues, tooFewText } from './filter-types.ts';
import { capacityTypeKey, doNotDisruptKey, instanceTypeKey, nodePoolKey, wellKnownLabels, zoneKey } from './labels.ts';
import type { NewNodeClaim } from './node-claim.ts';
import { hasCondition, type NodePool } from './objects.ts';
import {
  budgetsBlockingNow,
  isCurrentlyReschedulable,
  isDisruptable,
  isProvisionable,
  isReschedulable,
} from './pods.ts';
import { isManaged, pendingPods, type ProvisionInput, usablePools, withVolumes } from './provision.ts';
import { Requirement } from './requirement.ts';
import { areCompatible, labelRequirements, type Requirements, requirementOf, together } from './requirements.ts';
import { Scheduler, silent } from './scheduler.ts';
import { type StateNode, stateNodesOf } from './state-nodes.ts';

/** What Karpenter would do with one node, if it were the only one in question. */
export type Consolidation =
  /** No candidate; without a text where no event says why. */
  | { readonly kind: 'no-candidate'; readonly blocked?: string }
  | { readonly kind: 'keep'; readonly unconsolidatable?: string }
  /** Nothing on it would have to move. */
  | { readonly kind: 'delete-empty' }
  | { readonly kind: 'delete'; readonly moves: readonly Move[] }
  | {
      readonly kind: 'replace';
      readonly moves: readonly Move[];
      readonly claim: NewNodeClaim;
      readonly types: readonly InstanceType[];
    };

export interface Move {
  readonly pod: string;
  readonly node: string;
}

/**
 * Each node by itself: no budgets of pools, no other candidates.
 * Source: karpenter pkg/controllers/disruption (types.go, consolidation.go, emptiness.go) at v1.13.0
 */
export function consolidateEach(input: ProvisionInput): ReadonlyMap<string, Consolidation> {
  const nodes = stateNodesOf(input.cluster);
  return new Map(nodes.map((node) => [node.name, consolidate(node, nodes, input)]));
}

function consolidate(node: StateNode, nodes: readonly StateNode[], input: ProvisionInput): Consolidation {
  const candidate = candidateOf(node, input);
  if ('kind' in candidate) return candidate;
  const { pool, type, pods } = candidate;
  if (pool.isStatic) return { kind: 'keep' };
  const isConsolidatable = hasCondition(node.claim!, 'Consolidatable');
  if (pool.consolidateAfter !== undefined && pods.length === 0 && isConsolidatable) return { kind: 'delete-empty' };
  const refusal = refusalOf(node, pool, type);
  if (refusal !== undefined) return { kind: 'keep', unconsolidatable: refusal };
  if (!isConsolidatable) return { kind: 'keep' };
  // A node without pods that move is left to what removes empty nodes.
  if (pods.length === 0) return { kind: 'keep' };
  return compute(node, type!, pods, nodes, input);
}

interface Candidate {
  readonly pool: NodePool;
  readonly type: InstanceType | undefined;
  /** Pods that would be made anew elsewhere. */
  readonly pods: readonly Pod[];
}

/** Source: NewCandidate; the texts of StateNode.ValidateNodeDisruptable and ValidatePodsDisruptable */
function candidateOf(node: StateNode, { cluster, catalogs, now }: ProvisionInput): Candidate | Consolidation {
  if (node.claim === undefined) return { kind: 'no-candidate' };
  const blocked = (text: string): Consolidation => ({ kind: 'no-candidate', blocked: sentence(text) });
  if (node.node === undefined) return blocked('nodeclaim does not have an associated node');
  if (!node.isInitialized) return blocked("node isn't initialized");
  if (node.isMarkedForDeletion) return blocked('node is deleting or marked for deletion');
  if (labelValue(node.annotations, doNotDisruptKey) === 'true') {
    return blocked(`disruption is blocked through the "${doNotDisruptKey}" annotation`);
  }
  const poolName = labelValue(node.labels, nodePoolKey);
  if (poolName === undefined) return blocked(`node doesn't have required label (label=${nodePoolKey})`);
  const pool = cluster.nodePools.find(({ name, ...each }) => name === poolName && isManaged({ name, ...each }));
  const catalog = catalogs.get(poolName);
  if (pool === undefined || catalog === undefined || catalog.types.length === 0) {
    return { kind: 'no-candidate', blocked: `NodePool not found (NodePool=${poolName})` };
  }
  const kept = node.pods.find((pod) => !isDisruptable(pod, now));
  if (kept !== undefined) return blocked(`pod has "${doNotDisruptKey}" annotation (Pod=${keyOf(kept)})`);
  for (const pod of node.pods) {
    const budgets = budgetsBlockingNow(pod, cluster.budgets, now);
    if (budgets.length > 1) {
      return blocked(`eviction does not support multiple PDBs (PodDisruptionBudget(s)=[${budgets.join(' ')}])`);
    }
    if (budgets.length === 1) return blocked(`pdb prevents pod evictions (PodDisruptionBudget=[${budgets[0]!}])`);
  }
  const type = catalog.types.find(({ name }) => name === labelValue(node.labels, instanceTypeKey));
  return { pool, type, pods: node.pods.filter(isReschedulable) };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Source: consolidation.ShouldDisrupt */
function refusalOf({ labels }: StateNode, pool: NodePool, type: InstanceType | undefined): string | undefined {
  if (type === undefined) return `Instance Type "${labelValue(labels, instanceTypeKey) ?? ''}" not found`;
  for (const key of [capacityTypeKey, zoneKey]) {
    if (labelValue(labels, key) === undefined) return `Node does not have label "${key}"`;
  }
  return policyRefusal(pool);
}

/** Of a node with pods. */
export function policyRefusal(pool: NodePool): string | undefined {
  if (pool.consolidateAfter === undefined) return `NodePool "${pool.name}" has consolidation disabled`;
  if (pool.consolidationPolicy === 'WhenEmptyOrUnderutilized') return undefined;
  return `NodePool "${pool.name}" has non-empty consolidation disabled`;
}

/** Source: computeConsolidation, SimulateScheduling */
function compute(
  node: StateNode,
  type: InstanceType,
  pods: readonly Pod[],
  nodes: readonly StateNode[],
  { cluster, catalogs, options, now }: ProvisionInput,
): Consolidation {
  const deleting = nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion);
  const fromDeleting = deleting.flatMap((each) =>
    each.pods.filter((pod) => isCurrentlyReschedulable(pod, cluster.budgets, now)),
  );
  const pending = pendingPods(cluster, () => undefined);
  const moving = pods.filter((pod) => isCurrentlyReschedulable(pod, cluster.budgets, now));
  const nodePools = usablePools({ cluster, catalogs }, silent);
  if (nodePools.length === 0) return { kind: 'keep' };
  const { claims, existing, faults } = new Scheduler({
    cluster,
    nodePools,
    catalogs,
    stateNodes: nodes.filter((each) => each !== node && !each.isMarkedForDeletion),
    pods: withVolumes([...pending, ...moving, ...fromDeleting], cluster),
    options: { ...options, waitsForReservations: false },
    journal: silent,
  }).solve();
  const problem = schedulingProblem(faults, existing, [...pending, ...moving, ...fromDeleting], fromDeleting);
  if (problem !== undefined) return { kind: 'keep', unconsolidatable: problem };
  const moves = existing
    .flatMap(({ state, pods: there }) => there.map(({ key }) => ({ pod: key, node: state.name })))
    .sort((a, b) => (a.pod < b.pod ? -1 : 1));
  const [claim] = claims;
  if (claim === undefined) return { kind: 'delete', moves };
  if (claims.length > 1) {
    return { kind: 'keep', unconsolidatable: `Can't remove without creating ${claims.length} candidates` };
  }
  const replacement = cheaperTypes(claim, node, type);
  if (typeof replacement === 'string') return { kind: 'keep', unconsolidatable: replacement };
  return { kind: 'replace', moves, claim, types: replacement };
}

/** Pods that waited before do not count; pods on nodes that are not ready yet do not settle anything. */
function schedulingProblem(
  faults: ReadonlyMap<string, Fault>,
  existing: readonly ExistingNode[],
  pods: readonly Pod[],
  fromDeleting: readonly Pod[],
): string | undefined {
  const all = new Map(faults);
  const leaving = new Set(fromDeleting.map(keyOf));
  for (const { state, pods: there } of existing) {
    if (state.isInitialized) continue;
    const problem = fault(() => uninitializedText(state));
    for (const { key } of there) if (!leaving.has(key)) all.set(key, problem);
  }
  const waiting = new Set(pods.filter(isProvisionable).map(keyOf));
  const counted = [...all].filter(([key]) => !waiting.has(key));
  if (counted.length === 0) return undefined;
  const shown = counted.slice(0, 5).map(([key, { text }]) => `${key} => ${text()} `);
  const more = counted.length >= 5 ? ` and ${counted.length - 5} other(s)` : '';
  return `Not all pods would schedule, ${shown.join('')}${more}`;
}

/** Source: UninitializedNodeError */
function uninitializedText({ node, claim }: StateNode): string {
  const parts = [
    ...(claim === undefined ? [] : [`nodeclaim/${claim.name}`]),
    ...(node === undefined ? [] : [`node/${node.metadata?.name ?? ''}`]),
  ];
  return `would schedule against uninitialized ${parts.join(', ')}`;
}

/** The types that cost less than the node, or why there is no replacement. */
function cheaperTypes(
  claim: NewNodeClaim,
  { labels }: StateNode,
  type: InstanceType,
): readonly InstanceType[] | string {
  const own = type.offerings.filter(({ requirements }) =>
    areCompatible(together(labelRequirements(labels)), requirements, wellKnownLabels),
  );
  const price = own.length === 0 ? 0 : Math.min(...own.map((each) => each.price));
  const capacityTypes = requirementOf(claim.requirements, capacityTypeKey);
  if (labelValue(labels, capacityTypeKey) === 'spot' && capacityTypes.has('spot')) {
    return "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node";
  }
  const cheaper = claim.instanceTypes.filter(({ offerings }) => worstPrice(offerings, claim.requirements) < price);
  const tooFew = labelsWithTooFewValues(cheaper, claim.requirements);
  if (tooFew.size > 0) return `Filtering by price: ${tooFewText(tooFew)}`;
  if (cheaper.length === 0) return "Can't replace with a cheaper node";
  // What was reckoned with the price of spot is not to become an on-demand node.
  if (capacityTypes.has('spot') && capacityTypes.has('on-demand')) {
    const spot = Requirement.in(capacityTypeKey, 'spot').intersection(capacityTypes);
    claim.requirements = new Map(claim.requirements).set(capacityTypeKey, spot);
  }
  return cheaper;
}

/** Source: Offerings.WorstLaunchPrice */
function worstPrice(offerings: readonly Offering[], requirements: Requirements): number {
  const possible = offerings.filter(
    (each) => each.isAvailable && areCompatible(requirements, each.requirements, wellKnownLabels),
  );
  for (const capacityType of ['reserved', 'spot', 'on-demand']) {
    const prices = possible.filter((each) => each.capacityType === capacityType).map(({ price }) => price);
    if (prices.length > 0) return Math.max(...prices);
  }
  return Infinity;
}
