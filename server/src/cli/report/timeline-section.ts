import { groupBy } from '../../util/maps.ts';
import { count, momentText } from '../../util/words.ts';
import { padStart } from '../terminal/text.ts';
import type { Report, ReportStay } from '../../report-model/report.ts';
import type { Canvas } from './canvas.ts';
import { podName } from './names.ts';

/** Columns that stand for the whole time. */
const width = 24;
/** More stays than this are told in numbers. */
const longest = 200;

const signs: Readonly<Record<ReportStay['kind'], string>> = { evicted: '−', ended: '·', waits: '○', runs: '+' };
const words: Readonly<Record<ReportStay['kind'], string>> = {
  evicted: 'ends',
  ended: 'ends',
  waits: 'pending',
  runs: 'runs',
};

/** What a scenario asks, and the answers. */
export function questionSection({ questions }: Report, canvas: Canvas, shows: boolean): void {
  if (questions.length === 0) return;
  canvas.heading('Questions', 'of the end');
  for (const { text, answer, isMet, details } of questions) {
    const mark =
      isMet === null
        ? []
        : [isMet ? { text: '✓ ', paint: canvas.style.good } : { text: '✗ ', paint: canvas.style.bad }];
    canvas.text(
      [...mark, { text: `${text}: `, paint: canvas.style.faint }, { text: answer, paint: canvas.style.strong }],
      '  ',
    );
    const most = shows ? details.length : mostDetails;
    for (const line of details.slice(0, most)) canvas.text([{ text: line }], '    ');
    if (details.length > most) {
      canvas.line(
        `    ${canvas.style.faint(`and ${count(details.length - most, 'more line')}${canvas.more('pods')}`)}`,
      );
    }
  }
}

/** Of the answer to a question, where nobody asks for all of it. */
const mostDetails = 3;

/** More events are counted, where nobody asks for the timeline. */
const mostEvents = 8;

/** What was done, and what came of it. */
export function eventSection(
  report: Report,
  canvas: Canvas,
  shown: { readonly all: boolean; readonly transcripts: boolean },
): void {
  const { events: every, comparison } = report;
  // What was changed stands above already.
  const all = comparison === null || shown.all ? every : every.filter(({ told }) => told.length > 0);
  // Of many, those that did not come to what was meant tell most.
  const first = [...all.filter(({ told }) => told.length > 0), ...all.filter(({ told }) => told.length === 0)];
  const most = new Set(first.slice(0, mostEvents));
  const events = shown.all ? all : all.filter((event) => most.has(event));
  if (events.length === 0) return;
  canvas.heading('What is done', 'simulated time');
  const digits = Math.max(...events.map(({ clock }) => momentText(report, clock).length));
  const hanging = ' '.repeat(digits + 4);
  for (const { clock, text, told } of events) {
    canvas.text([{ text, paint: canvas.style.strong }], `  ${padStart(momentText(report, clock), digits)}  `, hanging);
    if (!shown.transcripts) continue;
    for (const line of told) canvas.text([{ text: line, paint: canvas.style.faint }], hanging);
  }
  if (all.length > events.length) {
    canvas.line(
      `  ${canvas.style.faint(`and ${count(all.length - events.length, 'more event')}${canvas.more('timeline')}`)}`,
    );
  }
}

function ofTemplate({ pods }: Report, { pod }: ReportStay): string {
  const template = pods[pod]?.template;
  return template === undefined ? '' : `, ${template} template`;
}

/** Who is where from when to when, node by node; pods that simply go on running are left out. */
export function timelineSection(report: Report, canvas: Canvas): void {
  const { timeline, nodes } = report;
  if (timeline.length === 0) return;
  const end = Math.max(1, ...timeline.map((stay) => stay.end));
  // At the last moment something else begins for these.
  const changed = new Set(timeline.filter(({ start }) => start === end).map(({ pod }) => pod));
  const ends = timeline.some(({ kind }) => kind === 'ended');
  const marks = ['− evicted', ...(ends ? ['· ends'] : []), '○ pending', '+ runs'];
  canvas.heading(
    'Timeline',
    `${report.clockStart === undefined ? 0 : momentText(report, 0)} to ${momentText(report, end)}; ${marks.join(', ')}`,
  );
  const lanes = groupBy(timeline.slice(0, longest), (stay) => stay.node);
  for (const [node, stays] of lanes) {
    canvas.line(`  ${canvas.style.strong(node === null ? 'without a node' : (nodes[node]?.name ?? ''))}`);
    for (const stay of stays) {
      const from = Math.min(width - 1, Math.floor((stay.start / end) * width));
      const length = Math.max(1, Math.round(((stay.end - stay.start) / end) * width));
      const bar = `${' '.repeat(from)}${signs[stay.kind].repeat(Math.min(length, width - from))}`.padEnd(width);
      const { bad: evicted, faint: ended, warning: waits, good: runs } = canvas.style;
      const paint = { evicted, ended, waits, runs }[stay.kind];
      const goesOn = stay.end === end && (stay.start === end || (stay.kind === 'runs' && !changed.has(stay.pod)));
      const when = goesOn
        ? `from ${momentText(report, stay.start)}`
        : `${momentText(report, stay.start)} to ${momentText(report, stay.end)}`;
      canvas.lead(
        `    ${bar}  `,
        paint,
        [{ text: `${podName(report, stay.pod)} ${words[stay.kind]} ${when}${ofTemplate(report, stay)}` }],
        ' '.repeat(width + 6),
      );
    }
  }
  if (timeline.length > longest) canvas.line(`  and ${count(timeline.length - longest, 'more line')}`);
}
