import { useMemo } from 'preact/hooks';
import type { ReportDecision } from '../../../../server/src/contract/report.ts';
import { candidateTable } from '../model/decision-tables.ts';
import { usePage } from '../page-context.ts';
import { DetailTable } from './detail-table.tsx';

/** The candidate nodes side by side, in the order in which the criteria are applied. */
export function Candidates({ decision }: { readonly decision: ReportDecision }) {
  const { report } = usePage();
  return <DetailTable table={useMemo(() => candidateTable(report, decision), [report, decision])} />;
}
