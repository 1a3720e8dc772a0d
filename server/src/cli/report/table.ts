import { count } from '../terminal/figures.ts';
import { terminalStyle, type Style } from '../terminal/style.ts';
import { columnsOf, padStart, printable, wrap, type Span } from '../terminal/text.ts';
import type { Report, ReportDecision, ReportStep } from '../../contract/report.ts';
import { changeSection } from './change-section.ts';
import { nodeSection } from './node-section.ts';
import { podName, rankOf, scenarioTitle } from './names.ts';
import { victimSection } from './victim-section.ts';

export interface TableOptions {
  /** Width of the terminal. Lines are cut to 60 to 120 columns, names are never cut. */
  readonly columns: number;
  readonly colour: boolean;
}

/** What each section of the table is drawn with. */
export interface Canvas {
  readonly columns: number;
  readonly style: Style;
  line(text?: string): void;
  /** Running text, broken to the width. */
  text(spans: readonly Span[], indent: string, hanging?: string): void;
  heading(title: string, note?: string): void;
}

/** The report as text for a terminal. It ends with a line break. */
export function renderTable(report: Report, options: TableOptions): string {
  const lines: string[] = [];
  const style = terminalStyle(options.colour);
  const columns = Math.min(120, Math.max(60, options.columns));
  const canvas: Canvas = {
    columns,
    style,
    line: (text = '') => lines.push(text),
    text: (spans, indent, hanging = indent) => {
      const safe = spans.map((span) => ({ ...span, text: printable(span.text) }));
      lines.push(...wrap(safe, columns, indent, hanging));
    },
    heading: (title, note = '') => {
      lines.push('', `${style.strong(title)}${note === '' ? '' : `  ${style.faint(printable(note))}`}`);
    },
  };
  const title = `Podium simulation: ${printable(scenarioTitle(report.scenario))}`;
  const minor = `Kubernetes ${report.kubernetes}`;
  lines.push(
    `${style.strong(title)}${' '.repeat(Math.max(2, columns - columnsOf(title) - minor.length))}${style.faint(minor)}`,
  );
  lines.push('');
  canvas.text(
    report.sentence.map((part) => ({ text: part.text, paint: (text: string) => style.tone(part.tone, text) })),
    '  ',
  );

  changeSection(report, canvas);
  nodeSection(report, canvas);
  stepSection(report, canvas);
  victimSection(report, canvas);
  pendingSection(report, canvas);
  assumptionSection(report, canvas);
  return `${lines.join('\n')}\n`;
}

const verbs: Readonly<Record<ReportStep['kind'], string>> = {
  scheduled: 'scheduled on',
  nominated: 'nominated to',
  pending: 'pending',
  gated: 'gated',
  gone: 'gone',
  rejected: 'rejected',
  'not-modelled': 'not modelled',
};

function stepSection(report: Report, canvas: Canvas): void {
  if (report.steps.length === 0) return;
  canvas.heading('What happens', 'simulated seconds');
  const width = Math.max(...report.steps.map((step) => `${step.clock} s`.length));
  const hanging = ' '.repeat(width + 4);
  const stillPending = new Set(report.pending.map(({ pod }) => pod));
  for (const step of report.steps) {
    canvas.text(stepSpans(report, step, canvas.style), `  ${padStart(`${step.clock} s`, width)}  `, hanging);
    // Why a pod waits to the end is told once, below.
    const told = step.kind === 'pending' && stillPending.has(step.pod);
    if (step.note !== '' && !told) canvas.text([{ text: step.note, paint: canvas.style.faint }], hanging);
    const decision = step.decision === null ? undefined : report.decisions[step.decision];
    if (step.victims.length > 0 && decision !== undefined && decision.why !== '') {
      canvas.text([{ text: decision.why, paint: canvas.style.faint }], hanging);
    }
  }
}

function stepSpans(report: Report, step: ReportStep, style: Style): Span[] {
  if (step.kind === 'gone') {
    return [
      { text: step.victims.map((pod) => podName(report, pod)).join(', '), paint: style.faint },
      { text: ` ${verbs.gone}` },
    ];
  }
  const paint = {
    scheduled: style.good,
    nominated: style.warning,
    pending: style.bad,
    rejected: style.bad,
    gated: style.faint,
    'not-modelled': style.faint,
  }[step.kind];
  const place =
    step.node === null || (step.kind !== 'scheduled' && step.kind !== 'nominated')
      ? ''
      : ` ${report.nodes[step.node]?.name ?? ''}`;
  return [
    { text: podName(report, step.pod), paint: style.strong },
    { text: ' ' },
    { text: `${verbs[step.kind]}${place}`, paint },
  ];
}

function pendingSection(report: Report, canvas: Canvas): void {
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

function assumptionSection(report: Report, canvas: Canvas): void {
  canvas.heading('What this rests on', '= known  ≥ ≤ bounds  ? assumed');
  for (const assumption of report.assumptions) {
    canvas.text([{ text: assumption.mark, paint: canvas.style.strong }, { text: ` ${assumption.text}` }], '  ', '    ');
  }
}
