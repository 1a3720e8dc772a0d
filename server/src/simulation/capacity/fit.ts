import { say } from '../../util/say.ts';
import type { Container, Deployment, KubeObject, Pod, StatefulSet } from '../../kubernetes/objects.ts';
import { expandWorkload } from '../../kubernetes/workloads.ts';
import { list } from '../../util/words.ts';
import type { Decision, NodeName } from '../../scheduler/decision.ts';
import {
  changedPod,
  type DecideOptions,
  isDecidedByNodesAlone,
  type PodInfo,
  type Room,
  roomsFor,
} from '../../scheduler/index.ts';
import { causeText, partName } from '../causes/cause-text.ts';
import { causeOf, templateOf as declaredSpecOf } from '../causes/find-causes.ts';
import { withoutHistory } from '../run/replacements.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { SimulationInput } from '../cluster/input.ts';
import type { SimulatedWorkload } from '../cluster/workload-set.ts';
import { applyOperation, UnknownObjectError } from '../operations/apply-operation.ts';
import { settleCluster } from './settled-workspace.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { isWorkloadKind, replicasOf } from '../../kubernetes/pod-template.ts';
import { podRequests } from '../../kubernetes/pod-resources.ts';
import { formatQuantity } from '../../kubernetes/quantity.ts';
import { deploymentFenceposts } from '../../kubernetes/rolling-update.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { parseTarget } from '../operations/parse-operation.ts';
import { type QuotaRoom, quotaRooms } from './quota-room.ts';

/** How many more replicas there is room for. */
export interface FitRoom {
  readonly count: number;
  /** `false` where there may be room for more than were looked for. */
  readonly isExact: boolean;
  readonly nodes: readonly { readonly node: NodeName; readonly count: number }[];
  /** What stops the next one, in a word or two: `cpu`; empty where nothing does. */
  readonly runsOut: string;
  /** What the scheduler says of the next one; empty where it would be placed. */
  readonly message: string;
  /** What keeps the next one from the node that is nearest to taking it; empty where it would be placed. */
  readonly why: string;
  /** Whom the next one evicts, where preemption finds it a place. */
  readonly evicts: {
    readonly node: NodeName;
    readonly victims: readonly string[];
    readonly brokenBudgets: readonly string[];
  } | null;
}

export interface FitReport {
  readonly workload: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly priority: number;
  /** Of its pods, once everything that is declared has arrived. */
  readonly running: number;
  readonly waiting: number;
  /** Gates that its pods have; the answer is what would be without them. */
  readonly gates: readonly string[];
  /** No pod is evicted. */
  readonly free: FitRoom;
  /** Lower priorities are evicted, as long as no budget is broken, as budgets stand. */
  readonly withinBudgets: FitRoom;
  /** Budgets are broken where preemption breaks them. */
  readonly evicting: FitRoom;
  /** What quotas let in besides; nodes are looked at as if there were none. */
  readonly quotas: readonly QuotaRoom[];
  /** What a change of its template needs; null where it is no Deployment that rolls out. */
  readonly rollOut: RollOutRoom | null;
  readonly nodesAreAssumed: boolean;
}

/** Room for the first new pods of a roll-out. */
export interface RollOutRoom {
  readonly strategy: 'RollingUpdate' | 'Recreate';
  /** New pods that start beside the old ones. */
  readonly surge: number;
  /** Old pods that may end first. */
  readonly unavailable: number;
  /** What each new pod requests. */
  readonly requests: Readonly<Record<string, string>>;
}

/** A cluster at the end of a run, when nothing changes any more. */
export interface EndOfRun {
  readonly simulated: SimulatedCluster;
  readonly run: Run;
}

/** The workload cannot get more replicas. */
export class NoReplicasError extends Error {
  override readonly name = 'NoReplicasError';
}

/** More replicas are not looked for. */
const most = 20_000;
/** Where every replica has to be decided by itself: so many looks at a node. About half a second of work. */
const mostLooks = 1_000_000;
/** Replicas whose claims have to be made. */
const mostWithClaims = 500;

