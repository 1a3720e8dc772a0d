import { isEnoughElsewhere } from '../../causes/nearness.ts';
import { say } from '../../../util/say.ts';
import { runToEnd } from '../../../util/steps.ts';
import type { Answer, AnswerGroup, AnswerLine } from '../../../report-model/answer.ts';
import { answerLineLimit, restText } from '../../../report-model/answer.ts';
import { balanceOf, balanceText } from './balance.ts';
import { emphasisOf } from './emphasis.ts';
import { evictedLines } from './evicted-lines.ts';
import { headlineOf } from './headline.ts';
import { pendingLines, waitingPods } from './pending-lines.ts';
import { namesInSteps } from '../../../report-model/short-names.ts';
import { blockedLines, failedLines, gatedLines, raceLines, refusedLines, scheduledLines } from './simple-lines.ts';
import { type AnswerParts, tell, type Told, workloadName } from './told.ts';
import { namedAmount } from '../../../util/amounts.ts';
import { isOffered } from '../../causes/shortages-of.ts';
import { type Reason, reasonOf, reasonToEvict } from './reasons.ts';

/** Who wins, who loses, why, and what waits: the block with which every face of a report begins. */
export function buildAnswer(parts: AnswerParts): Answer {
  return runToEnd(answerInSteps(parts));
}

/** As `buildAnswer`. */
export function* answerInSteps(parts: AnswerParts): Generator<void, Answer> {
  const names = yield* namesInSteps(parts);
  yield;
  const told = tell(parts, names);
  const balance = balanceOf(told);
  yield;
  const { all, preempted } = evictedLines(told);
  const blocked = blockedLines(told);
  const failed = failedLines(told);
  const races = raceLines(told);
  yield;
  const pending = pendingLines(told);
  yield;
  const scheduled = scheduledLines(told);
  yield;
  const groups = [
    group('evicted', all, balance.evicted),
    group('blocked', blocked, podsOf(blocked)),
    group('failed', failed, podsOf(failed)),
    group('races', races, podsOf(races)),
    group('pending', pending, balance.pending + balance.stillPending),
    group('gated', gatedLines(told), balance.gated + balance.stillGated),
    group('refused', refusedLines(told), balance.refused + balance.stillRefused),
    group('scheduled', scheduled, balance.scheduled),
  ].filter(({ lines }) => lines.length > 0);
  const headline = headlineOf(told, balance, preempted);
  return {
    headline,
    emphasis: emphasisOf(told, balance, preempted),
    cause: causeText(told, headline),
    groups,
    balance,
    balanceText: balanceText(balance, told.mark),
    names: told.names.cut,
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
 * The scarce thing, for whoever evicts first, or for whoever waits where nobody does. Empty where there is neither, and
 * where the headline says it.
 */
function causeText(told: Told, headline: string): string {
  const evicting = told.parts.steps.findIndex(({ kind, victims }) => kind === 'nominated' && victims.length > 0);
  const step = told.parts.steps[evicting];
  if (step !== undefined) {
    const decision = told.parts.decisions[step.decision ?? -1];
    const requested = told.requestedBefore(evicting);
    return scarcity(told, step.pod, reasonToEvict(told.pod(step.pod), decision, told.parts.nodes, requested));
  }
  const [waiting] = waitingPods(told);
  if (waiting === undefined) return '';
  const reason = reasonOf(told, waiting);
  return headline.includes(reason.own) ? '' : scarcity(told, waiting, reason);
}

function scarcity(told: Told, pod: number, reason: Reason): string {
  const name = workloadName(told, pod);
  const { shortage, cause } = reason;
  if (cause?.group != null) return say`${name} waits: ${cause.group.text}.`;
  const isOther = shortage !== null && cause !== null && isEnoughElsewhere(cause, shortage.resource, shortage.hopeless);
  if (shortage === null || isOther || shortage.resource === 'pods' || !isOffered(shortage)) {
    return say`${name} finds no node: ${reason.own}.`;
  }
  const need = namedAmount(shortage.resource, shortage.need);
  return shortage.hopeless
    ? say`${name} needs ${need} on one node. The largest node that it may use has ${namedAmount(shortage.resource, shortage.capacity)}.`
    : say`${name} needs ${need} on one node. No node that it may use has more than ${namedAmount(shortage.resource, shortage.free)} free.`;
}
