import { answerLineLimit, type AnswerGroup, type AnswerLine } from '../../contract/answer.ts';
import type { Report } from '../../contract/report.ts';
import type { Style } from '../terminal/style.ts';
import { columnsOf } from '../terminal/text.ts';
import type { Canvas } from './canvas.ts';

const titles: Readonly<Record<AnswerGroup['kind'], string>> = {
  evicted: 'Evicted',
  pending: 'Pending',
  gated: 'Gated',
  refused: 'Refused',
  scheduled: 'Scheduled',
};

/** Names longer than this do not push the rest of their line aside. */
const nameColumns = 28;

/** The headline and its cause. */
export function headlineSection({ answer, assumptions }: Report, canvas: Canvas): void {
  canvas.text([{ text: answer.headline, paint: canvas.style.strong }], '');
  if (answer.cause !== '') canvas.text([{ text: answer.cause }], '');
  for (const { mark, text } of assumptions) {
    if (mark === '!') canvas.text([{ text: `! ${text}`, paint: canvas.style.bad }], '');
  }
}

/** The balance in one line. */
export function balanceSection({ answer }: Report, canvas: Canvas): void {
  if (answer.balanceText.length > 0) {
    canvas.text([{ text: answer.balanceText.map((each) => `${each}.`).join('  ') }], '');
  }
}

/** Who is hurt, what waits and why, who lands where: a line or two each. */
export function answerSection({ answer }: Report, canvas: Canvas, all: boolean): void {
  for (const group of answer.groups) {
    canvas.heading(`${titles[group.kind]} ${group.pods}`);
    const shown = all ? group.lines : group.lines.slice(0, answerLineLimit);
    const width = Math.min(nameColumns, Math.max(...shown.map(({ name }) => columnsOf(name))));
    const counts = Math.max(...shown.map(({ count }) => columnsOf(count)));
    for (const line of shown) drawLine(line, { width, counts }, canvas);
    if (shown.length < group.lines.length) canvas.text([{ text: group.rest, paint: canvas.style.faint }], '  ');
  }
  if (answer.names !== '') canvas.text([{ text: answer.names, paint: canvas.style.faint }], '');
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
