import { grouped } from '../../../../server/src/kit/words.ts';
import { useMemo } from 'preact/hooks';
import type { ReportDecision } from '../../../../server/src/contract/report.ts';
import { type ScoreTable, scoreTable } from '../model/decision-tables.ts';
import { usePage } from '../page-context.ts';
import { DetailTable } from './detail-table.tsx';

/** For a pod that simply fits: what each plugin gave each node, and the total. */
export function Scores({ decision, scores }: { readonly decision: ReportDecision; readonly scores: ScoreTable }) {
  const { report } = usePage();
  const table = useMemo(() => scoreTable(report, decision, scores), [report, decision, scores]);
  return (
    <>
      <DetailTable table={table} />
      {decision.best.length > 1 && (
        <p>
          {`A tie: ${grouped(decision.best.length)} nodes share the best total. The real scheduler draws one of them; shown is the first by name.`}
        </p>
      )}
    </>
  );
}
