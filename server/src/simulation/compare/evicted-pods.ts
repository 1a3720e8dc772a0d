import type { ComparedReport } from '../../contract/report.ts';

/** Those that a preemptor, a drain, a kubelet or a taint evicted, by index: all others that are gone ended otherwise. */
export function evictedPods({ victims, drains, pressures, taints = [] }: ComparedReport): ReadonlySet<number> {
  const left = [...drains, ...pressures, ...taints].flatMap(({ evicted }) => evicted);
  return new Set([...victims, ...left].map(({ pod }) => pod));
}
