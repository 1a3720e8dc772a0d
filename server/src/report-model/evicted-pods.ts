import type { ComparedReport } from './report.ts';

type Evictions = Pick<ComparedReport, 'victims' | 'drains' | 'pressures' | 'taints'>;

/** Each with the pod for which it was, null for none, and the one that a controller makes in its place. */
export function evictions({ victims, drains, pressures, taints = [] }: Evictions): readonly {
  readonly pod: number;
  readonly preemptor: number | null;
  readonly replacement: number | null;
}[] {
  const left = [...drains, ...pressures, ...taints].flatMap(({ evicted }) => evicted);
  return [...victims, ...left.map((each) => ({ ...each, preemptor: null }))];
}

/** Those that a preemptor, a drain, a kubelet or a taint evicted, by index: all others that are gone ended otherwise. */
export function evictedPods(report: Evictions): ReadonlySet<number> {
  return new Set(evictions(report).map(({ pod }) => pod));
}