/**
 * How many more replicas of a workload find a node after everything that is declared has arrived. Throws
 * `UnknownObjectError` and `NoReplicasError`.
 * @param name `KIND/NAMESPACE/NAME` or `NAMESPACE/NAME`
 */
export function* fit(input: SimulationInput, name: string): Generator<void, FitReport> {
  const declared = yield* buildCluster(input);
  const declaredIndex = findWorkload(declared, name);
  const template = templateOf(declared.workloads[declaredIndex]!);
  const { replicas, ...target } = declared.workloads[declaredIndex]!;
  const grown = hasOwnClaims(target.kind, template)
    ? applyOperation(input, { verb: 'scale', target, replicas: replicas + mostWithClaims }).input
    : null;
  const simulated = grown === null ? declared : yield* buildCluster(grown);
  const index = grown === null ? declaredIndex : findWorkload(simulated, name);
  const held = grown === null ? [] : (simulated.arriving[index] ?? []).slice(-mostWithClaims);
  const { run } = yield* settleCluster(simulated, new Set(held));
  return grown === null
    ? fitIn(simulated, run, index, templateAtEnd(simulated.workloads[index]!, index, run), null)
    : fitIn(simulated, run, index, template, held);
}

/** As a run stands now, in which nothing is kept back: replicas with claims of their own share those of the first. */
export function fitAsItIs(simulated: SimulatedCluster, run: Run, name: string): FitReport {
  const index = findWorkload(simulated, name);
  return fitIn(simulated, run, index, templateAtEnd(simulated.workloads[index]!, index, run), null);
}

/** @param held replicas with claims of their own, where these had to be made */
function fitIn(
  simulated: SimulatedCluster,
  run: Run,
  index: number,
  template: Pod,
  held: readonly SimulatedPod[] | null,
): FitReport {
  const { kind, namespace, name } = simulated.workloads[index]!;
  const own = [...run.pods.all()].filter((pod) => pod.workload === index);
  const states = own.map((pod) => run.place(pod).state);
  // With what admission adds: defaults of a LimitRange, the overhead of a RuntimeClass.
  const made = simulated.factory.create(template, { workload: index, origin: null, shape: {} });
  return {
    workload: { kind, namespace, name },
    running: states.filter((state) => state === 'running').length,
    waiting: states.filter((state) => state === 'pending' || state === 'nominated').length,
    ...roomsIn({ simulated, run }, index, template, held),
    quotas: quotaRooms(simulated, run, made),
    rollOut: rollOutRoom(simulated.workloads[index]!, made.pod),
    nodesAreAssumed: simulated.inventory.nodeSource === 'assumed',
  };
}

function rollOutRoom({ kind, declared }: SimulatedWorkload, { spec }: Pod): RollOutRoom | null {
  if (kind !== 'Deployment' || declared === undefined || spec === undefined) return null;
  const object = declared.object as Deployment;
  const replicas = replicasOf(object);
  if (replicas === 0) return null;
  const isRecreate = object.spec?.strategy?.type === 'Recreate';
  const { surge, unavailable } = isRecreate
    ? { surge: 0, unavailable: replicas }
    : deploymentFenceposts(object.spec, replicas);
  const requests = [...podRequests(spec)].flatMap(([resource, amount]) =>
    amount.nanos > 0n ? [[resource, formatQuantity(amount)] as const] : [],
  );
  return {
    strategy: isRecreate ? 'Recreate' : 'RollingUpdate',
    surge,
    unavailable,
    requests: Object.fromEntries(requests),
  };
}

/** How much room there is for a workload of an end of a run. Throws `NoReplicasError`. */
export function roomsAtEnd(
  end: EndOfRun,
  index: number,
  known: KnownRooms,
): RoomsOfWorkload & { readonly sharesClaims: boolean } {
  const workload = end.simulated.workloads[index]!;
  const template = templateAtEnd(workload, index, end.run);
  return { ...roomsIn(end, index, template, null, known), sharesClaims: hasOwnClaims(workload.kind, template) };
}

