import { greatest, least as leastOf } from '../../../util/extremes.ts';
import { marked } from '../../../report-model/assumed.ts';
import { joined, say } from '../../../util/say.ts';
import type { AnswerLine, AnswerMark } from '../../../report-model/answer.ts';
import { isGone, type ReportVictim } from '../../../report-model/report.ts';
import { clockText, compareText, count, list, outOf } from '../../../util/words.ts';
import { namedAmount } from '../../../util/amounts.ts';
import { isJob, type Outage, outagesOf } from './outages.ts';
import { reasonOf } from './reasons.ts';
import {
  type Drained,
  groupedByWorkload,
  hasFailed,
  haveNoBudget,
  namesInSentence,
  rankText,
  type AnswerContext,
  workloadName,
} from './answer-context.ts';

interface Hurt {
  readonly line: AnswerLine;
  readonly highestPriority: number;
  readonly shareLost: number;
}

interface EvictedLines {
  readonly all: readonly AnswerLine[];
  /** Those of them that lose pods to others. */
  readonly preempted: readonly AnswerLine[];
}

/**
 * One line per workload that loses pods to others, and one per workload that loses some to a drain, a kubelet or a taint:
 * those that go down first, then broken budgets, then the most important.
 */
export function evictedLines(context: AnswerContext): EvictedLines {
  const groups = groupedByWorkload(context, context.parts.victims, ({ pod }) => pod);
  const drained = groupedByWorkload(context, context.drained, ({ pod }) => pod);
  const losing = [...groups.keys(), ...drained.keys()].filter((workload) => workload >= 0);
  const outages = outagesOf(context, new Set(losing));
  // Of many, the headline says it of all.
  const isSaid = groups.size > namesInSentence && haveNoBudget(context.parts.victims);
  const preempted = new Map(
    [...groups].map(([workload, victims]) => [
      workload,
      hurtLine(context, workload, victims, { outage: outages.get(workload), budget: !isSaid }),
    ]),
  );
  const all = new Map(preempted);
  for (const [workload, pods] of drained) {
    const line = drainedLine(context, workload, pods, outages.get(workload));
    const known = all.get(workload);
    all.set(workload, known === undefined ? line : together(context, workload, known, line));
  }
  return { all: worstFirst([...all.values()]), preempted: worstFirst([...preempted.values()]) };
}

/** A workload that loses pods to others, and to a drain, a kubelet or a taint, is told of once. */
function together(context: AnswerContext, workload: number, one: Hurt, other: Hurt): Hurt {
  const pods = [...one.line.pods, ...other.line.pods];
  return {
    line: {
      ...one.line,
      ...lostOf(context, workload, pods),
      marks: [...new Set([...one.line.marks, ...other.line.marks])],
      details: [...new Set([...one.line.details, ...other.line.details])],
      then: joined(
        [one.line.then, other.line.then].filter((text) => text !== ''),
        '; ',
      ),
      pods,
    },
    highestPriority: Math.max(one.highestPriority, other.highestPriority),
    shareLost: one.shareLost + other.shareLost,
  };
}

/** How many of its replicas a workload loses. A replacement that is evicted too is one of those that are lost already. */
function lostOf(
  context: AnswerContext,
  workload: number,
  pods: readonly number[],
  before = 0,
): Pick<AnswerLine, 'count'> {
  const lost = Math.max(1, pods.filter((pod) => !context.replacements.has(pod)).length);
  const replicas = context.parts.workloads[workload]?.replicas ?? pods.length;
  return { count: marked(context.mark, outOf(lost, Math.max(replicas, before, lost))) };
}

/** Evictions of pods that came in place of others that were evicted. */
function evictedAgain(context: AnswerContext, pods: readonly number[]): readonly string[] {
  const again = pods.filter((pod) => context.replacements.has(pod)).length;
  const isAll = again === pods.length;
  return again === 0 || isAll ? [] : [again === 1 ? say`1 replacement too` : say`${again} replacements too`];
}

