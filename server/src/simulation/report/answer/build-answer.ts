import type { Answer, AnswerGroup, AnswerLine } from '../../../contract/answer.ts';
import { answerLineLimit, restText } from '../../../contract/answer.ts';
import { balanceOf, balanceText } from './balance.ts';
import { causeText } from './cause.ts';
import { evictedLines } from './evicted-lines.ts';
import { headlineOf } from './headline.ts';
import { pendingLines } from './pending-lines.ts';
import { shortNames } from '../../../contract/short-names.ts';
import { blockedLines, failedLines, gatedLines, refusedLines, scheduledLines } from './simple-lines.ts';
import { type AnswerParts, tell } from './told.ts';

/** Who wins, who loses, why, and what waits: the block with which every face of a report begins. */
export function buildAnswer(parts: AnswerParts): Answer {
  const told = tell(parts, shortNames(parts));
  const balance = balanceOf(told);
  const { preempted, drained } = evictedLines(told);
  const blocked = blockedLines(told);
  const failed = failedLines(told);
  const pending = pendingLines(told);
  const groups = [
    group('evicted', [...preempted, ...drained], balance.evicted),
    group('blocked', blocked, podsOf(blocked)),
    group('failed', failed, podsOf(failed)),
    group('pending', pending, balance.pending + balance.stillPending),
    group('gated', gatedLines(told), balance.gated + balance.stillGated),
    group('refused', refusedLines(told), balance.refused + balance.stillRefused),
    group('scheduled', scheduledLines(told), balance.scheduled),
  ].filter(({ lines }) => lines.length > 0);
  return {
    headline: headlineOf(told, balance, preempted),
    cause: causeText(told),
    groups,
    balance,
    balanceText: balanceText(balance),
    names: told.names.cut,
  };
}

function podsOf(lines: readonly AnswerLine[]): number {
  return lines.reduce((sum, { pods }) => sum + pods.length, 0);
}

function group(kind: AnswerGroup['kind'], lines: readonly AnswerLine[], pods: number): AnswerGroup {
  return { kind, pods, lines, rest: restText(lines, answerLineLimit) };
}
