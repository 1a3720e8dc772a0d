import { grouped } from '../../../../server/src/util/words.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import type { Selection, Sort } from './view-state.ts';

/** A column of a table over rows of one kind. */
export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** Least width in pixels at the usual font size, and its share of what is left over. */
  readonly min: number;
  readonly grow: number;
  readonly numeric?: boolean;
  text(row: Row): string;
  /** The same name in short, for the eye; it is cut in the middle where there is no room for it. */
  short?(row: Row): string;
  /** What to sort by; the text when absent. */
  sortBy?(row: Row): number | string;
  /** A class for cells that carry a judgement. */
  tone?(row: Row): 'good' | 'bad' | 'warning' | 'muted' | '';
}

/** A table: its rows are indices into a list of the report. */
export interface TableModel {
  readonly name: string;
  readonly label: string;
  readonly rows: readonly number[];
  readonly columns: readonly Column<number>[];
  /** What a row stands for. */
  selectionOf(row: number): Selection;
  /** What to say when there are no rows. */
  readonly empty: string;
  /** The column that settled the matter. */
  readonly marked?: string | null;
  /** Rows that won. */
  isChosen?(row: number): boolean;
}

/** A column of figures: aligned, and sorted by their values. They are counts when nothing else is said. */
export function figures<Row>(
  column: Pick<Column<Row>, 'id' | 'label' | 'min' | 'grow' | 'tone'>,
  value: (row: Row) => number,
  text = (row: Row): string => grouped(value(row)),
): Column<Row> {
  return { ...column, numeric: true, text, sortBy: value };
}

const collator = new Intl.Collator('en', { numeric: true });

/** Rows in the order of a column; equal rows keep their order. An unknown column leaves the rows as they are. */
export function sortRows(table: TableModel, sort: Sort | undefined): readonly number[] {
  const column = table.columns.find(({ id }) => id === sort?.column);
  if (sort === undefined || column === undefined) {
    return table.rows;
  }
  const keyed = table.rows.map((row) => ({ row, key: column.sortBy?.(row) ?? column.text(row) }));
  const sign = sort.descending ? -1 : 1;
  keyed.sort((left, right) => sign * compareKeys(left.key, right.key));
  return keyed.map(({ row }) => row);
}

function compareKeys(left: number | string, right: number | string): number {
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : collator.compare(String(left), String(right));
}

export function nameOfNode(report: Report, node: number | null): string {
  return node === null ? '–' : (report.nodes[node]?.name ?? '–');
}
