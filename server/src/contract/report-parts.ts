/**
 * A report in parts. The lists that grow with the cluster are sent a thousand rows at a time, so that whoever receives
 * them never has to take in and check a large report at one go.
 */
import { type Check, listOf, oneOf, shape } from './check.ts';
import { type Report, reportRows } from './report.ts';

type ListName = keyof typeof reportRows;
type List = Report[ListName];

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

const names = Object.keys(reportRows) as readonly ListName[];

export function inParts(report: Report): ReportParts {
  const rows: ReportRows[] = [];
  let first = report;
  for (const list of names) {
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

const checks: ReadonlyMap<unknown, Check<unknown>> = new Map(
  names.map((list) => [list, shape({ list: oneOf(list), rows: listOf(reportRows[list] as Check<unknown>) })]),
);

export const isReportRows: Check<ReportRows> = (value): value is ReportRows =>
  checks.get((value as Partial<ReportRows> | null)?.list)?.(value) === true;
