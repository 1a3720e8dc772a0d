import { type Check, listOf, oneOf, shape } from '../../../server/src/contract/check.ts';
import { partedLists, type ReportRows } from '../../../server/src/contract/report-parts.ts';
import { reportRows } from '../../../server/src/contract/report.ts';

const checks: ReadonlyMap<unknown, Check<unknown>> = new Map(
  partedLists.map((list) => [list, shape({ list: oneOf(list), rows: listOf(reportRows[list] as Check<unknown>) })]),
);

/** Whether a value is rows of the list that it says they are of. */
export const isReportRows: Check<ReportRows> = (value): value is ReportRows =>
  checks.get((value as Partial<ReportRows> | null)?.list)?.(value) === true;
