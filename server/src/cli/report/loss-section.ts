import { say } from '../../util/say.ts';
import { count, grouped, list } from '../../util/words.ts';
import { lossKind, lossFigures, lossTotal, sharedByVictims } from '../../report-model/losses-by.ts';
import type { Loss, Losses } from '../../report-model/loss.ts';
import type { Report } from '../../report-model/report.ts';
import { columnsOf, padEnd, padStart, printable } from '../terminal/text.ts';
import type { Canvas } from './canvas.ts';

/** More rows are counted. */
const mostRows = 16;
const longestName = 28;
const mostDown = 3;
const mostClasses = 3;

/** Who loses pods, in a table: a row for each team, or whatever else it is told by. */
export function lossSection(report: Report, { by, rows }: Losses, canvas: Canvas, hint: string): void {
  const { style } = canvas;
  const shared = sharedByVictims(report, rows, mostClasses);
  if (shared !== '') canvas.text([{ text: shared, paint: style.faint }], '  ');
  const shown = rows.length === mostRows + 1 ? rows : rows.slice(0, mostRows);
  const total = lossTotal(rows);
  const heads = ['ran', 'lost', 'evicted', 'again', 'pending', ...(total.broken.length === 0 ? [] : ['broken'])];
  const figures = (row: Omit<Loss, 'name'>): readonly string[] => lossFigures(row, total);
  const cells = [...shown, total].map(figures);
  const widths = heads.map((head, index) => Math.max(head.length, ...cells.map((row) => columnsOf(row[index]!))));
  const nameOf = ({ name }: Loss): string => (name === '' ? '(none)' : name);
  const head = lossKind(by);
  const sum = count(rows.length, head, head.endsWith('s') ? `${head}es` : `${head}s`);
  const width = Math.min(longestName, Math.max(columnsOf(sum), ...shown.map((row) => columnsOf(nameOf(row)))));
  const line = (name: string, row: readonly string[]): string =>
    `  ${padEnd(name, width)}${row.map((text, index) => `  ${padStart(text, widths[index]!)}`).join('')}  `;
  canvas.line(style.faint(line(head, heads) + 'down'));
  const hanging = ' '.repeat(columnsOf(line('', heads)));
  for (const row of shown) {
    const down = row.down.map((name) => (by === 'namespace' ? name.slice(name.indexOf('/') + 1) : name));
    const values = figures(row);
    canvas.lead(
      line(printable(nameOf(row)), values),
      row.down.length > 0 ? style.bad : (text) => text,
      [{ text: down.length === 0 ? '–' : list(down, mostDown), paint: row.down.length > 0 ? style.bad : style.faint }],
      columnsOf(hanging) + 20 > canvas.columns ? '      ' : hanging,
    );
  }
  const others = rows.slice(shown.length);
  if (others.length > 0) {
    const evicted = others.reduce((all, row) => all + row.evicted, 0);
    canvas.text(
      [{ text: say`${grouped(others.length)} more · ${grouped(evicted)} evicted`, paint: style.faint }],
      '  ',
    );
  }
  canvas.line(
    style.strong(`${line(sum, figures(total))}${total.down.length === 0 ? '–' : count(total.down.length, 'workload')}`),
  );
  if (hint !== '') canvas.text([{ text: hint, paint: style.faint }], '  ');
}
