import type { Answer, AnswerLine, Balance } from '../../../contract/answer.ts';
import { count } from '../../../kit/words.ts';
import { byWorkload, type Told, workloadName } from './told.ts';

/** More names are not in the headline. */
const most = 8;

/** Words of the headline that say who wins, who loses and what waits, in the order in which they stand there. */
export function emphasisOf(told: Told, balance: Balance, preempted: readonly AnswerLine[]): Answer['emphasis'] {
  const { victims } = told.parts;
  const waits = balance.pending + balance.stillPending;
  const preemptors = byWorkload(told, [...new Set(victims.map(({ preemptor }) => preemptor))]);
  const winners = [...preemptors.values()].map((own) => workloadName(told, own[0]!));
  const losers = preempted.map(({ name }) => name);
  const arrivals = new Set(victims.map(({ preemptor }) => preemptor)).size;
  // As the headline says it of many.
  const manyWinners = `${arrivals} pods of ${winners.length} workloads`;
  const manyLosers = `${count(victims.length, 'pod')} of ${losers.length} workloads`;
  return [
    ...[...winners.slice(0, most), manyWinners].map((text) => ({ text, tone: 'gain' }) as const),
    ...[...losers.slice(0, most), manyLosers].map((text) => ({ text, tone: 'bad' }) as const),
    ...(balance.budgetsBroken === 0 ? [] : [{ text: count(balance.budgetsBroken, 'budget'), tone: 'bad' } as const]),
    ...(waits === 0 ? [] : [{ text: count(waits, 'pod'), tone: 'warning' } as const]),
  ];
}
