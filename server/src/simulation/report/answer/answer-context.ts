import type { OverQuota } from '../refusal-doubt.ts';
import { markOf } from '../../../report-model/assumed.ts';
import { addTo } from '../../../util/maps.ts';
import { say } from '../../../util/say.ts';
import type { Cause, CausePart } from '../../../report-model/cause.ts';
import type { Amounts, WholeReport, ReportDecision, ReportPod } from '../../../report-model/report.ts';
import type { RolledOut } from '../../run/roll-outs.ts';
import type { ShortNames } from '../../../report-model/short-names.ts';
import type { Grown, NodesToCome } from '../../growth/grown.ts';

/** The parts of a report that its answer is told from. */
export interface AnswerParts extends Pick<
  WholeReport,
  | 'scenario'
  | 'workloads'
  | 'nodes'
  | 'pods'
  | 'steps'
  | 'decisions'
  | 'victims'
  | 'drains'
  | 'pressures'
  | 'taints'
  | 'unseen'
  | 'events'
  | 'pending'
  | 'causes'
  | 'clockStart'
> {
  /** Changes of workloads that run, and what became of them. */
  readonly rollOuts?: readonly RolledOut[];
  /** Changes of other objects that the API server refuses: `Kind/namespace/name`, and its words. */
  readonly refused?: readonly { readonly key: string; readonly refusal: string }[] | undefined;
  /** When a pod is taken all the same that is refused here; empty where that is sure. */
  readonly doubtOf?: ((pod: number, message: string) => string) | undefined;
  readonly overQuota: readonly OverQuota[];
  /** Pods, by index, that waited before anything arrived. */
  readonly waitedBefore: ReadonlySet<number>;
  /** Nodes that DaemonSets have no pod on, and workloads that make none. */
  readonly without: readonly WithoutPods[];
  /** Of each pod that its controller has not made yet, as others do not run, the workload. */
  readonly held: readonly number[];
  /** Pods, by index, that have a node and do not start there, with the claim that is the cause. */
  readonly unattached: ReadonlyMap<number, Unattached>;
  /** Of pods, by index, of which PodGroup they are, where the scheduler looks at groups. */
  readonly groups: ReadonlyMap<number, string>;
  /** How many places the nodes come from where nothing says which of them is the cluster; otherwise 0. */
  readonly nodePlaces: number;
  /** Nodes that autoscalers add: of what, how many, and for pods of which workloads. */
  readonly comes: readonly NodesToCome[];
  /** What autoscalers say of pods that stay pending, by `namespace/name`. */
  readonly poolAnswers: Grown['advice'];
  /** What a budget wants to keep: healthy pods of those it expects; undefined where nobody knows. */
  budgetKeeps(name: string): { readonly desired: number; readonly expected: number } | undefined;
}

/** Why a workload makes no pods, on some nodes or at all. */
export interface WithoutPods {
  readonly workload: number;
  /** It makes none at all. */
  readonly isIdle: boolean;
  /** Of a DaemonSet; empty for a Job that is suspended. */
  readonly leftOut: readonly { readonly part: CausePart; readonly nodes: readonly number[] }[];
  /** Its label has Kueue decide when it begins. */
  readonly isQueued: boolean;
  /** So many pods of a StatefulSet come once one is ready, and why that does not get it. */
  readonly held: { readonly amount: number; readonly why: string } | null;
}

/** Another node has the volume of the claim, or nothing makes one for it. */
export interface Unattached {
  readonly claim: string;
  readonly why: 'elsewhere' | 'unbound';
}

/** A pod that a drain evicted, or a kubelet, or a taint. */
export interface Drained {
  readonly pod: number;
  readonly node: number;
  readonly clock: number;
  readonly replacement: number | null;
  readonly asksBudgets: boolean;
  readonly by: 'drain' | 'kubelet' | 'taint' | 'device taint';
}

/** How a pod that arrives, or replaces a victim, ends. */
export type Outcome = 'scheduled' | 'pending' | 'gated' | 'refused';

/** What the lines of an answer are made from. */
export interface AnswerContext {
  readonly parts: AnswerParts;
  readonly names: ShortNames;
  /**
   * Indexes of the pods that arrive: neither running before, nor waiting before, nor made for a victim, nor gone before
   * they have a place.
   */
  readonly arriving: readonly number[];
  /** Pods that drains evicted, in order, then those that kubelets did, then those that taints did. */
  readonly drained: readonly Drained[];
  /** Indexes of the pods that controllers made for victims, and for those of `drained`. */
  readonly replacements: ReadonlySet<number>;
  /** What becomes of the pod that replaces an evicted one, by the index of that; `none` without one. */
  readonly fateOf: (replacement: number | null) => Outcome | 'none';
  readonly waiting: { stateOf(pod: number): Outcome };
  /** As of `markOf`. */
  readonly mark: string;
  pod(index: number): ReportPod;
  decisionOf(pod: number): ReportDecision | undefined;
  /** Why a pod is pending at the end; undefined for those that are not. */
  causeOf(pod: number): Cause | undefined;
  /** Amounts asked for on each node, by index, before a step; at the end with the number of steps. */
  requestedBefore(step: number): readonly Amounts[];
}

