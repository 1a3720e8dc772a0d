import type { ComparedReport } from './report.ts';

type Evictions = Pick<ComparedReport, 'victims' | 'drains' | 'pressures' | 'taints'>;

/** Those that a preemptor, a drain, a kubelet or a taint evicted, by index: all others that are gone ended otherwise. */
export function evictedPods({ victims, drains, pressures, taints = [] }: Evictions): ReadonlySet<number> {
  const left = [...drains, ...pressures, ...taints].flatMap(({ evicted }) => evicted);
  return new Set([...victims, ...left].map(({ pod }) => pod));
}
