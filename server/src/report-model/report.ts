/**
 * The simulation report: one serialisable model with three faces (the webview, the terminal table, `--format json`).
 * None of the faces computes anything; what they show is here. Pods, nodes and workloads are referred to by their
 * index in `pods`, `nodes`, `workloads`.
 *
 * This table of fields is the only description of the report: the types are derived from it, and the page checks with
 * it what the extension sends.
 */
import { minors } from '../util/minors.ts';
import { answer } from './answer.ts';
import { capacity } from './capacity.ts';
import { isCause } from './cause.ts';
import { isOrigin } from './origin.ts';
import { losses } from './loss.ts';
import { plan } from './plan.ts';
import { figures, remedy } from './remedy.ts';
import {
  type Checked,
  either,
  flag,
  index,
  listOf,
  nullOr,
  number,
  oneOf,
  perhaps,
  prose,
  recordOf,
  shape,
  text,
} from './check.ts';

const texts = listOf(text);
const proses = listOf(prose);
const indices = listOf(index);

/** Amounts by resource name: cpu in millicores, memory and ephemeral-storage in bytes, others in units. */
const amounts = recordOf(number);

const preemptionPolicy = oneOf('PreemptLowerPriority', 'Never');
/** Who is gone was evicted, or has ended otherwise: it finished, or its controller or somebody else deleted it. */
const podState = oneOf('running', 'terminating', 'pending', 'nominated', 'gated', 'evicted', 'ended', 'rejected');
const podPlace = shape({ state: podState, node: nullOr(index) });
const tone = oneOf('plain', 'strong', 'good', 'bad', 'warning');
const sentencePart = shape({ text: prose, tone });
const criterion = oneOf('pdbViolations', 'highestPriority', 'prioritySum', 'victimCount', 'latestStart');

const poolLimit = shape({
  /** As an operation names it: `nodepool/general`, `machinedeployment/workers`. */
  pool: text,
  pods: indices,
  /** What is used of each, and what each further node takes; of a group its `nodes`. */
  amounts: listOf(shape({ resource: text, used: text, perNode: text })),
});

const poolRefusal = shape({
  /** `NodePool general`; empty where an autoscaler says it of all of its groups. */
  pool: text,
  pods: indices,
  /** In the words of the autoscaler. */
  message: prose,
});

const scenario = either(
  shape({ kind: oneOf('workspace') }),
  /** The whole workspace, compared with what it was: `since` names that, say `git HEAD`. */
  shape({ kind: oneOf('change'), since: prose }),
  shape({ kind: oneOf('file'), uri: text, label: text }),
  shape({ kind: oneOf('workload'), workload: index, label: text }),
);

const assumption = perhaps(
  shape({
    /** `=` known, `≥` and `≤` bounds, `?` assumed, `!` asked for and missing. */
    mark: oneOf('=', '≥', '≤', '?', '!'),
    text: prose,
    /** A sentence more, for whoever asks. */
    detail: prose,
  }),
  {
    /** What it is about, where that leads to something that can be done. */
    about: oneOf('snapshot'),
  },
);

const rung = shape({
  priority: number,
  /** Names of the classes with that value that occur; empty for a bare number. */
  classes: texts,
  /** Position on the colour scale: 0 lowest rung, 1 highest. */
  position: number,
});

const workload = perhaps(
  shape({
    kind: text,
    namespace: text,
    name: text,
    priority: number,
    /** The class the priority comes from; null when none. */
    className: nullOr(text),
    preemptionPolicy,
    replicas: number,
    origin: nullOr(isOrigin),
  }),
  {
    /** Its own and those of its pods, by which losses can be told apart. */
    labels: recordOf(text),
  },
);

const node = perhaps(
  shape({
    name: text,
    /** Empty when the node has no zone label. */
    zone: text,
    allocatable: amounts,
    /** Requested before the first step; `pods` counts pods. */
    requested: amounts,
    unschedulable: flag,
    /** `key=value:Effect`. */
    taints: texts,
    assumed: flag,
    origin: nullOr(isOrigin),
  }),
  {
    /** What tells its pool from others, of assumed nodes. */
    pool: text,
    /** The pool that the labels of a provider or an autoscaler name. */
    nodePool: text,
    /** Of a node that is added, when it can be used, in seconds. */
    comes: number,
  },
);

