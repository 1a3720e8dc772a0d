import { isEnoughElsewhere } from '../../causes/nearness.ts';
import { greatest } from '../../../util/extremes.ts';
import { joined, say } from '../../../util/say.ts';
import type { Answer, AnswerGroup, AnswerLine } from '../../../report-model/answer.ts';
import { answerLineLimit, restText } from '../../../report-model/answer.ts';
import { balanceOf, balanceText } from './balance.ts';
import { emphasisOf } from './emphasis.ts';
import { evictedLines } from './evicted-lines.ts';
import { changeClauses, headlineOf, leavingClauses, rollOutsOf, scarceFor } from './headline.ts';
import { pendingLines } from './pending-lines.ts';
import { namesInSteps } from '../../../report-model/short-names.ts';
import {
  blockedLines,
  failedLines,
  gatedLines,
  idleLines,
  raceLines,
  refusedLines,
  scheduledLines,
} from './simple-lines.ts';
import { type AnswerParts, answerContext, type AnswerContext, workloadName } from './answer-context.ts';
import { namedAmount } from '../../../util/amounts.ts';
import { isOffered } from '../../causes/shortages-of.ts';
import { type Reason, reasonOf, reasonToEvict } from './reasons.ts';

/** Who wins, who loses, why, and what waits: the block with which every face of a report begins. */
export function* answerInSteps(parts: AnswerParts): Generator<void, Answer> {
  const names = yield* namesInSteps(parts);
  yield;
  const context = answerContext(parts, names);
  const balance = balanceOf(context);
  yield;
  const { all, preempted } = evictedLines(context);
  const blocked = blockedLines(context);
  const failed = failedLines(context);
  const races = raceLines(context);
  yield;
  const pending = pendingLines(context);
  yield;
  const scheduled = scheduledLines(context);
  yield;
  const groups = [
    group('evicted', all, balance.evicted),
    group('blocked', blocked, podsOf(blocked)),
    group('failed', failed, podsOf(failed)),
    group('races', races, podsOf(races)),
    group('pending', pending, balance.pending + balance.stillPending),
    group('gated', gatedLines(context), balance.gated + balance.stillGated),
    group('refused', refusedLines(context), balance.refused + balance.stillRefused),
    group('scheduled', scheduled, balance.scheduled),
    group('idle', idleLines(context), 0),
  ].filter(({ lines }) => lines.length > 0);
  const headline = headlineOf(context, balance, preempted, all);
  const rollOuts = rollOutsOf(context);
  const leaving = leavingClauses(context, true);
  const changes = changeClauses(context);
  return {
    headline,
    ...(leaving.length === 0 ? {} : { leaving: joined(leaving, '; ') }),
    ...(changes.length === 0 ? {} : { changes: joined(changes, '; ') }),
    ...(rollOuts.length === 0 ? {} : { rollOuts }),
    emphasis: emphasisOf(context, balance, preempted),
    cause: causeText(context, headline),
    groups,
    balance,
    balanceText: balanceText(balance, context.mark),
    names: context.names.cut,
  };
}

function podsOf(lines: readonly AnswerLine[]): number {
  return lines.reduce((sum, { pods }) => sum + pods.length, 0);
}

/** A group, with what it says of the lines that are not shown. */
export function group(kind: AnswerGroup['kind'], lines: readonly AnswerLine[], pods: number): AnswerGroup {
  return { kind, pods, lines, rest: restText(lines, answerLineLimit) };
}

/**
 * The scarce thing, for whoever evicts first, or where nobody does for whoever of the highest priority waits, of those
 * the reason that keeps most pods. Empty where there is neither, and where the headline says it.
 */
function causeText(context: AnswerContext, headline: string): string {
  const evicting = context.parts.steps.findIndex(({ kind, victims }) => kind === 'nominated' && victims.length > 0);
  const step = context.parts.steps[evicting];
  if (step !== undefined) {
    const decision = context.parts.decisions[step.decision ?? -1];
    const requested = context.requestedBefore(evicting);
    const reason = reasonToEvict(context.pod(step.pod), decision, context.parts.nodes, requested);
    return scarcity(context, step.pod, reason, { evicts: true });
  }
  const pending = pendingLines(context).flatMap(({ pods }) => pods);
  const highest = greatest(pending.map((pod) => context.pod(pod).priority));
  const waiting = pending.find((pod) => context.pod(pod).priority === highest);
  if (waiting === undefined) return '';
  const reason = reasonOf(context, waiting);
  if (headline.includes(reason.own)) return '';
  const scarce = scarceFor(context, context.pod(waiting).workload);
  return scarcity(context, waiting, reason, { isSaid: scarce !== '' && headline.includes(scarce) });
}

/**
 * @param isSaid whether how much there is has been said
 * @param evicts whether the pod runs, as others are evicted for it
 */
function scarcity(
  context: AnswerContext,
  pod: number,
  reason: Reason,
  { isSaid = false, evicts = false }: { readonly isSaid?: boolean; readonly evicts?: boolean },
): string {
  const name = workloadName(context, pod);
  const { shortage, cause } = reason;
  if (cause?.group != null) return say`${name} stays pending: ${cause.group.text}.`;
  const isOther = shortage !== null && cause !== null && isEnoughElsewhere(cause, shortage.resource, shortage.hopeless);
  // A pod of a DaemonSet is for one node, which has a name.
  const isPinned = context.parts.workloads[context.pod(pod).workload ?? -1]?.kind === 'DaemonSet' && !isSaid;
  if (shortage === null || isOther || isPinned || shortage.resource === 'pods' || !isOffered(shortage)) {
    // Somebody cordoned it: what keeps it from the others is news.
    const isCordoned = cause?.parts.every(({ kind }) => kind === 'cordon') === true;
    const why = isCordoned ? reason.words : reason.own;
    return evicts ? say`${name} finds no node without evicting pods: ${why}.` : say`${name} finds no node: ${why}.`;
  }
  const need = namedAmount(shortage.resource, shortage.need);
  if (isSaid) return say`${name} needs ${need} on one node.`;
  if (!shortage.hopeless && shortage.free === 0) {
    return say`${name} needs ${need} on one node. No node that it may use has ${shortage.resource} free.`;
  }
  return shortage.hopeless
    ? say`${name} needs ${need} on one node. The largest node that it may use has ${namedAmount(shortage.resource, shortage.capacity)}.`
    : say`${name} needs ${need} on one node. No node that it may use has more than ${namedAmount(shortage.resource, shortage.free)} free.`;
}
