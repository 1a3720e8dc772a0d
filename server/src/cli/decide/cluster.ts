import { fieldErrorText } from '../../admission/format/field-errors.ts';
import { decodeObject, isSchedulerConfiguration } from '../../kubernetes/decode/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import {
  ClusterState,
  clusterObjectsOf,
  compareInQueue,
  type DecideOptions,
  type PodInfo,
  readConfiguration,
} from '../../scheduler/index.ts';
import { objectAt, objectsAt, releaseAt, textAt } from './case-input.ts';

/** The cluster that the `objects` of a case describe. */
export function clusterOf(input: JsonObject): ClusterState {
  const release = releaseAt(input);
  const objects = objectsAt(input, 'objects').map((value) => decodeObject(value, release.types).object);
  return ClusterState.from(clusterObjectsOf(objects), release);
}

/**
 * The profiles of the case's `config`, a KubeSchedulerConfiguration; without one, the default profile decides. Throws
 * where the scheduler would not start with it.
 */
export function schedulerOf(input: JsonObject): DecideOptions {
  const configuration = objectAt(input, 'config');
  if (configuration === undefined) return {};
  const [apiVersion, kind] = [textAt(configuration, 'apiVersion') ?? '', textAt(configuration, 'kind') ?? ''];
  if (!isSchedulerConfiguration(apiVersion, kind)) {
    throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"`);
  }
  const { profiles, problems } = readConfiguration(configuration, releaseAt(input));
  // A plugin without its PreFilter or PreScore is a problem, with which the scheduler starts all the same.
  const starts = profiles.some(({ failing }) => failing.filter.length + failing.score.length > 0);
  if (!starts && problems.length > 0) throw new Error(problems.map(fieldErrorText).join(', '));
  return { profiles };
}

/** Pods that wait for a node, in queue order, gated ones included. Pods that are being deleted are passed over. */
export function pendingInOrder(cluster: ClusterState): readonly PodInfo[] {
  return [...cluster.pending()].filter((pod) => !pod.terminating).sort(compareInQueue);
}
