import type { ComparedReport } from './report.ts';

type Evictions = Pick<ComparedReport, 'victims' | 'drains' | 'pressures' | 'taints'>;

/** A pod that was evicted. */
export interface Eviction {
  readonly pod: number;
  readonly node: number;
  /** The pod for which it was; null for none. */
  readonly preemptor: number | null;
  readonly by: 'preemptor' | 'drain' | 'pressure' | 'taint';
  /** The one that a controller makes in its place. */
  readonly replacement: number | null;
}

/** Those for others come first, in the order of the victims of a report. */
export function evictions({ victims, drains, pressures, taints = [] }: Evictions): readonly Eviction[] {
  const leftBy = (by: Eviction['by'], nodes: Evictions['pressures']): readonly Eviction[] =>
    nodes.flatMap(({ node, evicted }) =>
      evicted.map(({ pod, replacement }) => ({ pod, node, preemptor: null, by, replacement })),
    );
  return [
    ...victims.map((each) => ({ ...each, by: 'preemptor' as const })),
    ...leftBy('drain', drains),
    ...leftBy('pressure', pressures),
    ...leftBy('taint', taints),
  ];
}

/** Those that a preemptor, a drain, a kubelet or a taint evicted, by index: all others that are gone ended otherwise. */
export function evictedPods(report: Evictions): ReadonlySet<number> {
  return new Set(evictions(report).map(({ pod }) => pod));
}
