import { isKnownKind, isNamespaced } from '../kubernetes/decode/index.ts';
import type { ManifestObject } from '../manifests/manifest.ts';

/** The kinds that answers are made from. */
const kinds = [
  'Pod',
  'Node',
  'Namespace',
  'ResourceQuota',
  'LimitRange',
  'Service',
  'ReplicationController',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'PriorityClass',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'StorageClass',
] as const;

export type Kind = (typeof kinds)[number];

const isOurs: ReadonlySet<string> = new Set(kinds);

/** The kind of an object, unless it is none of ours: a `Service` of another API group is not a Service. */
export function knownKind(apiVersion: string, kind: string): Kind | undefined {
  return isOurs.has(kind) && isKnownKind(apiVersion, kind) ? (kind as Kind) : undefined;
}

/** The namespace an object lives in: `default` where none is written, empty for objects of the cluster. */
export function namespaceOf({ apiVersion, kind, namespace }: ManifestObject): string {
  if (!isNamespaced(apiVersion, kind)) return '';
  return namespace === '' ? 'default' : namespace;
}
