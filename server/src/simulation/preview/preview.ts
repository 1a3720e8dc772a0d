import { isNamed } from '../../report-model/assumed.ts';
import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import { UnknownScenarioError } from '../cluster/input.ts';
import { prepareScenario } from '../run/prepare-scenario.ts';
import type { WholeReport } from '../../report-model/report.ts';
import type { Decision } from '../../scheduler/decision.ts';
import { WhyPending } from '../causes/why-pending.ts';
import { messageOf, type RunEvent } from '../run/run-event.ts';
import { settleWithTaints } from '../run/taint-evictions.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import { outcomeOfCluster, simulateCluster, tellReading } from '../scenario/simulate.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { type ChangedWorkload, type Changes, changedWorkloads } from '../scenario/changed-workloads.ts';
import { settledBefore } from './settled-before.ts';
import { rolling } from '../scenario/outcome-of.ts';
import { answersText } from '../growth/pool-answers.ts';
import { rollOutBrief } from '../report/answer/roll-out-lines.ts';
import { isWorkloadKind, replicasOf } from '../../kubernetes/pod-template.ts';
import type { Declared, KubeObject } from '../../kubernetes/objects.ts';
import { keyOfObject, workloadKey } from '../../kubernetes/names.ts';
import { grown } from '../scenario/simulate-scenario.ts';
import { type GrownInput, withGrownNodes } from '../scenario/with-grown-nodes.ts';

/** What is said of pods that fit on nodes that nobody names. */
export const nodesAssumed = say`nodes assumed`;

/** What the arrival of a workload would do, short enough to stand above it. */
export interface ArrivalPreview {
  /**
   * `fits`: all its pods find room. `preempts`: all do, after evicting others. `pending`: not all do. `runs`: nothing
   * arrives, all its pods are there. `rolls-out`: its pods run, and are written otherwise. `none`: it makes no pods.
   */
  readonly kind: 'fits' | 'preempts' | 'pending' | 'gated' | 'rejected' | 'runs' | 'rolls-out' | 'none';
  /** "fits on node-b", "preempts 3 pods and breaks 1 budget on node-b", "pending: it asks for 2 cpu; at most 1 cpu free, on node-b". */
  readonly text: string;
  /** What may not be cut off where there is no room for all of it: the budgets, before the nodes. */
  readonly brief?: string;
  /** Rests on assumed nodes. */
  readonly assumed: boolean;
}

/**
 * Previews for the workloads of one version of the manifests. They share the cluster state, which is made with the
 * first of them; each preview is kept. Each gives what `simulate` gives for the same arrival, without the report, which
 * can be made from the same state.
 */
export class ArrivalPreviews {
  readonly #input: SimulationInput;
  /** What runs, and what is written otherwise than it runs. */
  readonly #changes: Changes;
  #simulated: SimulatedCluster | undefined;
  readonly #known = new Map<number, ArrivalPreview>();

  constructor(input: SimulationInput) {
    this.#input = input;
    this.#changes = changedWorkloads(input);
  }