/** What was found in one end of a run, by what nodes are asked for. */
export type KnownRooms = Map<string, Pick<FitReport, 'free' | 'withinBudgets' | 'evicting'>>;

type RoomsOfWorkload = Pick<FitReport, 'priority' | 'gates' | 'free' | 'withinBudgets' | 'evicting'>;

function roomsIn(
  { simulated, run }: EndOfRun,
  index: number,
  template: Pod,
  later: readonly SimulatedPod[] | null,
  known: KnownRooms = new Map(),
): RoomsOfWorkload {
  const held = firstOfOrdered(simulated, run, index) ?? later;
  const one = simulated.factory.create(withoutGates(template), { workload: index, origin: null, shape: {} });
  if (one.refusal !== '') throw new NoReplicasError(one.refusal);
  const copyOf = (ordinal: number): PodInfo | undefined => {
    if (held !== null) {
      return held[ordinal] && simulated.factory.create(withoutGates(held[ordinal].pod), held[ordinal]).info;
    }
    const numbered = (text: string): string => `${text}+${ordinal + 1}`;
    const { info } = one;
    return changedPod(info, { key: numbered(info.key), name: numbered(info.name), uid: numbered(info.uid) });
  };
  const { profiles } = simulated.scheduler;
  const { state } = run.cluster;
  const key = held === null && isDecidedByNodesAlone(state, one.info, { profiles }) ? alikeKey(one) : null;
  let found = key === null ? undefined : known.get(key);
  if (found === undefined) {
    const { free, withinBudgets, evicting } = roomsFor(state, copyOf, { profiles, most, mostLooks });
    const toFitRoom = (room: Room): FitRoom => roomOf(room, simulated, profiles, index);
    found = { free: toFitRoom(free), withinBudgets: toFitRoom(withinBudgets), evicting: toFitRoom(evicting) };
    if (key !== null) known.set(key, found);
  }
  return {
    priority: one.priority,
    gates: (template.spec?.schedulingGates ?? []).map((gate) => gate.name),
    ...found,
  };
}

/** A StatefulSet makes no further pods while one of its pods is pending: that one is the next. */
function firstOfOrdered({ workloads }: SimulatedCluster, run: Run, index: number): readonly SimulatedPod[] | null {
  const { kind, declared } = workloads[index]!;
  if (kind !== 'StatefulSet' || declared === undefined) return null;
  if ((declared.object as StatefulSet).spec?.podManagementPolicy === 'Parallel') return null;
  const first = [...run.pods.all()].find((pod) => pod.workload === index && run.place(pod).state === 'pending');
  return first === undefined ? null : [first];
}

/** What nodes are asked for by a pod: two of one key find room on the same nodes, and evict the same. */
function alikeKey({ pod: { spec = { containers: [] } }, priority, preemptionPolicy }: SimulatedPod): string {
  const asked = ({ resources, ports, restartPolicy }: Container): object => ({ resources, ports, restartPolicy });
  return JSON.stringify({
    ...spec,
    priorityClassName: undefined,
    containers: spec.containers.map(asked),
    initContainers: spec.initContainers?.map(asked),
    priority,
    preemptionPolicy,
  });
}

/** Throws `NoReplicasError`. */
function templateOf({ kind, namespace, name, blueprint, existing, declared }: SimulatedWorkload): Pod {
  if (kind === 'DaemonSet') {
    throw new NoReplicasError(say`DaemonSet ${namespace}/${name} runs one pod on each node: it has no replicas to add`);
  }
  const pod = existing[0]?.object ?? (kind === 'Pod' ? declared?.object : undefined);
  const [template = pod === undefined ? expandedOnce(declared?.object) : withoutHistory(pod)] = blueprint;
  if (template === undefined) throw new NoReplicasError(say`${kind} ${namespace}/${name} makes no pods`);
  return template;
}

