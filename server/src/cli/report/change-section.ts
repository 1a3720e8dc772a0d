import type { PodChange, PodChangeKind, Report, ReportCause } from '../../report-model/report.ts';
import type { Origin } from '../../report-model/origin.ts';
import type { Plan, PlanEffect, PlanLink } from '../../report-model/plan.ts';
import {
  causeText,
  effectSigns,
  firstRows,
  linkClock,
  planRows,
  refusedObjects,
} from '../../report-model/plan-rows.ts';
import { columnsOf, padEnd, printable } from '../terminal/text.ts';
import { count, list, type TimeOfDay } from '../../util/words.ts';
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
/** So much is told unless somebody asks for all, and less where names are so long that it takes too many lines: who fares otherwise is cut last. */
export const changeLimits = [
  { rows: 12, effects: 16 },
  { rows: 8, effects: 16 },
  { rows: 4, effects: 16 },
  { rows: 4, effects: 12 },
  { rows: 3, effects: 10 },
] as const satisfies readonly ChangeLimits[];

/** What was changed, what follows from it, and who fares differently than before. */
export function changeSection(report: Report, canvas: Canvas, limits: ChangeLimits, placed: Placed): void {
  const { answer, comparison, events } = report;
  if (comparison === null) return;
  const { style } = canvas;
  const { moreCauses, plan, causes } = comparison;
  const every = planRows(comparison);
  const rows = firstRows(every, limits.rows);
  const refused = refusedObjects(causes, events);
  if (rows.length > 0) canvas.line('');
  for (const row of rows) {
    if (row.kind === 'cause') drawCause(row.cause, refused.has(row.cause.object), canvas, placed);
    else drawLink(row.link, row.depth, report, canvas);
  }
  const hidden = every.length - rows.length + moreCauses + plan.moreLinks;
  if (hidden > 0) {
    canvas.text([{ text: `${count(hidden, 'more line')}${canvas.more('pods')}`, paint: style.faint }], '    ');
  }
  const moved = plan.effects.filter(
    ({ change, at }) => change === 'moved' && at.every(({ text }) => text === at[0]!.text),
  );
  const fares = plan.effects.filter((effect) => !moved.includes(effect));
  const effects = fares.length === limits.effects + 1 ? fares : fares.slice(0, limits.effects);
  if (effects.length > 0) drawEffects(effects, plan.stages, canvas);
  const others = fares.length - effects.length;
  if (others > 0) {
    canvas.text([{ text: `${count(others, 'more workload')}${canvas.more('pods')}`, paint: style.faint }], '  ');
  }
  const seen = new Set(plan.effects.map(({ name }) => name));
  const alike = (answer.groups.find(({ kind }) => kind === 'evicted')?.lines ?? []).filter(
    ({ name }) => !seen.has(name),
  );
  drawNames('Evicted before and after', alike, canvas);
  drawNames('Moved', moved, canvas);
  if (limits === allOfChange) drawPods(comparison.pods, canvas);
}

function drawNames(heading: string, named: readonly { readonly name: string }[], canvas: Canvas): void {
  if (named.length === 0) return;
  const names = list(
    named.map(({ name }) => name),
    8,
  );
  canvas.text([{ text: `${heading}: ${names}`, paint: canvas.style.faint }], '  ', '    ');
}

/** Where something is written, as a reader finds it. */
export type Placed = (origin: Origin) => string;

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

/** A column for each stage where there is room for them; else `− catalog  2 of 2 → 1 of 2, 1 evicted, 1 pod waits`. */
function drawEffects(effects: readonly PlanEffect[], stages: Plan['stages'], canvas: Canvas): void {
  const { style } = canvas;
  const names = effects.map(({ name, change }) => `${effectSigns[change]} ${name}`);
  const paintOf = ({ change }: PlanEffect) =>
    change === 'worse' ? style.bad : change === 'better' ? style.good : style.strong;
  const cells = [stages.map(({ label }) => label), ...effects.map(({ at }) => at.map(({ text }) => text))];
  const widths = stages.map((_, index) => Math.max(...cells.map((row) => columnsOf(row[index] ?? ''))));
  const width = Math.max(...names.map(columnsOf));
  const total = widths.reduce((sum, each) => sum + each + 2, width + 2);
  canvas.line('');
  if (total > canvas.columns) {
    for (const [index, effect] of effects.entries()) {
      const sentence = effect.at.map(({ text }) => text).join(' → ');
      canvas.lead(`  ${names[index]!}  `, paintOf(effect), [{ text: sentence }], '    ');
    }
    return;
  }
  const row = (texts: readonly string[]): string =>
    texts
      .map((text, index) => `  ${padEnd(printable(text), widths[index]!)}`)
      .join('')
      .trimEnd();
  canvas.line(style.faint(`  ${' '.repeat(width)}${row(cells[0]!)}`));
  for (const [index, effect] of effects.entries()) {
    canvas.line(`  ${paintOf(effect)(padEnd(printable(names[index]!), width))}${row(cells[index + 1]!)}`);
  }
}

/** What follows, below what it follows from. */
function drawLink(link: PlanLink, depth: number, day: TimeOfDay, canvas: Canvas): void {
  const clock = linkClock(link, day);
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
function drawCause(cause: ReportCause, isRefused: boolean, canvas: Canvas, placed: Placed): void {
  const { object, origin } = cause;
  const { style } = canvas;
  canvas.text(
    [
      { text: `${isRefused ? '×' : '~'} ${object.replace('/', ' ')}`, paint: isRefused ? style.bad : style.strong },
      { text: `  ${causeText(cause)}` },
      ...(isRefused ? [{ text: '  REFUSED', paint: style.bad }] : []),
      { text: origin === null ? '' : `  ${placed(origin)}`, paint: style.faint },
    ],
    '  ',
    '    ',
  );
}
