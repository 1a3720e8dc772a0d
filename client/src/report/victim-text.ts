import type { Report, ReportVictim } from '../../../server/src/contract/report.ts';

/** `kept: shop/cart`, `violated: shop/cart`, `none`. */
export function budgetText({ budget }: ReportVictim): string {
  return budget.state === 'none' ? 'none' : `${budget.state}: ${budget.names.join(', ')}`;
}

/** What becomes of a victim's replica. */
export function fateText(report: Report, victim: ReportVictim): string {
  switch (victim.fate) {
    case 'moves':
      return victim.newNode === null ? 'runs elsewhere' : `moves to ${report.nodes[victim.newNode]?.name ?? '–'}`;
    case 'pending':
      return 'replacement waits';
    case 'gone':
      return 'nothing recreates it';
    default:
      return victim.fate satisfies never;
  }
}
