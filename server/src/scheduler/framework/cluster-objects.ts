import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  DeviceClass,
  KubeObject,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  Service,
  StatefulSet,
  StorageClass,
  VolumeAttachment,
} from '../../kubernetes/objects.ts';

/** The objects a scheduler watches, by kind, as they are written. API defaults are applied later. */
export interface ClusterObjects {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly namespaces: readonly Namespace[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly services: readonly Service[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly replicationControllers: readonly ReplicationController[];
  readonly statefulSets: readonly StatefulSet[];
  readonly persistentVolumes: readonly PersistentVolume[];
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[];
  readonly storageClasses: readonly StorageClass[];
  readonly csiNodes: readonly CSINode[];
  readonly csiDrivers: readonly CSIDriver[];
  readonly csiStorageCapacities: readonly CSIStorageCapacity[];
  readonly volumeAttachments: readonly VolumeAttachment[];
  readonly resourceClaims: readonly ResourceClaim[];
  readonly deviceClasses: readonly DeviceClass[];
  readonly resourceClaimTemplates: readonly ResourceClaimTemplate[];
  readonly resourceSlices: readonly ResourceSlice[];
  readonly podGroups: readonly KubeObject[];
}

const listOfKind: ReadonlyMap<string, keyof ClusterObjects> = new Map([
  ['Node', 'nodes'],
  ['Pod', 'pods'],
  ['Namespace', 'namespaces'],
  ['PodDisruptionBudget', 'budgets'],
  ['Service', 'services'],
  ['ReplicaSet', 'replicaSets'],
  ['ReplicationController', 'replicationControllers'],
  ['StatefulSet', 'statefulSets'],
  ['PersistentVolume', 'persistentVolumes'],
  ['PersistentVolumeClaim', 'persistentVolumeClaims'],
  ['StorageClass', 'storageClasses'],
  ['CSINode', 'csiNodes'],
  ['CSIDriver', 'csiDrivers'],
  ['CSIStorageCapacity', 'csiStorageCapacities'],
  ['VolumeAttachment', 'volumeAttachments'],
  ['ResourceClaim', 'resourceClaims'],
  ['DeviceClass', 'deviceClasses'],
  ['ResourceClaimTemplate', 'resourceClaimTemplates'],
  ['ResourceSlice', 'resourceSlices'],
  ['PodGroup', 'podGroups'],
]);

/** Sorts objects by kind; kinds that the scheduler does not watch are left out. */
export function clusterObjectsOf(objects: Iterable<KubeObject>): ClusterObjects {
  const lists: Record<keyof ClusterObjects, KubeObject[]> = {
    nodes: [],
    pods: [],
    namespaces: [],
    budgets: [],
    services: [],
    replicaSets: [],
    replicationControllers: [],
    statefulSets: [],
    persistentVolumes: [],
    persistentVolumeClaims: [],
    storageClasses: [],
    csiNodes: [],
    csiDrivers: [],
    csiStorageCapacities: [],
    volumeAttachments: [],
    resourceClaims: [],
    deviceClasses: [],
    resourceClaimTemplates: [],
    resourceSlices: [],
    podGroups: [],
  };
  for (const object of objects) {
    const list = listOfKind.get(object.kind ?? '');
    if (list !== undefined) lists[list].push(object);
  }
  return lists as unknown as ClusterObjects;
}
