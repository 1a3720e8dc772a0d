import { greatest } from '../../util/extremes.ts';
import { isCompared } from '../../util/minors.ts';
import type { Style } from '../terminal/style.ts';
import { count, momentText } from '../../util/words.ts';
import { padStart, type Span } from '../terminal/text.ts';
import { type Canvas, canvasFor } from './canvas.ts';
import { type Answer, besideChange } from '../../report-model/answer.ts';
import { dependsOn, mostMissing } from '../../report-model/assumed.ts';
import { isUnchanged } from '../../report-model/unchanged.ts';
import type { WholeReport, ReportDecision, ReportStep } from '../../report-model/report.ts';
import { stepWords } from '../../report-model/step-words.ts';
import {
  answerSection,
  assumedSection,
  balanceSection,
  headlineSection,
  helpSection,
  type AnswerCuts,
  missingSection,
  shorterAnswers,
  wholeAnswer,
} from './answer-section.ts';
import { capacitySection } from './capacity-section.ts';
import { displayPath } from '../display-path.ts';
import { allOfChange, changeLimits, type ChangeLimits, changeSection, type Placed } from './change-section.ts';
import { nodeSection } from './node-section.ts';
import { podName, rankOf } from './names.ts';
import { eventSection, questionSection, timelineSection } from './timeline-section.ts';
import { victimSection } from './victim-section.ts';

/** Sections beyond the answer, in the order in which they are printed. */
export const sections = [
  'answer',
  'nodes',
  'steps',
  'timeline',
  'pods',
  'decisions',
  'capacity',
  'assumptions',
] as const;
export type Section = (typeof sections)[number];

export interface TableOptions {
  /** Width of the terminal. Lines are cut to 60 to 120 columns, names are never cut. */
  readonly columns: number;
  readonly colour: boolean;
  /** What was typed, for commands that go on from it; left out for a tool, which takes operations as parameters. */
  readonly command?: string;
  /** What is printed besides the answer; of a comparison, the answer as well. */
  readonly show?: ReadonlySet<Section>;
  /** Paths are written relative to it. */
  readonly cwd: string;
}

/** The report as text for a terminal: the answer, and what else is asked for. It ends with a line break. */
export function renderTable(report: WholeReport, options: TableOptions): string {
  const show = options.show ?? new Set<Section>();
  if (show.size === 0 && isUnchanged(report)) return `${report.answer.headline}\n`;
  const { canvas, lines } = canvasFor(options);
  const isSame = isUnchanged(report) && !show.has('answer');
  if (isSame) canvas.text([{ text: report.answer.headline, paint: canvas.style.strong }], '');
  for (const cuts of isSame ? [] : show.has('pods') ? [uncut] : everShorter(report.answer)) {
    lines.length = 0;
    drawAnswer(report, canvas, show.has('timeline') ? { ...cuts, transcripts: true } : cuts, options);
    if (lines.length <= tableLines - footLines) break;
  }
  for (const section of sections) if (section !== 'answer' && show.has(section)) draw[section](report, canvas);
  footSection(report, canvas, show, options.command !== undefined);
  return `${lines.join('\n')}\n`;
}

/** Everything stands within so many lines, where nothing is hidden for it that a reader has to know. */
const tableLines = 60;
const footLines = 2;

/** How much is drawn. */
interface Cuts {
  readonly answer: AnswerCuts;
  /** Whether it is told what came of each event. */
  readonly transcripts: boolean;
  readonly change: ChangeLimits;
}

const uncut: Cuts = { answer: wholeAnswer, transcripts: true, change: allOfChange };

/** Ever shorter forms, what readers miss least cut first. */
function* everShorter(answer: Answer): Generator<Cuts, void> {
  let cuts: Cuts = { ...uncut, change: changeLimits[0] };
  for (const each of shorterAnswers(answer)) yield (cuts = { ...cuts, answer: each });
  yield (cuts = { ...cuts, transcripts: false });
  yield (cuts = { ...cuts, answer: { ...cuts.answer, remedies: 1 } });
  for (const change of changeLimits) yield { ...cuts, change };
}

function drawAnswer(report: WholeReport, canvas: Canvas, cuts: Cuts, { show, command, cwd }: TableOptions): void {
  const placed: Placed = ({ uri, range }) => `${displayPath(uri, cwd)}:${range.start.line + 1}`;
  headlineSection(report, canvas);
  assumedSection(report, canvas);
  const { comparison } = report;
  // A comparison is about the change: in its headline stands that something is not seen, and at its end what.
  if (comparison === null) missingSection(report, canvas, mostMissing);
  changeSection(report, canvas, cuts.change, placed);
  if (comparison !== null && show?.has('answer') !== true) {
    const shown = besideChange(comparison.before, report.answer.balance);
    helpSection(report, canvas, command, shown);
    answerSection(report, canvas, cuts.answer, command, shown);
    if (report.questions.length === 0 && report.events.every(({ told }) => told.length === 0)) canvas.line('');
  } else {
    answerSection(report, canvas, cuts.answer, command);
    canvas.line('');
    balanceSection(report, canvas);
  }
  questionSection(report, canvas, show?.has('pods') ?? false);
  eventSection(report, canvas, { all: show?.has('timeline') ?? false, transcripts: cuts.transcripts });
  if (comparison === null || report.assumptions.every(({ mark }) => mark !== '!')) return;
  canvas.line('');
  missingSection(report, canvas, mostMissing);
}

/** Headline, cause and balance: three lines, and one more where something is missing. */
export function renderSummary(report: WholeReport, options: TableOptions): string {
  const { canvas, lines } = canvasFor({ ...options, columns: Number.MAX_SAFE_INTEGER });
  headlineSection(report, canvas);
  missingSection(report, canvas, 1);
  if (report.comparison === null) balanceSection(report, canvas);
  return `${lines.join('\n')}\n`;
}

