import type { Told } from './told.ts';

/** Which of these workloads have no pod at some moment, and whether they have one at the end. */
export function outagesOf(told: Told, workloads: ReadonlySet<number>): ReadonlyMap<number, 'down' | 'gap'> {
  const alive = new Map<number, number>();
  const isAlive = (state: string) => state === 'running' || state === 'terminating';
  const states = new Map<number, boolean>();
  for (const [index, { workload, before }] of told.parts.pods.entries()) {
    states.set(index, isAlive(before.state));
    if (workload !== null && workloads.has(workload) && isAlive(before.state)) {
      alive.set(workload, (alive.get(workload) ?? 0) + 1);
    }
  }
  const empty = new Set<number>();
  for (const { changes } of told.parts.steps) {
    const touched = new Set<number>();
    for (const { pod, place } of changes) {
      const { workload } = told.pod(pod);
      const was = states.get(pod) ?? false;
      const is = isAlive(place.state);
      states.set(pod, is);
      if (workload === null || !workloads.has(workload) || was === is) continue;
      alive.set(workload, (alive.get(workload) ?? 0) + (is ? 1 : -1));
      touched.add(workload);
    }
    for (const workload of touched) if (alive.get(workload) === 0) empty.add(workload);
  }
  return new Map([...empty].map((workload) => [workload, alive.get(workload) === 0 ? 'down' : 'gap']));
}
