import type { LiveOptions } from '../../scheduler/index.ts';
import type { SimulationOptions } from '../cluster/input.ts';
import type { Scene } from '../cluster/scene.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import { type Controllers, Run, RunningPods } from './run.ts';

const defaultAttemptLimit = 1_000_000;

/** By the pods of a scene: scenes after operations mostly have the same. */
const runningPods = new WeakMap<readonly SimulatedPod[], RunningPods>();

/** Sets a cluster in motion, for one scenario. Yields now and then. */
export function* startRun(
  scene: Scene,
  controllers: Controllers,
  { seed, attemptLimit = defaultAttemptLimit }: SimulationOptions,
  scheduler: Partial<LiveOptions> = {},
): Generator<void, Run> {
  const { profiles, podInitialBackoffSeconds, podMaxBackoffSeconds } = scene.scheduler;
  let running = runningPods.get(scene.running);
  if (running === undefined) {
    running = yield* RunningPods.inSteps(scene.running);
    runningPods.set(scene.running, running);
  }
  const run = new Run({
    state: scene.branch(),
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
    budgets: scene.budgets,
    quotas: scene.quotas.branch(),
    controllers,
  });
  yield;
  return run;
}
