import { groupOf } from '../../scheduler/index.ts';
import { addTo } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { count, titleOf } from '../../util/words.ts';
import { keyOf } from '../../kubernetes/names.ts';
import { buildAssumptions } from '../report/assumptions.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import { buildDevices } from '../report/build-devices.ts';
import { refusalDoubt, workloadsOverQuota } from '../report/refusal-doubt.ts';
import { buildReport, reportBody, type ReportParts } from '../report/build-report.ts';
import { withoutPods } from '../report/without-pods.ts';
import type { DrainedNode, PressedNode } from '../report/build-drains.ts';
import { balanceOf } from '../report/answer/balance.ts';
import { figuresOfBalance, unattachedPods, unmadeOf } from '../report/answer/figures.ts';
import { outagesOf } from '../report/answer/outages.ts';
import { waitingPods } from '../report/answer/pending-lines.ts';
import { type AnswerParts, answerContext, type Unattached } from '../report/answer/answer-context.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import { lateClaims } from '../cluster/storage.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { type Later, prepareScenario, type PreparedScenario } from '../run/prepare-scenario.ts';
import type { Grown } from '../growth/grown.ts';
import { helpLines, type PoolLimit } from '../growth/pool-answers.ts';
import { DecidedSoFar } from './decided-so-far.ts';
import type { RolledOut } from '../run/roll-outs.ts';
import type { Run } from '../run/run.ts';
import type { RunEvent } from '../run/run-event.ts';
import { Recorder } from '../run/recorder.ts';
import { sizeOf } from '../run/run-size.ts';
import { settleWithTaints, type TaintEvictions } from '../run/taint-evictions.ts';
import type { Figures } from '../../report-model/remedy.ts';
import type { WholeReport, ReportNode, ReportScenario, ReportWorkload } from '../../report-model/report.ts';
import { shortNames } from '../../report-model/short-names.ts';
import { fileName, type SimulatedCluster } from '../cluster/simulated-cluster.ts';
import { findCauses } from '../causes/find-causes.ts';
import { findThreats } from '../report/threats.ts';
import { findHelp } from '../report/would-help.ts';

/**
 * Simulates a scenario. The generator yields after each decision, so that a server can pause, answer others and cancel;
 * it returns the report. Input is not changed; the same input gives the same report.
 *
 * Throws `UnknownScenarioError` when the scenario names a workload or file that is not there.
 */
export function* simulate(
  input: SimulationInput,
  scenario: Scenario,
  options: SimulationOptions = {},
): Generator<void, WholeReport> {
  tellReading(input, options);
  return yield* simulateCluster(yield* buildCluster(input), scenario, options);
}

/** The first word, to be said before a cluster is built. */
export function tellReading({ workspace, snapshot }: SimulationInput, { progress }: SimulationOptions): void {
  progress?.(() => {
    const files = new Set<string | undefined>();
    let pods = 0;
    for (const declared of [workspace, snapshot]) {
      for (const { object, origin } of declared) {
        files.add(origin?.uri);
        if (object.kind === 'Pod') pods += 1;
      }
    }
    const of = [count(files.size, 'file'), ...(pods === 0 ? [] : [count(pods, 'pod')])];
    return say`Reading ${joined(of, ' · ')}`;
  });
}

/** What happens in a run besides that the scheduler works. */
export interface RunDriver {
  readonly later?: Later;
  /** Runs until nothing changes any more; returns what was done. Yields after each decision. */
  go(prepared: PreparedScenario, onEvent: (event: RunEvent) => void): Generator<void, RunOutcome>;
}

export interface RunOutcome {
  readonly events: WholeReport['events'];
  readonly drains: readonly DrainedNode[];
  readonly pressures: readonly PressedNode[];
  readonly taints: TaintEvictions['nodes'];
  /** What autoscalers added, and what they say of pods that stay pending. */
  readonly growth?: Grown;
  /** Changes of workloads that run, and what became of them. */
  readonly rollOuts?: readonly RolledOut[];
  /** Other changes that the API server refuses. */
  readonly refused?: AnswerParts['refused'];
  /** Workloads, by index, as a change has made them. */
  readonly workloads?: ReadonlyMap<number, ReportWorkload>;
}

const settling: RunDriver = {
  *go({ run, controllers }, onEvent) {
    const { nodes } = yield* settleWithTaints(run, controllers, onEvent);
    return { events: [], drains: [], pressures: [], taints: nodes };
  },
};

