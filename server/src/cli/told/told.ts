import { escapeMarkdown, escapeMarkup, fenced } from '../../kit/markup.ts';
import { applyOperation, type SimulationInput, UnknownObjectError } from '../../simulation/index.ts';
import { happensInRun } from '../../simulation/scenario/operation.ts';
import type { CompiledSelector } from '../../kubernetes/labels.ts';
import { parseSelector } from '../../kubernetes/selector-text.ts';
import type { Tone } from '../../contract/report.ts';
import { oneOf } from '../arguments.ts';
import { type CommandContext, UsageError } from '../command.ts';
import { parseWhatIfs } from '../events.ts';
import { jsonText } from '../terminal/json.ts';
import { terminalStyle } from '../terminal/style.ts';
import { columnsOf, inert, padEnd, padStart, printable, printableLines, wrap } from '../terminal/text.ts';

/** The answer to one question: what a reader has to know first, and why. */
export interface Told {
  /** One sentence. */
  readonly verdict: string;
  readonly tone: ToldTone;
  readonly parts: readonly ToldPart[];
  /** What another program prints, line by line; shown when it is asked for. */
  readonly transcript?: readonly string[];
}

export interface ToldPart {
  /** Empty for lines that need none. */
  readonly title: string;
  readonly tone?: ToldTone | undefined;
  readonly lines: readonly (string | ToldLine)[];
  /** A table, its head first: a number, a name, figures, and a remark. */
  readonly rows?: readonly (readonly string[])[];
}

export type ToldTone = Tone | 'faint';

export interface ToldLine {
  readonly text: string;
  readonly tone: ToldTone;
}

/** Options of every command that answers one question. */
export const toldOptions = {
  format: { type: 'string', default: 'text' },
  show: { type: 'string' },
  'what-if': { type: 'string', multiple: true },
  selector: { type: 'string', short: 'l' },
} as const;

export const toldHelp = `Output:
  --what-if OPERATION          answer after an operation of podium simulate; may be repeated
  --format text|markdown|json|html
                               default text
`;

export type ToldValues = {
  readonly format: string;
  readonly show?: string | undefined;
};

/** Grows when a field changes its meaning or goes. */
const formatVersion = 1;

/** Answers in the form that is asked for. */
export function tell(told: Told, data: object, { format, show }: ToldValues, context: CommandContext): void {
  const form = oneOf('--format', format, ['text', 'markdown', 'json', 'html']);
  if (show !== undefined) oneOf('--show', show, ['transcript', 'all']);
  const json = { version: formatVersion, verdict: told.verdict, ...data };
  context.structured?.(shortened(json));
  const rendered = {
    text: () => inert(toldText(told, show !== undefined, context)),
    markdown: () => inert(printableLines(toldMarkdown(told))),
    json: () => `${jsonText(json)}\n`,
    html: () => toldPage(told),
  };
  context.stdout.write(rendered[form]());
}

/** As many rows of each list as an assistant reads. */
const mostRows = 40;

/** An answer as data, for an assistant, which reads all of what it gets. */
export function shortened(data: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, mostRows) : value]),
  );
}

/** Several answers as one. */
export function together(verdict: string, tone: ToldTone, all: readonly Told[]): Told {
  return {
    verdict,
    tone,
    parts: all.map((told) => ({
      title: told.verdict,
      tone: told.tone,
      lines: told.parts.flatMap(({ title, lines }) => [...(title === '' ? [] : [`${title}:`]), ...lines]),
      ...(told.parts.some(({ rows }) => rows !== undefined)
        ? { rows: told.parts.flatMap(({ rows = [] }) => rows) }
        : {}),
    })),
  };
}

/** The labels of `--selector`. Throws `UsageError`. */
export function selectorOf({ selector: text }: { readonly selector?: string | undefined }): CompiledSelector | null {
  if (text === undefined) return null;
  const selector = parseSelector(text);
  if (selector === null) throw new UsageError(`'${text}' is not a label selector`);
  return selector;
}