  /** Null for a workload that is not declared. Yields after each decision. */
  *arrivalOf(scenario: Scenario & { readonly kind: 'workload' }): Generator<void, ArrivalPreview | null> {
    const simulated = yield* this.#built();
    const workload = findWorkload(simulated, scenario);
    if (workload === undefined) return null;
    let preview = this.#known.get(workload);
    if (preview === undefined) {
      const change = this.#changeOf(scenario);
      preview =
        change === undefined
          ? yield* withGrowth(yield* previewArrival(simulated, scenario, workload), this.#input, scenario)
          : yield* previewRollOut(simulated, change, scenario);
      this.#known.set(workload, preview);
    }
    return preview;
  }

  /**
   * What an edit does to a workload that is written otherwise than in an earlier version, of which it runs. Null where
   * nothing is rolled out, and where so many pods would have to be placed first that typing would wait.
   */
  *rollOutSince(
    scenario: Scenario & { readonly kind: 'workload' },
    earlier: KubeObject,
    since: string,
  ): Generator<void, ArrivalPreview | null> {
    const { workloadKind, namespace, name } = scenario;
    const key = workloadKey(workloadKind, namespace, name);
    const pods = this.#input.workspace.reduce(
      (sum, { object }) => sum + (isWorkloadKind(object.kind ?? '') ? replicasOf(object) : 0),
      0,
    );
    if (pods > mostPodsPlaced) return null;
    const workspace = this.#input.workspace.map((declared): Declared => {
      if (keyOfObject(declared.object) !== key) return declared;
      const { value: _value, ...placed } = declared;
      return { ...placed, object: earlier };
    });
    const cluster = yield* settledBefore({ ...this.#input, workspace }, since);
    const { before, changed } = changedWorkloads(cluster.applied(this.#input));
    const change = changed.find((each) => each.key === key);
    if (change === undefined) return null;
    const preview = yield* previewRollOut(yield* buildCluster(before), change, scenario);
    return { ...preview, text: say`since ${since}: ${preview.text}` };
  }

  /** As `simulate` for the same input. */
  *simulate(scenario: Scenario, options: SimulationOptions = {}): Generator<void, WholeReport> {
    tellReading(this.#input, options);
    return yield* simulateCluster(yield* this.#built(), scenario, options);
  }

  /** Looks at what everything is made from, with the nodes that autoscalers add. */
  *inCluster<Result>(look: LookInCluster<Result>): Generator<void, Result> {
    const { input, advice } = yield* withGrownNodes(this.#input);
    if (input === this.#input) return yield* look(yield* this.#built(), this.#changes.changed, advice);
    const { before, changed } = changedWorkloads(input);
    return yield* look(yield* buildCluster(before), changed, advice);
  }

  #changeOf({ workloadKind, namespace, name }: Scenario & { readonly kind: 'workload' }): ChangedWorkload | undefined {
    const key = workloadKey(workloadKind, namespace, name);
    return this.#changes.changed.find((change) => change.key === key);
  }

  *#built(): Generator<void, SimulatedCluster> {
    this.#simulated ??= yield* buildCluster(this.#changes.before);
    return this.#simulated;
  }
}

/** @param advice what pools say of pods that stay pending */
export type LookInCluster<Result> = (
  simulated: SimulatedCluster,
  changed: readonly ChangedWorkload[],
  advice: GrownInput['advice'],
) => Generator<void, Result>;

/** To place these takes some ten seconds of a usual processor, once for the edits of a workload. */
const mostPodsPlaced = 20_000;

function findWorkload(simulated: SimulatedCluster, scenario: Scenario): number | undefined {
  try {
    return simulated.arrivals(scenario)[0];
  } catch (error) {
    if (error instanceof UnknownScenarioError) return undefined;
    throw error;
  }
}

/** What comes of an arrival where no autoscaler is asked. */
type Arrived = ArrivalPreview & {
  /** What it evicts, before what comes next. */
  readonly evicts?: string;
  /** Who waits, where there is no node that could be why. */
  readonly waits?: string;
  /** The workloads whose pods ask for nodes then, by index, and its own pods that do. */
  readonly asking?: { readonly workloads: ReadonlySet<number>; readonly pods: readonly string[] };
};

function* previewArrival(simulated: SimulatedCluster, scenario: Scenario, workload: number): Generator<void, Arrived> {
  const { run, controllers } = yield* prepareScenario(simulated, scenario, {});
  const arriving = new Set(simulated.arriving[workload]);
  const evicted: SimulatedPod[] = [];
  const violated = new Set<string>();
  const messages = new Map<SimulatedPod, string>();
  const decisions = new Map<SimulatedPod, Decision>();
  yield* settleWithTaints(run, controllers, (event) => {
    if (event.kind === 'nominated') {
      evicted.push(...event.victims);
      for (const name of violatedBudgets(event)) violated.add(name);
    }
    if (event.pod.workload !== workload) return;
    if (arriving.has(event.pod)) messages.set(event.pod, messageOf(event));
    if (event.decision !== null) decisions.set(event.pod, event.decision);
  });
  const assumed = simulated.nodes.some((node) => node.assumed);
  const areInvented = simulated.nodes.every((node) => !isNamed(node));
  const pods = [...arriving];
  const held = new Set(run.toCome.followers());
  const made = pods.filter((pod) => !held.has(pod));
  const inState = (state: ReturnType<typeof run.place>['state']) =>
    made.filter((pod) => run.place(pod).state === state);
  const nodesOf = (some: readonly SimulatedPod[]) =>
    list([...new Set(some.flatMap((pod) => run.place(pod).node ?? []))].sort(), 3);

  if (pods.length === 0) {
    const own = [...run.pods.all()].filter((pod) => pod.workload === workload && run.place(pod).state !== 'evicted');
    if (own.length === 0) return { kind: 'none', text: say`makes no pods`, assumed };
    // What others have evicted, and is made again, waits as in every other answer.
    const [first, ...rest] = own.filter((pod) => ['pending', 'nominated'].includes(run.place(pod).state));
    if (first === undefined) return { kind: 'runs', text: say`runs on ${nodesOf(own)}`, assumed };
    const share = rest.length + 1 === own.length ? say`pending` : say`${rest.length + 1} of ${own.length} pending`;
    const why = new WhyPending(run, simulated).of(first, decisions.get(first) ?? null);
    return { kind: 'pending', text: say`${share}: ${why}`, assumed };
  }
  const [rejected] = inState('rejected');
  if (rejected !== undefined) {
    const { missingClass } = rejected;
    const text =
      missingClass === null
        ? say`rejected: ${messages.get(rejected) ?? ''}`
        : say`rejected unless ${missingClass.kind} ${missingClass.name} exists; it is not declared here`;
    return { kind: 'rejected', text, assumed };
  }
  if (inState('gated').length === made.length) {
    return { kind: 'gated', text: say`gated: the scheduler does not look at it`, assumed };
  }
  const placed = inState('running');
  const waiting = made.filter((pod) => ['pending', 'nominated'].includes(run.place(pod).state));
  const preempts = evicted.length === 0 ? '' : say`preempts ${count(evicted.length, 'pod')}`;
  const budgets = violated.size === 0 ? '' : say` and breaks ${count(violated.size, 'budget')}`;
  const asked = [workload, ...evicted.map((pod) => pod.workload)];
  if (waiting.length > 0) {
    const share = placed.length === 0 ? say`pending` : say`${waiting.length} of ${pods.length} pending`;
    const before = preempts === '' ? '' : say`${preempts}${budgets}; `;
    const why = new WhyPending(run, simulated).of(waiting[0]!, decisions.get(waiting[0]!) ?? null);
    const asking = { workloads: new Set(asked), pods: waiting.map(({ key }) => key) };
    const waits = simulated.nodes.length > 0 ? {} : { waits: share };
    return { kind: 'pending', text: say`${before}${share}: ${why}`, assumed, asking, ...waits };
  }
  if (preempts !== '') {
    const brief = say`${preempts}${budgets}`;
    const text = say`${brief} on ${nodesOf(evicted)}`;
    const evicts = say`evicts ${evicted.length}${budgets}`;
    return { kind: 'preempts', text, brief, assumed, evicts, asking: { workloads: new Set(asked), pods: [] } };
  }
  // The assumed nodes are made so that pods fit: that one does says nothing.
  return { kind: 'fits', text: areInvented ? nodesAssumed : say`fits on ${nodesOf(placed)}`, assumed };
}

/** What an edit does to a workload that runs; what else is edited counts as it runs. */
function* previewRollOut(
  simulated: SimulatedCluster,
  change: ChangedWorkload,
  scenario: Scenario,
): Generator<void, ArrivalPreview> {
  const { rolledOut } = yield* outcomeOfCluster(simulated, scenario, {}, rolling(simulated, [change]));
  const assumed = simulated.nodes.some((node) => node.assumed);
  const [rolled] = rolledOut;
  return { kind: 'rolls-out', text: rolled === undefined ? say`runs` : rollOutBrief(rolled), assumed };
}

/** `evicts 2, then 1 node of general`: what is evicted, or finds no node, may ask for one. */
function* withGrowth(
  { evicts, asking, waits, ...arrived }: Arrived,
  input: SimulationInput,
  scenario: Scenario,
): Generator<void, ArrivalPreview> {
  if (arrived.kind !== 'pending' && arrived.kind !== 'preempts') return arrived;
  const growth = yield* grown(input, scenario, [], {});
  const [waiting] = asking?.pods ?? [];
  const ofPools = waits === undefined ? '' : answersText(growth?.advice.get(waiting ?? '') ?? []);
  const { brief: _alone, ...told } = arrived;
  const preview = ofPools === '' ? told : { ...told, text: say`${waits ?? ''}: ${ofPools}` };
  const comes = (growth?.comes ?? []).flatMap(({ title, byNode }) => {
    const own = byNode.filter((workloads) => workloads.some((each) => asking?.workloads.has(each)));
    return own.length === 0 ? [] : [say`${count(own.length, 'node')} of ${title.slice(title.indexOf(' ') + 1)}`];
  });
  if (growth === undefined || comes.length === 0) return ofPools === '' ? arrived : preview;
  const nodes = list(comes, 3);
  if (evicts !== undefined) return { ...preview, text: say`${evicts}, then ${nodes}` };
  if (asking?.pods.some((key) => growth.advice.has(key)) === true) {
    return { ...preview, text: say`${nodes}; ${preview.text}` };
  }
  return { ...preview, kind: 'fits', text: say`fits on ${nodes}` };
}

function violatedBudgets({ decision, node }: RunEvent): readonly string[] {
  if (decision?.kind !== 'unschedulable' || node === null) return [];
  return decision.preemption?.candidates.get(node)?.violatedBudgets ?? [];
}
