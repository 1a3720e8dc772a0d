import { quotaUsage } from '../../util/amounts.ts';
import { waitsText } from '../../report-model/so-far.ts';
import { isGone } from '../../report-model/report.ts';
import type {
  Listed,
  Overview,
  OverviewBudget,
  OverviewClass,
  OverviewNode,
  OverviewPending,
  OverviewQuota,
  OverviewWorkload,
} from '../../report-model/overview.ts';
import { addTo } from '../../util/maps.ts';
import { compareText, qualifiedName } from '../../util/words.ts';
import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { joined } from '../../util/say.ts';
import { keyOf, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { isHealthy } from '../../disruption/pods.ts';
import type { Grown } from '../growth/grown.ts';
import { answersText } from '../growth/pool-answers.ts';
import { prepareScenario } from '../run/prepare-scenario.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { RollOuts, type WorkloadChange } from '../run/roll-outs.ts';
import type { Run } from '../run/run.ts';
import { type RunEvent, messageOf } from '../run/run-event.ts';
import { settleWithTaints } from '../run/taint-evictions.ts';
import { WhyPending } from '../causes/why-pending.ts';

/** Rows of a list. */
const longest = 1000;

/** Workloads under all classes together, so that the answer stays small however they are spread. */
const mostWorkloads = 5000;

/** Nodes that are named of those that a budget blocks. */
const namedNodes = 10;

/** How many pods are looked at before the generator yields: about a millisecond of work. */
const podsAtOnce = 500;

/**
 * Lets everything that is declared arrive, rolls out what is changed, and tells how it stands then. Yields now and then.
 */
export function* overviewOf(
  simulated: SimulatedCluster,
  changed: readonly WorkloadChange[] = [],
  advice: Grown['advice'] = new Map(),
): Generator<void, Overview> {
  const { run, controllers } = yield* prepareScenario(simulated, { kind: 'workspace' }, {});
  const rollOuts = changed.length === 0 ? null : new RollOuts(simulated, run, controllers, changed);
  const last = new Map<SimulatedPod, RunEvent>();
  yield* settleWithTaints(run, controllers, (event) => {
    keepLast(last, event);
    rollOuts?.follow(event);
  });
  run.cluster.refreshBudgets();
  const ends = yield* endsOf(simulated, run);
  const pending = yield* pendingOf(simulated, run, ends, { last, advice });
  const podsIn = (state: Waiting): number =>
    pending.reduce((sum, row) => sum + (row.state === state ? row.pods : 0), 0);
  const { inventory } = simulated;
  const isDeclared = simulated.workloads.length > 0 || inventory.nodeSource !== 'assumed';
  const hasOthers = (['PriorityClass', 'PodDisruptionBudget', 'ResourceQuota'] as const).some(
    (kind) => inventory.ofKind(kind).length > 0,
  );
  return {
    isEmpty: !isDeclared && !hasOthers,
    kubernetes: inventory.kubernetes.release.minor,
    target: inventory.target?.name ?? '',
    classes: classesOf(simulated, ends),
    nodes: listed(nodesOf(simulated, run)),
    budgets: listed(yield* budgetsOf(simulated, run)),
    quotas: listed(quotasOf(simulated, run)),
    pending: listed(pending),
    waiting: {
      pending: podsIn('pending'),
      text: joined(waitsText(podsIn('pending'), podsIn('gated'), podsIn('rejected')), ' · '),
    },
  };
}

function keepLast(last: Map<SimulatedPod, RunEvent>, event: RunEvent): void {
  if (event.kind === 'scheduled') last.delete(event.pod);
  else if (event.kind !== 'gone' && event.kind !== 'deleted') last.set(event.pod, event);
}

function listed<Row>(rows: readonly Row[], atMost = longest): Listed<Row> {
  return { rows: rows.slice(0, atMost), more: Math.max(0, rows.length - atMost) };
}

type Waiting = OverviewPending['state'];

/** The pods of a workload at the end. */
interface End {
  pods: number;
  /** Those that have no node. */
  readonly waiting: Map<Waiting, SimulatedPod[]>;
}

/** By index of the workload. */
function* endsOf(simulated: SimulatedCluster, run: Run): Generator<void, readonly End[]> {
  const ends = simulated.workloads.map((): End => ({ pods: 0, waiting: new Map() }));
  let seen = 0;
  for (const pod of run.pods.all()) {
    if (++seen % podsAtOnce === 0) yield;
    const end = ends[pod.workload];
    const { state } = run.place(pod);
    if (end === undefined || isGone(state) || state === 'terminating') continue;
    end.pods += 1;
    if (state === 'running') continue;
    const waits = state === 'nominated' ? 'pending' : state;
    addTo(end.waiting, waits, pod);
  }
  return ends;
}

/** Where a workload is declared; of one that only its pods tell of, where the first of them is. */
function placeOf(simulated: SimulatedCluster, index: number): Pick<OverviewWorkload, 'origin' | 'from'> {
  const { declared, existing } = simulated.workloads[index]!;
  const source = declared ?? existing[0];
  return {
    origin: source?.origin ?? null,
    from: declared === undefined && source?.source !== 'snapshot' ? 'pods' : (source?.source ?? 'pods'),
  };
}

function classesOf(simulated: SimulatedCluster, ends: readonly End[]): Listed<OverviewClass> {
  const users = new Map<string, number[]>();
  for (const [index] of simulated.workloads.entries()) {
    const className = classNameOf(simulated, index);
    addTo(users, className, index);
  }
  const rows = [...ladderOf(simulated, users)].sort(
    (a, b) => (b.value ?? 0) - (a.value ?? 0) || compareText(a.name, b.name),
  );
  let left = mostWorkloads;
  return listed(
    rows.map((row): OverviewClass => {
      const indexes = users.get(row.name) ?? [];
      const shown = Math.min(longest, left);
      const uses = listed(indexes.toSorted(byName(simulated)), shown);
      left -= uses.rows.length;
      const pods = indexes.reduce((sum, index) => sum + ends[index]!.pods, 0);
      const rowsOfUses = uses.rows.map((index) => workloadOf(simulated, index, ends[index]!));
      return { ...row, pods, workloads: indexes.length, uses: { rows: rowsOfUses, more: uses.more } };
    }),
  );
}

/** A workload that asks for no pods now has a class all the same. */
function classNameOf(simulated: SimulatedCluster, index: number): string {
  const { className } = simulated.reportWorkloads[index]!;
  const { declared, blueprint, existing } = simulated.workloads[index]!;
  if (className !== null || declared === undefined || blueprint.length + existing.length > 0) return className ?? '';
  return podTemplateOf(declared.object)?.spec.priorityClassName ?? '';
}

type Rung = Omit<OverviewClass, 'pods' | 'workloads' | 'uses'>;

function* ladderOf(simulated: SimulatedCluster, users: ReadonlyMap<string, readonly number[]>): Generator<Rung> {
  const { inventory } = simulated;
  const seen = new Set<string>();
  for (const { object, origin = null, source } of inventory.ofKind('PriorityClass')) {
    const name = nameOf(object);
    if (name === '') continue;
    seen.add(name);
    yield {
      name,
      value: object.value ?? 0,
      isGlobalDefault: object.globalDefault === true,
      preempts: object.preemptionPolicy !== 'Never',
      isRefused: inventory.classes.refused.includes(name),
      origin,
      from: source,
    };
  }
  for (const [name, value] of systemPriorityClasses) {
    if (!seen.has(name)) yield { ...plainRung, name, value, from: 'built-in' };
  }
  const without = users.get('') ?? [];
  if (without.length === 0) return;
  const [first, ...others] = new Set(without.map((index) => simulated.reportWorkloads[index]!.priority));
  yield { ...plainRung, name: '', value: others.length > 0 ? null : (first ?? 0), from: 'pods' };
}

const plainRung = { isGlobalDefault: false, preempts: true, isRefused: false, origin: null } as const;

function byName(simulated: SimulatedCluster): (a: number, b: number) => number {
  return (a, b) => {
    const [one, other] = [simulated.workloads[a]!, simulated.workloads[b]!];
    return compareText(qualifiedName(one), qualifiedName(other)) || compareText(one.kind, other.kind);
  };
}

function workloadOf(simulated: SimulatedCluster, index: number, { pods, waiting }: End): OverviewWorkload {
  const { kind, namespace, name } = simulated.workloads[index]!;
  const waits = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
  return { kind, namespace, name, pods, waiting: waits, ...placeOf(simulated, index) };
}

function nodesOf(simulated: SimulatedCluster, run: Run): readonly OverviewNode[] {
  const sources = simulated.inventory.ofKind('Node');
  return simulated.nodes
    .map(({ name, zone, allocatable, unschedulable, taints, origin }, index): OverviewNode => {
      const requested = run.cluster.requested(name);
      const from = sources[index]?.source ?? 'assumed';
      return { name, zone, allocatable, requested, unschedulable, taints, origin, from };
    })
    .sort((a, b) => compareText(a.name, b.name));
}

interface Tally {
  pods: number;
  healthy: number;
  /** On which each of its pods is that drains evict. */
  readonly nodes: { readonly name: string; readonly isHealthy: boolean; readonly isShared: boolean }[];
}

function* budgetsOf(simulated: SimulatedCluster, run: Run): Generator<void, readonly OverviewBudget[]> {
  const { state } = run.cluster;
  const { budgets } = state.budgets;
  const tallies = budgets.map((): Tally => ({ pods: 0, healthy: 0, nodes: [] }));
  let seen = 0;
  for (const pod of run.pods.all()) {
    if (++seen % podsAtOnce === 0) yield;
    const { state: at, node } = run.place(pod);
    const on = at === 'running' ? node : null;
    if (on === null && at !== 'pending' && at !== 'nominated' && at !== 'gated') continue;
    const selecting = state.budgets.selecting((state.pod(pod.key) ?? pod.info).class);
    const healthy = on !== null && isHealthy(pod.pod);
    // A drain leaves the pods of DaemonSets where they are.
    const leaves = simulated.workloads[pod.workload]?.kind !== 'DaemonSet';
    for (const index of selecting) {
      const tally = tallies[index]!;
      tally.pods += 1;
      if (healthy) tally.healthy += 1;
      if (on !== null && leaves) tally.nodes.push({ name: on, isHealthy: healthy, isShared: selecting.length > 1 });
    }
  }
  const sources = new Map(simulated.inventory.ofKind('PodDisruptionBudget').map((each) => [keyOf(each.object), each]));
  return budgets
    .map(({ key, namespace }, index): OverviewBudget => {
      const { pods, healthy, nodes } = tallies[index]!;
      const { object, origin = null, source = 'workspace' } = sources.get(key) ?? {};
      const allowed = state.disruptionsAllowed[index] ?? 0;
      const desired = simulated.budgets.keeps(key)?.desiredHealthy ?? null;
      const keepsDesired = desired !== null && desired > 0 && healthy >= desired;
      // Source: pkg/registry/core/pod/storage/eviction.go
      const mayLoseUnready = object?.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' || keepsDesired;
      const blocked = nodes.filter((pod) => pod.isShared || (allowed <= 0 && (pod.isHealthy || !mayLoseUnready)));
      const names = [...new Set(blocked.map(({ name }) => name))].sort(compareText);
      const name = key.slice(namespace.length + 1);
      return {
        namespace,
        name,
        allowed,
        pods,
        healthy,
        desired,
        blocks: listed(names, namedNodes),
        origin,
        from: source,
      };
    })
    .sort((a, b) => Number(b.blocks.rows.length > 0) - Number(a.blocks.rows.length > 0));
}

function quotasOf({ inventory }: SimulatedCluster, run: Run): readonly OverviewQuota[] {
  const sources = new Map(inventory.ofKind('ResourceQuota').map((each) => [keyOf(each.object), each]));
  return [...run.quotas.used()]
    .map(([quota, used]): OverviewQuota => {
      const { origin = null, source = 'workspace' } = sources.get(keyOf(quota)) ?? {};
      const limits = [...readResourceList(quota.spec?.hard)].map(([resource, hard]) => {
        const nanos = used.get(resource)?.nanos ?? 0n;
        return { usage: quotaUsage(resource, nanos, hard.nanos), isFull: nanos >= hard.nanos };
      });
      return { namespace: namespaceOf(quota), name: nameOf(quota), limits, origin, from: source };
    })
    .sort((a, b) => Number(isFull(b)) - Number(isFull(a)));
}

function isFull({ limits }: OverviewQuota): boolean {
  return limits.some((limit) => limit.isFull);
}

function* pendingOf(
  simulated: SimulatedCluster,
  run: Run,
  ends: readonly End[],
  { last, advice }: { readonly last: ReadonlyMap<SimulatedPod, RunEvent>; readonly advice: Grown['advice'] },
): Generator<void, readonly OverviewPending[]> {
  const why = new WhyPending(run, simulated);
  const rows: OverviewPending[] = [];
  for (const [index, { pods: of, waiting }] of ends.entries()) {
    const { kind, namespace, name } = simulated.workloads[index]!;
    for (const [state, pods] of waiting) {
      const [first] = pods;
      if (first === undefined) continue;
      const event = last.get(first);
      const said = event === undefined ? '' : messageOf(event);
      // More rows are not shown, and their causes not asked for.
      const isShown = state === 'pending' && rows.length < longest;
      const ofPools = isShown ? answersText(advice.get(first.key) ?? []) : '';
      // Where there is no node, what pools say is why.
      const own = simulated.nodes.length === 0 && ofPools !== '' ? [] : [why.of(first, event?.decision ?? null)];
      const reason = isShown ? joined([...own, ...(ofPools === '' ? [] : [ofPools])], '; ') : said;
      const { priority } = first;
      rows.push({
        kind,
        namespace,
        name,
        state,
        priority,
        pods: pods.length,
        of,
        reason,
        lacks: isShown ? why.lacks(first, event?.decision ?? null) : '',
        ...placeOf(simulated, index),
      });
      yield;
    }
  }
  return rows.sort((a, b) => b.priority - a.priority || compareText(qualifiedName(a), qualifiedName(b)));
}