function worstFirst(hurt: readonly Hurt[]): readonly AnswerLine[] {
  const has = ({ line }: Hurt, mark: AnswerMark): number => Number(line.marks.includes(mark));
  return hurt
    .toSorted(
      (a, b) =>
        has(b, 'down') - has(a, 'down') ||
        has(b, 'budget broken') - has(a, 'budget broken') ||
        b.highestPriority - a.highestPriority ||
        b.shareLost - a.shareLost ||
        compareText(a.line.name, b.line.name),
    )
    .map(({ line }) => line);
}

function drainedLine(
  context: AnswerContext,
  workload: number,
  drained: readonly Drained[],
  outage: Outage | undefined,
): Hurt {
  const pods = drained.map(({ pod }) => pod);
  const nodesOf = (by: Drained['by']): string =>
    list([...new Set(drained.filter((each) => each.by === by).map(({ node }) => context.names.node(node)))], 3);
  const nodes = (['drain', 'kubelet', 'taint', 'device taint'] as const).map(nodesOf);
  const [left = '', pressed = '', tainted = '', deviceTainted = ''] = nodes;
  const graceful = drained.filter(({ by }) => by !== 'kubelet');
  const stuck = drained.filter(({ pod, by }) => by === 'taint' && context.pod(pod).after.state === 'terminating');
  const { replicas = pods.length, kind } = context.parts.workloads[workload] ?? {};
  const awaiting = kind === 'Pod' ? [] : stuck.filter(({ replacement }) => replacement === null);
  const of = Math.max(replicas, pods.length);
  const budgets = new Set(pods.flatMap((pod) => context.pod(pod).budgets));
  const line: AnswerLine = {
    sign: '−',
    name: workloadName(context, pods[0]!),
    ...lostOf(context, workload, pods),
    marks: outageMarks(context, drained, outage),
    details: [
      ...evictedAgain(context, pods),
      ...(left === '' ? [] : [say`drained from ${left}`]),
      ...(pressed === '' ? [] : [say`evicted by the kubelet of ${pressed}, short of memory`]),
      ...(tainted === '' ? [] : [say`evicted by the taint of ${tainted}`]),
      ...(deviceTainted === '' ? [] : [say`evicted by the taint of its device on ${deviceTainted}`]),
      ...comesBack(drained),
      budgets.size === 0
        ? say`no budget`
        : drained.every(({ asksBudgets }) => asksBudgets)
          ? say`within its budget`
          : say`budgets are not asked`,
      stuck.length > 0
        ? say`stays terminating, as no kubelet answers on ${tainted}: delete it by force, or taint the node node.kubernetes.io/out-of-service`
        : graceful.length === 0
          ? say`at once`
          : graceful.every(({ node, by }) => by === 'taint' && hasFailed(context, node))
            ? say`removed without its kubelet`
            : graceText(graceful.map(({ pod }) => context.pod(pod))),
    ],
    then: joined(
      [
        thenText(
          context,
          drained.filter((each) => !awaiting.includes(each)),
        ),
        ...(awaiting.length === 0 ? [] : [say`its replacement comes once it is gone`]),
      ].filter((text) => text !== ''),
      '; ',
    ),
    workloads: workload < 0 ? [] : [workload],
    pods,
  };
  return { line, ...weightOf(context, pods, of) };
}

/** Who comes in the place of a pod that a taint evicted, to a node from which one was evicted, is not the last. */
function comesBack(drained: readonly Drained[]): readonly string[] {
  const tainted = drained.filter(({ by }) => by === 'taint');
  const byPod = new Map(tainted.map((each) => [each.pod, each]));
  for (const first of tainted) {
    const nodes = new Set<number>();
    let last = first;
    for (let next: Drained | undefined = first; next !== undefined; next = byPod.get(next.replacement ?? -1)) {
      if (nodes.has(next.node)) {
        return [say`comes back and is evicted again every ${clockText(next.clock - last.clock)}`];
      }
      nodes.add(next.node);
      last = next;
    }
  }
  return [];
}

