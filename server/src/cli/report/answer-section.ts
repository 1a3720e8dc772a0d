import { assumedText, snapshotOffer, totalOf } from '../../report-model/assumed.ts';
import {
  type Answer,
  answerLineLimit,
  type AnswerGroup,
  type AnswerLine,
  foldedRemedies,
  restText,
} from '../../report-model/answer.ts';
import { type Remedy, remedyLine } from '../../report-model/remedy.ts';
import type { Report } from '../../report-model/report.ts';
import type { Style } from '../terminal/style.ts';
import { withWhatIfs } from '../../report-model/command-text.ts';
import { columnsOf, padEnd, printable } from '../terminal/text.ts';
import type { Canvas } from './canvas.ts';
import { lossKeys } from '../../report-model/loss.ts';
import { lossKind, lossLabels } from '../../report-model/losses-by.ts';
import { lossSection } from './loss-section.ts';
import { list } from '../../util/words.ts';

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
  idle: 'No pods',
};

/** Names longer than this do not push the rest of their line aside. */
const nameColumns = 28;

/** The headline and its cause; of a change, what it does and what comes of it. */
export function headlineSection({ answer, comparison }: Report, canvas: Canvas): void {
  canvas.text([{ text: answer.headline, paint: canvas.style.strong }], '');
  if (comparison !== null && comparison.outcome !== '') canvas.text([{ text: comparison.outcome }], '');
  if (answer.cause !== '') canvas.text([{ text: answer.cause }], '');
}

/** That nodes are assumed. */
export function assumedSection(report: Report, canvas: Canvas): void {
  const text = assumedText(report);
  if (text === '') return;
  canvas.text([{ text, paint: canvas.style.warning }], '');
  if (canvas.more('') !== '') canvas.text([{ text: snapshotOffer, paint: canvas.style.faint }], '');
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
    const isLast = left > 0 && index === atMost - 1;
    const shown = isLast ? `${text.replace(/\.$/, '')}; and ${left} more${canvas.more('assumptions')}` : text;
    canvas.text([{ text: `! ${shown}`, paint }], '');
  }
}

/** The balance in one line. */
export function balanceSection({ answer }: Report, canvas: Canvas): void {
  if (answer.balanceText.length > 0) {
    canvas.text([{ text: answer.balanceText.map((each) => `${each}.`).join('  ') }], '');
  }
}

/** What would help against the first things that are wrong, where the lines of the answer are folded. */
export function helpSection(
  report: Report,
  canvas: Canvas,
  command: string | undefined,
  others: readonly AnswerGroup['kind'][],
): void {
  const { answer, remedies, comparison } = report;
  const folded = foldedRemedies(answer, remedies ?? [], comparison, others);
  const group = answer.groups.find(({ kind }) => kind === folded[0]?.group);
  const helps = folded.filter((remedy) => remedy.group === group?.kind);
  if (group === undefined || helps.every(({ whatIf }) => whatIf.length === 0)) return;
  canvas.heading('What would help');
  for (const remedy of firstOfEach(helps, 2)) drawRemedy(remedy, group, canvas, command);
}

/** Who is hurt, what waits and why, who lands where: a line or two each. */
export function answerSection(
  report: Report,
  canvas: Canvas,
  cuts: AnswerCuts,
  command: string | undefined,
  only?: readonly AnswerGroup['kind'][],
): void {
  const { answer, comparison, losses, nodes, remedies } = report;
  // Where nothing was wrong before, the headline of the comparison says it all.
  const wasWrong = comparison !== null && comparison.before.evicted + comparison.before.pending > 0;
  if (wasWrong && only === undefined && comparison.whole !== answer.headline) {
    canvas.line('');
    canvas.text([{ text: comparison.whole, paint: canvas.style.strong }], '');
  }
  const groups = answer.groups.filter(({ kind }) => only?.includes(kind) ?? true);
  for (const group of groups) {
    const shown = shownLines(group, cuts.lines[group.kind]);
    const rest = shown.length === 0 ? namesOrRest(group) : restText(group.lines, shown.length);
    const heading = `${titles[group.kind]} ${totalOf(group, nodes)}`;
    const helps = (remedies ?? []).filter((remedy) => remedy.group === group.kind);
    if (group.kind === 'evicted' && losses !== undefined && cuts.lines.evicted < Infinity) {
      canvas.heading(heading, `by ${lossKind(losses.by)}`);
      for (const remedy of firstOfEach(helps, cuts.remedies)) drawRemedy(remedy, group, canvas, command);
      const others = [...lossKeys, ...lossLabels(report).slice(0, 1)].filter((each) => each !== losses.by);
      lossSection(
        report,
        losses,
        canvas,
        command === undefined ? '' : `or --by ${others.join(', ')}; a line each: --show pods`,
      );
      continue;
    }
    canvas.heading(heading, shown.length === 0 ? rest : '');
    const width = Math.min(nameColumns, Math.max(0, ...shown.map(({ name }) => columnsOf(name))));
    const counts = Math.max(0, ...shown.map(({ count }) => columnsOf(count)));
    const hidesWhy = calm.some((each) => each === group.kind) && !cuts.whyScheduled;
    for (const line of shown) drawLine(hidesWhy ? { ...line, then: '' } : line, { width, counts }, canvas);
    if (rest !== '' && shown.length > 0) canvas.text([{ text: rest, paint: canvas.style.faint }], '  ');
    for (const remedy of firstOfEach(helps, cuts.remedies)) drawRemedy(remedy, group, canvas, command);
  }
  if (answer.names !== '' && groups.length > 0) canvas.text([{ text: answer.names, paint: canvas.style.faint }], '');
}

