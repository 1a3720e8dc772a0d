/**
 * The simulation report: one serialisable model with three faces (the webview, the terminal table, `--format json`).
 * None of the faces computes anything; what they show is here. Pods, nodes and workloads are referred to by their
 * index in `pods`, `nodes`, `workloads`.
 */
import type { Origin } from '../../kubernetes/objects.ts';
import type { PreemptionCriterion, StatusCode } from '../../scheduler/decision.ts';

export const reportVersion = 1;

export interface Report {
  readonly version: typeof reportVersion;
  /** The Kubernetes minor whose behaviour is reproduced. */
  readonly kubernetes: '1.34';
  readonly scenario: ReportScenario;
  /** Question 1, in parts so that each face can colour them. Joined, they are a plain sentence. */
  readonly sentence: readonly SentencePart[];
  /** Question 6. */
  readonly assumptions: readonly Assumption[];
  /** The rungs of the priority ladder that occur, highest first. */
  readonly ladder: readonly Rung[];
  readonly workloads: readonly ReportWorkload[];
  readonly nodes: readonly ReportNode[];
  readonly pods: readonly ReportPod[];
  /** The decisions in order. Step 0 of a slider is the state before the first of them. */
  readonly steps: readonly ReportStep[];
  /** Details that steps and pods point to. */
  readonly decisions: readonly ReportDecision[];
  /** Question 2. */
  readonly victims: readonly ReportVictim[];
  /** Pods that are still pending at the end: index of the pod and of its last decision. */
  readonly pending: readonly { readonly pod: number; readonly decision: number }[];
  readonly totals: ReportTotals;
  /** What a change of the manifests does; null where nothing was compared. */
  readonly comparison: ReportComparison | null;
}

export type ReportScenario =
  | { readonly kind: 'workspace' }
  /** The whole workspace, compared with what it was: `since` names that, say `git HEAD`. */
  | { readonly kind: 'change'; readonly since: string }
  | { readonly kind: 'file'; readonly uri: string; readonly label: string }
  | { readonly kind: 'workload'; readonly workload: number; readonly label: string };

export type Tone = 'plain' | 'strong' | 'good' | 'bad' | 'warning';

export interface SentencePart {
  readonly text: string;
  readonly tone: Tone;
}

export interface Assumption {
  /** `=` known, `≥` and `≤` bounds, `?` assumed. */
  readonly mark: '=' | '≥' | '≤' | '?';
  readonly text: string;
  /** A sentence more, for whoever asks. */
  readonly detail: string;
}

export interface Rung {
  readonly priority: number;
  /** Names of the classes with that value that occur; empty for a bare number. */
  readonly classes: readonly string[];
  /** Position on the colour scale: 0 lowest rung, 1 highest. */
  readonly position: number;
}

export interface ReportWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  /** The class the priority comes from; null when none. */
  readonly className: string | null;
  readonly preemptionPolicy: 'PreemptLowerPriority' | 'Never';
  readonly replicas: number;
  readonly origin: Origin | null;
}

/** Amounts by resource name: cpu in millicores, memory and ephemeral-storage in bytes, others in units. */
export type Amounts = Readonly<Record<string, number>>;

export interface ReportNode {
  readonly name: string;
  /** Empty when the node has no zone label. */
  readonly zone: string;
  readonly allocatable: Amounts;
  /** Requested before the first step; `pods` counts pods. */
  readonly requested: Amounts;
  readonly unschedulable: boolean;
  /** `key=value:Effect`. */
  readonly taints: readonly string[];
  readonly assumed: boolean;
  readonly origin: Origin | null;
}

export type PodState = 'running' | 'terminating' | 'pending' | 'nominated' | 'gated' | 'evicted' | 'rejected';

export interface ReportPod {
  readonly namespace: string;
  readonly name: string;
  readonly workload: number | null;
  readonly priority: number;
  readonly rung: number;
  readonly className: string | null;
  readonly preemptionPolicy: 'PreemptLowerPriority' | 'Never';
  readonly requests: Amounts;
  /** Share of an average node that its dominant resource takes, 0 to 1; sizes the tile. */
  readonly share: number;
  readonly gracePeriodSeconds: number;
  readonly before: PodPlace;
  readonly after: PodPlace;
  /** Budgets that select it, `namespace/name`. */
  readonly budgets: readonly string[];
  readonly origin: Origin | null;
  /** The last decision about it, if it was tried. */
  readonly decision: number | null;
  /** Question 5: workloads that outrank it and would fit by evicting it. Empty for pods that do not run. */
  readonly threats: readonly number[];
}

export interface PodPlace {
  readonly state: PodState;
  readonly node: number | null;
}

export interface ReportStep {
  /** Seconds on the simulated clock. */
  readonly clock: number;
  readonly kind: 'scheduled' | 'nominated' | 'pending' | 'gated' | 'gone' | 'rejected' | 'not-modelled';
  /** The pod it is about; for `gone`, the first of `victims`. */
  readonly pod: number;
  readonly node: number | null;
  readonly victims: readonly number[];
  /** A line under the title: the scheduler's message, "evicts a, b". Empty when there is nothing to add. */
  readonly note: string;
  readonly decision: number | null;
  /** What the step changes on the map. */
  readonly changes: readonly { readonly pod: number; readonly place: PodPlace }[];
  /** Requested amounts after the step, of the nodes whose amounts it changed. */
  readonly requested: readonly { readonly node: number; readonly amounts: Amounts }[];
  readonly queues: QueueCounts;
}

