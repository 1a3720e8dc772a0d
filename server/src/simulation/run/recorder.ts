import { addTo } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import type { Decision, NodeName, PodKey } from '../../scheduler/decision.ts';
import { explainDecision, nodesCompared, type Indexes, type RecordedDecision } from './explain-decision.ts';
import type { PodPlace, ReportDecision, ReportStep } from '../../report-model/report.ts';
import type { LivePlace } from './pod-places.ts';
import type { Run } from './run.ts';
import type { RunEvent } from './run-event.ts';
import { StepCauses } from './step-causes.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

interface Recorded {
  readonly pod: SimulatedPod;
  readonly before: PodPlace;
  /** How many decisions there were before it came. */
  readonly since: number;
  decision: number | null;
}

export interface RecordedEviction {
  readonly victim: SimulatedPod;
  readonly preemptor: SimulatedPod;
  readonly node: NodeName;
  /** Budgets of the chosen candidate that the scheduler counts as violated. */
  readonly violatedBudgets: readonly string[];
  readonly pdbViolations: number;
}

/** Writes down what a run tells, in the indexes of the report. */
export class Recorder {
  readonly #run: Run;
  readonly #nodeIndexes: ReadonlyMap<NodeName, number>;
  readonly #podIndexes = new Map<SimulatedPod, number>();
  /** Pods that had a name one after the other; made when the first decision is explained. */
  #named: ReadonlyMap<PodKey, readonly number[]> | undefined;
  readonly pods: Recorded[] = [];
  readonly steps: ReportStep[] = [];
  readonly #decisions: RecordedDecision[] = [];
  /** Decisions between nodes that are equally good. */
  ties = 0;
  /** Decisions that the real scheduler may answer otherwise. */
  varying = 0;
  readonly evictions: RecordedEviction[] = [];
  readonly #causes = new StepCauses();
  readonly #attemptsBefore: number;
  /**
   * Whether decisions are told, which costs the room to keep them. Without, there are none, and of the pods that run at
   * the start only those that something happens to, or that are asked for.
   */
  readonly explains: boolean;
  /** How many pods were there before the first step; they are the first. */
  readonly firstPods: number;
  #hasBegun = false;
  /** Pods that were gone before the first step. */
  readonly #gone: ReadonlySet<SimulatedPod>;

  /** Starts at the run's present state: its pods are those that were there before the first step. */
  constructor(run: Run, nodes: readonly NodeName[], explains = true) {
    this.#run = run;
    this.explains = explains;
    this.#attemptsBefore = run.preemption.attempts;
    this.#nodeIndexes = new Map(nodes.map((name, index) => [name, index]));
    const isGone = (pod: SimulatedPod): boolean => run.place(pod).state === 'evicted';
    this.#gone = new Set([...run.pods.touched()].filter(isGone));
    const { pods } = run;
    for (const pod of explains ? pods.all() : pods.touched()) if (!isGone(pod)) this.#enter(pod, this.placeOf(pod));
    this.firstPods = this.pods.length;
    this.#hasBegun = true;
  }

  /** Since the recording began. */
  get preemptionAttempts(): number {
    return this.#run.preemption.attempts - this.#attemptsBefore;
  }

  node(name: NodeName): number {
    return this.#nodeIndexes.get(name) ?? -1;
  }

  indexOf(pod: SimulatedPod): number {
    const known = this.#podIndexes.get(pod);
    if (known !== undefined) return known;
    // One that nothing had happened to was where it was at the start.
    const then = this.#gone.has(pod) ? undefined : this.#run.pods.startOf(pod);
    if (then !== undefined) return this.#enter(pod, this.#inIndexes(then));
    // One that came later was not there at the start.
    return this.#enter(pod, this.#hasBegun ? { state: 'pending', node: null } : this.placeOf(pod));
  }

