import type { AnswerContext } from './answer-context.ts';

/** `down` has no pod at the end, `gap` for some time; what should not run for ever is `late`. */
export type Outage = 'down' | 'gap' | 'late';

/** Whether a workload comes to an end of its own. */
export function isJob(context: AnswerContext, workload: number | null): boolean {
  return ['Job', 'CronJob'].includes(context.parts.workloads[workload ?? -1]?.kind ?? '');
}

/** Which of these workloads have no pod at some moment, and whether they have one at the end. */
export function outagesOf(context: AnswerContext, workloads: ReadonlySet<number>): ReadonlyMap<number, Outage> {
  const alive = new Map<number, number>();
  const isAlive = (state: string) => state === 'running' || state === 'terminating';
  const states = new Map<number, boolean>();
  for (const [index, { workload, before }] of context.parts.pods.entries()) {
    states.set(index, isAlive(before.state));
    if (workload !== null && workloads.has(workload) && isAlive(before.state)) {
      alive.set(workload, (alive.get(workload) ?? 0) + 1);
    }
  }
  const empty = new Set<number>();
  for (const { changes } of context.parts.steps) {
    const touched = new Set<number>();
    for (const { pod, place } of changes) {
      const { workload } = context.pod(pod);
      const was = states.get(pod) ?? false;
      const is = isAlive(place.state);
      states.set(pod, is);
      if (workload === null || !workloads.has(workload) || was === is) continue;
      alive.set(workload, (alive.get(workload) ?? 0) + (is ? 1 : -1));
      touched.add(workload);
    }
    for (const workload of touched) if (alive.get(workload) === 0) empty.add(workload);
  }
  const outageOf = (workload: number): Outage =>
    isJob(context, workload) ? 'late' : alive.get(workload) === 0 ? 'down' : 'gap';
  return new Map([...empty].map((workload) => [workload, outageOf(workload)]));
}