/** The cluster after operations. Throws `UsageError`. */
export function withWhatIfs(
  input: SimulationInput,
  texts: readonly string[] | undefined,
  { stderr }: CommandContext,
): SimulationInput {
  let changed = input;
  for (const { operation, text } of parseWhatIfs(texts ?? [])) {
    if (happensInRun(operation)) {
      throw new UsageError(`--what-if: '${text}' takes its time: use podium simulate --event`);
    }
    try {
      const applied = applyOperation(changed, operation);
      if (!applied.changes) stderr.write(`podium: --what-if '${text}': no effect\n`);
      changed = applied.input;
    } catch (error) {
      throw error instanceof UnknownObjectError ? new UsageError(error.of(text).message, true) : error;
    }
  }
  return changed;
}

function toldText({ verdict, tone, parts, transcript = [] }: Told, isWhole: boolean, context: CommandContext): string {
  const { colour, columns, isAssistant } = context;
  const style = terminalStyle(colour);
  const lines: string[] = [];
  const add = (text: string, indent: string, painted: ToldTone): void => {
    const paint = painted === 'plain' ? {} : { paint: style[painted] };
    lines.push(...wrap([{ text: printable(text), ...paint }], columns, indent));
  };
  add(verdict, '', tone === 'plain' ? 'strong' : tone);
  for (const { title, tone: painted = 'strong', lines: told, rows } of parts) {
    if (title !== '') add(title, '', painted);
    for (const line of told) {
      if (typeof line === 'string') add(line, '  ', 'plain');
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
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => columnsOf(row[column] ?? ''))));
  const padded = (cell: string, column: number): string =>
    (isText(column) ? padEnd : padStart)(cell, widths[column] ?? 0);
  return cells.map((row) => row.map(padded).join('  '));
}

/** A table that is wider than a terminal, a line for each row. */
function sentencesOf([head = [], ...rows]: readonly (readonly string[])[]): readonly string[] {
  return rows.map(([number = '', name = '', ...cells]) => {
    const told = cells.flatMap((cell, at) => (cell === '' ? [] : [`${head[at + 2] ?? ''} ${cell}`.trim()]));
    return `${number} ${name}: ${told.join(', ')}`;
  });
}

function toldMarkdown({ verdict, parts, transcript = [] }: Told): string {
  const blocks = [`### ${escapeMarkdown(verdict)}`];
  for (const { title, lines, rows } of parts) {
    if (title !== '') blocks.push(`**${escapeMarkdown(title)}**`);
    if (lines.length > 0) blocks.push(lines.map((line) => `- ${escapeMarkdown(textOf(line))}`).join('\n'));
    if (rows === undefined) continue;
    const [head = [], ...others] = rows.map((row) => `| ${row.map(escapeMarkdown).join(' | ')} |`);
    blocks.push([head, `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...others].join('\n'));
  }
  if (transcript.length > 0) {
    blocks.push(`<details><summary>Transcript</summary>\n\n${fenced(transcript.join('\n'))}\n\n</details>`);
  }
  return `${blocks.join('\n\n')}\n`;
}

/** Nothing is loaded, and nothing runs. */
const pageStyle = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
h1{font-size:1.3rem}h2{font-size:1rem;margin:1.2rem 0 .2rem}ul{margin:0;padding-left:1.2rem}li{overflow-wrap:anywhere}
td,th{text-align:left;padding:0 .8rem .2rem 0}pre{overflow-x:auto}`;

function toldPage({ verdict, parts, transcript = [] }: Told): string {
  const shown = (text: string): string => escapeMarkup(printable(text));
  const sections = parts.map(({ title, lines, rows = [] }) =>
    [
      title === '' ? '' : `<h2>${shown(title)}</h2>`,
      lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${shown(textOf(line))}</li>`).join('\n')}</ul>`,
      rows.length === 0 ? '' : `<table>${rows.map((row, at) => rowOf(row.map(shown), at === 0)).join('\n')}</table>`,
    ].join(''),
  );
  const printed =
    transcript.length === 0
      ? ''
      : `<details><summary>Transcript</summary><pre tabindex="0">${transcript.map(shown).join('\n')}</pre></details>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shown(verdict)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${shown(verdict)}</h1>
${[...sections, printed].join('\n')}
</main>
</body>
</html>
`;
}

function rowOf(cells: readonly string[], isHead: boolean): string {
  const name = isHead ? 'th scope="col"' : 'td';
  return `<tr>${cells.map((cell) => `<${name}>${cell}</${name.slice(0, 2)}>`).join('')}</tr>`;
}

function textOf(line: string | ToldLine): string {
  return typeof line === 'string' ? line : line.text;
}
