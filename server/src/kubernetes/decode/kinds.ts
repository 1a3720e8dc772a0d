import type { StructType } from './field-types.ts';
import {
  horizontalPodAutoscaler,
  limitRange,
  namespace,
  node,
  podDisruptionBudget,
  priorityClass,
  resourceQuota,
  service,
} from './cluster-tables.ts';
import { pod } from './pod-tables.ts';
import {
  csiDriver,
  csiNode,
  csiStorageCapacity,
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
  volumeAttachment,
} from './storage-tables.ts';
import {
  cronJob,
  daemonSet,
  deployment,
  job,
  replicaSet,
  replicationController,
  statefulSet,
} from './workload-tables.ts';

interface KnownKind {
  readonly apiVersion: string;
  readonly namespaced: boolean;
  readonly type: StructType;
}

function kindsOf(
  apiVersion: string,
  namespaced: boolean,
  kinds: Readonly<Record<string, { readonly type: unknown }>>,
): [string, KnownKind][] {
  return Object.entries(kinds).map(([kind, { type }]) => [kind, { apiVersion, namespaced, type: type as StructType }]);
}

/** Kind → where it lives. No two of these kinds share a name. */
const knownKinds: ReadonlyMap<string, KnownKind> = new Map([
  ...kindsOf('v1', true, {
    Pod: pod,
    ReplicationController: replicationController,
    Service: service,
    ResourceQuota: resourceQuota,
    LimitRange: limitRange,
    PersistentVolumeClaim: persistentVolumeClaim,
  }),
  ...kindsOf('v1', false, { Node: node, Namespace: namespace, PersistentVolume: persistentVolume }),
  ...kindsOf('apps/v1', true, {
    Deployment: deployment,
    ReplicaSet: replicaSet,
    StatefulSet: statefulSet,
    DaemonSet: daemonSet,
  }),
  ...kindsOf('batch/v1', true, { Job: job, CronJob: cronJob }),
  ...kindsOf('policy/v1', true, { PodDisruptionBudget: podDisruptionBudget }),
  ...kindsOf('autoscaling/v2', true, { HorizontalPodAutoscaler: horizontalPodAutoscaler }),
  ...kindsOf('scheduling.k8s.io/v1', false, { PriorityClass: priorityClass }),
  ...kindsOf('storage.k8s.io/v1', false, {
    StorageClass: storageClass,
    CSINode: csiNode,
    CSIDriver: csiDriver,
    VolumeAttachment: volumeAttachment,
  }),
  ...kindsOf('storage.k8s.io/v1', true, { CSIStorageCapacity: csiStorageCapacity }),
]);

/** The table of a kind in the version that Podium reads; undefined for every other. */
export function structOf(apiVersion: string, kind: string): StructType | undefined {
  const known = knownKinds.get(kind);
  return known?.apiVersion === apiVersion ? known.type : undefined;
}

/** Whether Podium reads objects of a kind. A `Service` of another API group is not a Service. */
export function isKnownKind(apiVersion: string, kind: string): boolean {
  return structOf(apiVersion, kind) !== undefined;
}

/** Whether objects of a known kind live in a namespace. False for kinds that are not known. */
export function isNamespaced(apiVersion: string, kind: string): boolean {
  const known = knownKinds.get(kind);
  return known?.apiVersion === apiVersion && known.namespaced;
}

/**
 * A file that the scheduler reads, not an object of the API server. What it says is read by the scheduler's layer.
 * Source: staging/src/k8s.io/kube-scheduler/config/v1/register.go
 */
export function isSchedulerConfiguration(apiVersion: string, kind: string): boolean {
  return apiVersion === 'kubescheduler.config.k8s.io/v1' && kind === 'KubeSchedulerConfiguration';
}