  /** Enters pods of the start that belong to some workloads. */
  enter(pods: readonly SimulatedPod[], workloads: ReadonlySet<number>): void {
    if (workloads.size === 0) return;
    for (const pod of pods) if (workloads.has(pod.workload) && !this.#gone.has(pod)) this.indexOf(pod);
  }

  /** How many pods there are, with those of the start that nothing happened to. */
  get size(): number {
    const known = new Set([...this.pods.map(({ pod }) => pod), ...this.#gone]);
    const ofStart = [...known].filter((pod) => this.#run.pods.startOf(pod) !== undefined);
    return this.pods.length + this.#run.pods.startSize - ofStart.length;
  }

  /** Whether the pod has been there: one that was to come in the place of another may never have. */
  knows(pod: SimulatedPod): boolean {
    return this.#podIndexes.has(pod);
  }

  placeOf(pod: SimulatedPod): PodPlace {
    return this.#inIndexes(this.#run.place(pod));
  }

  #inIndexes({ state, node }: LivePlace): PodPlace {
    return { state, node: node === null ? null : this.node(node) };
  }

  /** The last answer that a waiting pod got before the recording began. */
  recordEarlier(pod: SimulatedPod, decision: Decision): void {
    const index = this.indexOf(pod);
    if (this.explains) this.#keep({ decision, pod: index, message: '' });
  }

  /** The last decision about a pod; null where there is none, or none is kept. */
  lastDecision(pod: SimulatedPod): Decision | null {
    const { decision = null } = this.pods[this.#podIndexes.get(pod) ?? -1] ?? {};
    return this.#decisions[decision ?? -1]?.decision ?? null;
  }

  /** What was decided, by index; each is explained when somebody reads it. */
  explained(wouldHelp: ReadonlyMap<number, readonly string[]>): readonly ReportDecision[] {
    const node = (name: string): number => this.node(name);
    return this.#decisions.map((decision, at) => {
      const indexes: Indexes = { node, pod: (key) => this.#podAt(key, at) };
      return explainDecision(decision, indexes, wouldHelp.get(at) ?? []);
    });
  }

  record(event: RunEvent): void {
    const decision = this.#recordDecision(event);
    const places = event.changed.flatMap((pod) => this.#run.place(pod).node ?? []);
    const nodes = new Set([...places, ...event.freed]);
    const step: ReportStep = {
      // Controllers take moments that nobody knows.
      clock: Math.floor(event.clock + 1e-9),
      kind: event.kind,
      pod: this.indexOf(event.pod),
      node: event.node === null ? null : this.node(event.node),
      by: this.#causes.causeOf(event, this.steps.length),
      victims: event.victims.map((pod) => this.indexOf(pod)),
      note: noteOf(event, this.#run),
      decision,
      changes: event.changed.map((pod) => ({ pod: this.indexOf(pod), place: this.placeOf(pod) })),
      requested:
        event.kind === 'scheduled' || event.kind === 'gone' || event.kind === 'rejected'
          ? [...nodes].map((name) => ({ node: this.node(name), amounts: this.#run.cluster.requested(name) }))
          : [],
      queues: event.queues,
    };
    this.steps.push(step);
    if (event.kind === 'nominated') this.#recordEvictions(event, event.node ?? '');
  }

  #enter(pod: SimulatedPod, before: PodPlace): number {
    const index = this.pods.length;
    this.#podIndexes.set(pod, index);
    this.pods.push({ pod, before, since: this.#decisions.length, decision: null });
    return index;
  }

  /** The pod of that name when something was decided. One that is refused, since its name is taken, never has it. */
  #podAt(key: PodKey, decision: number): number {
    this.#named ??= this.#names();
    const had = this.#named.get(key)?.findLast((index) => {
      const { pod, since } = this.pods[index]!;
      return since <= decision && this.placeOf(pod).state !== 'rejected';
    });
    return had ?? -1;
  }

  #names(): ReadonlyMap<PodKey, readonly number[]> {
    const names = new Map<PodKey, number[]>();
    for (const [index, { pod }] of this.pods.entries()) {
      addTo(names, pod.key, index);
    }
    return names;
  }

  #recordDecision({ kind, decision, pod, message }: RunEvent): number | null {
    if (!this.explains || (decision === null && kind !== 'rejected')) return null;
    return this.#keep({ decision, pod: this.indexOf(pod), message });
  }

  #keep(recorded: RecordedDecision): number {
    const { decision, pod } = recorded;
    const index = this.#decisions.length;
    this.#decisions.push(
      decision?.kind === 'fits' ? { ...recorded, decision: decision.abridged(nodesCompared) } : recorded,
    );
    this.pods[pod]!.decision = index;
    if (decision?.kind === 'fits' && decision.isTie) this.ties += 1;
    if (decision?.kind === 'unschedulable' && decision.preemption?.choice?.isTie === true) this.ties += 1;
    if (decision?.mayVary === true) this.varying += 1;
    return index;
  }

  #recordEvictions(event: RunEvent, node: NodeName): void {
    const candidate =
      event.decision?.kind === 'unschedulable' ? event.decision.preemption?.candidates.get(node) : undefined;
    for (const victim of event.victims) {
      this.evictions.push({
        victim,
        preemptor: event.pod,
        // A group evicts from several.
        node: this.#run.place(victim).node ?? node,
        violatedBudgets: candidate?.violatedBudgets ?? [],
        pdbViolations: candidate?.pdbViolations ?? 0,
      });
    }
  }
}

function noteOf(event: RunEvent, run: Run): string {
  switch (event.kind) {
    case 'nominated':
      return event.victims.length === 0
        ? say`waits for pods there that are ending already`
        : say`evicts ${list(
            event.victims.map(({ pod }) => pod.metadata?.name ?? ''),
            6,
          )}`;
    case 'gone':
      return goneNote(event, run);
    case 'scheduled':
      return event.lostNomination === null
        ? event.message
        : say`was nominated to ${event.lostNomination}, and landed here instead`;
    case 'pending': {
      return event.decision?.kind === 'unschedulable' ? event.decision.message : event.message;
    }
    case 'cleared':
      return event.message === '' ? lossNote(event, event.node ?? '') : event.message;
    case 'deleted':
      return run.isNeverEnded(event.pod)
        ? say`stays terminating until the node is removed`
        : say`has ${count(run.graceOf(event.pod), 'second')} to end`;
    case 'gated':
      if (event.decision?.kind !== 'gated') return '';
      return event.decision.gates.length === 0 ? event.decision.message : say`gates: ${list(event.decision.gates)}`;
    case 'rejected':
      return event.message;
    case 'not-modelled':
      return event.decision?.kind === 'not-modelled' ? event.decision.message : '';
  }
}

/** Why a pod waits for a node no longer. */
function lossNote({ lostTo: { ending, takers } }: RunEvent, node: NodeName): string {
  const names = (pods: readonly SimulatedPod[]): string =>
    list(
      pods.map(({ pod }) => pod.metadata?.name ?? ''),
      3,
    );
  if (ending.length > 0) return say`It waits for ${node} no longer, where ${names(ending)} still end.`;
  if (takers.length > 0) return say`Its victims on ${node} are gone, and ${names(takers)} took the room.`;
  return say`It waits for ${node} no longer.`;
}

function goneNote({ pod, victims }: RunEvent, run: Run): string {
  if (victims.length === 0) return say`its room is free; ${list(pod.pod.metadata?.finalizers ?? [])} would have to go`;
  const seconds = new Set(victims.map((pod) => run.graceOf(pod)));
  if (seconds.size === 1 && seconds.has(0)) return say`at once`;
  const grace = seconds.size === 1 ? count([...seconds][0]!, 'second') : say`their own length`;
  return say`after a grace period of ${grace}`;
}
