import { decodeObject } from '../../kubernetes/decode/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { ClusterState, clusterObjectsOf, compareInQueue, type PodInfo } from '../../scheduler/index.ts';
import { objectsAt } from './case-input.ts';

/** The cluster that the `objects` of a case describe. */
export function clusterOf(input: JsonObject): ClusterState {
  return ClusterState.from(clusterObjectsOf(objectsAt(input, 'objects').map((value) => decodeObject(value).object)));
}

/** Pods that wait for a node, in queue order, gated ones included. Pods that are being deleted are passed over. */
export function pendingInOrder(cluster: ClusterState): readonly PodInfo[] {
  return [...cluster.pending()].filter((pod) => !pod.terminating).sort(compareInQueue);
}
