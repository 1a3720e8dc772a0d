import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PriorityClass,
  StorageClass,
} from '../objects.ts';
import { roundResourceList } from './resource-list.ts';

// Source: LabelMetadataName in staging/src/k8s.io/api/core/v1/well_known_labels.go
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** Gives a namespace the label that carries its name. Source: pkg/apis/core/v1/defaults.go SetDefaults_Namespace */
export function defaultNamespace(namespace: Namespace): Namespace {
  const { metadata } = namespace;
  const name = metadata?.name ?? '';
  if (name === '' || metadata?.labels?.[NAME_LABEL] === name) return namespace;
  return { ...namespace, metadata: { ...metadata, labels: { ...metadata?.labels, [NAME_LABEL]: name } } };
}

/**
 * Gives a node the capacity it reports as what can be allocated, if it does not say; amounts in thousandths.
 * Source: pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus, SetDefaults_ResourceList
 */
export function defaultNode(node: Node): Node {
  const { status } = node;
  if (status === undefined) return node;
  const capacity = status.capacity === undefined ? undefined : roundResourceList(status.capacity);
  const allocatable = status.allocatable === undefined ? capacity : roundResourceList(status.allocatable);
  if (capacity === status.capacity && allocatable === status.allocatable) return node;
  return {
    ...node,
    status: {
      ...status,
      ...(capacity === undefined ? {} : { capacity }),
      ...(allocatable === undefined ? {} : { allocatable }),
    },
  };
}

/** Source: pkg/apis/scheduling/v1/defaults.go SetDefaults_PriorityClass */
export function defaultPriorityClass(priorityClass: PriorityClass): PriorityClass {
  if (priorityClass.preemptionPolicy !== undefined) return priorityClass;
  return { ...priorityClass, preemptionPolicy: 'PreemptLowerPriority' };
}

/** Source: pkg/apis/storage/v1/defaults.go SetDefaults_StorageClass */
export function defaultStorageClass(storageClass: StorageClass): StorageClass {
  const { reclaimPolicy, volumeBindingMode } = storageClass;
  if (reclaimPolicy !== undefined && volumeBindingMode !== undefined) return storageClass;
  return {
    ...storageClass,
    reclaimPolicy: reclaimPolicy ?? 'Delete',
    volumeBindingMode: volumeBindingMode ?? 'Immediate',
  };
}

/** Source: pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolume */
export function defaultPersistentVolume(volume: PersistentVolume): PersistentVolume {
  const { spec, status } = volume;
  const reclaimPolicy = spec?.persistentVolumeReclaimPolicy ?? '';
  const phase = status?.phase ?? '';
  if (phase !== '' && reclaimPolicy !== '' && spec?.volumeMode !== undefined) return volume;
  return {
    ...volume,
    spec: {
      ...spec,
      persistentVolumeReclaimPolicy: reclaimPolicy === '' ? 'Retain' : reclaimPolicy,
      volumeMode: spec?.volumeMode ?? 'Filesystem',
    },
    status: { ...status, phase: phase === '' ? 'Pending' : phase },
  };
}

/** Source: pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaim, SetDefaults_PersistentVolumeClaimSpec */
export function defaultPersistentVolumeClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { spec, status } = claim;
  const phase = status?.phase ?? '';
  if (phase !== '' && spec?.volumeMode !== undefined) return claim;
  return {
    ...claim,
    spec: { ...spec, volumeMode: spec?.volumeMode ?? 'Filesystem' },
    status: { ...status, phase: phase === '' ? 'Pending' : phase },
  };
}
