import { decodeObject } from '../../kubernetes/decode/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import {
  ClusterState,
  clusterObjectsOf,
  compareInQueue,
  type DecideOptions,
  type PodInfo,
  readConfiguration,
} from '../../scheduler/index.ts';
import { objectAt, objectsAt, releaseAt } from './case-input.ts';

/** The cluster that the `objects` of a case describe. */
export function clusterOf(input: JsonObject): ClusterState {
  const release = releaseAt(input);
  const objects = objectsAt(input, 'objects').map((value) => decodeObject(value, release.types).object);
  return ClusterState.from(clusterObjectsOf(objects), release);
}

/** The profiles of the case's `config`, a KubeSchedulerConfiguration; without one, the default profile decides. */
export function schedulerOf(input: JsonObject): DecideOptions {
  const configuration = objectAt(input, 'config');
  return configuration === undefined ? {} : { profiles: readConfiguration(configuration, releaseAt(input)).profiles };
}

/** Pods that wait for a node, in queue order, gated ones included. Pods that are being deleted are passed over. */
export function pendingInOrder(cluster: ClusterState): readonly PodInfo[] {
  return [...cluster.pending()].filter((pod) => !pod.terminating).sort(compareInQueue);
}
