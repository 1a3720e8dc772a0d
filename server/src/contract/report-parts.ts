/**
 * A report in parts. The lists that grow with the cluster are sent a thousand rows at a time, so that whoever receives
 * them never has to take in and check a large report at one go.
 */
import type { Report, reportRows } from './report.ts';

type ListName = keyof typeof reportRows;
type List = Report[ListName];

/** Named here, as whoever sends does not check. */
export const partedLists = [
  'workloads',
  'nodes',
  'pods',
  'steps',
  'timeline',
  'decisions',
  'victims',
  'pending',
] as const satisfies readonly ListName[];

/** The next rows of a list of the report that was sent last. */
export interface ReportRows {
  readonly list: ListName;
  readonly rows: List;
}

export interface ReportParts {
  /** With the first rows of each list. */
  readonly report: Report;
  readonly rows: readonly ReportRows[];
}

const rowsPerPart = 1000;

export function inParts(report: Report): ReportParts {
  const rows: ReportRows[] = [];
  let first = report;
  for (const list of partedLists) {
    const all: List = report[list];
    if (all.length <= rowsPerPart) continue;
    first = { ...first, [list]: all.slice(0, rowsPerPart) };
    for (let at = rowsPerPart; at < all.length; at += rowsPerPart) {
      rows.push({ list, rows: all.slice(at, at + rowsPerPart) });
    }
  }
  return { report: first, rows };
}

/** The report that was sent in parts. */
export function joined({ report, rows }: ReportParts): Report {
  const lists = new Map<ListName, unknown[]>();
  for (const { list, rows: next } of rows) {
    const all = lists.get(list) ?? [...report[list]];
    lists.set(list, all);
    for (const row of next) all.push(row);
  }
  return { ...report, ...Object.fromEntries(lists) };
}
