import { marked } from '../../../contract/assumed.ts';
import { say } from '../../../kit/say.ts';
import type { AnswerLine } from '../../../contract/answer.ts';
import type { Amounts, ReportDecision } from '../../../contract/report.ts';
import { list, count } from '../../../kit/words.ts';
import { namedAmount } from '../../../kit/amounts.ts';
import { type Reason, reasonOf, type Shortage } from './reasons.ts';
import { byWorkload, type Told, workloadName } from './told.ts';

/** Names of workloads before they are counted. */
const namesInLine = 4;

/** Lines and headline ask for them. */
const known = new WeakMap<Told, readonly AnswerLine[]>();

/** One line per reason: pods that wait for the same thing wait together. */
export function pendingLines(told: Told): readonly AnswerLine[] {
  const lines = known.get(told) ?? findPendingLines(told);
  known.set(told, lines);
  return lines;
}

function findPendingLines(told: Told): AnswerLine[] {
  const atEnd = told.requestedBefore(told.parts.steps.length);
  const groups = new Map<string, { reason: Reason; pods: number[] }>();
  const reasonAt = sharedReasons(told, atEnd);
  for (const pod of waitingPods(told)) {
    const reason = reasonAt(pod);
    // Those that no node could take, even an empty one, are told apart: no eviction and no further node of the kind helps.
    const key = `${reason.key}${reason.shortage?.hopeless === true ? ' hopeless' : ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reason, pods: [pod] });
    else group.pods.push(pod);
  }
  return [...groups.values()]
    .sort((a, b) => b.pods.length - a.pods.length || (a.reason.name < b.reason.name ? -1 : 1))
    .map(({ reason, pods }) => ({
      sign: '○',
      name: reason.name,
      count: marked(told.mark, count(pods.length, 'pod')),
      marks: [],
      details: [whoWaits(told, pods, reason)],
      then: reason.resource === null ? consequence(reason) : '',
      workloads: [...new Set(pods.flatMap((pod) => told.pod(pod).workload ?? []))],
      pods,
    }));
}

/** That no device is free is `UnschedulableAndUnresolvable`. Source: plugins/dynamicresources (Filter, PreFilter) */
function consequence({ name, words }: Reason): string {
  return name === 'devices' ? say`${words}; priority never preempts for devices` : words;
}

/** Pods that ask for the same and were refused with one and the same answer wait for the same reason. */
function sharedReasons(told: Told, requested: readonly Amounts[]): (pod: number) => Reason {
  const known = new Map<ReportDecision['refusals'], Map<string, Reason>>();
  return (index) => {
    const pod = told.pod(index);
    const decision = told.decisionOf(index);
    if (decision === undefined) return reasonOf(pod, decision, told.parts.nodes, requested);
    const { refusals, kind, message } = decision;
    const reasons = known.get(refusals) ?? new Map<string, Reason>();
    known.set(refusals, reasons);
    const asked = JSON.stringify([pod.requests, kind, message]);
    let reason = reasons.get(asked);
    if (reason === undefined) {
      reason = reasonOf(pod, { refusals, kind, message }, told.parts.nodes, requested);
      reasons.set(asked, reason);
    }
    return reason;
  };
}

/** Arrivals and replacements that have no node at the end; not those that waited before. */
export function waitingPods(told: Told): number[] {
  return [...told.arriving, ...told.replacements].filter((pod) => told.waiting.stateOf(pod) === 'pending');
}

function whoWaits(told: Told, pods: readonly number[], reason: Reason): string {
  const own = pods.filter((pod) => !told.replacements.has(pod));
  const replacing = pods.length - own.length;
  const workloads = [...byWorkload(told, own).values()];
  const names = workloads.map((each) => {
    const name = workloadName(told, each[0]!);
    const never = told.pod(each[0]!).preemptionPolicy === 'Never' ? say` (never preempts)` : '';
    return say`${name}${each.length > 1 ? ` ×${each.length}` : ''}${never}`;
  });
  if (replacing === 0 && workloads.length === 1 && reason.shortage !== null) {
    const { shortage } = reason;
    return inVain(told, say`${names[0]!} asks for ${namedAmount(shortage.resource, shortage.need)}`, shortage);
  }
  const replaced =
    replacing === 0 ? [] : [replacing === 1 ? say`the replacement above` : say`the ${replacing} replacements above`];
  if (names.length > namesInLine) {
    return list([...replaced, say`${count(names.length, 'workload')}: ${list(names, 3)}`]);
  }
  return list([...replaced, ...names], namesInLine + 1);
}

function inVain(told: Told, asks: string, shortage: Shortage): string {
  return shortage.hopeless
    ? say`${asks}; the largest node it may use has ${namedAmount(shortage.resource, shortage.capacity)}`
    : say`${asks}; at most ${namedAmount(shortage.resource, shortage.free)} free, on ${told.names.node(shortage.node)}`;
}

/** What pods of one workload ask for and do not get, said of `it`; undefined where no amount is in the way. */
export function askedInVain(told: Told, pods: readonly number[]): string | undefined {
  const [first] = pods;
  if (first === undefined || pods.some((pod) => told.replacements.has(pod))) return undefined;
  const atEnd = told.requestedBefore(told.parts.steps.length);
  const { shortage } = reasonOf(told.pod(first), told.decisionOf(first), told.parts.nodes, atEnd);
  if (shortage === null) return undefined;
  return inVain(told, say`it asks for ${namedAmount(shortage.resource, shortage.need)}`, shortage);
}
