import { assumedText, totalOf } from '../../contract/assumed.ts';
import { answerLineLimit, type AnswerGroup, type AnswerLine, restText } from '../../contract/answer.ts';
import type { Remedy } from '../../contract/remedy.ts';
import type { Report } from '../../contract/report.ts';
import type { Style } from '../terminal/style.ts';
import { columnsOf } from '../terminal/text.ts';
import type { Canvas } from './canvas.ts';

const titles: Readonly<Record<AnswerGroup['kind'], string>> = {
  evicted: 'Evicted',
  blocked: 'Blocked',
  failed: 'Failed',
  races: 'Races',
  pending: 'Pending',
  gated: 'Gated',
  refused: 'Refused',
  scheduled: 'Scheduled',
  moved: 'Moved',
};

/** Names longer than this do not push the rest of their line aside. */
const nameColumns = 28;

/** The headline and its cause. */
export function headlineSection({ answer }: Report, canvas: Canvas): void {
  canvas.text([{ text: answer.headline, paint: canvas.style.strong }], '');
  if (answer.cause !== '') canvas.text([{ text: answer.cause }], '');
}

/** That nodes are assumed. */
export function assumedSection(report: Report, canvas: Canvas): void {
  const text = assumedText(report);
  if (text !== '') canvas.text([{ text, paint: canvas.style.warning }], '');
}

/** What an answer lacks is told with the reason, where that is short. */
const longestWhy = 180;

/** What the answer lacks: a line for each reason, and of many how many more there are. */
export function missingSection({ assumptions }: Report, canvas: Canvas, atMost: number): void {
  const missing = assumptions.filter(({ mark }) => mark === '!');
  const paint = canvas.style.bad;
  const left = missing.length - atMost;
  for (const [index, { text: what, detail }] of missing.slice(0, atMost).entries()) {
    const why = `${what}. ${detail}`;
    const text = detail !== '' && why.length <= longestWhy ? why : what;
    const more = left > 0 && index === atMost - 1 ? `; and ${left} more, see --show assumptions` : '';
    canvas.text([{ text: `! ${text}${more}`, paint }], '');
  }
}

/** The balance in one line. */
export function balanceSection({ answer }: Report, canvas: Canvas): void {
  if (answer.balanceText.length > 0) {
    canvas.text([{ text: answer.balanceText.map((each) => `${each}.`).join('  ') }], '');
  }
}

/** Who is hurt, what waits and why, who lands where: a line or two each. */
export function answerSection({ answer, nodes, remedies }: Report, canvas: Canvas, limits: LineLimits): void {
  for (const group of answer.groups) {
    canvas.heading(`${titles[group.kind]} ${totalOf(group, nodes)}`);
    const shown = group.lines.slice(0, limits[group.kind]);
    const width = Math.min(nameColumns, Math.max(...shown.map(({ name }) => columnsOf(name))));
    const counts = Math.max(...shown.map(({ count }) => columnsOf(count)));
    for (const line of shown) drawLine(line, { width, counts }, canvas);
    const rest = restText(group.lines, shown.length);
    if (rest !== '') canvas.text([{ text: rest, paint: canvas.style.faint }], '  ');
    for (const remedy of remedies ?? []) {
      if (remedy.group === group.kind) drawRemedy(remedy, group, canvas);
    }
  }
  if (answer.names !== '') canvas.text([{ text: answer.names, paint: canvas.style.faint }], '');
}

/** How many lines of each group are drawn. */
export type LineLimits = Readonly<Record<AnswerGroup['kind'], number>>;

const leastFirst = [
  'moved',
  'scheduled',
  'gated',
  'refused',
  'races',
  'pending',
  'failed',
  'blocked',
  'evicted',
] as const satisfies readonly AnswerGroup['kind'][];

/** From all that the design allows to one of each, the least important cut first. */
export function* everShorter(): Generator<LineLimits, void> {
  const limits = Object.fromEntries(Object.keys(titles).map((kind) => [kind, answerLineLimit])) as Record<
    AnswerGroup['kind'],
    number
  >;
  yield { ...limits };
  for (const least of [3, 2, 1]) {
    for (const kind of leastFirst) {
      while (limits[kind] > least) {
        limits[kind] -= 1;
        yield { ...limits };
      }
    }
  }
}

/** Columns before the effect of a remedy. */
const commandColumns = 58;

/** What would help, as it is typed, and what the engine says comes of it. */
function drawRemedy({ whatIf, line, effect }: Remedy, { lines }: AnswerGroup, canvas: Canvas): void {
  const about = line === null ? '' : `${lines[line]?.name ?? ''}: `;
  const { style } = canvas;
  if (whatIf.length === 0) {
    canvas.text([{ text: `→ ${about}${effect}`, paint: style.faint }], '    ', '      ');
    return;
  }
  const command = whatIf.map((text) => `--what-if ${shellWord(text)}`).join(' ');
  const lead = `    → ${command}`;
  canvas.lead(
    `${lead}${' '.repeat(Math.max(2, commandColumns - columnsOf(lead)))}`,
    style.strong,
    [{ text: `${about}${effect}` }],
    ' '.repeat(8),
  );
}

/** A word that a shell reads as it stands. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const paintOf = (sign: AnswerLine['sign'], style: Style) =>
  sign === '−' || sign === '×' ? style.bad : sign === '+' ? style.good : sign === '○' ? style.warning : style.faint;

function drawLine(
  line: AnswerLine,
  { width, counts }: { readonly width: number; readonly counts: number },
  canvas: Canvas,
): void {
  const { style } = canvas;
  const hanging = ' '.repeat(width + counts + 8);
  const pad = (text: string, columns: number) => `${text}${' '.repeat(Math.max(0, columns - columnsOf(text)))}`;
  const lead = `  ${line.sign} ${pad(line.name, width)}  ${pad(line.count, counts)}  `;
  const marks = line.marks.map((mark) => mark.toUpperCase()).join(' · ');
  const details = line.details.filter((text) => text !== '').join(' · ');
  canvas.lead(
    lead,
    paintOf(line.sign, style),
    [
      ...(marks === '' ? [] : [{ text: marks, paint: style.bad }, { text: details === '' ? '' : ' · ' }]),
      { text: details },
    ],
    hanging,
  );
  if (line.then !== '') canvas.text([{ text: line.then, paint: style.faint }], hanging);
}
