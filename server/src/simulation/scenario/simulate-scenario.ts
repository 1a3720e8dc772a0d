import { nearestNames } from '../../util/nearest-names.ts';
import { qualifiedName } from '../../util/words.ts';
import { say } from '../../util/say.ts';
import { keyOfObject, nameOf } from '../../kubernetes/names.ts';
import type { Declared, KubeObject, StatefulSet } from '../../kubernetes/objects.ts';
import { podTemplateOf, replicasOf } from '../../kubernetes/pod-template.ts';
import type { Release } from '../../kubernetes/release.ts';
import { statefulSetMaxUnavailable } from '../../kubernetes/rolling-update.ts';
import type { ReportWorkload, WholeReport } from '../../report-model/report.ts';
import { rollOutLines, withoutDump } from '../report/answer/roll-out-lines.ts';
import type { RolledOut } from '../run/roll-outs.ts';
import type { Run } from '../run/run.ts';
import type { RunEvent } from '../run/run-event.ts';
import { outcomeOfCluster, type RunOutcome, simulateCluster, tellReading } from './simulate.ts';
import { autoscalingsOf } from '../cluster/autoscaled-workloads.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import { growerIn } from '../growth/grower.ts';
import type { Grown } from '../growth/grown.ts';
import { type Later, prepareScenario, type PreparedScenario } from '../run/prepare-scenario.ts';
import { ofAnotherRun, type Scenario, type SimulationInput, type SimulationOptions } from '../cluster/input.ts';
import { chosenFor, Inventory } from '../cluster/inventory.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { nodeOfDaemonPod } from '../cluster/workload-set.ts';
import { type Applied, applyOperation, UnknownObjectError, withDeclaredNodes } from '../operations/apply-operation.ts';
import { asManifest, isRolledEdit } from './as-manifest.ts';
import { type Changes, afterChanges, changedWorkloads } from './changed-workloads.ts';
import { happensInRun, type ScenarioEvent } from '../operations/operation.ts';
import { answerAtEnd, answersOf } from './answer-questions.ts';
import type { EndOfRun } from '../capacity/fit.ts';
import { type EndedInput, isLeftToRollOut, outcomeOf } from './outcome-of.ts';
import type { Question } from './question.ts';
import { anewText } from '../report/applied-anew.ts';
import { boundsToCome } from './bounds-to-come.ts';
import { lostBudgets } from './lost-budgets.ts';
import { prioritiesToCome } from './priorities-to-come.ts';
import { refusalsToCome } from './refusals-to-come.ts';
import { withRollOutRemedies } from './roll-out-remedies.ts';
import { ScenarioRun } from './scenario-run.ts';
import { type EvictedBy, noteEvictions, noteTaintEvictions } from '../capacity/settled-workspace.ts';

/**
 * Simulates what arrives while events happen. Those that change the cluster at second 0 are what-ifs: the cluster is as
 * they make it from the start. Yields after each decision.
 * Throws `UnknownObjectError`, and `UnknownScenarioError`.
 * @param questions asked of the end
 */
export function* simulateEvents(
  input: SimulationInput,
  scenario: Scenario,
  events: readonly ScenarioEvent[],
  options: SimulationOptions = {},
  questions: readonly Question[] = [],
): Generator<void, WholeReport> {
  tellReading(input, options);
  const growth = yield* grown(input, scenario, events, options);
  const stage = yield* setStage(input, growth === undefined ? events : [...events, ...growth.events]);
  const { simulated, later } = stage;
  let atEnd: Parameters<typeof answersOf>[2] = new Map();
  const report = yield* simulateCluster(simulated, scenario, options, {
    later,
    *go(prepared, onEvent) {
      const evicted = new Map<SimulatedPod, EvictedBy>();
      const played = yield* playOn(stage, prepared, (event) => {
        onEvent(event);
        noteEvictions(event, evicted);
      });
      noteTaintEvictions(played.taints, evicted);
      const { run } = prepared;
      const grower = growerIn(input);
      atEnd = yield* answerAtEnd(questions, simulated, run, evicted, (node) =>
        grower === undefined ? 'no autoscaler' : grower.removal(input, { simulated, run }, node),
      );
      return growth === undefined ? played : { ...played, events: withTold(played.events, growth), growth };
    },
  });
  const { start, later: comes } = startOf(input, events);
  const alone = { ...options, ...ofAnotherRun(options) };
  const helped = yield* withRollOutRemedies(withComing(report, stage.comes), stage, start, (tried) =>
    outcomeWithGrowth(tried, scenario, alone, comes),
  );
  return questions.length === 0 ? helped : { ...helped, questions: answersOf(questions, helped, atEnd) };
}