/** A device that a ResourceSlice offers. */
const device = shape({
  /** Null where it is not of one node: several can use it. */
  node: nullOr(index),
  driver: text,
  pool: text,
  name: text,
  /** DeviceClasses whose selectors it passes. */
  classes: texts,
  /** Attributes and capacities, `model H100`, `memory 80Gi`. */
  has: texts,
  /** Claims, `namespace/name`, that have it or a part of it, before the first step and at the end. */
  before: texts,
  after: texts,
  /** What shares leave of a device that allows several, `memory 48Gi`; empty of others, and where one is used up. */
  left: texts,
  /** Whether other devices take the counters of its pool that it would need. */
  isCut: flag,
  /** Pods that use it at the end. */
  pods: indices,
});

const pod = perhaps(
  shape({
    namespace: text,
    name: text,
    workload: nullOr(index),
    priority: number,
    rung: index,
    className: nullOr(text),
    preemptionPolicy,
    requests: amounts,
    /** Share of an average node that its dominant resource takes, 0 to 1; sizes the tile. */
    share: number,
    gracePeriodSeconds: number,
    before: podPlace,
    after: podPlace,
    /** Budgets that select it, `namespace/name`. */
    budgets: texts,
    origin: nullOr(isOrigin),
    /** The last decision about it, if it was tried. */
    decision: nullOr(index),
    /** Question 5: workloads that outrank it and would fit by evicting it. Empty for pods that do not run. */
    threats: indices,
  }),
  {
    /** Of a workload that is rolled out: of the pod template before its change, or of the one after it. */
    template: oneOf('old', 'new'),
    /** Of one that has a node and does not start: another node has its volume, or nothing makes it. */
    unattached: oneOf('elsewhere', 'unbound'),
  },
);

const step = shape({
  /** Seconds on the simulated clock. */
  clock: number,
  kind: oneOf('scheduled', 'nominated', 'cleared', 'pending', 'gated', 'deleted', 'gone', 'rejected', 'not-modelled'),
  /** The pod it is about; for `gone`, the first of `victims`. */
  pod: index,
  node: nullOr(index),
  victims: indices,
  /** A line under the title: the scheduler's message, "evicts a, b". Empty when there is nothing to add. */
  note: prose,
  decision: nullOr(index),
  /** The step that made it possible or brought it about: whose victims left, who was evicted. Null where none did. */
  by: nullOr(index),
  /** What the step changes on the map. */
  changes: listOf(shape({ pod: index, place: podPlace })),
  /** Requested amounts after the step, of the nodes whose amounts it changed. */
  requested: listOf(shape({ node: index, amounts })),
  /** `scheduler_pending_pods` by queue. */
  queues: shape({ active: number, backoff: number, unschedulable: number, gated: number }),
});

/** A pod at one place for a time. */
const stay = shape({
  pod: index,
  node: nullOr(index),
  /** `evicted`: in its grace period; `ended`: the same of one that nobody evicted; `waits`: nominated or pending; `runs`: newly, or again. */
  kind: oneOf('evicted', 'ended', 'waits', 'runs'),
  /** In seconds. */
  start: number,
  end: number,
  /** The step that began it; null for what was so before the first. */
  step: nullOr(index),
});

const refusalGroup = shape({
  code: oneOf('Success', 'Error', 'Unschedulable', 'UnschedulableAndUnresolvable', 'Wait', 'Skip', 'Pending'),
  plugin: text,
  reasons: texts,
  nodes: indices,
});

const candidate = shape({
  node: index,
  chosen: flag,
  victims: indices,
  pdbViolations: number,
  highestPriority: number,
  /** Plain sum of the victims' priorities. */
  prioritySum: number,
  victimCount: number,
  /** RFC 3339; null stands for "now" (not started). */
  latestStart: nullOr(text),
  /** The criterion at which it dropped out; null for those that stayed to the end. */
  lostAt: nullOr(criterion),
});

/** What is known of each decision at a glance. */
const verdictFields = {
  pod: index,
  kind: oneOf('fits', 'preempts', 'unschedulable', 'gated', 'not-modelled', 'rejected'),
  node: nullOr(index),
  /** The scheduler's own text, word for word; empty when it has none. */
  message: prose,
  /** What would help, one sentence each: "600m cpu free on any node". */
  wouldHelp: proses,
  mayVary: flag,
};
const verdict = shape(verdictFields);

