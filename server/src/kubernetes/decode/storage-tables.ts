/**
 * Volumes and claims as objects of the cluster. All fields of Kubernetes' types; the compiler compares them with its
 * client library.
 */
import type {
  StorageV1TokenRequest,
  V1CSIDriver,
  V1CSIDriverSpec,
  V1CSINode,
  V1CSINodeDriver,
  V1CSINodeSpec,
  V1CSIStorageCapacity,
  V1ModifyVolumeStatus,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1PersistentVolumeClaimCondition,
  V1PersistentVolumeClaimSpec,
  V1PersistentVolumeClaimStatus,
  V1PersistentVolumeClaimTemplate,
  V1PersistentVolumeSpec,
  V1PersistentVolumeStatus,
  V1StorageClass,
  V1TopologySelectorLabelRequirement,
  V1TopologySelectorTerm,
  V1VolumeAttachment,
  V1VolumeAttachmentSource,
  V1VolumeAttachmentSpec,
  V1VolumeNodeAffinity,
  V1VolumeNodeResources,
  V1VolumeResourceRequirements,
} from '@kubernetes/client-node';
import {
  bool,
  int32,
  int64,
  list,
  map,
  quantity,
  raw,
  required,
  string,
  stringOf,
  struct,
  time,
} from './field-types.ts';
import {
  labelSelector,
  objectMeta,
  objectReference,
  typedLocalObjectReference,
  typedObjectReference,
} from './meta-tables.ts';
import { nodeSelector } from './placement-tables.ts';
import {
  awsElasticBlockStoreVolumeSource,
  azureDiskVolumeSource,
  azureFilePersistentVolumeSource,
  cephFSPersistentVolumeSource,
  cinderPersistentVolumeSource,
  csiPersistentVolumeSource,
  fcVolumeSource,
  flexPersistentVolumeSource,
  flockerVolumeSource,
  gcePersistentDiskVolumeSource,
  glusterfsPersistentVolumeSource,
  hostPathVolumeSource,
  iscsiPersistentVolumeSource,
  localVolumeSource,
  nfsVolumeSource,
  photonPersistentDiskVolumeSource,
  portworxVolumeSource,
  quobyteVolumeSource,
  rbdPersistentVolumeSource,
  scaleIOPersistentVolumeSource,
  storageOSPersistentVolumeSource,
  vsphereVirtualDiskVolumeSource,
} from './volume-tables.ts';

export const persistentVolume = struct<V1PersistentVolume>('PersistentVolume', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: persistentVolumeSpec,
  status: persistentVolumeStatus,
}));

const persistentVolumeSpec = struct<V1PersistentVolumeSpec>('PersistentVolumeSpec', () => ({
  accessModes: list(stringOf('v1.PersistentVolumeAccessMode')),
  awsElasticBlockStore: awsElasticBlockStoreVolumeSource,
  azureDisk: azureDiskVolumeSource,
  azureFile: azureFilePersistentVolumeSource,
  capacity: map(quantity),
  cephfs: cephFSPersistentVolumeSource,
  cinder: cinderPersistentVolumeSource,
  claimRef: objectReference,
  csi: csiPersistentVolumeSource,
  fc: fcVolumeSource,
  flexVolume: flexPersistentVolumeSource,
  flocker: flockerVolumeSource,
  gcePersistentDisk: gcePersistentDiskVolumeSource,
  glusterfs: glusterfsPersistentVolumeSource,
  hostPath: hostPathVolumeSource,
  iscsi: iscsiPersistentVolumeSource,
  local: localVolumeSource,
  mountOptions: list(string),
  nfs: nfsVolumeSource,
  nodeAffinity: volumeNodeAffinity,
  persistentVolumeReclaimPolicy: stringOf('v1.PersistentVolumeReclaimPolicy'),
  photonPersistentDisk: photonPersistentDiskVolumeSource,
  portworxVolume: portworxVolumeSource,
  quobyte: quobyteVolumeSource,
  rbd: rbdPersistentVolumeSource,
  scaleIO: scaleIOPersistentVolumeSource,
  storageClassName: string,
  storageos: storageOSPersistentVolumeSource,
  volumeAttributesClassName: string,
  volumeMode: stringOf('v1.PersistentVolumeMode'),
  vsphereVolume: vsphereVirtualDiskVolumeSource,
}));

const persistentVolumeStatus = struct<V1PersistentVolumeStatus>('PersistentVolumeStatus', () => ({
  lastPhaseTransitionTime: time,
  message: string,
  phase: string,
  reason: string,
}));

export const persistentVolumeClaim = struct<V1PersistentVolumeClaim>('PersistentVolumeClaim', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: persistentVolumeClaimSpec,
  status: persistentVolumeClaimStatus,
}));

const persistentVolumeClaimSpec = struct<V1PersistentVolumeClaimSpec>('PersistentVolumeClaimSpec', () => ({
  accessModes: list(stringOf('v1.PersistentVolumeAccessMode')),
  dataSource: typedLocalObjectReference,
  dataSourceRef: typedObjectReference,
  resources: volumeResourceRequirements,
  selector: labelSelector,
  storageClassName: string,
  volumeAttributesClassName: string,
  volumeMode: stringOf('v1.PersistentVolumeMode'),
  volumeName: string,
}));