/** As `outcomeOf`, with events, the nodes that autoscalers add, and the Jobs that CronJobs start. */
export function* outcomeWithGrowth(
  input: SimulationInput,
  scenario: Scenario,
  options: SimulationOptions = {},
  events: readonly ScenarioEvent[] = [],
): Generator<void, EndedInput> {
  const growth = yield* grown(input, scenario, events, options, false);
  const added = [...events, ...(growth?.events ?? [])];
  const cost = growth?.cost ?? 0;
  if (added.length === 0 && input.calendar === undefined) {
    return { ...(yield* outcomeOf(input, scenario, options)), cost };
  }
  const stage = yield* setStage(input, added);
  const { simulated, later } = stage;
  const outcome = yield* outcomeOfCluster(simulated, scenario, options, {
    later,
    go: (prepared, onEvent) => playOn(stage, prepared, onEvent),
  });
  return { simulated, outcome, rolledOut: outcome.rolledOut, cost };
}

/** What autoscalers add to a run, where there are any. */
export function* grown(
  input: SimulationInput,
  scenario: Scenario,
  events: readonly ScenarioEvent[],
  { seed }: SimulationOptions,
  explains = true,
): Generator<void, Grown | undefined> {
  const grower = growerIn(input);
  if (grower === undefined) return undefined;
  const options = seed === undefined ? {} : { seed };
  const start = startOf(input, events).start;
  return yield* grower.grow(
    start,
    function* (more) {
      const since = new Map<SimulatedPod, number>();
      const end = yield* endOfRun(input, scenario, [...events, ...more], options, ({ kind, pod, clock }) => {
        if (kind === 'pending' && !since.has(pod)) since.set(pod, clock);
      });
      return { ...end, since };
    },
    function* () {
      const { simulated, later } = yield* setStage(input, events);
      return { simulated, run: (yield* prepareScenario(simulated, scenario, options, later)).run };
    },
    explains,
  );
}

function withComing(report: WholeReport, comes: Stage['comes']): WholeReport {
  if (comes.size === 0) return report;
  return {
    ...report,
    nodes: report.nodes.map((node) => {
      const at = comes.get(node.name);
      return at === undefined ? node : { ...node, comes: at };
    }),
  };
}

/** Nodes that come say for whom. */
function withTold(events: WholeReport['events'], { told: refusals }: Grown): WholeReport['events'] {
  return events.map((event) => ({ ...event, told: [...event.told, ...(refusals.get(event.text) ?? [])] }));
}

/** Where everything stands at the end of what `simulateEvents` simulates, without an account of how it came to that. */
export function* endOfRun(
  input: SimulationInput,
  scenario: Scenario,
  events: readonly ScenarioEvent[],
  options: SimulationOptions = {},
  onEvent: (event: RunEvent) => void = () => undefined,
): Generator<void, EndOfRun & Pick<RunOutcome, 'drains'>> {
  const stage = yield* setStage(input, events);
  const prepared = yield* prepareScenario(stage.simulated, scenario, options, stage.later);
  const { drains } = yield* playOn(stage, prepared, onEvent);
  prepared.run.cluster.refreshBudgets();
  return { simulated: stage.simulated, run: prepared.run, drains };
}

/** What there is before anything happens, and what comes later. */
interface Stage {
  readonly simulated: SimulatedCluster;
  /** Before operations. */
  readonly asked: SimulationInput;
  readonly start: SimulationInput;
  readonly happened: WholeReport['events'];
  readonly events: readonly ScenarioEvent[];
  readonly later: Later;
  /** When nodes come, by their names. */
  readonly comes: ReadonlyMap<string, number>;
  /** Workloads that run and are written otherwise: they are rolled out. */
  readonly changed: Changes['changed'];
  /** Changes of other objects that the API server refuses. */
  readonly refused: Changes['refused'];
  /** What became of them, once the run has ended. */
  rolledOut: readonly RolledOut[];
}

