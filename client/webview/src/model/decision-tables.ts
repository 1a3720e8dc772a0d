/** The tables that explain a decision: candidates for preemption, and scores. */
import { say } from '../../../../server/src/util/say.ts';
import type { Report, ReportCandidate, ReportDecision } from '../../../../server/src/report-model/report.ts';
import { shortNames } from '../../../../server/src/report-model/short-names.ts';
import { type Column, figures, nameOfNode, type TableModel } from './table.ts';

/** The criteria of the scheduler in the reader's words, in the order in which they are applied. */
const criteria = {
  pdbViolations: say`budgets violated`,
  highestPriority: say`highest victim`,
  prioritySum: say`priority sum`,
  victimCount: say`count`,
  latestStart: say`latest start`,
} as const;
type Criterion = keyof typeof criteria;
const order = Object.keys(criteria);

/** The identifiers of the columns are those of the criteria. */
export function candidateTable(report: Report, decision: ReportDecision): TableModel {
  const { candidates } = decision;
  const names = shortNames(report);
  // What comes after the criterion that decided was not asked.
  const decided = decision.decidedBy === null ? -1 : order.indexOf(decision.decidedBy);
  const candidate = (row: number): ReportCandidate => candidates[row]!;
  /** The later a candidate lost, the nearer it was. */
  const rank = (row: number): number => {
    const { chosen, lostAt } = candidate(row);
    return chosen ? -1 : lostAt === null ? 0 : order.length - order.indexOf(lostAt);
  };
  const victimNames = (row: number): string =>
    candidate(row)
      .victims.map((pod) => names.pod(pod))
      .join(', ');
  const figure = (id: Exclude<Criterion, 'latestStart'>, min: number): Column<number> =>
    figures({ id, label: criteria[id], min, grow: 1 }, (row) => candidate(row)[id]);
  return {
    name: 'candidates',
    label: say`Candidates`,
    rows: candidates.map((_candidate, row) => row).sort((left, right) => rank(left) - rank(right)),
    empty: say`There are no candidates.`,
    selectionOf: (row) => ({ kind: 'node', node: candidate(row).node }),
    marked: decision.decidedBy,
    isChosen: (row) => candidate(row).chosen,
    columns: [
      {
        id: 'node',
        label: say`node`,
        min: 92,
        grow: 1.4,
        text: (row) => nameOfNode(report, candidate(row).node),
        short: (row) => names.node(candidate(row).node),
      },
      { id: 'victims', label: say`victims`, min: 170, grow: 3, text: victimNames },
      figure('pdbViolations', 148),
      figure('highestPriority', 116),
      figure('prioritySum', 102),
      ...(decided >= 0 && decided < order.indexOf('victimCount')
        ? []
        : [figure('victimCount', 66), startColumn(candidates)]),
      {
        id: 'outcome',
        label: say`outcome`,
        min: 176,
        grow: 1.2,
        text: (row) => outcome(candidate(row), decision),
        sortBy: rank,
      },
    ],
  };
}

/** When the victims of the highest priority started. On one day the time says all, in one year the year nothing. */
function startColumn(candidates: readonly ReportCandidate[]): Column<number> {
  const starts = candidates.map(({ latestStart }) => latestStart);
  const differ = (length: number): boolean =>
    new Set(starts.filter((start) => start !== null).map((start) => start.slice(0, length))).size > 1;
  const { min, grow, from } = differ(4)
    ? { min: 166, grow: 0, from: 0 }
    : differ(10)
      ? { min: 146, grow: 0, from: '2026-'.length }
      : { min: 96, grow: 1.1, from: '2026-01-31 '.length };
  return {
    id: 'latestStart',
    label: criteria.latestStart,
    min,
    grow,
    text: (row) =>
      starts[row]
        ?.replace('T', ' ')
        .replace(/(\.\d+)?Z$/, '')
        .slice(from) ?? say`now`,
    sortBy: (row) => starts[row] ?? '9999',
  };
}

function outcome(candidate: ReportCandidate, decision: ReportDecision): string {
  if (candidate.chosen) {
    return decision.decidedBy === 'tie' ? say`chosen, by name among ties` : say`chosen`;
  }
  return candidate.lostAt === null ? say`ties with the chosen` : say`lost at ${criteria[candidate.lostAt]}`;
}

export type ScoreTable = NonNullable<ReportDecision['scores']>;

export function scoreTable(report: Report, decision: ReportDecision, scores: ScoreTable): TableModel {
  const scored = (row: number): ScoreTable['rows'][number] => scores.rows[row]!;
  const best = new Set(decision.best);
  return {
    name: 'scores',
    label: say`Scores`,
    rows: scores.rows.map((_row, index) => index).sort((left, right) => scored(right).total - scored(left).total),
    empty: say`Nothing was scored.`,
    selectionOf: (row) => ({ kind: 'node', node: scored(row).node }),
    marked: 'total',
    isChosen: (row) => scored(row).node === decision.node,
    columns: [
      {
        id: 'node',
        label: say`node`,
        min: 92,
        grow: 1.4,
        text: (row) => nameOfNode(report, scored(row).node),
        short: (row) => shortNames(report).node(scored(row).node),
      },
      figures({ id: 'total', label: say`total`, min: 56, grow: 0.7 }, (row) => scored(row).total),
      ...scores.plugins.map((plugin, at) =>
        figures({ id: `plugin-${at}`, label: plugin, min: 84, grow: 1 }, (row: number) => scored(row).scores[at] ?? 0),
      ),
      {
        id: 'outcome',
        label: say`outcome`,
        min: 88,
        grow: 1,
        text: (row) => {
          const { node } = scored(row);
          return node === decision.node ? say`chosen` : best.has(node) ? say`ties` : '';
        },
      },
    ],
  };
}