const draw: Readonly<Record<Exclude<Section, 'answer'>, (report: WholeReport, canvas: Canvas) => void>> = {
  nodes: nodeSection,
  steps: stepSection,
  timeline: timelineSection,
  pods: victimSection,
  decisions: pendingSection,
  capacity: capacitySection,
  assumptions: assumptionSection,
};

/** What the answer rests on, counted, and how to see more. */
function footSection(report: WholeReport, canvas: Canvas, show: ReadonlySet<Section>, isTyped: boolean): void {
  const caveat = isCompared(report.kubernetes) ? '' : ', as published; not yet compared with a running scheduler';
  const more = sections.filter((section) => !show.has(section) && (section !== 'answer' || report.comparison !== null));
  canvas.text(
    [
      {
        text: `Kubernetes ${report.kubernetes}${caveat}. ${dependsOn(report.assumptions)}.${more.length === 0 || !isTyped ? '' : ` More: --show ${more.join(',')}.`}`,
        paint: canvas.style.faint,
      },
    ],
    '',
  );
}

function stepSection(report: WholeReport, canvas: Canvas): void {
  if (report.steps.length === 0) return;
  canvas.heading('What happens', 'simulated time');
  const width = greatest(report.steps.map((step) => momentText(report, step.clock).length));
  const hanging = ' '.repeat(width + 4);
  const stillPending = new Set(report.pending.map(({ pod }) => pod));
  for (const step of report.steps) {
    canvas.text(
      stepSpans(report, step, canvas.style),
      `  ${padStart(momentText(report, step.clock), width)}  `,
      hanging,
    );
    // Why a pod waits to the end is told once, below.
    const isReported = step.kind === 'pending' && stillPending.has(step.pod);
    if (step.note !== '' && !isReported) canvas.text([{ text: step.note, paint: canvas.style.faint }], hanging);
    const decision = step.decision === null ? undefined : report.decisions[step.decision];
    if (step.victims.length > 0 && decision !== undefined && decision.why !== '') {
      canvas.text([{ text: decision.why, paint: canvas.style.faint }], hanging);
    }
  }
}

function stepSpans(report: WholeReport, step: ReportStep, style: Style): Span[] {
  if (step.kind === 'gone') {
    const gone = step.victims.length > 0 ? step.victims : [step.pod];
    return [
      { text: gone.map((pod) => podName(report, pod)).join(', '), paint: style.faint },
      { text: ` ${stepWords(report, step)}` },
    ];
  }
  const paint = {
    scheduled: style.good,
    nominated: style.warning,
    pending: style.bad,
    cleared: style.warning,
    deleted: style.warning,
    rejected: style.bad,
    gated: style.faint,
    'not-modelled': style.faint,
  }[step.kind];
  return [
    { text: podName(report, step.pod), paint: style.strong },
    { text: ' ' },
    { text: stepWords(report, step), paint },
  ];
}

function pendingSection(report: WholeReport, canvas: Canvas): void {
  const others = report.pods.flatMap(({ after }, index) =>
    after.state === 'rejected' || after.state === 'gated' ? [index] : [],
  );
  const waiting = [...report.pending.map(({ pod }) => pod), ...others].map((pod) => ({
    pod,
    decision: report.decisions[report.pods[pod]?.decision ?? -1],
  }));
  if (waiting.length === 0) return;
  canvas.heading('What does not run, and why', count(waiting.length, 'pod'));
  for (const entry of groupByAnswer(waiting)) {
    for (const pod of entry.pods) {
      canvas.text(
        [
          { text: podName(report, pod), paint: canvas.style.strong },
          {
            text: ` (${rankOf(report, pod)}${report.pods[pod]?.preemptionPolicy === 'Never' ? ', never preempts' : ''})`,
            paint: canvas.style.faint,
          },
        ],
        '  ',
        '    ',
      );
    }
    if (entry.decision === undefined) continue;
    canvas.text(
      [
        {
          text: entry.decision.message,
          paint: entry.decision.kind === 'gated' ? canvas.style.faint : canvas.style.warning,
        },
      ],
      '    ',
    );
    for (const help of entry.decision.wouldHelp) {
      canvas.text([{ text: 'would help:', paint: canvas.style.faint }, { text: ` ${help}` }], '    ', '      ');
    }
  }
}

interface Waiting {
  readonly pod: number;
  readonly decision: ReportDecision | undefined;
}

/** Replicas that wait for the same reason are told once. */
function groupByAnswer(waiting: readonly Waiting[]): { pods: number[]; decision: ReportDecision | undefined }[] {
  const groups = new Map<string, { pods: number[]; decision: ReportDecision | undefined }>();
  for (const { pod, decision } of waiting) {
    const key = decision === undefined ? `pod ${pod}` : `${decision.message}\n${decision.wouldHelp.join('\n')}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { pods: [pod], decision });
    else group.pods.push(pod);
  }
  return [...groups.values()];
}

function assumptionSection(report: WholeReport, canvas: Canvas): void {
  canvas.heading(
    'What this depends on',
    report.assumptions.some(({ mark }) => mark === '!')
      ? '= known  ≥ ≤ bounds  ? assumed  ! missing'
      : '= known  ≥ ≤ bounds  ? assumed',
  );
  for (const assumption of report.assumptions) {
    const { mark, text } = assumption;
    const isMissing = mark === '!';
    const paint = isMissing ? canvas.style.bad : canvas.style.strong;
    canvas.text([{ text: mark, paint }, isMissing ? { text: ` ${text}`, paint } : { text: ` ${text}` }], '  ', '    ');
  }
}