function hurtLine(
  context: AnswerContext,
  workload: number,
  victims: readonly ReportVictim[],
  { outage, budget: tellsBudget }: { readonly outage: Outage | undefined; readonly budget: boolean },
): Hurt {
  const pods = victims.map(({ pod }) => pod);
  const replicas = context.parts.workloads[workload]?.replicas ?? pods.length;
  const of = Math.max(replicas, victims[0]?.remaining.before ?? 0, pods.length);
  const broken = victims.some(({ budget }) => budget.state === 'violated');
  const marks: AnswerMark[] = [
    ...outageMarks(context, victims, outage),
    ...(broken ? (['budget broken'] as const) : []),
  ];
  return {
    line: {
      sign: '−',
      name: workloadName(context, pods[0]!),
      ...lostOf(context, workload, pods, victims[0]?.remaining.before),
      marks,
      details: [
        forWhom(context, victims),
        ...evictedAgain(context, pods),
        ...(tellsBudget ? [budgetText(context, victims)] : []),
        graceText(victims),
      ],
      then: joined(
        [thenText(context, victims), ...roomTaken(context, victims)].filter((text) => text !== ''),
        '; ',
      ),
      workloads: workload < 0 ? [] : [workload],
      pods,
    },
    ...weightOf(context, pods, of),
  };
}

/** Nothing makes a pod of a Job anew that has failed for good. */
function outageMarks(
  context: AnswerContext,
  evicted: readonly { readonly pod: number; readonly replacement: number | null }[],
  outage: Outage | undefined,
): readonly AnswerMark[] {
  const fails = evicted.some(
    ({ pod, replacement }) => isJob(context, context.pod(pod).workload) && context.fateOf(replacement) === 'none',
  );
  return fails ? ['failed'] : outage === undefined ? [] : [outage];
}

function weightOf(
  context: AnswerContext,
  pods: readonly number[],
  of: number,
): Pick<Hurt, 'highestPriority' | 'shareLost'> {
  return { highestPriority: greatest(pods.map((pod) => context.pod(pod).priority)), shareLost: pods.length / of };
}

function forWhom(context: AnswerContext, victims: readonly ReportVictim[]): string {
  const preemptors = [...new Set(victims.map(({ preemptor }) => preemptor))];
  const [first] = preemptors;
  if (first === undefined) return '';
  const name = say`for ${context.names.pod(first)}`;
  return preemptors.length === 1
    ? say`${name} (${rankText(context.pod(first))})`
    : say`${name} and ${preemptors.length - 1} more (${rankText(context.pod(first))})`;
}

function budgetText(context: AnswerContext, victims: readonly ReportVictim[]): string {
  const violated = victims.find(({ budget }) => budget.state === 'violated');
  const names = new Set(victims.flatMap(({ budget }) => budget.names));
  if (names.size === 0) return say`no budget`;
  const [name = ''] = violated?.budget.names ?? names;
  const keeps = context.parts.budgetKeeps(name);
  // Of pods that nothing makes anew none is left in the end.
  const isNone = keeps === undefined || keeps.expected === 0;
  const what = isNone ? say`budget ${name}` : say`budget keeps ${keeps.desired} of ${keeps.expected}`;
  return names.size > 1 ? say`${what} and ${count(names.size - 1, 'more budget')}` : what;
}

function graceText(victims: readonly { readonly gracePeriodSeconds: number }[]): string {
  const seconds = victims.map(({ gracePeriodSeconds }) => gracePeriodSeconds);
  const least = leastOf(seconds);
  const most = greatest(seconds);
  return least === most ? say`${clockText(most)} to end` : say`${clockText(least)} to ${clockText(most)} to end`;
}

