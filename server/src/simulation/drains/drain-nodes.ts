import type { DrainFlags } from '../../disruption/drain-filters.ts';
import { type DryRun, retryText } from '../../disruption/drain-texts.ts';
import type { DrainRace } from '../../disruption/drain.ts';
import { type EvictionRemedy, remedyFor } from '../../disruption/eviction-remedy.ts';
import { budgetsOfPod, type EvictionAnswer, type EvictionRefused } from '../../disruption/eviction.ts';
import { type UnreadyPod, unreadyPods } from '../../disruption/unready-pods.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { Node, Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { CompiledSelector } from '../../kubernetes/labels.ts';
import type { Decision } from '../../scheduler/decision.ts';
import { WhyPending } from '../causes/why-pending.ts';
import { omit } from '../../util/omit.ts';
import { nodeless } from '../report/build-drains.ts';
import { ReplacingControllers } from '../run/replacements.ts';
import type { Run } from '../run/run.ts';
import { startRun } from '../run/start-run.ts';
import { TaintEvictions } from '../run/taint-evictions.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { isTerminal } from '../cluster/owners.ts';
import { letArrive } from '../run/prepare-scenario.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import { type StandingBudget, StandingCluster } from '../cluster/standing-cluster.ts';
import { type DrainEvent, DrainRun } from './drain-run.ts';
import { isSyncFailed, LiveBudgets } from './live-budgets.ts';
import { drainSurroundings } from './start-drain.ts';