function* setStage(input: SimulationInput, events: readonly ScenarioEvent[]): Generator<void, Stage> {
  const { start: written, happened, later } = startOf(input, events);
  const { before: start, changed, refused } = changedWorkloads(written);
  const nodes = nodesToCome(start, later);
  const simulated = yield* buildCluster(
    nodes.length === 0
      ? start
      : {
          ...withDeclaredNodes(start),
          workspace: [...withDeclaredNodes(start).workspace, ...nodes.map(({ declared }) => declared)],
          basis: start.basis ?? start,
        },
  );
  checkPods(simulated, later);
  const comes = new Map(nodes.map(({ declared, at }) => [nameOf(declared.object), at]));
  const absent = new Set(comes.keys());
  const held = { nodes: [...absent], pods: heldPods(simulated, later, absent, changed) };
  return {
    simulated,
    asked: input,
    start,
    happened,
    events: later,
    later: held,
    comes,
    changed,
    refused,
    rolledOut: [],
  };
}

function* playOn(
  stage: Stage,
  { run, controllers }: PreparedScenario,
  onEvent: (event: RunEvent) => void,
): Generator<void, RunOutcome> {
  const { simulated, start, happened, events, later, changed, refused } = stage;
  const toArrive = new Set([...later.pods].filter(isToArrive(simulated, events)));
  const isRolled =
    changed.length > 0 || events.some(({ operation }) => operation.verb === 'unready' || isRolledEdit(operation));
  const input = afterChanges({ before: start, changed });
  const play = new ScenarioRun(simulated, run, controllers, input, toArrive, isRolled ? changed : null);
  yield* play.play(events, onEvent);
  const rolled = play.rolledOut();
  stage.rolledOut = rolled;
  const refusals = refused.map(({ key, refusal }) => ({
    clock: 0,
    text: say`apply ${titled(key)}`,
    told: [withoutDump(refusal), ...anewText(key, refusal)],
    verdict: 'refused' as const,
  }));
  return {
    rollOuts: rolled,
    refused: [...refused, ...play.refused],
    workloads: new Map([...play.scaled(), ...rolled.map((each) => [each.workload, ranked(simulated, each)] as const)]),
    events: [
      ...happened,
      ...refusals,
      ...laterEvents(stage, run),
      ...byClock([...play.happened, ...rolled.map((each) => appliedText(stage, each))]),
    ],
    drains: play.drains,
    pressures: play.pressures,
    taints: play.taintEvictions.nodes,
  };
}

/** A change as something that happened, with what came of it. */
function appliedText(
  { asked, simulated: { inventory, workloads }, start: { readyAfter }, changed }: Stage,
  rolled: RolledOut,
): WholeReport['events'][number] {
  const { at, key, verdict, wanted, by, next } = rolled;
  const stored = changed.find((each) => each.key === key)?.stored;
  const isScaled = verdict === 'scaled' || (stored !== undefined && replicasOf(stored) !== replicasOf(next));
  const scaling = isScaled && by === '' ? autoscalingsOf(inventory, workloads, []).get(key) : undefined;
  // At zero nothing is scaled.
  const again =
    scaling === undefined || wanted === 0
      ? []
      : [
          say`HorizontalPodAutoscaler ${scaling.autoscaler} sets the number again: ${scaling.min} to ${scaling.max} pods`,
        ];
  const text = by === '' ? say`apply ${titled(key)}` : say`autoscaler ${by} scales ${titled(key)}`;
  const told = [
    ...rollOutLines(rolled, readyAfter),
    ...(verdict === 'refused' ? [] : droppedBound(next, chosenFor(asked).release)),
    ...again,
    ...anewText(key, rolled.refusal),
  ];
  return { clock: at, text, told, verdict, ...(rolled.failedCreate === '' ? {} : { lacksPods: titled(key) }) };
}

