import { useMemo, useState } from 'preact/hooks';
import { formatCount } from '../../../src/report/format.ts';
import type { Report, ReportCandidate, ReportDecision } from '../../../../server/src/simulation/report.ts';
import { nameOfNode, type TableModel } from '../model/table.ts';
import { usePage } from '../page-context.ts';
import { DataGrid } from './data-grid.tsx';

/** The candidate nodes side by side, in the order in which the criteria are applied. */
export function Candidates({ decision }: { readonly decision: ReportDecision }) {
  const { report, view, dispatch, reveal } = usePage();
  const table = useMemo(() => candidateTable(report, decision), [report, decision]);
  const [active, setActive] = useState<number | null>(null);
  return (
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
      marked={decision.decidedBy}
      isChosen={(row) => decision.candidates[row]?.chosen ?? false}
    />
  );
}

/** The criteria of the scheduler in the reader's words; the identifiers are those of the columns. */
const criteria = {
  pdbViolations: 'budgets violated',
  highestPriority: 'highest victim',
  prioritySum: 'priority sum',
  victimCount: 'count',
  latestStart: 'latest start',
} as const;

const columnWidths = { pdbViolations: 150, highestPriority: 112, prioritySum: 104, victimCount: 64, latestStart: 96 } as const;

/** How far a candidate came: the later it lost, the nearer it was. */
const order = ['pdbViolations', 'highestPriority', 'prioritySum', 'victimCount', 'latestStart'] as const;

function candidateTable(report: Report, decision: ReportDecision): TableModel {
  const { candidates } = decision;
  const candidate = (row: number): ReportCandidate => candidates[row]!;
  const rank = (row: number): number => {
    const { chosen, lostAt } = candidate(row);
    return chosen ? -1 : lostAt === null ? 0 : order.length - order.indexOf(lostAt);
  };
  const victimNames = (row: number): string =>
    candidate(row)
      .victims.map((pod) => report.pods[pod]?.name ?? '')
      .join(', ');
  const dates = new Set(candidates.flatMap(({ latestStart }) => (latestStart === null ? [] : [latestStart.slice(0, 10)])));
  const startText = ({ latestStart }: ReportCandidate): string => {
    const text = latestStart === null ? 'now' : latestStart.replace('T', ' ').replace(/(\.\d+)?Z$/, '');
    // On one day the time says all.
    return dates.size === 1 ? text.replace(/^\d{4}-\d\d-\d\d /, '') : text;
  };
  const figure = (id: keyof typeof criteria, value: (of: ReportCandidate) => number) => ({
    id,
    label: criteria[id],
    min: columnWidths[id], grow: 1,
    numeric: true,
    text: (row: number) => formatCount(value(candidate(row))),
    sortBy: (row: number) => value(candidate(row)),
  });
  return {
    name: 'candidates',
    label: 'Candidates',
    rows: candidates.map((_candidate, row) => row).sort((left, right) => rank(left) - rank(right)),
    empty: 'There are no candidates.',
    selectionOf: (row) => ({ kind: 'node', node: candidate(row).node }),
    columns: [
      {
        id: 'node',
        label: 'node',
        min: 92, grow: 1.4,
        text: (row) => nameOfNode(report, candidate(row).node),
      },
      { id: 'victims', label: 'victims', min: 120, grow: 2, text: victimNames },
      figure('pdbViolations', (of) => of.pdbViolations),
      figure('highestPriority', (of) => of.highestPriority),
      figure('prioritySum', (of) => of.prioritySum),
      figure('victimCount', (of) => of.victimCount),
      {
        id: 'latestStart',
        label: criteria.latestStart,
        min: columnWidths.latestStart, grow: 1.1,
        text: (row) => startText(candidate(row)),
        sortBy: (row) => candidate(row).latestStart ?? '9999',
      },
      {
        id: 'outcome',
        label: 'outcome',
        min: 184, grow: 1.2,
        text: (row) => outcome(candidate(row), decision),
        sortBy: rank,
      },
    ],
  };
}

function outcome(candidate: ReportCandidate, decision: ReportDecision): string {
  if (candidate.chosen) {
    return decision.decidedBy === 'tie' ? 'chosen, by name among ties' : 'chosen';
  }
  return candidate.lostAt === null ? 'ties with the chosen' : `lost at ${criteria[candidate.lostAt]}`;
}
