import { groupBy } from '../util/maps.ts';
import { say } from '../util/say.ts';
import { momentText, type TimeOfDay } from '../util/words.ts';
import type { PlanEffect, PlanLink } from './plan.ts';
import type { Report, ReportCause, ReportComparison } from './report.ts';

/** A line of a plan as a tree: a cause, or a link below the first of what it follows from. */
export type PlanRow =
  | { readonly kind: 'cause'; readonly depth: 0; readonly cause: ReportCause }
  | { readonly kind: 'link'; readonly depth: number; readonly link: PlanLink };

/** Causes with what follows from each, depth first; causes from which nothing follows come too. */
export function planRows({ causes, plan }: Pick<ReportComparison, 'causes' | 'plan'>): readonly PlanRow[] {
  const below = groupBy(plan.chain, (link) => link.by[0] ?? '');
  const rows: PlanRow[] = [];
  const walk = (id: string, depth: number): void => {
    for (const link of below.get(id) ?? []) {
      rows.push({ kind: 'link', depth, link });
      walk(link.id, depth + 1);
    }
  };
  for (const cause of causes) {
    rows.push({ kind: 'cause', depth: 0, cause });
    walk(cause.id, 1);
  }
  // What follows from nothing that was written.
  walk('', 0);
  return rows;
}

/** Of so many rows: causes, events and evictions with what they follow from, pending pods, the others; in order. */
export function firstRows(rows: readonly PlanRow[], count: number): readonly PlanRow[] {
  if (rows.length <= count) return rows;
  const ranks: number[] = [];
  /** How deep the next row above lies that an eviction follows from. */
  let above = -1;
  for (const row of rows.toReversed()) {
    const isNeeded = row.depth === above || row.kind === 'cause' || needed.has(row.link.kind);
    if (isNeeded) above = row.depth - 1;
    ranks.unshift(row.kind === 'cause' ? 0 : isNeeded ? 1 : row.link.kind === 'waits' ? 2 : 3);
  }
  const kept = rows.map((_, index) => index).sort((a, b) => ranks[a]! - ranks[b]! || a - b);
  return kept
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((index) => rows[index]!);
}

const needed: ReadonlySet<PlanLink['kind']> = new Set(['event', 'evicts']);

/** Objects of which the API server refuses the change. */
export function refusedObjects(causes: readonly ReportCause[], events: Report['events']): ReadonlySet<string> {
  return new Set(causes.map(({ object }) => object).filter(refusedIn(events)));
}

export function refusedIn(events: Report['events']): (object: string) => boolean {
  const refused = new Set(events.flatMap(({ verdict, text }) => (verdict === 'refused' ? [text] : [])));
  return (object) => refused.has(say`apply ${object}`);
}

/** What the answer without the run that it is compared with is folded behind: its headline, unless that stands above. */
export function wholeTitle({ whole }: ReportComparison, { headline }: Report['answer']): string {
  return whole === headline ? say`All in all` : say`All in all: ${whole}`;
}

/** `value 1000 → 150000`, `new`, `removed`. */
export function causeText({ field, old, new: now, note }: ReportCause): string {
  if (field === '') return now === null ? say`removed` : say`new`;
  const change = `${field} ${old === null ? say`nothing` : String(old)} → ${now === null ? say`nothing` : String(now)}`;
  return note === undefined ? change : `${change}: ${note}`;
}

/** `− cart`: how a workload fares, in one letter. */
export const effectSigns: Readonly<Record<PlanEffect['change'], string>> = {
  worse: '−',
  better: '+',
  restarted: '~',
  moved: '=',
};

/** `0 s  `: when, where it is a moment of the run. */
export function linkClock({ kind, clock }: PlanLink, day: TimeOfDay): string {
  return kind === 'priority' ? '' : momentText(day, Math.round(clock));
}