/** A controller that only its pods tell of makes again what waits, which may ask for more than the first of them. */
function templateAtEnd(workload: SimulatedWorkload, index: number, run: Run): Pod {
  if (workload.blueprint.length > 0 || workload.kind === 'Pod') return templateOf(workload);
  const waiting = [...run.pods.all()].find((pod) => pod.workload === index && run.place(pod).state === 'pending');
  return waiting === undefined ? templateOf(workload) : withoutHistory(waiting.pod);
}

/** The pod of a workload that wants none now. */
function expandedOnce(workload: (KubeObject & { readonly spec?: object }) | undefined): Pod | undefined {
  if (workload === undefined) return undefined;
  const one = { ...workload.spec, replicas: 1, parallelism: 1, suspend: false };
  return expandWorkload({ ...workload, spec: one } as KubeObject, { nodes: [] }).pods[0];
}

function withoutGates(pod: Pod): Pod {
  return pod.spec === undefined ? pod : { ...pod, spec: { ...pod.spec, schedulingGates: [] } };
}

/** Whether each replica brings claims of its own, which have to be made beforehand. */
function hasOwnClaims(kind: string, { spec }: Pod): boolean {
  const volumes = spec?.volumes ?? [];
  if (kind === 'StatefulSet') return volumes.length > 0;
  return kind !== 'Pod' && kind !== 'CronJob' && volumes.some(({ ephemeral }) => ephemeral !== undefined);
}

function roomOf(
  { count, isBounded, byNode, next, after }: Room,
  simulated: SimulatedCluster,
  profiles: DecideOptions['profiles'],
  index: number,
): FitRoom {
  const { nodes, inventory } = simulated;
  const cause =
    isBounded || next.kind === 'fits'
      ? null
      : causeOf(
          after.pod,
          next,
          {
            state: after.cluster,
            scheduler: profiles === undefined ? {} : { profiles },
            nodes,
            inventory,
            refusedClaims: inventory.claims.refused,
          },
          declaredSpecOf(index, simulated),
        );
  const message = isBounded || next.kind === 'fits' ? '' : next.message;
  const names = { node: (index: number) => nodes[index]?.name ?? '', nodes: nodes.length };
  return {
    count,
    isExact: !isBounded,
    nodes: [...byNode].map(([node, amount]) => ({ node, count: amount })).sort((a, b) => b.count - a.count),
    runsOut: cause === null ? '' : list([...new Set(cause.parts.map(partName))]),
    message,
    why: cause === null || cause.parts.length === 0 ? message : causeText(cause, names),
    evicts: isBounded ? null : evictionOf(next),
  };
}

function evictionOf(next: Decision): FitRoom['evicts'] {
  if (next.kind !== 'unschedulable') return null;
  const node = next.preemption?.choice?.node;
  const candidate = node === undefined ? undefined : next.preemption?.candidates.get(node);
  if (node === undefined || candidate === undefined) return null;
  return { node, victims: candidate.victims, brokenBudgets: candidate.violatedBudgets };
}

/**
 * Index of the workload that `KIND/NAMESPACE/NAME` or `NAMESPACE/NAME` names, or `NAME` where only one is called so.
 * Throws `UnknownObjectError`.
 */
function findWorkload({ workloads }: SimulatedCluster, name: string): number {
  const target = parseTarget(name);
  const isNamed =
    target !== null && isWorkloadKind(target.kind)
      ? ({ kind, namespace, name: own }: (typeof workloads)[number]) =>
          kind === target.kind && namespace === target.namespace && own === target.name
      : ({ namespace, name: own }: (typeof workloads)[number]) => name === `${namespace}/${own}`;
  const found = workloads.findIndex(isNamed);
  if (found >= 0) return found;
  const alike = workloads.flatMap((each, index) => (each.name === name ? [index] : []));
  if (alike.length === 1) return alike[0]!;
  const known = workloads.map((each) => workloadKey(each.kind, each.namespace, each.name));
  throw new UnknownObjectError(say`workload ${name}`, nearestNames(name, known).slice(0, 3));
}
