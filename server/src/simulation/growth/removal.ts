import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { Node, Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { scaleDown, utilizationThreshold } from '../../autoscaling/cluster-autoscaler/scale-down.ts';
import { noAmounts } from '../../autoscaling/karpenter/amounts.ts';
import { karpenterCluster } from '../../autoscaling/karpenter/cluster.ts';
import { type Consolidation, consolidateEach, policyRefusal } from '../../autoscaling/karpenter/consolidate.ts';
import {
  doNotDisruptKey,
  initializedKey,
  instanceTypeKey,
  nodePoolKey,
  registeredKey,
} from '../../autoscaling/karpenter/labels.ts';
import type { NodeClaim, NodePool } from '../../autoscaling/karpenter/objects.ts';
import { budgetsBlockingNow, isDisruptable } from '../../autoscaling/karpenter/pods.ts';
import { silent } from '../../autoscaling/karpenter/scheduler.ts';
import { catalogsOf } from '../../autoscaling/pools/catalogs.ts';
import { type Pools, readPools } from '../../autoscaling/pools/read-pools.ts';
import { Inventory } from '../cluster/inventory.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { EndOfRun } from '../capacity/fit.ts';
import { clusterAtEnd, type ClusterAtEnd } from './cluster-at-end.ts';
import { objectsOf } from '../cluster/pool-objects.ts';

/** Whether an autoscaler would remove a node, and what keeps it from that. */
export interface Removal {
  readonly tool: 'Karpenter' | 'Cluster Autoscaler';
  readonly isRemovable: boolean;
  /** Everything that is in the way; of one that can go, where its pods go. */
  readonly lines: readonly string[];
}

/** Undefined for a node that is not there. A node without the label of a NodePool is Cluster Autoscaler's. */
export function removalOf(input: SimulationInput, end: EndOfRun, name: string): Removal | undefined {
  const cluster = withAllowed(clusterAtEnd(end), end);
  const node = cluster.nodes.find((each) => nameOf(each) === name);
  if (node === undefined) return undefined;
  const pools = readPools(objectsOf(input), new Inventory(input).objects('Node'));
  const isOfKarpenter = labelValue(node.metadata?.labels, nodePoolKey) !== undefined;
  return isOfKarpenter ? byKarpenter(pools, cluster, node) : byClusterAutoscaler(pools, cluster, node);
}

/** With what budgets allow now, which nobody but a controller writes. */
function withAllowed(cluster: ClusterAtEnd, { run }: EndOfRun): ClusterAtEnd {
  const { budgets, disruptionsAllowed } = run.cluster.state;
  const allowed = new Map(budgets.budgets.map(({ key }, index) => [key, disruptionsAllowed[index] ?? 0]));
  const others = cluster.others.map((object) => {
    if (object.kind !== 'PodDisruptionBudget') return object;
    const budget = object as PodDisruptionBudget;
    return { ...budget, status: { ...budget.status, disruptionsAllowed: allowed.get(keyOf(budget)) ?? 0 } };
  });
  return { ...cluster, others };
}

function byKarpenter(pools: Pools, { nodes, pods, others }: ClusterAtEnd, node: Node): Removal {
  const name = nameOf(node);
  // A pod that is protected for a time counts as protected.
  const now = 0;
  const known = nodes.map(initialized);
  const own = pods.filter(({ spec }) => spec?.nodeName === name);
  const budgets = others.filter((object): object is PodDisruptionBudget => object.kind === 'PodDisruptionBudget');
  const claims = known.flatMap((each) => claimFor(each, pools) ?? []);
  const catalogs = catalogsOf(pools, nodes);
  const isKept = labelValue(node.metadata?.annotations, doNotDisruptKey) === 'true';
  const blockers = (): readonly string[] => [
    ...(isKept ? [`disruption is blocked through the "${doNotDisruptKey}" annotation`] : []),
    ...disruptionBudgets(pools, known, node, 'Underutilized').always,
    ...own
      .filter((pod) => !isDisruptable(pod, now))
      .map((pod) => `pod has "${doNotDisruptKey}" annotation (Pod=${keyOf(pod)})`),
    ...new Set(
      own.flatMap((pod) => {
        const blocking = budgetsBlockingNow(withoutAnnotations(pod), budgets, now);
        return blocking.length === 0
          ? []
          : [`pdb prevents pod evictions (PodDisruptionBudget=[${blocking.join(' ')}])`];
      }),
    ),
  ];
  const pool = pools.nodePools.find((each) => each.name === labelValue(node.metadata?.labels, nodePoolKey));
  const types = pool === undefined ? undefined : catalogs.get(pool.name)?.types;
  const type = labelValue(node.metadata?.labels, instanceTypeKey);
  if (types === undefined || (type !== undefined && !types.some(({ name: each }) => each === type))) {
    return byWhatIsThere(pool, { nodes, pods, others }, node, blockers());
  }
  const judge = (list: readonly Pod[], allowing: ClusterAtEnd['others'], machines: readonly Node[]): Consolidation =>
    consolidateEach({
      cluster: karpenterCluster([...machines, ...list, ...allowing], pools.nodePools, claims),
      catalogs,
      options: { ignoresPreferences: false, relaxesMinValues: false },
      journal: silent,
      now,
    }).get(name) ?? { kind: 'no-candidate' };
  const first = judge(pods, others, known);
  if (first.kind !== 'no-candidate') {
    const { isRemovable, lines } = toldOf(first);
    const held = disruptionBudgets(pools, known, node, first.kind === 'delete-empty' ? 'Empty' : 'Underutilized');
    return held.always.length > 0
      ? { tool: 'Karpenter', isRemovable: false, lines: isRemovable ? held.always : [...held.always, ...lines] }
      : { tool: 'Karpenter', isRemovable, lines: isRemovable ? [...lines, ...held.atTimes] : lines };
  }
  const named = blockers();
  const lines = named.length > 0 ? named : [first.blocked ?? say`its NodeClaim is not known`];
  // Whether the rest would fit is asked as if nothing of that were there.
  const isOnNode = new Set(own);
  const free = pods.map((pod) => (isOnNode.has(pod) ? withoutAnnotations(pod) : pod));
  const rest = judge(
    free,
    others.filter(({ kind }) => kind !== 'PodDisruptionBudget'),
    known.map((each) => (nameOf(each) === name ? withoutAnnotations(each) : each)),
  );
  const texts = rest.kind === 'keep' ? toldOf(rest).lines : [];
  return { tool: 'Karpenter', isRemovable: false, lines: [...lines, ...texts] };
}

/** Where the pool or the types of its nodes are not known: all but whether one new node would be cheaper. */
function byWhatIsThere(
  pool: NodePool | undefined,
  { nodes, pods, others }: Omit<ClusterAtEnd, 'waiting'>,
  node: Node,
  blockers: readonly string[],
): Removal {
  const { moving, homeless } = scaleDown(node, nodes, pods, others);
  const policy = pool === undefined || moving.length === 0 ? undefined : policyRefusal(pool);
  const lines = [...blockers, ...(policy === undefined ? [] : [policy]), ...homelessText(moving, homeless)];
  return {
    tool: 'Karpenter',
    isRemovable: lines.length === 0,
    lines: lines.length === 0 ? [movingText(moving)] : lines,
  };
}

function homelessText(moving: readonly Pod[], homeless: readonly Pod[]): readonly string[] {
  if (homeless.length === 0) return [];
  const named = joined(homeless.slice(0, namedMoves).map(keyOf), ', ');
  return [say`${count(homeless.length, 'pod')} of ${moving.length} would find no other node: ${named}`];
}

function movingText(moving: readonly Pod[]): string {
  return moving.length === 0 ? say`no pod has to move` : say`${count(moving.length, 'pod')} would move to other nodes`;
}

/**
 * What budgets of the node's pool say of a reason: those that let no node go at all, and those that do so at times.
 * Source: karpenter pkg/apis/v1/nodepool.go (GetAllowedDisruptions), pkg/controllers/disruption (BuildDisruptionBudgetMapping, events)
 */
function disruptionBudgets(
  { nodePools }: Pools,
  nodes: readonly Node[],
  node: Node,
  reason: 'Empty' | 'Underutilized',
): { readonly always: readonly string[]; readonly atTimes: readonly string[] } {
  const poolOf = ({ metadata }: Node): string | undefined => labelValue(metadata?.labels, nodePoolKey);
  const pool = nodePools.find(({ name }) => name === poolOf(node));
  if (pool === undefined) return { always: [], atTimes: [] };
  const own = nodes.filter((each) => poolOf(each) === pool.name);
  const isUnready = ({ status }: Node): boolean =>
    (status?.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status !== 'True');
  const disrupted = own.filter(isUnready).length;
  const [always, atTimes] = [new Set<string>(), new Set<string>()];
  for (const { nodes: amount, reasons, schedule, duration } of pool.budgets) {
    if (reasons.length > 0 && !reasons.includes(reason)) continue;
    const [, whole, percent] = /^(?:(\d+)|(\d+)%)$/.exec(amount) ?? [];
    const allowed = Number(whole ?? Math.ceil((own.length * Number(percent ?? 0)) / 100));
    if (allowed > disrupted) continue;
    const of = say`NodePool ${pool.name}: nodes ${amount}`;
    if (schedule === undefined && duration === undefined) {
      always.add(`No allowed disruptions for disruption reason ${reason} due to blocking budget (${of})`);
    } else {
      atTimes.add(
        say`not for ${duration ?? ''} from each ${schedule ?? ''} (UTC): a budget allows no disruptions (${of})`,
      );
    }
  }
  return { always: [...always], atTimes: [...atTimes] };
}

function withoutAnnotations<Object extends Node | Pod>(object: Object): Object {
  const { annotations, ...metadata } = object.metadata ?? {};
  return annotations === undefined ? object : { ...object, metadata };
}

/** A node that runs counts as ready, whatever is left out of its labels. */
function initialized(node: Node): Node {
  const labels = node.metadata?.labels ?? {};
  if (labelValue(labels, nodePoolKey) === undefined) return node;
  return {
    ...node,
    metadata: { ...node.metadata, labels: { ...labels, [registeredKey]: 'true', [initializedKey]: 'true' } },
    spec: { ...node.spec, providerID: node.spec?.providerID ?? nameOf(node) },
  };
}

/** Manifests and snapshots seldom have the NodeClaim of a node: it counts as long settled. */
function claimFor(node: Node, { nodeClaims }: Pools): NodeClaim | undefined {
  const labels = node.metadata?.labels ?? {};
  if (labelValue(labels, nodePoolKey) === undefined) return undefined;
  const providerId = node.spec?.providerID ?? '';
  const known = nodeClaims.find((each) => each.providerId === providerId);
  if (known !== undefined) return known;
  return {
    name: nameOf(node),
    uid: '',
    labels,
    annotations: {},
    isBeingDeleted: false,
    requirements: [],
    taints: [],
    startupTaints: [],
    providerId,
    nodeName: nameOf(node),
    capacity: noAmounts,
    allocatable: noAmounts,
    conditions: [{ type: 'Consolidatable', status: 'True' }],
    hasTerminationGracePeriod: false,
  };
}

/** What depends on prices is not known. */
const pricedTexts = ["Can't replace with a cheaper node", 'Filtering by price: '];

function toldOf(found: Consolidation): Pick<Removal, 'isRemovable' | 'lines'> {
  switch (found.kind) {
    case 'delete-empty':
      return { isRemovable: true, lines: [say`no pod has to move`] };
    case 'delete':
      return { isRemovable: true, lines: movesText(found.moves) };
    case 'replace':
      return { isRemovable: true, lines: [say`its pods move to one new node, of a cheaper type`] };
    case 'no-candidate':
      return { isRemovable: false, lines: [found.blocked ?? say`its NodeClaim is not known`] };
    case 'keep': {
      const text = found.unconsolidatable;
      if (text === undefined) return { isRemovable: false, lines: [say`Karpenter does not consolidate it now`] };
      return pricedTexts.some((each) => text.startsWith(each))
        ? {
            isRemovable: false,
            lines: [
              say`its pods do not fit on the other nodes; one new node takes them, and whether that is cheaper is not known`,
            ],
          }
        : { isRemovable: false, lines: [text.trim()] };
    }
  }
}

const namedMoves = 10;

function movesText(moves: readonly { readonly pod: string; readonly node: string }[]): readonly string[] {
  if (moves.length === 0) return [say`no pod has to move`];
  const shown = moves.slice(0, namedMoves).map(({ pod, node }) => say`${pod} moves to ${node}`);
  const left = moves.length - shown.length;
  return left === 0 ? shown : [...shown, say`and ${left} more`];
}

function byClusterAutoscaler({ groups }: Pools, { nodes, pods, others }: ClusterAtEnd, node: Node): Removal {
  const bound = pods.filter(({ spec }) => (spec?.nodeName ?? '') !== '');
  const { blocked, moving, homeless, utilization, isDisabled } = scaleDown(node, nodes, bound, others);
  const { resource, share } = utilization;
  const group = groups.find((each) => each.nodes.has(nameOf(node)));
  const percent = (part: number): string => `${Math.round(100 * part)} %`;
  const lines = [
    ...(isDisabled ? [say`its annotation cluster-autoscaler.kubernetes.io/scale-down-disabled`] : []),
    ...(group !== undefined && group.size <= group.min ? [say`${group.id} has its fewest nodes, ${group.min}`] : []),
    ...(share >= utilizationThreshold
      ? [
          say`its pods request ${percent(share)} of its ${resource}: Cluster Autoscaler removes nodes below ${percent(utilizationThreshold)}`,
        ]
      : []),
    ...blocked,
    ...homelessText(moving, homeless),
  ];
  if (lines.length > 0) return { tool: 'Cluster Autoscaler', isRemovable: false, lines };
  return { tool: 'Cluster Autoscaler', isRemovable: true, lines: [movingText(moving)] };
}
