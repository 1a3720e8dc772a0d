import {
  type Arrival,
  type ClusterState,
  type LiveEnd,
  type LiveEvent,
  type LiveOptions,
  LiveRun,
  type PlannedChange,
} from '../../../server/src/scheduler/index.ts';

export interface LiveOutcome {
  readonly ended: LiveEnd;
  readonly clock: number;
  /** The cluster as it then is. */
  readonly cluster: ClusterState;
}

/** A whole run on a branch of the cluster, event by event. */
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
