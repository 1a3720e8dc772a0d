import type { Kinds, KubeObject } from '../../kubernetes/objects.ts';

/** The kinds a scheduler watches, by the list of their objects. */
const watched = {
  nodes: 'Node',
  pods: 'Pod',
  namespaces: 'Namespace',
  budgets: 'PodDisruptionBudget',
  services: 'Service',
  replicaSets: 'ReplicaSet',
  replicationControllers: 'ReplicationController',
  statefulSets: 'StatefulSet',
  persistentVolumes: 'PersistentVolume',
  persistentVolumeClaims: 'PersistentVolumeClaim',
  storageClasses: 'StorageClass',
  csiNodes: 'CSINode',
  csiDrivers: 'CSIDriver',
  csiStorageCapacities: 'CSIStorageCapacity',
  volumeAttachments: 'VolumeAttachment',
  resourceClaims: 'ResourceClaim',
  deviceClasses: 'DeviceClass',
  resourceClaimTemplates: 'ResourceClaimTemplate',
  resourceSlices: 'ResourceSlice',
  podGroups: 'PodGroup',
} as const satisfies Readonly<Record<string, keyof Kinds>>;

/** The objects a scheduler watches, by kind, as they are written. API defaults are applied later. */
export type ClusterObjects = {
  readonly [List in keyof typeof watched]: readonly Kinds[(typeof watched)[List]][];
};

/** Sorts objects by kind; kinds that the scheduler does not watch are left out. */
export function clusterObjectsOf(objects: Iterable<KubeObject>): ClusterObjects {
  const ofKind = new Map<string, KubeObject[]>(Object.values(watched).map((kind) => [kind, []]));
  for (const object of objects) ofKind.get(object.kind ?? '')?.push(object);
  const lists = Object.entries(watched).map(([list, kind]) => [list, ofKind.get(kind)]);
  return Object.fromEntries(lists) as ClusterObjects;
}
