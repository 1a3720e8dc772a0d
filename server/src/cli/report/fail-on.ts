import type { Figures } from '../../contract/remedy.ts';
import type { Report } from '../../contract/report.ts';
import { figuresOf } from '../../simulation/index.ts';
import { oneOf } from '../arguments.ts';

const causes = ['evicted', 'budget', 'pending', 'refused', 'down', 'blocked'] as const;
export type Cause = (typeof causes)[number];

/** Reads `evicted,budget`. Throws `UsageError`. */
export function parseCauses(words: string | undefined): readonly Cause[] {
  return (words?.split(',') ?? []).map((word) => oneOf('--fail-on', word, causes));
}

const figureOf: Readonly<Record<Cause, keyof Figures>> = {
  evicted: 'evicted',
  budget: 'budgetsBroken',
  pending: 'pending',
  refused: 'refused',
  down: 'down',
  blocked: 'blocked',
};

/** Whether a report has it; a comparison, whether it has more of it than what it is compared with. */
export function failsOn({ answer, comparison }: Report, cause: Cause): boolean {
  const figure = figureOf[cause];
  return figuresOf(answer)[figure] > (comparison?.before[figure] ?? 0);
}