/** What becomes of the pods that replace evicted ones. */
function thenText(
  context: AnswerContext,
  evicted: readonly { readonly pod: number; readonly replacement: number | null }[],
): string {
  const parts: string[] = [];
  // What becomes of a replacement that is evicted too is told of its own replacement.
  const lasting = evicted.filter(
    ({ replacement }) => replacement === null || !isGone(context.pod(replacement).after.state),
  );
  const of = (fate: string) => lasting.filter(({ replacement }) => context.fateOf(replacement) === fate);
  const again = of('scheduled');
  const waits = of('pending');
  const several = evicted.length > 1;
  if (again.length > 0) {
    const nodes = new Set(again.flatMap(({ replacement }) => context.pod(replacement!).after.node ?? []));
    const where =
      nodes.size === 1 ? say`on ${context.names.node([...nodes][0]!)}` : say`on ${count(nodes.size, 'node')}`;
    parts.push(
      several
        ? say`${count(again.length, 'replacement runs', 'replacements run')} ${where}`
        : say`replacement runs ${where}`,
    );
  }
  if (waits.length > 0) {
    const pod = waits[0]!.replacement!;
    const reason = reasonOf(context, pod);
    const why =
      reason.shortage === null || reason.shortage.need <= reason.shortage.free
        ? reason.words
        : reason.shortage.hopeless
          ? say`no node has ${namedAmount(reason.shortage.resource, reason.shortage.need)}`
          : say`${namedAmount(reason.shortage.resource, reason.shortage.need - reason.shortage.free)} short on ${context.names.node(reason.shortage.node)}`;
    const waiting = several ? say`${count(waits.length, 'replacement')} pending` : say`replacement pending`;
    parts.push(say`${waiting}, ${why}`);
  }
  if (of('gated').length > 0) parts.push(say`${count(of('gated').length, 'replacement')} gated`);
  if (of('refused').length > 0) parts.push(say`${count(of('refused').length, 'replacement')} refused`);
  if (of('none').length > 0 && of('none').every(({ pod }) => isJob(context, context.pod(pod).workload))) {
    parts.push(endOfJobText(context, context.pod(of('none')[0]!.pod).workload));
  } else if (
    of('none').length > 0 &&
    of('none').every(({ pod }) => isOfDaemonSet(context, context.pod(pod).workload))
  ) {
    parts.push(say`its DaemonSet makes none there while the node is closed to it`);
  } else if (of('none').length > 0) {
    parts.push(several ? say`${of('none').length} not recreated` : say`nothing recreates it`);
  }
  return joined(parts, '; ');
}

/** With a Job that has failed its other pods are deleted; where only an index has failed they run on. */
function endOfJobText({ parts }: AnswerContext, workload: number | null): string {
  const pods = parts.pods.filter((pod) => pod.workload === workload);
  const ended = pods.filter(({ after }) => after.state === 'ended').length;
  const runsOn = parts.workloads[workload ?? -1]?.kind === 'Job' && pods.some(({ after }) => after.state === 'running');
  if (ended > 0) {
    const others = count(ended, 'other pod', 'other pods');
    return say`its Job fails for good, as its backoffLimit or podFailurePolicy says: ${others} of it ${ended === 1 ? 'is' : 'are'} deleted`;
  }
  return runsOn
    ? say`its index fails for good, as backoffLimitPerIndex says: nothing recreates it`
    : say`its Job fails for good, as its backoffLimit or podFailurePolicy says: nothing recreates it`;
}

function isOfDaemonSet({ parts }: AnswerContext, workload: number | null): boolean {
  return parts.workloads[workload ?? -1]?.kind === 'DaemonSet';
}

/** Who took the room that was made for another pod. */
function roomTaken(context: AnswerContext, victims: readonly ReportVictim[]): string[] {
  const takers = new Set<string>();
  for (const { preemptor, node } of victims) {
    if (context.pod(preemptor).after.node === node) continue;
    const evicting = context.parts.steps.findIndex(
      (step) => step.kind === 'nominated' && step.pod === preemptor && step.node === node,
    );
    const taker = context.parts.steps.find(
      (step, at) => at > evicting && step.kind === 'scheduled' && step.node === node && step.pod !== preemptor,
    );
    if (taker !== undefined) takers.add(say`room taken by ${context.names.pod(taker.pod)}`);
  }
  return [...takers].slice(0, 2);
}
