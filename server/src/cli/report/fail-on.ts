import type { Figures } from '../../contract/remedy.ts';
import type { Report } from '../../contract/report.ts';
import { figuresOf } from '../../simulation/index.ts';
import { hides } from '../../kubernetes/unseen.ts';
import { oneOf } from '../arguments.ts';

const causes = ['evicted', 'budget', 'pending', 'refused', 'down', 'blocked', 'unseen'] as const;
export type Cause = (typeof causes)[number];

/** Reads `evicted,budget`. Throws `UsageError`. */
export function parseCauses(words: string | undefined): readonly Cause[] {
  return (words?.split(',') ?? []).map((word) => oneOf('--fail-on', word, causes));
}

const figureOf: Readonly<Record<Exclude<Cause, 'unseen'>, keyof Figures>> = {
  evicted: 'evicted',
  budget: 'budgetsBroken',
  pending: 'pending',
  refused: 'refused',
  down: 'down',
  blocked: 'blocked',
};

/**
 * Whether a report has it; a comparison, whether it has more of it than what it is compared with. What was not seen fails
 * in any case: nobody knows what is in it.
 */
export function failsOn(
  { answer, comparison, unseen }: Pick<Report, 'answer' | 'comparison' | 'unseen'>,
  cause: Cause,
): boolean {
  if (unseen.some(({ hasFailed }) => hasFailed === true)) return true;
  if (cause === 'unseen') return unseen.some(hides);
  const figure = figureOf[cause];
  return figuresOf(answer)[figure] > (comparison?.before[figure] ?? 0);
}
