import type { PodChangeKind, Report, ReportCause } from '../../contract/report.ts';
import { count } from '../../kit/words.ts';
import type { Canvas } from './canvas.ts';

const marks: Readonly<Record<PodChangeKind, string>> = {
  evicted: '−',
  pending: '−',
  removed: '−',
  moved: '~',
  added: '+',
  placed: '+',
  spared: '+',
};

/** So much is told unless somebody asks for all. */
const causeLimit = 3;
const podLimit = 5;

/** What a change of the manifests does: who fares differently than before. */
export function changeSection(report: Report, canvas: Canvas, all: boolean): void {
  const { comparison } = report;
  if (comparison === null) return;
  const { style } = canvas;
  canvas.heading('What the change does', `compared with ${comparison.since}`);
  canvas.text(
    comparison.sentence.map(({ tone, text }) => ({ text, paint: (painted: string) => style.tone(tone, painted) })),
    '  ',
  );
  const { causes, moreCauses } = comparison;
  const shownCauses = all ? causes : causes.slice(0, causeLimit);
  for (const cause of shownCauses) drawCause(cause, canvas);
  const hidden = causes.length - shownCauses.length + moreCauses;
  if (hidden > 0) canvas.text([{ text: count(hidden, 'more change'), paint: style.faint }], '  ');
  for (const { workload, before, after } of all ? comparison.priorities : comparison.priorities.slice(0, causeLimit)) {
    const found = report.workloads[workload];
    if (found === undefined) continue;
    canvas.text(
      [
        { text: `~ ${found.kind} ${found.namespace}/${found.name}`, paint: style.strong },
        { text: ` priority ${before} → ${after}` },
      ],
      '  ',
      '    ',
    );
  }
  const shown = all ? comparison.pods : comparison.pods.slice(0, podLimit);
  for (const { kind, namespace, name, before, after } of shown) {
    const paint = marks[kind] === '−' ? style.bad : marks[kind] === '+' ? style.good : style.strong;
    const earlier = before === '' ? 'not there' : before;
    const now = after === '' ? 'not there any more' : after;
    canvas.text([{ text: `${marks[kind]} ${namespace}/${name}`, paint }], '  ', '    ');
    canvas.text([{ text: `${earlier} → ${now}` }], '    ', '    ');
  }
  const rest = comparison.pods.length - shown.length;
  if (rest > 0) canvas.text([{ text: `${count(rest, 'more pod')}: --show pods`, paint: style.faint }], '  ');
}

/** What was changed, and where it is written. */
function drawCause({ object, field, old, new: now, origin }: ReportCause, canvas: Canvas): void {
  const place = origin === null ? '' : `  ${fileOf(origin.uri)}:${origin.range.start.line + 1}`;
  const what =
    field === ''
      ? now === null
        ? 'removed'
        : 'new'
      : `${field} ${old === null ? 'nothing' : String(old)} → ${now === null ? 'nothing' : String(now)}`;
  canvas.text(
    [
      { text: `~ ${object.replace('/', ' ')}`, paint: canvas.style.strong },
      { text: `  ${what}` },
      { text: place, paint: canvas.style.faint },
    ],
    '  ',
    '    ',
  );
}

function fileOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
