import type { PodPlace, Report, ReportPod, ReportStay } from '../../report-model/report.ts';

/**
 * Who is where from when to when, of pods that do not simply go on running.
 * @param wasThere whether a pod was there before the first step
 * @param isEvicted whether somebody evicts a pod: any other that is gone has ended
 */
export function buildTimeline(
  pods: readonly ReportPod[],
  steps: Report['steps'],
  wasThere: (pod: number) => boolean,
  isEvicted: (pod: number) => boolean,
): readonly ReportStay[] {
  const end = Math.max(1, steps.at(-1)?.clock ?? 0);
  const stays: ReportStay[] = [];
  const open = new Map<number, Omit<ReportStay, 'pod' | 'end'>>();
  const enter = (pod: number, place: PodPlace, clock: number, step: number | null): void => {
    const last = open.get(pod);
    const kind = kindOf(place, isEvicted(pod));
    if (last !== undefined) {
      if (last.kind === kind && last.node === place.node) return;
      stays.push({ pod, ...last, end: clock });
      open.delete(pod);
    }
    if (kind !== null) open.set(pod, { kind, node: place.node, start: clock, step });
  };
  for (const [pod, { before }] of pods.entries()) {
    if (before.state !== 'running' && wasThere(pod)) enter(pod, before, 0, null);
  }
  for (const [step, { clock, changes }] of steps.entries()) {
    for (const { pod, place } of changes) enter(pod, place, clock, step);
  }
  for (const [pod, stay] of open) stays.push({ pod, ...stay, end });
  // What lasts no time is no stay, but what goes on at the end: that somebody runs, or is to end and does not.
  const lasting = stays.filter(({ start, end: until, kind }) => until > start || (kind !== 'waits' && until === end));
  return lasting.sort((left, right) => left.start - right.start || left.pod - right.pod);
}

function kindOf({ state }: PodPlace, isEvicted: boolean): ReportStay['kind'] | null {
  switch (state) {
    case 'terminating':
      return isEvicted ? 'evicted' : 'ended';
    case 'nominated':
    case 'pending':
      return 'waits';
    case 'running':
      return 'runs';
    case 'gated':
    case 'evicted':
    case 'ended':
    case 'rejected':
      return null;
  }
}
