import type { ClusterState } from './framework/cluster-state.ts';
import type { Arrival, LiveEvent, LiveOptions, LiveOutcome, PlannedChange } from './live-event.ts';
import { LiveRun } from './live-run.ts';

/**
 * A scheduler at work on a simulated clock: pods arrive, wait in the queue, are placed or preempt; victims leave when
 * their grace period ends, and the preemptor is tried again. Attempts take no time. Pods pending in the cluster state
 * arrive at 0 as the API server lists them, before the others; pods that are terminating leave after their grace period. No controller acts: victims are not
 * replaced, and budgets are charged but not refilled. Nodes, volumes and pods may be planned to change.
 * Works on a branch; the state given is not changed. Same input, same events. Always ends.
 */
export function* runLive(
  cluster: ClusterState,
  planned: Iterable<Arrival | PlannedChange>,
  options: LiveOptions = {},
): Generator<LiveEvent, LiveOutcome> {
  const run = new LiveRun(cluster.branch(), options);
  for (const each of planned) run.plan(each);
  const ended = yield* run.settle();
  return { ended, clock: run.clock, cluster: run.cluster };
}
