import type { LiveOptions } from '../../scheduler/index.ts';
import type { SimulationOptions } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { RunningPods } from './pod-places.ts';
import { type Controllers, Run } from './run.ts';

const defaultAttemptLimit = 1_000_000;

/** By the pods of a cluster: clusters after operations mostly have the same. */
const runningPods = new WeakMap<readonly SimulatedPod[], RunningPods>();

/** Sets a cluster in motion, for one scenario. Yields now and then. */
export function* startRun(
  simulated: SimulatedCluster,
  controllers: Controllers,
  { seed, attemptLimit = defaultAttemptLimit }: SimulationOptions,
  scheduler: Partial<LiveOptions> = {},
): Generator<void, Run> {
  const { profiles, podInitialBackoffSeconds, podMaxBackoffSeconds } = simulated.scheduler;
  let running = runningPods.get(simulated.running);
  if (running === undefined) {
    running = yield* RunningPods.inSteps(simulated.running);
    runningPods.set(simulated.running, running);
  }
  const run = new Run({
    state: simulated.branch(),
    running,
    scheduler: {
      seed,
      profiles,
      podInitialBackoffSeconds,
      podMaxBackoffSeconds,
      maxAttempts: attemptLimit,
      // A grace period may be longer than the default limit of one day.
      maxSeconds: Infinity,
      ...scheduler,
    },
    budgets: simulated.budgets,
    quotas: simulated.quotas.branch(),
    controllers,
    startsAt: startOf(simulated),
  });
  yield;
  return run;
}

function startOf({ inventory: { calendar, snapshot } }: SimulatedCluster): number | undefined {
  const start = calendar?.start ?? Date.parse(snapshot?.takenAt ?? '');
  return Number.isNaN(start) ? undefined : start;
}
