/**
 * The kinds that answers are made from, by API group. The version does not matter here: what differs between versions
 * of one kind concerns none of the fields that are read.
 */
const groups = {
  Pod: '',
  Node: '',
  Namespace: '',
  ResourceQuota: '',
  LimitRange: '',
  Service: '',
  ReplicationController: '',
  PersistentVolume: '',
  PersistentVolumeClaim: '',
  Deployment: 'apps',
  ReplicaSet: 'apps',
  StatefulSet: 'apps',
  DaemonSet: 'apps',
  Job: 'batch',
  CronJob: 'batch',
  PriorityClass: 'scheduling.k8s.io',
  PodDisruptionBudget: 'policy',
  HorizontalPodAutoscaler: 'autoscaling',
  StorageClass: 'storage.k8s.io',
} as const;

export type Kind = keyof typeof groups;

const groupOf: ReadonlyMap<string, string> = new Map(Object.entries(groups));

const clusterScopedKinds: ReadonlySet<Kind> = new Set<Kind>([
  'Node',
  'Namespace',
  'PriorityClass',
  'PersistentVolume',
  'StorageClass',
]);

/** The kind of an object, unless it is none of ours: a `Service` of another API group is not a Service. */
export function knownKind(apiVersion: string, kind: string): Kind | undefined {
  const group = groupOf.get(kind);
  if (group === undefined) return undefined;
  const slash = apiVersion.indexOf('/');
  const written = slash < 0 ? '' : apiVersion.slice(0, slash);
  return written === group ? (kind as Kind) : undefined;
}

export function isClusterScoped(kind: Kind): boolean {
  return clusterScopedKinds.has(kind);
}
