import { greatest } from '../../util/extremes.ts';
import type { CommandContext } from '../command.ts';
import { terminalStyle } from '../terminal/style.ts';
import { columnsOf, padEnd, padStart, printable, wrap } from '../terminal/text.ts';
import type { AnswerTone, CommandAnswer } from './answer.ts';

export function answerText(
  { verdict, tone, parts, transcript = [] }: CommandAnswer,
  isWhole: boolean,
  context: CommandContext,
): string {
  const { colour, columns, isAssistant } = context;
  const style = terminalStyle(colour);
  const lines: string[] = [];
  const add = (text: string, indent: string, painted: AnswerTone): void => {
    const paint = painted === 'plain' ? {} : { paint: style[painted] };
    lines.push(...wrap([{ text: printable(text), ...paint }], columns, indent));
  };
  add(verdict, '', tone === 'plain' ? 'strong' : tone);
  for (const { title, tone: painted = 'strong', lines: all, rows } of parts) {
    if (title !== '') add(title, '', painted);
    for (const line of all) {
      if (typeof line === 'string') add(line, '  ', 'plain');
      else if (line.isCommand === true) lines.push(`    ${style.strong(printable(line.text))}`);
      else add(line.text, '  ', line.tone);
    }
    const table = rows === undefined ? [] : tableOf(rows).map((row) => `  ${row}`.trimEnd());
    if (table.every((row) => columnsOf(row) <= columns)) lines.push(...table);
    else for (const text of sentencesOf(rows ?? [])) add(text, '  ', 'plain');
  }
  if (isWhole && transcript.length > 0) lines.push('', ...transcript.map((line) => printable(line)));
  else if (transcript.length > 0 && isAssistant !== true) lines.push(style.faint('More: --show transcript'));
  return `${lines.join('\n')}\n`;
}

/** Columns of equal width; figures stand at their right end. */
function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const isText = (column: number): boolean => column === 1 || column === (rows[0]?.length ?? 0) - 1;
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) => greatest(cells.map((row) => columnsOf(row[column] ?? ''))));
  const padded = (cell: string, column: number): string =>
    (isText(column) ? padEnd : padStart)(cell, widths[column] ?? 0);
  return cells.map((row) => row.map(padded).join('  '));
}

/** A table that is wider than a terminal, a line for each row. */
function sentencesOf([head = [], ...rows]: readonly (readonly string[])[]): readonly string[] {
  return rows.map(([number = '', name = '', ...cells]) => {
    const lines = cells.flatMap((cell, at) => (cell === '' ? [] : [`${head[at + 2] ?? ''} ${cell}`.trim()]));
    return `${number} ${name}: ${lines.join(', ')}`;
  });
}