/** `scheduler_pending_pods` by queue. */
export interface QueueCounts {
  readonly active: number;
  readonly backoff: number;
  readonly unschedulable: number;
  readonly gated: number;
}

export interface ReportDecision {
  readonly pod: number;
  readonly kind: 'fits' | 'preempts' | 'unschedulable' | 'gated' | 'not-modelled' | 'rejected';
  readonly node: number | null;
  /** The scheduler's own text, word for word; empty when it has none. */
  readonly message: string;
  /** Phase 1 of question 4: what refuses it now. Nodes with the same answer are one entry. */
  readonly refusals: readonly RefusalGroup[];
  /** Phase 2: what would still refuse it with every lower-priority pod gone. */
  readonly afterPreemption: readonly RefusalGroup[];
  readonly feasible: readonly number[];
  /** Scores of a pod that fits; null when nothing was scored. */
  readonly scores: {
    readonly plugins: readonly string[];
    readonly rows: readonly { readonly node: number; readonly scores: readonly number[]; readonly total: number }[];
  } | null;
  /** Nodes that share the best answer; more than one is a tie. */
  readonly best: readonly number[];
  /** Why preemption was not tried, in the scheduler's words; empty when it was, or was not needed. */
  readonly ineligible: string;
  readonly candidates: readonly ReportCandidate[];
  readonly decidedBy: PreemptionCriterion | 'tie' | null;
  /** A sentence that says which criterion decided, with its figures; empty without candidates. */
  readonly why: string;
  /** What would help, one sentence each: "600m cpu free on any node". */
  readonly wouldHelp: readonly string[];
  readonly mayVary: boolean;
}

export interface RefusalGroup {
  readonly code: StatusCode;
  readonly plugin: string;
  readonly reasons: readonly string[];
  readonly nodes: readonly number[];
}

export interface ReportCandidate {
  readonly node: number;
  readonly chosen: boolean;
  readonly victims: readonly number[];
  readonly pdbViolations: number;
  readonly highestPriority: number;
  /** Plain sum of the victims' priorities. */
  readonly prioritySum: number;
  readonly victimCount: number;
  /** RFC 3339; null stands for "now" (not started). */
  readonly latestStart: string | null;
  /** The criterion at which it dropped out; null for those that stayed to the end. */
  readonly lostAt: PreemptionCriterion | null;
}

export interface ReportVictim {
  readonly pod: number;
  readonly workload: number | null;
  /** The pod it makes room for. */
  readonly preemptor: number;
  readonly node: number;
  readonly budget: { readonly state: 'kept' | 'violated' | 'none'; readonly names: readonly string[] };
  readonly gracePeriodSeconds: number;
  /** Replicas of its workload that keep running, and how many there were. */
  readonly remaining: { readonly running: number; readonly before: number };
  /** Where its replacement goes; null with `fate` other than `moves`. */
  readonly newNode: number | null;
  /** `moves`: a replacement runs elsewhere. `pending`: it waits. `gone`: nothing recreates it. */
  readonly fate: 'moves' | 'pending' | 'gone';
  /** The pod its controller makes in its place; null when there is none. */
  readonly replacement: number | null;
  /** The event that the scheduler records on the victim: "Preempted by pod … on node …". */
  readonly event: string;
}

export interface ReportTotals {
  readonly nodes: number;
  readonly running: number;
  readonly scheduled: number;
  readonly evicted: number;
  readonly pending: number;
  readonly gated: number;
  readonly budgetsViolated: number;
  /** As the scheduler counts them: `scheduler_preemption_attempts_total` and the sum of `scheduler_preemption_victims`. */
  readonly preemptionAttempts: number;
  readonly preemptionVictims: number;
}

/** The whole workspace before and after a change of its manifests, in one cluster. */
export interface ReportComparison {
  /** What it is compared with: `git HEAD`. */
  readonly since: string;
  /** What the change does, in parts; joined, they are a plain sentence. */
  readonly sentence: readonly SentencePart[];
  /** Workloads whose priority is another one. */
  readonly priorities: readonly { readonly workload: number; readonly before: number; readonly after: number }[];
  /** Pods that fare differently, those that lose by it first. */
  readonly pods: readonly PodChange[];
}

/**
 * - `evicted`: it keeps its node without the change; `spared`: the other way round.
 * - `pending`: it runs or is not there without the change, and now waits, is gated or refused; `placed`: it now runs.
 * - `moved`: it runs on another node.
 * - `added`: a new pod that finds a place; `removed`: a pod that is not there any more.
 */
export type PodChangeKind = 'evicted' | 'pending' | 'removed' | 'moved' | 'added' | 'placed' | 'spared';

export interface PodChange {
  readonly kind: PodChangeKind;
  /** Null for a pod that is only there without the change. */
  readonly pod: number | null;
  readonly namespace: string;
  readonly name: string;
  /** What becomes of it without and with the change, in words; empty where it is not there. */
  readonly before: string;
  readonly after: string;
}
