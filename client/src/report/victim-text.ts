import { budgetWord } from '../../../server/src/report-model/words.ts';
import { say } from '../../../server/src/util/say.ts';
import type { ReportVictim } from '../../../server/src/report-model/report.ts';
import type { ShortNames } from '../../../server/src/report-model/short-names.ts';

/** `kept: shop/cart`, `violated: shop/cart`, `none`. */
export function budgetText({ budget }: ReportVictim): string {
  const state = budgetWord(budget.state);
  return budget.state === 'none' ? state : `${state}: ${budget.names.join(', ')}`;
}

/** What becomes of a victim's replica. */
export function fateText(names: Pick<ShortNames, 'node'>, victim: Pick<ReportVictim, 'fate' | 'newNode'>): string {
  switch (victim.fate) {
    case 'moves':
      return victim.newNode === null ? say`runs elsewhere` : say`moves to ${names.node(victim.newNode)}`;
    case 'pending':
      return say`replacement pending`;
    case 'gone':
      return say`nothing recreates it`;
    default:
      return victim.fate satisfies never;
  }
}
