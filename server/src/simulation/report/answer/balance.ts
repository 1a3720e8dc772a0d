import { joined, say } from '../../../util/say.ts';
import type { Balance } from '../../../report-model/answer.ts';
import { count, grouped } from '../../../util/words.ts';
import type { AnswerContext } from './answer-context.ts';

/** Who arrives and who is evicted, and what becomes of them, in pods. */
export function balanceOf({ arriving, parts, drained, fateOf, waiting }: AnswerContext): Balance {
  const inState = (state: string) => arriving.filter((pod) => waiting.stateOf(pod) === state).length;
  const evicted = [...parts.victims, ...drained];
  const fates = evicted.map(({ replacement }) => fateOf(replacement));
  const fated = (fate: string) => fates.filter((each) => each === fate).length;
  return {
    arriving: arriving.length,
    scheduled: inState('scheduled'),
    pending: inState('pending'),
    gated: inState('gated'),
    refused: inState('refused'),
    evicted: evicted.length,
    again: fated('scheduled'),
    stillPending: fated('pending'),
    stillGated: fated('gated'),
    stillRefused: fated('refused'),
    notReplaced: fated('none'),
    waitedBefore: [...parts.waitedBefore].filter((pod) => waiting.stateOf(pod) === 'pending').length,
    budgetsBroken: new Set(parts.victims.flatMap(({ budget }) => (budget.state === 'violated' ? budget.names : [])))
      .size,
  };
}

/** The balance in two or three sentences; `mark` stands before what rests on nodes. */
export function balanceText(balance: Balance, mark: string): string[] {
  const { arriving, scheduled, evicted, again, waitedBefore } = balance;
  const resting = (amount: number) => `${mark}${grouped(amount)}`;
  const pending = balance.pending + balance.stillPending;
  const gated = balance.gated + balance.stillGated;
  const refused = balance.refused + balance.stillRefused;
  const lines: string[] = [];
  if (arriving > 0) {
    const terms = [
      say`${resting(scheduled)} scheduled`,
      ...term(balance.pending, pendingTerm, mark),
      ...term(balance.gated, gatedTerm),
      ...term(balance.refused, refusedTerm),
    ];
    const sum = joined(terms, ' + ');
    lines.push(
      arriving === 1 ? say`${grouped(arriving)} new pod = ${sum}` : say`${grouped(arriving)} new pods = ${sum}`,
    );
  }
  if (evicted > 0) {
    const terms = [
      say`${resting(again)} scheduled again`,
      ...term(balance.stillPending, pendingTerm, mark),
      ...term(balance.stillGated, gatedTerm, mark),
      ...term(balance.stillRefused, refusedTerm, mark),
      ...term(balance.notReplaced, (amount) => say`${amount} not recreated`, mark),
    ];
    lines.push(say`${resting(evicted)} evicted = ${joined(terms, ' + ')}`);
  }
  const without = pending + gated + refused;
  if (balance.stillPending + balance.stillGated + balance.stillRefused > 0 && arriving > scheduled) {
    const terms = [
      ...term(pending, pendingTerm, mark, balance.pending, balance.stillPending),
      ...term(gated, gatedTerm, '', balance.gated, balance.stillGated),
      ...term(refused, refusedTerm, '', balance.refused, balance.stillRefused),
    ];
    lines.push(say`Without a node at the end: ${joined(terms, ' + ')} = ${resting(without)}`);
  }
  if (waitedBefore > 0) {
    lines.push(say`${count(waitedBefore, 'pod')} pending before, and still`);
  }
  return lines;
}

/** A summand with what it is of. */
type Term = (amount: string) => string;
const pendingTerm: Term = (amount) => say`${amount} pending`;
const gatedTerm: Term = (amount) => say`${amount} gated`;
const refusedTerm: Term = (amount) => say`${amount} refused`;

/** `2 + 3 pending` where both summands count, `3 pending` where one does, nothing where none does. */
function term(sum: number, word: Term, mark = '', first = sum, second = 0): string[] {
  if (sum === 0) return [];
  const both = first > 0 && second > 0;
  return [word(both ? `${mark}${grouped(first)} + ${mark}${grouped(second)}` : `${mark}${grouped(sum)}`)];
}