/** Source: dropStatefulSetDisabledFields in pkg/registry/apps/statefulset/strategy.go */
function droppedBound(object: KubeObject, { featureGates, minor }: Release): readonly string[] {
  if (object.kind !== 'StatefulSet' || featureGates.has('MaxUnavailableStatefulSet')) return [];
  const { spec } = object as StatefulSet;
  if (statefulSetMaxUnavailable(spec, replicasOf(object)) <= 1) return [];
  return [
    say`The API server drops maxUnavailable, and pods are replaced one at a time: it needs the feature gate MaxUnavailableStatefulSet, which is off in Kubernetes ${minor}`,
  ];
}

/** Changes that move nobody now. */
function laterEvents({ asked, start, simulated, changed, refused }: Stage, run: Run): WholeReport['events'] {
  const later = (
    text: string,
    lines: readonly string[],
    verdict: 'later' | 'unprotected' = 'later',
  ): WholeReport['events'] => (lines.length === 0 ? [] : [{ clock: 0, text, told: [...lines], verdict }]);
  return [
    ...later(say`priority classes change`, prioritiesToCome(asked, start, simulated)),
    ...later(say`node pools change`, growerIn(asked)?.changed(asked, start) ?? []),
    ...later(
      say`classes or limits of containers change`,
      refusalsToCome(asked.basis ?? asked, start, simulated, new Set(changed.map(({ key }) => key))),
    ),
    ...later(
      say`labels of budgets or pods change`,
      lostBudgets(...beforeAndNow(asked, [...changed, ...refused])),
      'unprotected',
    ),
    ...later(say`budgets, quotas or autoscalers change`, boundsToCome(asked, simulated, run, changed)),
  ];
}

/** What is there and what comes of it, without what the API server refuses. */
function beforeAndNow(
  { snapshot, workspace }: SimulationInput,
  changes: readonly { readonly key: string; readonly refusal: string }[],
): readonly [readonly KubeObject[], readonly KubeObject[]] {
  const refused = new Set(changes.flatMap(({ key, refusal }) => (refusal === '' ? [] : [key])));
  const written = workspace.flatMap(({ object }) => (refused.has(keyOfObject(object)) ? [] : [object]));
  const keys = new Set(written.map(keyOfObject));
  const before = snapshot.map(({ object }) => object);
  return [before, [...written, ...before.filter((object) => !keys.has(keyOfObject(object)))]];
}

/** What happens at the same time stays in its order. */
function byClock(events: WholeReport['events']): WholeReport['events'] {
  return events.toSorted((a, b) => a.clock - b.clock);
}

/** `Deployment/shop/web`, `PriorityClass/gold` */
function titled(key: string): string {
  return key.replace('//', '/');
}

/** A workload as it is now. */
function ranked(simulated: SimulatedCluster, { workload: index, next }: RolledOut): ReportWorkload {
  const workload = simulated.reportWorkloads[index]!;
  const template = podTemplateOf(next);
  const rank = template === undefined ? workload : simulated.factory.rankOf(template, workload.origin);
  const replicas = next.kind === 'DaemonSet' ? workload.replicas : replicasOf(next);
  const { priority, className, preemptionPolicy } = rank;
  return { ...workload, replicas, priority, className, preemptionPolicy };
}

/** What the events make of the cluster at the start, and those that come later. Throws `UnknownObjectError`. */
export function startOf(
  input: SimulationInput,
  events: readonly ScenarioEvent[],
): {
  readonly start: SimulationInput;
  readonly happened: WholeReport['events'];
  readonly later: readonly ScenarioEvent[];
} {
  const timed = inOrder(events);
  const first = timed.findIndex(({ operation, at }, index) => {
    const isNow = at === 0 || (at === null && index === 0);
    return !isNow || happensInRun(operation);
  });
  const atStart = first < 0 ? timed : timed.slice(0, first);
  const later = first < 0 ? [] : timed.slice(first);
  const happened: WholeReport['events'][number][] = [];
  let start = input;
  for (const { operation, text } of atStart) {
    const edited = asManifest(start, operation);
    const applied = edited === null ? appliedEvent(start, { operation, text }) : { input: edited, changes: true };
    happened.push({ clock: 0, text, told: applied.changes ? [] : [say`no effect`] });
    start = applied.input;
  }
  return { start, happened, later };
}

/** As `applyOperation`; an unknown object is told of with the event that names it. */
function appliedEvent(input: SimulationInput, { operation, text }: Pick<ScenarioEvent, 'operation' | 'text'>): Applied {
  try {
    return applyOperation(input, operation);
  } catch (error) {
    throw error instanceof UnknownObjectError ? error.of(text) : error;
  }
}

