import type { Report } from '../../contract/report.ts';
import { oneOf } from '../arguments.ts';

const causes = ['evicted', 'budget', 'pending', 'refused', 'down'] as const;
export type Cause = (typeof causes)[number];

/** Reads `evicted,budget`. Throws `UsageError`. */
export function parseCauses(words: string | undefined): readonly Cause[] {
  return (words?.split(',') ?? []).map((word) => oneOf('--fail-on', word, causes));
}

/** Whether a report has it; a comparison, whether it has more of it than what it is compared with. */
export function failsOn({ answer: { groups, balance }, comparison }: Report, cause: Cause): boolean {
  const before = comparison?.before ?? null;
  const count = (now: number, earlier: number | undefined) => now > (earlier ?? 0);
  switch (cause) {
    case 'evicted':
      return count(balance.evicted, before?.evicted);
    case 'budget':
      return count(balance.budgetsBroken, before?.budgetsBroken);
    case 'pending':
      return count(balance.pending + balance.stillPending, before?.pending);
    case 'refused':
      return count(balance.refused + balance.stillRefused, before?.refused);
    case 'down':
      return count(
        groups.flatMap(({ lines }) => lines.filter(({ marks }) => marks.includes('down'))).length,
        before?.down,
      );
  }
}