export const isDecision = shape({
  ...verdictFields,
  /** Phase 1 of question 4: what refuses it now. Nodes with the same answer are one entry. */
  refusals: listOf(refusalGroup),
  /** Phase 2: what would still refuse it with every lower-priority pod gone. */
  afterPreemption: listOf(refusalGroup),
  feasible: indices,
  /** Scores of a pod that fits; null when nothing was scored. */
  scores: nullOr(
    shape({ plugins: texts, rows: listOf(shape({ node: index, scores: listOf(number), total: number })) }),
  ),
  /** Nodes that share the best answer; more than one is a tie. */
  best: indices,
  /** Why preemption was not tried, in the scheduler's words; empty when it was, or was not needed. */
  ineligible: text,
  candidates: listOf(candidate),
  decidedBy: nullOr(either(criterion, oneOf('tie'))),
  /** A sentence that says which criterion decided, with its figures; empty without candidates. */
  why: prose,
});

const victim = shape({
  pod: index,
  workload: nullOr(index),
  /** The pod it makes room for. */
  preemptor: index,
  node: index,
  budget: shape({ state: oneOf('kept', 'violated', 'none'), names: texts }),
  gracePeriodSeconds: number,
  /** Replicas of its workload that keep running, and how many there were. */
  remaining: shape({ running: number, before: number }),
  /** Where its replacement goes; null with `fate` other than `moves`. */
  newNode: nullOr(index),
  /** `moves`: a replacement runs elsewhere. `pending`: it waits. `gone`: nothing recreates it. */
  fate: oneOf('moves', 'pending', 'gone'),
  /** The pod its controller makes in its place; null when there is none. */
  replacement: nullOr(index),
  /** The event that the scheduler records on the victim: "Preempted by pod … on node …". */
  event: text,
});

/** A node that was emptied as `kubectl drain` does it. */
/** A pod that leaves, when, and the pod that a controller makes in its place; null where none does. */
const leaving = shape({ pod: index, clock: number, replacement: nullOr(index) });

const drain = shape({
  node: index,
  /** Not with `--disable-eviction`, which deletes. */
  asksBudgets: flag,
  /** Whose eviction was accepted. */
  evicted: listOf(leaving),
  /** Who is still there when nothing moves any more: the answer to its eviction, and what would let it through. */
  blocked: listOf(shape({ pod: index, why: prose, help: prose })),
  /** Evictions that are not asked for again. */
  failed: listOf(shape({ pod: index, why: prose })),
  /** Why kubectl refuses to begin, and the pods that are in its way; empty where it begins. */
  refusals: listOf(shape({ why: prose, pods: indices })),
  /** Who competes for what a budget, `namespace/name`, has left, and how many of them get it at first; which pod wins is chance. */
  races: listOf(shape({ budget: text, pods: indices, evicted: number })),
  /** In seconds; null where it never is. */
  drainedAt: nullOr(number),
});

const totals = shape({
  nodes: number,
  running: number,
  scheduled: number,
  evicted: number,
  pending: number,
  gated: number,
  budgetsViolated: number,
  /** As the scheduler counts them: `scheduler_preemption_attempts_total` and the sum of `scheduler_preemption_victims`. */
  preemptionAttempts: number,
  preemptionVictims: number,
});

/**
 * - `evicted`: it keeps its node without the change; `spared`: the other way round.
 * - `pending`: it runs or is not there without the change, and now waits, is gated or refused; `placed`: it now runs.
 * - `moved`: it runs on another node.
 * - `added`: a new pod that finds a place; `removed`: a pod that is not there any more.
 * - `ended`: it is gone, and nobody evicted it: it has finished, or was deleted; `kept`: the other way round.
 */
const podChangeKind = oneOf('evicted', 'pending', 'ended', 'removed', 'moved', 'added', 'placed', 'spared', 'kept');

const podChange = shape({
  kind: podChangeKind,
  /** Null for a pod that is only there without the change. */
  pod: nullOr(index),
  namespace: text,
  name: text,
  /** What becomes of it without and with the change, in words; empty where it is not there. */
  before: prose,
  after: prose,
});