/** By time; those without one stay behind the one before. */
function inOrder(events: readonly ScenarioEvent[]): readonly ScenarioEvent[] {
  const groups: ScenarioEvent[][] = [];
  for (const event of events) {
    if (event.at === null && groups.length > 0) groups.at(-1)!.push(event);
    else groups.push([event]);
  }
  return groups.toSorted((a, b) => (a[0]!.at ?? 0) - (b[0]!.at ?? 0)).flat();
}

/** Throws `UnknownObjectError` for an event about a pod that nobody declares and no workload makes. */
function checkPods({ running, arriving, workloads }: SimulatedCluster, events: readonly ScenarioEvent[]): void {
  const targets = events.flatMap(({ operation, text }) => {
    const all =
      operation.verb === 'finish'
        ? [operation.target]
        : operation.verb === 'pressure'
          ? operation.usage.map(({ target }) => target)
          : [];
    return all.filter(({ kind }) => kind === 'Pod').map((target) => ({ target, text }));
  });
  if (targets.length === 0) return;
  const keys = new Set([...running, ...arriving.flat()].map(({ key }) => key));
  // Those that come in place of others are not known yet, but whose they are.
  const owners = new Set(workloads.map(({ namespace, name }) => `${namespace}/${name}`));
  const mayCome = (key: string): boolean =>
    [...key.matchAll(/-/g)].some(({ index }) => owners.has(key.slice(0, index)));
  for (const { target, text } of targets) {
    const key = qualifiedName(target);
    if (keys.has(key) || owners.has(key) || mayCome(key)) continue;
    throw new UnknownObjectError(`Pod ${key}`, nearestNames(key, [...keys]).slice(0, 3)).of(text);
  }
}

/** Nodes that events add, and when. */
function nodesToCome(
  input: SimulationInput,
  events: readonly ScenarioEvent[],
): readonly { readonly declared: Declared; readonly at: number }[] {
  const known = new Set(new Inventory(input).objects('Node').map(nameOf));
  const found: { readonly declared: Declared; readonly at: number }[] = [];
  let branch = input;
  let at = 0;
  for (const event of events) {
    const { operation } = event;
    at = event.at ?? at;
    const applied = appliedEvent(branch, event).input;
    if (operation.verb === 'add') {
      const added = applied.workspace.filter(({ object }) => object.kind === 'Node' && !known.has(nameOf(object)));
      for (const each of added) known.add(nameOf(each.object));
      found.push(...added.map((declared) => ({ declared, at })));
    }
    branch = applied;
  }
  return found;
}

/** Pods that are not there yet: those of workloads that an event lets arrive, and of DaemonSets on nodes to come. */
function heldPods(
  simulated: SimulatedCluster,
  events: readonly ScenarioEvent[],
  absent: ReadonlySet<string>,
  changed: Stage['changed'],
): ReadonlySet<SimulatedPod> {
  const arrives = isToArrive(simulated, events);
  const isLeft = isLeftToRollOut(simulated, changed);
  const hasClock = simulated.inventory.calendar?.start != null;
  const isScheduled = ({ workload, pod }: SimulatedPod): boolean =>
    hasClock && simulated.workloads[workload]!.kind === 'CronJob' && pod.metadata?.creationTimestamp === undefined;
  return new Set(
    simulated.arriving
      .flat()
      .filter(
        (pod) =>
          arrives(pod) || isScheduled(pod) || isLeft(pod) || (absent.size > 0 && absent.has(nodeOfDaemonPod(pod.pod))),
      ),
  );
}

function isToArrive({ workloads }: SimulatedCluster, events: readonly ScenarioEvent[]): (pod: SimulatedPod) => boolean {
  const targets = new Set(
    events.flatMap(({ operation }) =>
      operation.verb === 'arrive'
        ? [`${operation.target.kind}/${operation.target.namespace}/${operation.target.name}`]
        : [],
    ),
  );
  return ({ workload }) => {
    const { kind, namespace, name } = workloads[workload]!;
    return targets.has(`${kind}/${namespace}/${name}`);
  };
}