/** As `simulate`, in a cluster that was built before; it is left as it is. */
export function* simulateCluster(
  simulated: SimulatedCluster,
  scenario: Scenario,
  options: SimulationOptions = {},
  play: RunDriver = settling,
): Generator<void, WholeReport> {
  const recorded = yield* recordScenario(simulated, scenario, options, true, play);
  const { recorder, run } = recorded;
  options.progress?.(() => say`Explaining`);
  const causes = yield* findCauses(recorder, run, simulated);
  const wouldHelp = withAdvice(yield* findHelp(recorder, run, simulated, causes), recorded);
  const threats = yield* findThreats(recorder, run, simulated, options.threatLimit);
  return yield* buildReport({
    ...partsOf(simulated, recorded),
    without: withoutPods(simulated, run, recorded.nodes),
    scenario: reportScenario(simulated, scenario),
    causes,
    wouldHelp,
    threats,
    limits: limitsOf(recorded),
    nearestPools: nearestPoolsOf(recorded),
  });
}

/** Limits that are all that is in the way, and of which pods: the nearest pools first. */
function limitsOf({ recorder, growth }: Recorded): NonNullable<WholeReport['limits']> {
  const found = new Map<string, { pool: string; pods: number[]; amounts: PoolLimit['amounts'] }>();
  for (const [index, { pod }] of recorder.pods.entries()) {
    for (const { pool, amounts } of growth?.advice.get(pod.key)?.flatMap(({ limits = [] }) => limits) ?? []) {
      const key = JSON.stringify([pool, amounts]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { pool, pods: [index], amounts });
      else known.pods.push(index);
    }
  }
  return [...found.values()];
}

/** Why no autoscaler adds a node for pods: what it says of the pool that is nearest to making one. */
function nearestPoolsOf({ recorder, growth }: Recorded): NonNullable<WholeReport['nearestPools']> {
  const found = new Map<string, { pool: string; pods: number[]; message: string }>();
  for (const [index, { pod }] of recorder.pods.entries()) {
    const [nearest] = growth?.advice.get(pod.key) ?? [];
    if (nearest === undefined || nearest.makes || nearest.isOpen === true) continue;
    const { pool, text: message } = nearest;
    const key = JSON.stringify([pool, message]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { pool, pods: [index], message });
    else known.pods.push(index);
  }
  return [...found.values()];
}

/** What an autoscaler says of a pod comes before what would help it without one. */
function withAdvice(
  help: ReadonlyMap<number, readonly string[]>,
  { recorder, run, growth }: Recorded,
): ReadonlyMap<number, readonly string[]> {
  if (growth === undefined || growth.advice.size === 0) return help;
  const all = new Map(help);
  for (const { pod, decision } of recorder.pods) {
    const lines = growth.advice.get(pod.key);
    if (decision === null || lines === undefined || run.place(pod).state !== 'pending') continue;
    all.set(decision, [...helpLines(lines), ...(help.get(decision) ?? [])]);
  }
  return all;
}

interface Recorded extends PreparedScenario, RunOutcome {
  readonly recorder: Recorder;
  readonly nodes: readonly ReportNode[];
  readonly waited: ReadonlySet<number>;
  readonly coming: number;
}

function* recordScenario(
  simulated: SimulatedCluster,
  scenario: Scenario,
  options: SimulationOptions,
  explains: boolean,
  play: RunDriver = settling,
): Generator<void, Recorded> {
  options.begins?.(sizeOf(simulated));
  const prepared = yield* prepareScenario(simulated, scenario, options, play.later);
  const { run, waitedBefore } = prepared;
  const names = simulated.nodes.map(({ name }) => name);
  yield;
  const recorder = new Recorder(run, names, explains);
  yield;
  for (const [pod, decision] of prepared.earlierDecisions) {
    if (run.place(pod).state !== 'running' && run.place(pod).state !== 'evicted') recorder.recordEarlier(pod, decision);
  }
  const nodes = explains
    ? simulated.nodes.map((node) => ({ ...node, requested: run.cluster.requested(node.name) }))
    : simulated.nodes;
  const waited = new Set([...waitedBefore].map((pod) => recorder.indexOf(pod)));
  const { progress } = options;
  const arrives = recorder.pods.filter(({ pod, before }) => before.state === 'pending' && !waitedBefore.has(pod));
  const decided =
    progress === undefined
      ? undefined
      : new DecidedSoFar(simulated, [...arrives.map(({ pod }) => pod), ...run.toCome.followers()]);
  const played = yield* play.go(prepared, (event) => {
    recorder.record(event);
    if (decided === undefined) return;
    decided.note(event);
    progress?.(
      () => decided.text(),
      () => decided.answer(),
    );
  });
  return { ...prepared, ...played, recorder, nodes, waited, coming: play.later?.nodes.length ?? 0 };
}

