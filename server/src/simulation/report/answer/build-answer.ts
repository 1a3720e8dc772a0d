import type { Answer, AnswerGroup, AnswerLine } from '../../../contract/answer.ts';
import { answerLineLimit, restText } from '../../../contract/answer.ts';
import { balanceOf, balanceText } from './balance.ts';
import { causeText } from './cause.ts';
import { evictedLines } from './evicted-lines.ts';
import { headlineOf } from './headline.ts';
import { pendingLines } from './pending-lines.ts';
import { shortNames } from '../../../contract/short-names.ts';
import { gatedLines, refusedLines, scheduledLines } from './simple-lines.ts';
import { type AnswerParts, tell } from './told.ts';

/** Who wins, who loses, why, and what waits: the block with which every face of a report begins. */
export function buildAnswer(parts: AnswerParts): Answer {
  const told = tell(parts, shortNames(parts));
  const balance = balanceOf(told);
  const evicted = evictedLines(told);
  const pending = pendingLines(told);
  const groups = [
    group('evicted', evicted, balance.evicted),
    group('pending', pending, balance.pending + balance.stillPending),
    group('gated', gatedLines(told), balance.gated + balance.stillGated),
    group('refused', refusedLines(told), balance.refused + balance.stillRefused),
    group('scheduled', scheduledLines(told), balance.scheduled),
  ].filter(({ lines }) => lines.length > 0);
  return {
    headline: headlineOf(told, balance, evicted),
    cause: causeText(told),
    groups,
    balance,
    balanceText: balanceText(balance),
    names: told.names.cut,
  };
}

function group(kind: AnswerGroup['kind'], lines: readonly AnswerLine[], pods: number): AnswerGroup {
  return { kind, pods, lines, rest: restText(lines, answerLineLimit) };
}
