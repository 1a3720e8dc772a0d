import type { Answer, AnswerLine, Balance } from '../../../report-model/answer.ts';
import { count } from '../../../util/words.ts';
import { byWorkload, type AnswerContext, workloadName } from './answer-context.ts';
import { outage, podsOf, staysPending, who } from './headline.ts';

/** More names are not in the headline. */
const most = 8;

/** Words of the headline that say who wins, who loses and what waits, in the order in which they stand there. */
export function emphasisOf(
  context: AnswerContext,
  balance: Balance,
  preempted: readonly AnswerLine[],
): Answer['emphasis'] {
  const { victims } = context.parts;
  const waits = balance.pending + balance.stillPending;
  const preemptors = byWorkload(context, [...new Set(victims.map(({ preemptor }) => preemptor))]);
  const winners = [...preemptors.values()].map((own) => workloadName(context, own[0]!));
  const losers = preempted.map(({ name }) => name);
  // As the headline says it of many: those that come for them in turn are told apart.
  const first = victims.filter(({ preemptor }) => !context.replacements.has(preemptor));
  const shown = first.length === 0 ? victims : first;
  const arrivals = [...new Set(shown.map(({ preemptor }) => preemptor))];
  const down = outage(preempted);
  const manyLosers = podsOf(
    context,
    shown.map(({ pod }) => pod),
  );
  return [
    ...(down === '' ? [] : [{ text: down, tone: 'bad' } as const]),
    ...[...winners.slice(0, most), who(context, arrivals)].map((text) => ({ text, tone: 'gain' }) as const),
    ...[...losers.slice(0, most), manyLosers].map((text) => ({ text, tone: 'bad' }) as const),
    ...(balance.budgetsBroken === 0 ? [] : [{ text: count(balance.budgetsBroken, 'budget'), tone: 'bad' } as const]),
    ...(waits === 0 ? [] : [{ text: staysPending(context, waits), tone: 'warning' } as const]),
  ];
}