const written = nullOr(either(text, number, flag));

/** One field that is written otherwise, or an object that is there on one side only: then the field is empty. */
const cause = perhaps(
  shape({
    /** `c1`, for the plan. */
    id: text,
    /** `PriorityClass/batch-standard`, `Deployment/shop/checkout`. */
    object: text,
    /** `value`, `spec.template.spec.priorityClassName`. */
    field: text,
    /** Null where it is not written; lists and maps as JSON. */
    old: written,
    new: written,
    origin: nullOr(isOrigin),
  }),
  {
    /** What is lost by it that no figure shows. */
    note: prose,
  },
);

/** The whole workspace before and after a change of its manifests, in one cluster. */
const comparison = shape({
  /** What it is compared with: `git HEAD`. */
  since: prose,
  /** What the change does, in parts; joined, they are a plain sentence. */
  sentence: listOf(sentencePart),
  /** `After it: 7 evicted (+4), 1 budget broken (=).`; empty where nothing is different: then the headline is all there is to say. */
  outcome: prose,
  /** The headline of the answer that has no other run beside it. */
  whole: prose,
  /** What was changed, classes first; `moreCauses` counts those past the first hundred. */
  causes: listOf(cause),
  moreCauses: index,
  /** Workloads whose priority is another one. */
  priorities: listOf(shape({ workload: index, before: number, after: number })),
  /** Pods that fare differently, those that lose by it first. */
  pods: listOf(podChange),
  /** The run that it is compared with. */
  before: figures,
  /** How one leads to the other. */
  plan,
});

/** What makes pods, or may, and the answer could not see. */
const unseen = perhaps(
  shape({
    kind: oneOf(
      'source',
      'values',
      'partial',
      'operator',
      'part',
      'placeholder',
      'template',
      'document',
      'encrypted',
      'file',
      'version',
    ),
    /** `HelmRelease media/plex`, `Prometheus`. */
    name: text,
    why: prose,
    count: number,
    origin: nullOr(isOrigin),
  }),
  {
    /** Whether it was tried and has failed, or took too long. */
    hasFailed: flag,
    /** The reason of several of which each lacks another thing of that kind. */
    ofSeveral: prose,
    absence: oneOf('not-fetched', 'not-there'),
    /** The tool that could render it, and is not installed. */
    lacksTool: oneOf('kubectl', 'helm'),
  },
);

const event = perhaps(
  shape({ clock: number, text: prose, told: proses }),
  /** Of a change that is applied to what is there; `later` and `unprotected` (by a budget) move nobody now. */
  {
    verdict: oneOf('done', 'stuck', 'scaled', 'refused', 'failed', 'later', 'unprotected'),
    /** `Kind/namespace/name` of the workload, where the API server refuses pods of it. */
    lacksPods: text,
  },
);

const pendingPod = shape({ pod: index, decision: index, cause: nullOr(index) });

/** The rows of the lists that grow with the cluster. */
export const reportRows = {
  workloads: workload,
  nodes: node,
  pods: pod,
  steps: step,
  timeline: stay,
  decisions: either(isDecision, verdict),
  victims: victim,
  pending: pendingPod,
} as const;

export const reportVersion = 2;

/** What another report is compared with has. */
const comparedFields = {
  /** The Kubernetes minor whose behaviour is reproduced. */
  kubernetes: oneOf(...minors),
  scenario,
  /** What every face shows first. */
  answer,
  /** The rungs of the priority ladder that occur, highest first. */
  ladder: listOf(rung),
  workloads: listOf(workload),
  nodes: listOf(node),
  pods: listOf(pod),
  /** The decisions in order. Step 0 of a slider is the state before the first of them. */
  steps: listOf(step),
  /** Nodes that the scenario drained, in order. */
  drains: listOf(drain),
  /** Nodes that ran short of memory, with those that their kubelets evicted, first to go first. */
  pressures: listOf(shape({ node: index, evicted: listOf(leaving) })),
  /** Who is where from when to when, by start. */
  timeline: listOf(stay),
  /** Question 2. */
  victims: listOf(victim),
  totals,
} as const;

