/** The simulated time: what pods go through, in lanes per node or per workload. */
import type { Report, ReportStay } from '../../../../server/src/contract/report.ts';
import type { ShortNames } from '../../../../server/src/contract/short-names.ts';

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

/** Spans of one lane in rows, so that none covers another. */
export function rowsOf<Of extends Pick<Span, 'start' | 'end'>>(spans: readonly Of[]): readonly (readonly Of[])[] {
  const rows: Of[][] = [];
  for (const span of spans) {
    const row = rows.find((each) => (each.at(-1)?.end ?? 0) <= span.start);
    if (row === undefined) rows.push([span]);
    else row.push(span);
  }
  return rows;
}