function partsOf(
  simulated: SimulatedCluster,
  {
    run,
    recorder,
    controllers,
    nodes,
    waited,
    coming,
    placedFirst,
    events,
    drains,
    pressures,
    taints,
    rollOuts = [],
    refused = [],
    workloads = new Map(),
    growth,
  }: Recorded,
): Omit<ReportParts, 'scenario' | 'causes' | 'wouldHelp' | 'threats' | 'limits' | 'nearestPools' | 'without'> {
  const { calendar, snapshot: known } = simulated.inventory;
  return {
    ...(calendar?.clockStart === undefined ? {} : { clockStart: calendar.clockStart }),
    kubernetes: simulated.inventory.kubernetes.release.minor,
    workloads:
      workloads.size === 0
        ? simulated.reportWorkloads
        : simulated.reportWorkloads.map((workload, index) => workloads.get(index) ?? workload),
    nodes,
    recorder,
    waitedBefore: waited,
    unattached: unattachedIn(simulated, run, recorder),
    groups: groupsIn(run, recorder),
    held: run.toCome.followers().map(({ workload }) => workload),
    nodePlaces: simulated.inventory.nodePlaces.length,
    budgetKeeps: (name) => {
      const kept = simulated.budgets.keeps(name);
      return kept === undefined ? undefined : { desired: kept.desiredHealthy, expected: kept.expectedPods };
    },
    doubtOf: (index, message) => refusalDoubt(recorder.pods[index]!.pod, message, simulated),
    budgetsOf: (pod) => run.cluster.budgetsOf(pod),
    overQuota: workloadsOverQuota(simulated),
    replacementOf: (pod) => {
      const replacement = controllers.replacementOf(pod);
      if (replacement === undefined || run.toCome.isWithdrawn(replacement)) return undefined;
      return recorder.knows(replacement) ? replacement : undefined;
    },
    snapshot: known === null ? null : { context: known.context, takenAt: known.takenAt },
    unseen: simulated.inventory.unseen,
    comes: growth?.comes ?? [],
    poolAnswers: growth?.advice ?? new Map(),
    events,
    drains,
    pressures,
    taints,
    rollOuts,
    refused,
    devices: recorder.explains ? buildDevices(simulated, run, recorder) : [],
    assumptions: (report) =>
      buildAssumptions(report, {
        simulated,
        coming,
        placedFirst,
        isSettled: run.isSettled,
        chance: recorder,
        growth: growth?.assumptions ?? [],
      }),
  };
}

/** Source: pkg/controller/volume/attachdetach (reportMultiAttachError); which of them is the first is not known */
function groupsIn({ cluster }: Run, recorder: Recorder): ReadonlyMap<number, string> {
  const groups = new Map<number, string>();
  if (!cluster.state.release.featureGates.has('GenericWorkload')) return groups;
  for (const [index, { pod }] of recorder.pods.entries()) {
    const group = groupOf(cluster.state, pod.info);
    if (group !== null) groups.set(index, group);
  }
  return groups;
}

function unattachedIn({ inventory }: SimulatedCluster, run: Run, recorder: Recorder): ReadonlyMap<number, Unattached> {
  const claims = new Set(
    inventory
      .objects('PersistentVolumeClaim')
      .filter(({ spec }) => spec?.accessModes?.length === 1 && spec.accessModes[0] === 'ReadWriteOnce')
      .map((claim) => keyOf(claim)),
  );
  const unattached = new Map<number, Unattached>();
  const late = lateClaims(inventory);
  if (claims.size + late.size === 0) return unattached;
  // A claim that waits is given a volume with the first pod that the scheduler places.
  const bound = new Map<string, SimulatedPod[]>();
  const attached = new Map<string, string>();
  for (const pod of run.pods.present()) {
    const { state, node } = run.place(pod);
    if (state !== 'running' || node === null) continue;
    for (const { persistentVolumeClaim } of pod.pod.spec?.volumes ?? []) {
      const name = persistentVolumeClaim?.claimName ?? '';
      const key = `${pod.info.namespace}/${name}`;
      if (late.has(key)) {
        if (pod.info.nodeName === '') late.delete(key);
        else addTo(bound, key, pod);
      }
      if (!claims.has(key)) continue;
      const first = attached.get(key);
      if (first === undefined) {
        attached.set(key, node);
      } else if (first !== node && recorder.knows(pod)) {
        unattached.set(recorder.indexOf(pod), { claim: name, why: 'elsewhere' });
      }
    }
  }
  for (const key of late) {
    for (const pod of bound.get(key) ?? []) {
      if (!recorder.knows(pod)) continue;
      unattached.set(recorder.indexOf(pod), { claim: key.slice(key.indexOf('/') + 1), why: 'unbound' });
    }
  }
  return unattached;
}