export function answerContext(parts: AnswerParts, names: ShortNames): AnswerContext {
  const { pods, decisions, victims, drains, pressures, taints = [], nodes, steps } = parts;
  const pod = (index: number) => pods[index]!;
  const causes: ReadonlyMap<number, Cause | undefined> = new Map(
    parts.pending.map(({ pod: index, cause }) => [index, parts.causes[cause ?? -1]]),
  );
  const stateOf = (index: number): Outcome => outcomeOf(pod(index));
  const drained = [
    ...drains.flatMap(({ node, asksBudgets, evicted }) =>
      evicted.map((each): Drained => ({ ...each, node, asksBudgets, by: 'drain' })),
    ),
    ...pressures.flatMap(({ node, evicted }) =>
      evicted.map((each): Drained => ({ ...each, node, asksBudgets: false, by: 'kubelet' })),
    ),
    ...taints.flatMap(({ node, evicted, byDevices }) =>
      evicted.map((each): Drained => ({
        ...each,
        node,
        asksBudgets: false,
        by: byDevices === true ? 'device taint' : 'taint',
      })),
    ),
  ];
  const replacements = new Set([...victims, ...drained].flatMap(({ replacement }) => replacement ?? []));
  const placed = new Set(steps.flatMap(({ kind, pod: index }) => (kind === 'scheduled' ? [index] : [])));
  const arriving = pods.flatMap(({ before, after }, index) =>
    before.state === 'running' ||
    before.state === 'terminating' ||
    replacements.has(index) ||
    (after.state === 'ended' && !placed.has(index)) ||
    parts.waitedBefore.has(index)
      ? []
      : [index],
  );
  return {
    parts,
    names,
    arriving,
    replacements,
    drained,
    fateOf: (replacement) => (replacement === null ? 'none' : stateOf(replacement)),
    waiting: { stateOf },
    mark: markOf(nodes),
    pod,
    decisionOf: (index) => decisions[pod(index).decision ?? -1],
    causeOf: (index) => causes.get(index),
    requestedBefore: (step) => {
      const amounts = nodes.map(({ requested }) => requested);
      for (const { requested } of steps.slice(0, step)) {
        for (const { node, amounts: after } of requested) amounts[node] = after;
      }
      return amounts;
    },
  };
}

/** A pod that found a place and was evicted from it again has arrived; its eviction is counted on its own. */
function outcomeOf({ after: { state } }: ReportPod): Outcome {
  switch (state) {
    case 'running':
    case 'terminating':
    case 'evicted':
    case 'ended':
      return 'scheduled';
    case 'pending':
    case 'nominated':
      return 'pending';
    case 'gated':
      return 'gated';
    case 'rejected':
      return 'refused';
  }
}

/** Whether the kubelet of a node, by index, ends in the run. */
export function hasFailed({ parts: { nodes, events } }: AnswerContext, node: number): boolean {
  return events.some(({ text }) => /^fail\s+[^\s/]+\/([^\s/]+)/.exec(text)?.[1] === nodes[node]?.name);
}

/** By workload, in the order of their first pod. */
export function byWorkload(context: AnswerContext, pods: readonly number[]): Map<number, number[]> {
  return groupedByWorkload(context, pods, (pod) => pod);
}

/** As `byWorkload`, of what is about a pod each. */
export function groupedByWorkload<Item>(
  context: AnswerContext,
  items: readonly Item[],
  podOf: (item: Item) => number,
): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const pod = podOf(item);
    const workload = context.pod(pod).workload ?? -1 - pod;
    addTo(groups, workload, item);
  }
  return groups;
}

/** The workload's name, or that of a pod without one. */
export function workloadName(context: AnswerContext, pod: number): string {
  const { workload } = context.pod(pod);
  return workload === null ? context.names.pod(pod) : context.names.workload(workload);
}

/** `shop-critical 100000`, `priority 5`. */
export function rankText({ className, priority }: ReportPod): string {
  return className === null ? say`priority ${priority}` : `${className} ${priority}`;
}

/** More workloads than this are counted in a sentence. */
export const namesInSentence = 3;

export function haveNoBudget(victims: AnswerContext['parts']['victims']): boolean {
  return victims.every(({ budget }) => budget.state === 'none');
}
