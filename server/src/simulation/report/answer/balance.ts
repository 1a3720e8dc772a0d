import type { Balance } from '../../../contract/answer.ts';
import { count } from '../../../kit/words.ts';
import type { Told } from './told.ts';

/** Who arrives and who is evicted, and what becomes of them, in pods. */
export function balanceOf({ arriving, parts, drained, fateOf, waiting }: Told): Balance {
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
    waitedBefore: [...parts.waitedBefore].filter((pod) => waiting.stateOf(pod) !== 'scheduled').length,
    budgetsBroken: new Set(parts.victims.flatMap(({ budget }) => (budget.state === 'violated' ? budget.names : [])))
      .size,
  };
}

/** The balance in two or three sentences. */
export function balanceText(balance: Balance): string[] {
  const { arriving, scheduled, evicted, again, waitedBefore } = balance;
  const pending = balance.pending + balance.stillPending;
  const gated = balance.gated + balance.stillGated;
  const refused = balance.refused + balance.stillRefused;
  const lines: string[] = [];
  if (arriving > 0) {
    const terms = [
      `${scheduled} scheduled`,
      ...term(balance.pending, 'pending'),
      ...term(balance.gated, 'gated'),
      ...term(balance.refused, 'refused'),
    ];
    lines.push(`${arriving} ${arriving === 1 ? 'arrives' : 'arrive'} = ${terms.join(' + ')}`);
  }
  if (evicted > 0) {
    const terms = [
      `${again} scheduled again`,
      ...term(balance.stillPending, 'pending'),
      ...term(balance.stillGated, 'gated'),
      ...term(balance.stillRefused, 'refused'),
      ...term(balance.notReplaced, 'not made again'),
    ];
    lines.push(`${evicted} evicted = ${terms.join(' + ')}`);
  }
  const without = pending + gated + refused;
  if (balance.stillPending + balance.stillGated + balance.stillRefused > 0 && arriving > scheduled) {
    const terms = [
      ...term(pending, 'pending', balance.pending, balance.stillPending),
      ...term(gated, 'gated', balance.gated, balance.stillGated),
      ...term(refused, 'refused', balance.refused, balance.stillRefused),
    ];
    lines.push(`Without a node at the end: ${terms.join(' + ')} = ${without}`);
  }
  if (waitedBefore > 0) {
    lines.push(`${count(waitedBefore, 'pod')} waited before, and ${waitedBefore === 1 ? 'does' : 'do'} still`);
  }
  return lines;
}

/** `2 + 3 pending` where both summands count, `3 pending` where one does, nothing where none does. */
function term(sum: number, word: string, first = sum, second = 0): string[] {
  if (sum === 0) return [];
  return [first > 0 && second > 0 ? `${first} + ${second} ${word}` : `${sum} ${word}`];
}