/** How a scenario ends, without an account of how it came to that. */
export interface Outcome {
  readonly figures: Figures;
  /**
   * Pods that wait at the end and did not before, by `titleOf` their workload, for a node or for their volume; with those
   * that a StatefulSet makes once these run.
   */
  readonly waiting: ReadonlyMap<string, number>;
  /** Those that did before, too. */
  readonly waitingAll: ReadonlyMap<string, number>;
  /** Workloads that lose pods to others, by `titleOf`. */
  readonly hurt: readonly string[];
  /** Attempts to place a pod. */
  readonly attempts: number;
  /** Pods that took part. */
  readonly pods: number;
  readonly rolledOut: readonly RolledOut[];
}

/** The figures that `simulateScene` gives, in a fraction of its time. */
export function* outcomeOfCluster(
  simulated: SimulatedCluster,
  scenario: Scenario,
  options: SimulationOptions = {},
  play: RunDriver = settling,
): Generator<void, Outcome> {
  const recorded = yield* recordScenario(simulated, scenario, options, false, play);
  const { recorder } = recorded;
  // Whether a workload has pods left is told from all of them.
  recorder.enter(simulated.running, new Set(recorder.evictions.map(({ victim }) => victim.workload)));
  const parts = { ...partsOf(simulated, recorded), without: [] };
  const report = yield* reportBody({
    ...parts,
    scenario: reportScenario(simulated, scenario),
    causes: { causes: [], of: new Map() },
    wouldHelp: new Map(),
    limits: [],
    nearestPools: [],
    threats: new Map(),
  });
  yield;
  const context = answerContext(
    { ...parts, ...report, taints: report.taints ?? [], waitedBefore: recorded.waited },
    noNames,
  );
  yield;
  const hurt = new Set(report.victims.flatMap(({ workload }) => workload ?? []));
  const down = [...outagesOf(context, hurt).values()].filter((outage) => outage === 'down').length;
  const { drains } = recorded;
  const inTheWay = drains.flatMap(({ refusals }) => refusals.flatMap(({ pods }) => pods));
  const kept = new Set(drains.flatMap((drain) => [...drain.blocked.keys(), ...drain.failed.map(({ pod }) => pod)]));
  const byTitle = (pods: readonly number[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const pod of pods) {
      const index = report.pods[pod]?.workload ?? -1;
      const workload = report.workloads[index];
      if (workload === undefined) continue;
      const title = titleOf(workload);
      counts.set(title, (counts.get(title) ?? unmadeOf(report, index)) + 1);
    }
    return counts;
  };
  const unattached = unattachedPods(report);
  const waitsStill = [...recorded.waited].filter((pod) => context.waiting.stateOf(pod) === 'pending');
  return {
    figures: figuresOfBalance(balanceOf(context), down, inTheWay.length + kept.size),
    waiting: byTitle([...waitingPods(context), ...unattached]),
    waitingAll: byTitle([...waitingPods(context), ...unattached, ...waitsStill]),
    hurt: [...hurt].flatMap((index) => report.workloads[index] ?? []).map(titleOf),
    attempts: report.steps.length,
    pods: recorder.size,
    rolledOut: recorded.rollOuts ?? [],
  };
}

const noNames = shortNames({ pods: [], workloads: [], nodes: [] });

function reportScenario(simulated: SimulatedCluster, scenario: Scenario): ReportScenario {
  switch (scenario.kind) {
    case 'workspace':
      return { kind: 'workspace' };
    case 'file':
      return { kind: 'file', uri: scenario.uri, label: fileName(scenario.uri) };
    case 'workload': {
      const workload = simulated.arrivals(scenario)[0] ?? 0;
      const { kind, namespace, name } = simulated.workloads[workload]!;
      return { kind: 'workload', workload, label: titleOf({ kind, namespace, name }) };
    }
  }
}