/** So few are named where no line has room. */
const mostNames = 3;

function namesOrRest({ lines }: AnswerGroup): string {
  return lines.length <= mostNames ? list(lines.map(({ name }) => name)) : restText(lines, 0);
}

/** The first lines of a group. A single one more takes no more room than saying that there is one. */
function shownLines({ lines }: AnswerGroup, atMost: number): readonly AnswerLine[] {
  return atMost > 0 && lines.length === atMost + 1 ? lines : lines.slice(0, atMost);
}

/** So many remedies of each line, and of those that are for all lines. */
function firstOfEach(remedies: readonly Remedy[], atMost: number): readonly Remedy[] {
  return remedies.filter(
    (remedy, index) => remedies.slice(0, index).filter(({ line }) => line === remedy.line).length < atMost,
  );
}

/** What is drawn of an answer. */
export interface AnswerCuts {
  /** Lines of a group of each kind. */
  readonly lines: Readonly<Record<AnswerGroup['kind'], number>>;
  /** Of each line that has its own, and of those that are for all lines of a group. */
  readonly remedies: number;
  /** Whether lines of pods that are scheduled or moved say why they are where they are. */
  readonly whyScheduled: boolean;
}

const linesOfEach = (atMost: number): AnswerCuts['lines'] => ({
  evicted: atMost,
  blocked: atMost,
  failed: atMost,
  races: atMost,
  pending: atMost,
  gated: atMost,
  refused: atMost,
  scheduled: atMost,
  moved: atMost,
  idle: atMost,
});

export const wholeAnswer: AnswerCuts = { lines: linesOfEach(Infinity), remedies: Infinity, whyScheduled: true };

/** Groups in which nobody is hurt, what its readers miss least first. They may come down to a number of pods. */
const calm = ['scheduled', 'moved', 'idle'] as const satisfies readonly AnswerGroup['kind'][];

/** So many evicted pods have a line each, if each is of another workload. */
const fewEvicted = 10;

/**
 * Ever shorter forms of an answer. What its readers miss least is cut first: why pods were scheduled where they are,
 * who is scheduled, who moved. Who is evicted and what does not run is never cut below
 * `answerLineLimit`.
 */
export function* shorterAnswers({ groups }: Answer): Generator<AnswerCuts, void> {
  const evicted = groups.find(({ kind }) => kind === 'evicted')?.pods ?? 0;
  const lines = linesOfEach(answerLineLimit);
  let cuts: AnswerCuts = {
    ...wholeAnswer,
    lines: evicted <= fewEvicted ? { ...lines, evicted: fewEvicted } : lines,
  };
  yield cuts;
  yield (cuts = { ...cuts, whyScheduled: false });
  for (const kind of calm) {
    for (let atMost = answerLineLimit - 1; atMost >= 0; atMost--) {
      yield (cuts = { ...cuts, lines: { ...cuts.lines, [kind]: atMost } });
    }
  }
}

/** What would help, as a command that can be copied, and what the engine says comes of it. */
function drawRemedy(
  { whatIf, line, effect }: Remedy,
  { lines }: AnswerGroup,
  canvas: Canvas,
  command: string | undefined,
): void {
  const name = remedyLine(lines, line);
  const about = name === '' ? '' : `${name}: `;
  const { style } = canvas;
  if (whatIf.length === 0) {
    canvas.text([{ text: `→ ${about}${effect}`, paint: style.faint }], '    ', '      ');
    return;
  }
  const typed = command === undefined ? `whatIf: ${whatIf.join('; ')}` : withWhatIfs(command, whatIf);
  canvas.text([{ text: `→ ${about}${effect}` }], '    ', '      ');
  canvas.line(`      ${style.strong(printable(typed))}`);
}

const paintOf = (sign: AnswerLine['sign'], style: Style) =>
  sign === '−' || sign === '×' ? style.bad : sign === '+' ? style.good : sign === '○' ? style.warning : style.faint;

/** From so many columns on, what is said of a line stands below itself, right of the names. */
const columnsForHanging = 100;

function drawLine(
  line: AnswerLine,
  { width, counts }: { readonly width: number; readonly counts: number },
  canvas: Canvas,
): void {
  const { style } = canvas;
  const hanging = ' '.repeat(canvas.columns < columnsForHanging ? 6 : width + counts + 8);
  const lead = `  ${line.sign} ${padEnd(line.name, width)}  ${padEnd(line.count, counts)}  `;
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
