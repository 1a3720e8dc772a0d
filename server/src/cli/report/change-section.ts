import type { PodChange, PodChangeKind, Report, ReportCause } from '../../contract/report.ts';
import type { PlanEffect, PlanLink } from '../../contract/plan.ts';
import { causeText, linkClock, planRows } from '../../contract/plan-rows.ts';
import { count } from '../../kit/words.ts';
import type { Canvas } from './canvas.ts';

const marks: Readonly<Record<PodChangeKind, string>> = {
  evicted: '−',
  pending: '−',
  ended: '−',
  removed: '−',
  moved: '~',
  added: '+',
  placed: '+',
  spared: '+',
  kept: '+',
};

/** How much of a change is told. */
export interface ChangeLimits {
  /** Causes, and what follows from them. */
  readonly rows: number;
  /** Workloads that fare differently. */
  readonly effects: number;
}

export const allOfChange: ChangeLimits = { rows: Infinity, effects: Infinity };
/** So much is told unless somebody asks for all, and less where names are so long that it takes too many lines. */
export const changeLimits = [
  { rows: 6, effects: 4 },
  { rows: 4, effects: 3 },
  { rows: 2, effects: 2 },
  { rows: 1, effects: 1 },
] as const satisfies readonly ChangeLimits[];

/** What a change of the manifests does: who fares differently than before. */
export function changeSection(report: Report, canvas: Canvas, limits: ChangeLimits): void {
  const { comparison } = report;
  if (comparison === null) return;
  const { style } = canvas;
  canvas.heading('What the change does', `compared with ${comparison.since}`);
  canvas.text(
    comparison.sentence.map(({ tone, text }) => ({ text, paint: (painted: string) => style.tone(tone, painted) })),
    '  ',
  );
  const { moreCauses, plan } = comparison;
  if (plan.story !== null) canvas.text([{ text: plan.story.text }], '  ', '    ');
  const told = planRows(comparison);
  const rows = told.slice(0, limits.rows);
  for (const row of rows) {
    if (row.kind === 'cause') drawCause(row.cause, canvas);
    else drawLink(row.link, row.depth, canvas);
  }
  const hidden = told.length - rows.length + moreCauses + plan.moreLinks;
  if (hidden > 0) canvas.text([{ text: `${count(hidden, 'more line')}: --show pods`, paint: style.faint }], '    ');
  const effects = plan.effects.slice(0, limits.effects);
  for (const effect of effects) drawEffect(effect, canvas);
  const others = plan.effects.length - effects.length;
  if (others > 0) canvas.text([{ text: `${count(others, 'more workload')}: --show pods`, paint: style.faint }], '  ');
  if (limits === allOfChange) drawPods(comparison.pods, canvas);
}

/** Who fares differently, pod by pod. */
function drawPods(pods: readonly PodChange[], canvas: Canvas): void {
  const { style } = canvas;
  for (const { kind, namespace, name, before, after } of pods) {
    const paint = marks[kind] === '−' ? style.bad : marks[kind] === '+' ? style.good : style.strong;
    const earlier = before === '' ? 'not there' : before;
    const now = after === '' ? 'not there any more' : after;
    canvas.text([{ text: `${marks[kind]} ${namespace}/${name}`, paint }], '  ', '    ');
    canvas.text([{ text: `${earlier} → ${now}` }], '    ', '    ');
  }
}

const signs: Readonly<Record<PlanEffect['change'], string>> = { worse: '−', better: '+', restarted: '~', moved: '=' };

/** `− catalog  2 of 2 → 1 of 2, 1 evicted, 1 pod waits`. */
function drawEffect({ name, change, at }: PlanEffect, canvas: Canvas): void {
  const { style } = canvas;
  const paint = change === 'worse' ? style.bad : change === 'better' ? style.good : style.strong;
  const stages = at.map(({ text }) => text).join(' → ');
  canvas.text([{ text: `${signs[change]} ${name}`, paint }, { text: `  ${stages}` }], '  ', '    ');
}

/** What follows, below what it follows from. */
function drawLink(link: PlanLink, depth: number, canvas: Canvas): void {
  const clock = linkClock(link);
  const indent = `  ${'  '.repeat(Math.min(depth, 8))}`;
  canvas.text(
    [
      { text: '└ ', paint: canvas.style.faint },
      { text: clock === '' ? '' : `${clock}  `, paint: canvas.style.faint },
      { text: link.text, ...(link.kind === 'evicts' ? { paint: canvas.style.bad } : {}) },
    ],
    indent,
    `${indent}  `,
  );
}

/** What was changed, and where it is written. */
function drawCause(cause: ReportCause, canvas: Canvas): void {
  const { object, origin } = cause;
  const place = origin === null ? '' : `  ${fileOf(origin.uri)}:${origin.range.start.line + 1}`;
  const what = causeText(cause);
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
