/** The simulated time: what pods go through, in lanes per node or per workload. */
import type { PodPlace, Report } from '../../../../server/src/contract/report.ts';
import type { ShortNames } from '../../../../server/src/contract/short-names.ts';

/** `evicted`: in its grace period; `waits`: nominated or pending; `runs`: newly. */
export type SpanKind = 'evicted' | 'waits' | 'runs';

export interface Span {
  readonly pod: number;
  readonly node: number | null;
  readonly kind: SpanKind;
  /** In seconds. */
  readonly start: number;
  readonly end: number;
}

export interface Lane {
  readonly label: string;
  readonly spans: readonly Span[];
}

export type LaneKind = 'node' | 'workload';

export interface TimelineModel {
  readonly lanes: readonly Lane[];
  /** The last second. */
  readonly end: number;
}

export function timeline(report: Report, names: ShortNames, by: LaneKind): TimelineModel {
  const end = Math.max(1, report.steps.at(-1)?.clock ?? 0);
  const spans = spansOf(report, end);
  const lanes = new Map<number, Span[]>();
  for (const span of spans) {
    const lane = by === 'node' ? span.node : (report.pods[span.pod]?.workload ?? null);
    if (lane === null) continue;
    const list = lanes.get(lane);
    if (list === undefined) lanes.set(lane, [span]);
    else list.push(span);
  }
  const hurt = (list: readonly Span[]): number => list.filter(({ kind }) => kind === 'evicted').length;
  return {
    end,
    lanes: [...lanes]
      .sort(([left, one], [right, other]) => hurt(other) - hurt(one) || left - right)
      .map(([lane, list]) => ({ label: by === 'node' ? names.node(lane) : names.workload(lane), spans: list })),
  };
}

function spansOf(report: Report, end: number): readonly Span[] {
  const spans: Span[] = [];
  const open = new Map<number, { readonly kind: SpanKind; readonly node: number | null; readonly start: number }>();
  const enter = (pod: number, place: PodPlace, clock: number): void => {
    const last = open.get(pod);
    const kind = kindOf(place);
    if (last !== undefined) {
      if (last.kind === kind && last.node === place.node) return;
      spans.push({ pod, ...last, end: clock });
      open.delete(pod);
    }
    if (kind !== null) open.set(pod, { kind, node: place.node, start: clock });
  };
  const replacements = new Set(report.victims.map(({ replacement }) => replacement));
  report.pods.forEach(({ before }, pod) => {
    if (before.state !== 'running' && !replacements.has(pod)) enter(pod, before, 0);
  });
  for (const { clock, changes } of report.steps) {
    for (const { pod, place } of changes) enter(pod, place, clock);
  }
  for (const [pod, span] of open) spans.push({ pod, ...span, end });
  return spans.sort((left, right) => left.start - right.start || left.pod - right.pod);
}

function kindOf({ state }: PodPlace): SpanKind | null {
  switch (state) {
    case 'terminating':
      return 'evicted';
    case 'nominated':
    case 'pending':
      return 'waits';
    case 'running':
      return 'runs';
    case 'gated':
    case 'evicted':
    case 'rejected':
      return null;
    default:
      return state satisfies never;
  }
}

/** Spans of one lane in rows, so that none covers another. */
export function rowsOf(spans: readonly Span[]): readonly (readonly Span[])[] {
  const rows: Span[][] = [];
  for (const span of spans) {
    const row = rows.find((each) => (each.at(-1)?.end ?? 0) <= span.start);
    if (row === undefined) rows.push([span]);
    else row.push(span);
  }
  return rows;
}