const persistentVolumeClaimStatus = struct<V1PersistentVolumeClaimStatus>('PersistentVolumeClaimStatus', () => ({
  accessModes: list(string),
  allocatedResourceStatuses: map(string),
  allocatedResources: map(quantity),
  capacity: map(quantity),
  conditions: list(persistentVolumeClaimCondition),
  currentVolumeAttributesClassName: string,
  modifyVolumeStatus: modifyVolumeStatus,
  phase: string,
}));

const persistentVolumeClaimCondition = struct<V1PersistentVolumeClaimCondition>(
  'PersistentVolumeClaimCondition',
  () => ({
    lastProbeTime: time,
    lastTransitionTime: time,
    message: string,
    reason: string,
    status: required(string),
    type: required(string),
  }),
);

const volumeResourceRequirements = struct<V1VolumeResourceRequirements>('VolumeResourceRequirements', () => ({
  limits: map(quantity),
  requests: map(quantity),
}));

const volumeNodeAffinity = struct<V1VolumeNodeAffinity>('VolumeNodeAffinity', () => ({
  required: nodeSelector,
}));

export const storageClass = struct<V1StorageClass>('StorageClass', () => ({
  allowVolumeExpansion: bool,
  allowedTopologies: list(topologySelectorTerm),
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  mountOptions: list(string),
  parameters: map(string),
  provisioner: required(string),
  reclaimPolicy: stringOf('v1.PersistentVolumeReclaimPolicy'),
  volumeBindingMode: stringOf('v1.VolumeBindingMode'),
}));

const topologySelectorTerm = struct<V1TopologySelectorTerm>('TopologySelectorTerm', () => ({
  matchLabelExpressions: list(topologySelectorLabelRequirement),
}));

const topologySelectorLabelRequirement = struct<V1TopologySelectorLabelRequirement>(
  'TopologySelectorLabelRequirement',
  () => ({
    key: required(string),
    values: required(list(string)),
  }),
);

export const csiNode = struct<V1CSINode>('CSINode', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: required(csiNodeSpec),
}));

const csiNodeSpec = struct<V1CSINodeSpec>('CSINodeSpec', () => ({
  drivers: required(list(csiNodeDriver)),
}));

const csiNodeDriver = struct<V1CSINodeDriver>('CSINodeDriver', () => ({
  allocatable: volumeNodeResources,
  name: required(string),
  nodeID: required(string),
  topologyKeys: list(string),
}));

export const csiDriver = struct<V1CSIDriver>('CSIDriver', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: required(csiDriverSpec),
}));

const csiDriverSpec = struct<V1CSIDriverSpec>('CSIDriverSpec', () => ({
  attachRequired: bool,
  fsGroupPolicy: string,
  nodeAllocatableUpdatePeriodSeconds: int64,
  podInfoOnMount: bool,
  preventPodSchedulingIfMissing: bool,
  requiresRepublish: bool,
  seLinuxMount: bool,
  serviceAccountTokenInSecrets: bool,
  storageCapacity: bool,
  tokenRequests: list(tokenRequest),
  volumeLifecycleModes: list(string),
}));

const tokenRequest = struct<StorageV1TokenRequest>('TokenRequest', () => ({
  audience: required(string),
  expirationSeconds: int64,
}));

export const csiStorageCapacity = struct<V1CSIStorageCapacity>('CSIStorageCapacity', () => ({
  apiVersion: string,
  capacity: quantity,
  kind: string,
  maximumVolumeSize: quantity,
  metadata: objectMeta,
  nodeTopology: labelSelector,
  storageClassName: required(string),
}));

const volumeNodeResources = struct<V1VolumeNodeResources>('VolumeNodeResources', () => ({
  count: int32,
}));

export const volumeAttachment = struct<V1VolumeAttachment>('VolumeAttachment', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: required(volumeAttachmentSpec),
  status: raw(),
}));

const volumeAttachmentSpec = struct<V1VolumeAttachmentSpec>('VolumeAttachmentSpec', () => ({
  attacher: required(string),
  nodeName: required(string),
  source: required(volumeAttachmentSource),
}));

const volumeAttachmentSource = struct<V1VolumeAttachmentSource>('VolumeAttachmentSource', () => ({
  inlineVolumeSpec: persistentVolumeSpec,
  persistentVolumeName: string,
}));

const modifyVolumeStatus = struct<V1ModifyVolumeStatus>('ModifyVolumeStatus', () => ({
  status: required(string),
  targetVolumeAttributesClassName: string,
}));

export const persistentVolumeClaimTemplate = struct<V1PersistentVolumeClaimTemplate>(
  'PersistentVolumeClaimTemplate',
  () => ({
    metadata: objectMeta,
    spec: required(persistentVolumeClaimSpec),
  }),
);