export interface DrainRequest {
  readonly flags: DrainFlags;
  readonly disableEviction: boolean;
  /** The pod's own when absent. */
  readonly gracePeriodSeconds?: number | undefined;
  /** `--timeout`, of each node; 0 for none. */
  readonly timeoutSeconds: number;
  readonly dryRun: DryRun;
  /** Whether each node is drained by a command of its own. */
  readonly isOneByOne?: boolean;
  /** Whether a node takes pods again once it is drained, before the next is. */
  readonly uncordons?: boolean;
  readonly podSelector: CompiledSelector;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What becomes of a pod that a drain evicts. */
export interface DrainedPodReport {
  readonly pod: string;
  readonly node: string;
  /** The API server's answer to its eviction alone, when its node's turn comes. */
  readonly answer: EvictionAnswer;
  /** It competes for what a budget has left. */
  readonly races: boolean;
  /** It has succeeded or failed: no budget is asked, and it is gone at once. */
  readonly isOver: boolean;
  /** What would let a refused eviction through. */
  readonly remedy: EvictionRemedy | null;
  /** What kubectl prints when its eviction is refused and asked for again. */
  readonly retry: string | null;
  /** `namespace/name` of the budgets that keep it where it is still there. */
  readonly blockedBy: readonly string[];
  /** Seconds from the start; null while it is still there. */
  readonly goneAt: number | null;
  /** `namespace/name` of the pod that its controller makes; null when nothing does. */
  readonly replacement: string | null;
  /** Where the replacement runs; null while it waits. */
  readonly landedOn: string | null;
}

export interface DrainReport {
  /** What came of the pods that wait in the cluster or are only written down, before the drain begins. */
  readonly before: {
    readonly placed: number;
    readonly waiting: number;
    readonly evicted: number;
    readonly tainted: number;
  };
  readonly nodes: readonly {
    readonly name: string;
    /** `unfinished`: kubectl gives it up, with pods on it. `waits`: its turn never comes. */
    readonly state: 'drained' | 'stopped' | 'unfinished' | 'hangs' | 'waits';
    readonly at: number | null;
    /** What stops it, or what kubectl says when it gives the node up. */
    readonly errors: readonly string[];
    /** Pods that kubectl then lists as pending, `namespace/name`. */
    readonly pendingPods: readonly string[];
  }[];
  readonly events: readonly {
    readonly clock: number;
    readonly kind: DrainEvent['kind'];
    readonly node: string;
    readonly pod: string | null;
    readonly text: string;
  }[];
  readonly pods: readonly DrainedPodReport[];
  readonly races: readonly { readonly budget: string; readonly pods: readonly string[]; readonly evicted: number }[];
  /** Pods that preemption evicts for replacements, and for whom. */
  readonly preempted: readonly { readonly clock: number; readonly pod: string; readonly for: string }[];
  /** Pods that wait at the end and did not before, and why. */
  readonly pending: readonly { readonly pod: string; readonly message: string }[];
}

/** No node of that name is declared. */
export class UnknownNodeError extends Error {
  override readonly name = 'UnknownNodeError';
}

/**
 * Drains nodes one after the other, and follows what is evicted to where it lands. Everything that is declared has
 * arrived before, as in every other answer, and nothing changes any more.
 * Yields after each decision. Throws `UnknownNodeError`.
 * @param choose the nodes to drain, in order, out of all
 */
export function* drainNodes(
  input: SimulationInput,
  choose: (nodes: readonly Node[]) => readonly Node[],
  request: DrainRequest,
): Generator<void, DrainReport> {
  const simulatedCluster = yield* buildCluster(input);
  const nodes = choose(simulatedCluster.inventory.objects('Node'));
  const controllers = new ReplacingControllers(simulatedCluster.workloads, simulatedCluster.factory);
  const run = yield* startRun(simulatedCluster, controllers, {});
  const settled = new StandingCluster(input);
  const budgets = new LiveBudgets(run, simulatedCluster.budgets, settled.budgets(request.now).map(asItBegins));
  const taints = new TaintEvictions(run, controllers);
  const before = yield* settle(run, simulatedCluster, taints);
  const waitedBefore = new Set([...run.pods.all()].filter((pod) => run.place(pod).state !== 'running'));

  const events: DrainEvent[] = [];
  const judged: {
    readonly node: string;
    readonly pod: Pod;
    /** Undefined for one that is over. */
    readonly simulated: SimulatedPod | undefined;
    readonly answer: EvictionAnswer;
    readonly races: boolean;
    readonly clock: number;
  }[] = [];
  const races: DrainRace[] = [];
  const drain = new DrainRun(run, {
    ...drainSurroundings(simulatedCluster.inventory, request.now),
    flags: request.flags,
    podSelector: ({ metadata }) => request.podSelector.matches(metadata?.labels),
    disableEviction: request.disableEviction,
    gracePeriodSeconds: request.gracePeriodSeconds,
    timeoutSeconds: request.timeoutSeconds,
    dryRun: request.dryRun,
    isOneByOne: request.isOneByOne ?? false,
    uncordons: request.uncordons ?? false,
    budgets,
    onEvent: (event) => events.push(event),
    judged: (node, evicted) => {
      races.push(...evicted.races);
      const racing = new Set(evicted.races.flatMap(({ pods }) => pods));
      for (const { pod, alone } of evicted.pods) {
        const simulated = isTerminal(pod) ? undefined : run.find(keyOf(pod));
        judged.push({ node, pod, simulated, answer: alone, races: racing.has(pod), clock: run.clock });
      }
    },
  });
  drain.start(nodes);
  const goneAt = new Map<SimulatedPod, number>();
  const preempted: { clock: number; pod: string; for: string }[] = [];
  const decisions = new Map<SimulatedPod, Decision>();
  yield* run.settle((event) => {
    taints.follow(event);
    if (event.kind === 'gone') for (const pod of event.victims) goneAt.set(pod, event.clock);
    if (event.kind === 'nominated') {
      for (const { key } of event.victims) preempted.push({ clock: event.clock, pod: key, for: event.pod.key });
    }
    if (event.decision !== null) decisions.set(event.pod, event.decision);
  });

  const retries = new Map<SimulatedPod, string>();
  const refusals = new Map<SimulatedPod, EvictionRefused>();
  for (const { kind, pod, answer } of events) {
    if (pod === null || answer === undefined) continue;
    refusals.set(pod, answer);
    if (kind === 'refused') retries.set(pod, retryText(pod.pod, answer));
  }
  const waiting = waitingIn(run);
  const pending = waiting.filter((pod) => !waitedBefore.has(pod));
  const why = new WhyPending(run, simulatedCluster);
  // As far as the status of pods tells, and those that have no node.
  const unplaced = new Set(waiting.map(({ key }) => key));
  const known = [
    ...settled.pods.map(({ pod }) => pod).filter((pod) => !unplaced.has(keyOf(pod))),
    ...waiting.map(({ pod }) => nodeless(pod)),
  ];
  const unreadyOf = (budget: PodDisruptionBudget): readonly UnreadyPod[] =>
    unreadyPods(
      known.filter((pod) => budgetsOfPod(pod, [budget]).length > 0),
      request.now,
    );
  const stateOf = (name: string): DrainReport['nodes'][number] => {
    const own = events.filter(({ node, kind }) => node === name && kind !== 'cordoned' && kind !== 'warned');
    const last = own.at(-1);
    const stopped = own.filter(({ kind }) => kind === 'stopped').map(({ text }) => text);
    const left = { errors: last?.left?.errors ?? stopped, pendingPods: last?.left?.pods ?? [] };
    for (const state of ['drained', 'stopped', 'unfinished', 'hangs'] as const) {
      if (last?.kind === state) return { name, state, at: last.clock, ...left };
    }
    return { name, state: last === undefined ? 'waits' : 'hangs', at: last?.clock ?? null, ...left };
  };
  return {
    before,
    nodes: nodes.map((node) => stateOf(nameOf(node))),
    events: events.map(({ clock, kind, node, pod, text }) => ({ clock, kind, node, pod: pod?.key ?? null, text })),
    pods: judged.map(({ node, pod, simulated, answer, races: isRacing, clock }): DrainedPodReport => {
      const isOver = isTerminal(pod);
      if (simulated === undefined) {
        const goes = request.dryRun === 'none' && (answer.allowed || request.disableEviction);
        const remedy = answer.allowed ? null : remedyFor(answer, { pod, unreadyOf });
        const retry = answer.allowed || request.dryRun === 'client' ? null : retryText(pod, answer);
        const gone = { goneAt: goes ? clock : null, replacement: null, landedOn: null };
        return { pod: keyOf(pod), node, answer, races: false, isOver, remedy, retry, blockedBy: [], ...gone };
      }
      const replacement = controllers.replacementOf(simulated);
      const place = replacement === undefined ? null : run.place(replacement);
      return {
        pod: simulated.key,
        node,
        answer,
        races: isRacing,
        isOver,
        remedy: answer.allowed ? null : remedyFor(answer, { pod, unreadyOf }),
        retry: retries.get(simulated) ?? null,
        blockedBy: goneAt.has(simulated) ? [] : (refusals.get(simulated)?.blocking ?? []).map(keyOf),
        goneAt: goneAt.get(simulated) ?? null,
        replacement: replacement?.key ?? null,
        landedOn: place?.state === 'running' ? place.node : null,
      };
    }),
    races: races.map(({ budget, pods, evicted }) => ({ budget: keyOf(budget), pods: pods.map(keyOf), evicted })),
    preempted,
    pending: pending.map((pod) => ({ pod: pod.key, message: why.of(pod, decisions.get(pod) ?? null) })),
  };
}

/** Lets everything arrive that has not, and then starts the clock. */
function* settle(
  run: Run,
  simulated: SimulatedCluster,
  taints: TaintEvictions,
): Generator<void, DrainReport['before']> {
  letArrive(simulated.arriving.flat(), run, simulated);
  let placed = 0;
  let evicted = 0;
  let tainted = 0;
  yield* run.settle((event) => {
    const { kind, victims } = event;
    taints.follow(event);
    if (kind === 'scheduled') placed += 1;
    if (kind === 'nominated') evicted += victims.length;
    if (kind === 'deleted') tainted += 1;
  });
  run.restartClock();
  run.cluster.refreshBudgets();
  return { placed, waiting: waitingIn(run).length, evicted, tainted };
}

function waitingIn(run: Run): readonly SimulatedPod[] {
  return [...run.pods.all()].filter((pod) => ['pending', 'nominated'].includes(run.place(pod).state));
}

/** A budget whose numbers nobody has written is counted while pods come and go. */
function asItBegins({ budget, derived }: StandingBudget): PodDisruptionBudget {
  return derived && !isSyncFailed(budget) ? omit(budget, 'status') : budget;
}