/** Where it is a device of the node that is tainted, and not the node. */
const onlyOfDevices = { byDevices: flag };
const leavingNodes = listOf(perhaps(shape({ node: index, evicted: listOf(leaving) }), onlyOfDevices));
/** Nodes that were tainted `NoExecute`, with those that this evicted; not there where none was. */
const onlyWithTaints = { taints: leavingNodes };

export const isComparedReport = perhaps(shape({ version: oneOf(reportVersion), ...comparedFields }), onlyWithTaints);
/** The part of a report that another is compared with: of one that was saved, the rest does not matter. */
export type ComparedReport = Checked<typeof isComparedReport>;

export const isReport = perhaps(
  shape({
    version: oneOf(reportVersion),
    ...comparedFields,
    /** What would help, the best first for each group; null where nobody has asked the engine yet. */
    remedies: nullOr(listOf(remedy)),
    /** Of workloads that were looked at; null where nobody has asked the engine. */
    capacity: nullOr(listOf(capacity)),
    /** Question 6. */
    assumptions: listOf(assumption),
    /** The snapshot that nodes and running pods are of, where Podium has taken it: it can be taken again. */
    snapshot: nullOr(shape({ context: text, takenAt: text })),
    unseen: listOf(unseen),
    /** What the scenario did, in order: what was asked for, and what came of it besides the steps. */
    events: listOf(event),
    /** What the scenario asks of its end, and the answers: whether each is what the scenario expects, if it says so. */
    questions: listOf(shape({ text: prose, answer: prose, isMet: nullOr(flag), details: proses })),
    /**
     * What steps and pods point to. Over thousands of nodes the whole of them is many times the rest: the page is sent what
     * is known at a glance, and asks for the whole of those that somebody looks at.
     */
    decisions: listOf(reportRows.decisions),
    /** Pods that are still pending at the end: index of the pod, of its last decision, and of why. */
    pending: listOf(pendingPod),
    /** Why pods are pending: the answer that every face gives. */
    causes: listOf(isCause),
    /** What a change of the manifests does; null where nothing was compared. */
    comparison: nullOr(comparison),
  }),
  {
    ...onlyWithTaints,
    losses,
    /** Limits of pools that are all that keeps an autoscaler from adding a node for pods that stay pending. */
    limits: listOf(poolLimit),
    /** Why no autoscaler adds a node for pods that stay pending: what the pool says that is nearest to making one. */
    nearestPools: listOf(poolRefusal),
    /** Where there are ResourceSlices. */
    devices: listOf(device),
    /** What was typed for it in a terminal, without how it is shown. */
    command: text,
    /** What a clock shows at second 0, where the scenario says it: milliseconds since 1970 in its own zone. */
    clockStart: number,
  },
);

export type Report = Checked<typeof isReport>;
/** A report with the whole of each decision. */
export type WholeReport = Omit<Report, 'decisions'> & { readonly decisions: readonly ReportDecision[] };
export type ReportScenario = Checked<typeof scenario>;
export type Tone = Checked<typeof tone>;
export type SentencePart = Checked<typeof sentencePart>;
export type Assumption = Checked<typeof assumption>;
export type Rung = Checked<typeof rung>;
export type ReportWorkload = Checked<typeof workload>;
export type Amounts = Checked<typeof amounts>;
export type ReportNode = Checked<typeof node>;
export type ReportDevice = Checked<typeof device>;
export type PodState = Checked<typeof podState>;

/** Of a pod that is there no more. */
export function isGone(state: PodState): state is 'evicted' | 'ended' {
  return state === 'evicted' || state === 'ended';
}

export type ReportPod = Checked<typeof pod>;
export type PodPlace = Checked<typeof podPlace>;
export type ReportStep = Checked<typeof step>;
export type ReportDrain = Checked<typeof drain>;
export type ReportStay = Checked<typeof stay>;
export type QueueCounts = ReportStep['queues'];
export type ReportDecision = Checked<typeof isDecision>;
export type ReportVerdict = Checked<typeof verdict>;
export type RefusalGroup = Checked<typeof refusalGroup>;
export type ReportCandidate = Checked<typeof candidate>;
export type ReportVictim = Checked<typeof victim>;
export type ReportComparison = Checked<typeof comparison>;
export type PodChangeKind = Checked<typeof podChangeKind>;
export type ReportCause = Checked<typeof cause>;
export type PodChange = Checked<typeof podChange>;
