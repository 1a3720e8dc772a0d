import { useMemo, useState } from 'preact/hooks';
import { formatCount } from '../../../src/report/format.ts';
import type { Report, ReportDecision } from '../../../../server/src/simulation/report.ts';
import { nameOfNode, type TableModel } from '../model/table.ts';
import { usePage } from '../page-context.ts';
import { DataGrid } from './data-grid.tsx';

type ScoreTable = NonNullable<ReportDecision['scores']>;

/** For a pod that simply fits: what each plugin gave each node, and the total. */
export function Scores({ decision, scores }: { readonly decision: ReportDecision; readonly scores: ScoreTable }) {
  const { report, view, dispatch, reveal } = usePage();
  const table = useMemo(() => scoreTable(report, decision, scores), [report, decision, scores]);
  const [active, setActive] = useState<number | null>(null);
  const tied = decision.best.length > 1;
  return (
    <>
      <DataGrid
        table={table}
        sort={view.sorts[table.name]}
        onSort={(column) => {
          dispatch({ type: 'sort', table: table.name, column });
        }}
        isActive={(row) => row === active}
        onSelect={setActive}
        onReveal={(selection, focus) => {
          if (focus) {
            reveal(selection, true);
          }
        }}
        marked="total"
        isChosen={(row) => scores.rows[row]?.node === decision.node}
      />
      {tied && (
        <p>
          {`A tie: ${formatCount(decision.best.length)} nodes share the best total. The real scheduler draws one of them; shown is the first by name.`}
        </p>
      )}
    </>
  );
}

function scoreTable(report: Report, decision: ReportDecision, scores: ScoreTable): TableModel {
  const node = (row: number): number => scores.rows[row]!.node;
  const best = new Set(decision.best);
  return {
    name: 'scores',
    label: 'Scores',
    rows: scores.rows
      .map((_row, index) => index)
      .sort((left, right) => scores.rows[right]!.total - scores.rows[left]!.total),
    empty: 'Nothing was scored.',
    selectionOf: (row) => ({ kind: 'node', node: node(row) }),
    columns: [
      { id: 'node', label: 'node', min: 92, grow: 1.4, text: (row) => nameOfNode(report, node(row)) },
      {
        id: 'total',
        label: 'total',
        min: 56, grow: 0.7,
        numeric: true,
        text: (row) => formatCount(scores.rows[row]!.total),
        sortBy: (row) => scores.rows[row]!.total,
      },
      ...scores.plugins.map((plugin, at) => ({
        id: `plugin-${at}`,
        label: plugin,
        min: 84, grow: 1,
        numeric: true,
        text: (row: number) => formatCount(scores.rows[row]!.scores[at] ?? 0),
        sortBy: (row: number) => scores.rows[row]!.scores[at] ?? 0,
      })),
      {
        id: 'outcome',
        label: 'outcome',
        min: 88, grow: 1,
        text: (row) => (node(row) === decision.node ? 'chosen' : best.has(node(row)) ? 'ties' : ''),
      },
    ],
  };
}
