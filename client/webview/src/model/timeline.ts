/** The simulated time: what pods go through, in lanes per node or per workload. */
import type { Report, ReportStay } from '../../../../server/src/report-model/report.ts';
import type { ShortNames } from '../../../../server/src/report-model/short-names.ts';
import { addTo } from '../../../../server/src/util/maps.ts';

export type Span = ReportStay;
export type SpanKind = Span['kind'];

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
  const lanes = new Map<number, Span[]>();
  for (const span of report.timeline) {
    const lane = by === 'node' ? span.node : (report.pods[span.pod]?.workload ?? null);
    if (lane === null) continue;
    addTo(lanes, lane, span);
  }
  const hurt = (list: readonly Span[]): number => list.filter(({ kind }) => kind === 'evicted').length;
  return {
    end,
    lanes: [...lanes]
      .sort(([left, one], [right, other]) => hurt(other) - hurt(one) || left - right)
      .map(([lane, list]) => ({ label: by === 'node' ? names.node(lane) : names.workload(lane), spans: list })),
  };
}

/** Room behind the last event, in which is read what goes on. */
const roomBehind = 1.1;
/** Seconds between two ticks, of which there are few. */
const tickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];
const mostTicks = 7;

/** Where moments are on the axis, in percent, and those that are named. */
export function axisOf(end: number): {
  readonly at: (clock: number) => string;
  readonly width: (span: Pick<DrawnSpan, 'start' | 'until'>) => string;
  readonly ticks: readonly number[];
} {
  const whole = end * roomBehind;
  const percent = (seconds: number): string => `${Math.round((seconds / whole) * 10_000) / 100}%`;
  const known = tickSteps.find((each) => whole / each <= mostTicks);
  const step = known ?? 86_400 * Math.ceil(whole / mostTicks / 86_400);
  return {
    at: percent,
    width: ({ start, until }) => percent(until - start),
    ticks: Array.from({ length: Math.floor(whole / step) + 1 }, (_, index) => index * step),
  };
}

interface DrawnSpan {
  readonly start: number;
  /** What goes on behind the last event is drawn to the end of the axis. */
  readonly until: number;
}

/**
 * Spans of one lane in rows, so that none covers another.
 * @param end the last second
 * @param podOf tells the pods of spans apart
 */
export function rowsOf<Of extends Pick<Span, 'start' | 'end' | 'kind'>>(
  spans: readonly Of[],
  end: number,
  podOf: (span: Of) => unknown,
): readonly (readonly (Of & DrawnSpan)[])[] {
  // At the last moment something else begins for these.
  const changed = new Set(spans.filter(({ start }) => start >= end).map(podOf));
  const rows: (Of & DrawnSpan)[][] = [];
  for (const span of spans) {
    // Whoever is evicted is gone at the end of its grace period, also where that is the last moment.
    const isOver = span.kind === 'evicted' || span.kind === 'ended' || changed.has(podOf(span));
    const goesOn = span.end >= end && (span.start >= end || !isOver);
    const drawn = { ...span, until: goesOn ? end * roomBehind : span.end };
    const row = rows.find((each) => (each.at(-1)?.until ?? 0) <= span.start);
    if (row === undefined) rows.push([drawn]);
    else row.push(drawn);
  }
  return rows;
}
