/**
 * Volumes of a pod. All fields of Kubernetes' types; the compiler compares them with its
 * client library. Long, because every field has its line.
 */
import type {
  V1AWSElasticBlockStoreVolumeSource,
  V1AzureDiskVolumeSource,
  V1AzureFilePersistentVolumeSource,
  V1AzureFileVolumeSource,
  V1CSIPersistentVolumeSource,
  V1CSIVolumeSource,
  V1CephFSPersistentVolumeSource,
  V1CephFSVolumeSource,
  V1CinderPersistentVolumeSource,
  V1CinderVolumeSource,
  V1ClusterTrustBundleProjection,
  V1ConfigMapProjection,
  V1ConfigMapVolumeSource,
  V1DownwardAPIProjection,
  V1DownwardAPIVolumeFile,
  V1DownwardAPIVolumeSource,
  V1EmptyDirVolumeSource,
  V1EphemeralVolumeSource,
  V1FCVolumeSource,
  V1FlexPersistentVolumeSource,
  V1FlexVolumeSource,
  V1FlockerVolumeSource,
  V1GCEPersistentDiskVolumeSource,
  V1GitRepoVolumeSource,
  V1GlusterfsPersistentVolumeSource,
  V1GlusterfsVolumeSource,
  V1HostPathVolumeSource,
  V1ISCSIPersistentVolumeSource,
  V1ISCSIVolumeSource,
  V1ImageVolumeSource,
  V1KeyToPath,
  V1LocalVolumeSource,
  V1NFSVolumeSource,
  V1ObjectFieldSelector,
  V1PersistentVolumeClaimVolumeSource,
  V1PhotonPersistentDiskVolumeSource,
  V1PodCertificateProjection,
  V1PortworxVolumeSource,
  V1ProjectedVolumeSource,
  V1QuobyteVolumeSource,
  V1RBDPersistentVolumeSource,
  V1RBDVolumeSource,
  V1ResourceFieldSelector,
  V1ScaleIOPersistentVolumeSource,
  V1ScaleIOVolumeSource,
  V1SecretProjection,
  V1SecretVolumeSource,
  V1ServiceAccountTokenProjection,
  V1StorageOSPersistentVolumeSource,
  V1StorageOSVolumeSource,
  V1Volume,
  V1VolumeProjection,
  V1VsphereVirtualDiskVolumeSource,
} from '@kubernetes/client-node';
import { bool, int32, int64, list, map, quantity, required, string, struct } from './field-types.ts';
import { labelSelector, localObjectReference, objectReference, secretReference } from './meta-tables.ts';
import { persistentVolumeClaimTemplate } from './storage-tables.ts';

export const awsElasticBlockStoreVolumeSource = struct<V1AWSElasticBlockStoreVolumeSource>(
  'AWSElasticBlockStoreVolumeSource',
  () => ({
    fsType: string,
    partition: int32,
    readOnly: bool,
    volumeID: required(string),
  }),
);

export const azureDiskVolumeSource = struct<V1AzureDiskVolumeSource>('AzureDiskVolumeSource', () => ({
  cachingMode: string,
  diskName: required(string),
  diskURI: required(string),
  fsType: string,
  kind: string,
  readOnly: bool,
}));

export const azureFilePersistentVolumeSource = struct<V1AzureFilePersistentVolumeSource>(
  'AzureFilePersistentVolumeSource',
  () => ({
    readOnly: bool,
    secretName: required(string),
    secretNamespace: string,
    shareName: required(string),
  }),
);

const azureFileVolumeSource = struct<V1AzureFileVolumeSource>('AzureFileVolumeSource', () => ({
  readOnly: bool,
  secretName: required(string),
  shareName: required(string),
}));

export const csiPersistentVolumeSource = struct<V1CSIPersistentVolumeSource>('CSIPersistentVolumeSource', () => ({
  controllerExpandSecretRef: secretReference,
  controllerPublishSecretRef: secretReference,
  driver: required(string),
  fsType: string,
  nodeExpandSecretRef: secretReference,
  nodePublishSecretRef: secretReference,
  nodeStageSecretRef: secretReference,
  readOnly: bool,
  volumeAttributes: map(string),
  volumeHandle: required(string),
}));

const csiVolumeSource = struct<V1CSIVolumeSource>('CSIVolumeSource', () => ({
  driver: required(string),
  fsType: string,
  nodePublishSecretRef: localObjectReference,
  readOnly: bool,
  volumeAttributes: map(string),
}));

export const cephFSPersistentVolumeSource = struct<V1CephFSPersistentVolumeSource>(
  'CephFSPersistentVolumeSource',
  () => ({
    monitors: required(list(string)),
    path: string,
    readOnly: bool,
    secretFile: string,
    secretRef: secretReference,
    user: string,
  }),
);

const cephFSVolumeSource = struct<V1CephFSVolumeSource>('CephFSVolumeSource', () => ({
  monitors: required(list(string)),
  path: string,
  readOnly: bool,
  secretFile: string,
  secretRef: localObjectReference,
  user: string,
}));

export const cinderPersistentVolumeSource = struct<V1CinderPersistentVolumeSource>(
  'CinderPersistentVolumeSource',
  () => ({
    fsType: string,
    readOnly: bool,
    secretRef: secretReference,
    volumeID: required(string),
  }),
);

const cinderVolumeSource = struct<V1CinderVolumeSource>('CinderVolumeSource', () => ({
  fsType: string,
  readOnly: bool,
  secretRef: localObjectReference,
  volumeID: required(string),
}));

const clusterTrustBundleProjection = struct<V1ClusterTrustBundleProjection>('ClusterTrustBundleProjection', () => ({
  labelSelector: labelSelector,
  name: string,
  optional: bool,
  path: required(string),
  signerName: string,
}));

const configMapProjection = struct<V1ConfigMapProjection>('ConfigMapProjection', () => ({
  items: list(keyToPath),
  name: string,
  optional: bool,
}));

const configMapVolumeSource = struct<V1ConfigMapVolumeSource>('ConfigMapVolumeSource', () => ({
  defaultMode: int32,
  items: list(keyToPath),
  name: string,
  optional: bool,
}));

const downwardAPIProjection = struct<V1DownwardAPIProjection>('DownwardAPIProjection', () => ({
  items: list(downwardAPIVolumeFile),
}));

const downwardAPIVolumeFile = struct<V1DownwardAPIVolumeFile>('DownwardAPIVolumeFile', () => ({
  fieldRef: objectFieldSelector,
  mode: int32,
  path: required(string),
  resourceFieldRef: resourceFieldSelector,
}));

const downwardAPIVolumeSource = struct<V1DownwardAPIVolumeSource>('DownwardAPIVolumeSource', () => ({
  defaultMode: int32,
  items: list(downwardAPIVolumeFile),
}));

const emptyDirVolumeSource = struct<V1EmptyDirVolumeSource>('EmptyDirVolumeSource', () => ({
  medium: string,
  sizeLimit: quantity,
}));

const ephemeralVolumeSource = struct<V1EphemeralVolumeSource>('EphemeralVolumeSource', () => ({
  volumeClaimTemplate: persistentVolumeClaimTemplate,
}));

export const fcVolumeSource = struct<V1FCVolumeSource>('FCVolumeSource', () => ({
  fsType: string,
  lun: int32,
  readOnly: bool,
  targetWWNs: list(string),
  wwids: list(string),
}));

export const flexPersistentVolumeSource = struct<V1FlexPersistentVolumeSource>('FlexPersistentVolumeSource', () => ({
  driver: required(string),
  fsType: string,
  options: map(string),
  readOnly: bool,
  secretRef: secretReference,
}));

const flexVolumeSource = struct<V1FlexVolumeSource>('FlexVolumeSource', () => ({
  driver: required(string),
  fsType: string,
  options: map(string),
  readOnly: bool,
  secretRef: localObjectReference,
}));

export const flockerVolumeSource = struct<V1FlockerVolumeSource>('FlockerVolumeSource', () => ({
  datasetName: string,
  datasetUUID: string,
}));

export const gcePersistentDiskVolumeSource = struct<V1GCEPersistentDiskVolumeSource>(
  'GCEPersistentDiskVolumeSource',
  () => ({
    fsType: string,
    partition: int32,
    pdName: required(string),
    readOnly: bool,
  }),
);

const gitRepoVolumeSource = struct<V1GitRepoVolumeSource>('GitRepoVolumeSource', () => ({
  directory: string,
  repository: required(string),
  revision: string,
}));

export const glusterfsPersistentVolumeSource = struct<V1GlusterfsPersistentVolumeSource>(
  'GlusterfsPersistentVolumeSource',
  () => ({
    endpoints: required(string),
    endpointsNamespace: string,
    path: required(string),
    readOnly: bool,
  }),
);

const glusterfsVolumeSource = struct<V1GlusterfsVolumeSource>('GlusterfsVolumeSource', () => ({
  endpoints: required(string),
  path: required(string),
  readOnly: bool,
}));

export const hostPathVolumeSource = struct<V1HostPathVolumeSource>('HostPathVolumeSource', () => ({
  path: required(string),
  type: string,
}));

export const iscsiPersistentVolumeSource = struct<V1ISCSIPersistentVolumeSource>('ISCSIPersistentVolumeSource', () => ({
  chapAuthDiscovery: bool,
  chapAuthSession: bool,
  fsType: string,
  initiatorName: string,
  iqn: required(string),
  iscsiInterface: string,
  lun: required(int32),
  portals: list(string),
  readOnly: bool,
  secretRef: secretReference,
  targetPortal: required(string),
}));

const iscsiVolumeSource = struct<V1ISCSIVolumeSource>('ISCSIVolumeSource', () => ({
  chapAuthDiscovery: bool,
  chapAuthSession: bool,
  fsType: string,
  initiatorName: string,
  iqn: required(string),
  iscsiInterface: string,
  lun: required(int32),
  portals: list(string),
  readOnly: bool,
  secretRef: localObjectReference,
  targetPortal: required(string),
}));

const imageVolumeSource = struct<V1ImageVolumeSource>('ImageVolumeSource', () => ({
  pullPolicy: string,
  reference: string,
}));

const keyToPath = struct<V1KeyToPath>('KeyToPath', () => ({
  key: required(string),
  mode: int32,
  path: required(string),
}));

export const localVolumeSource = struct<V1LocalVolumeSource>('LocalVolumeSource', () => ({
  fsType: string,
  path: required(string),
}));

export const nfsVolumeSource = struct<V1NFSVolumeSource>('NFSVolumeSource', () => ({
  path: required(string),
  readOnly: bool,
  server: required(string),
}));

export const objectFieldSelector = struct<V1ObjectFieldSelector>('ObjectFieldSelector', () => ({
  apiVersion: string,
  fieldPath: required(string),
}));

const persistentVolumeClaimVolumeSource = struct<V1PersistentVolumeClaimVolumeSource>(
  'PersistentVolumeClaimVolumeSource',
  () => ({
    claimName: required(string),
    readOnly: bool,
  }),
);

export const photonPersistentDiskVolumeSource = struct<V1PhotonPersistentDiskVolumeSource>(
  'PhotonPersistentDiskVolumeSource',
  () => ({
    fsType: string,
    pdID: required(string),
  }),
);

const podCertificateProjection = struct<V1PodCertificateProjection>('PodCertificateProjection', () => ({
  certificateChainPath: string,
  credentialBundlePath: string,
  keyPath: string,
  keyType: required(string),
  maxExpirationSeconds: int32,
  signerName: required(string),
  userAnnotations: map(string),
}));

export const portworxVolumeSource = struct<V1PortworxVolumeSource>('PortworxVolumeSource', () => ({
  fsType: string,
  readOnly: bool,
  volumeID: required(string),
}));

const projectedVolumeSource = struct<V1ProjectedVolumeSource>('ProjectedVolumeSource', () => ({
  defaultMode: int32,
  sources: list(volumeProjection),
}));

export const quobyteVolumeSource = struct<V1QuobyteVolumeSource>('QuobyteVolumeSource', () => ({
  group: string,
  readOnly: bool,
  registry: required(string),
  tenant: string,
  user: string,
  volume: required(string),
}));

export const rbdPersistentVolumeSource = struct<V1RBDPersistentVolumeSource>('RBDPersistentVolumeSource', () => ({
  fsType: string,
  image: required(string),
  keyring: string,
  monitors: required(list(string)),
  pool: string,
  readOnly: bool,
  secretRef: secretReference,
  user: string,
}));

const rbdVolumeSource = struct<V1RBDVolumeSource>('RBDVolumeSource', () => ({
  fsType: string,
  image: required(string),
  keyring: string,
  monitors: required(list(string)),
  pool: string,
  readOnly: bool,
  secretRef: localObjectReference,
  user: string,
}));

export const resourceFieldSelector = struct<V1ResourceFieldSelector>('ResourceFieldSelector', () => ({
  containerName: string,
  divisor: quantity,
  resource: required(string),
}));

export const scaleIOPersistentVolumeSource = struct<V1ScaleIOPersistentVolumeSource>(
  'ScaleIOPersistentVolumeSource',
  () => ({
    fsType: string,
    gateway: required(string),
    protectionDomain: string,
    readOnly: bool,
    secretRef: required(secretReference),
    sslEnabled: bool,
    storageMode: string,
    storagePool: string,
    system: required(string),
    volumeName: string,
  }),
);

const scaleIOVolumeSource = struct<V1ScaleIOVolumeSource>('ScaleIOVolumeSource', () => ({
  fsType: string,
  gateway: required(string),
  protectionDomain: string,
  readOnly: bool,
  secretRef: required(localObjectReference),
  sslEnabled: bool,
  storageMode: string,
  storagePool: string,
  system: required(string),
  volumeName: string,
}));

const secretProjection = struct<V1SecretProjection>('SecretProjection', () => ({
  items: list(keyToPath),
  name: string,
  optional: bool,
}));

const secretVolumeSource = struct<V1SecretVolumeSource>('SecretVolumeSource', () => ({
  defaultMode: int32,
  items: list(keyToPath),
  optional: bool,
  secretName: string,
}));

const serviceAccountTokenProjection = struct<V1ServiceAccountTokenProjection>('ServiceAccountTokenProjection', () => ({
  audience: string,
  expirationSeconds: int64,
  path: required(string),
}));

export const storageOSPersistentVolumeSource = struct<V1StorageOSPersistentVolumeSource>(
  'StorageOSPersistentVolumeSource',
  () => ({
    fsType: string,
    readOnly: bool,
    secretRef: objectReference,
    volumeName: string,
    volumeNamespace: string,
  }),
);

const storageOSVolumeSource = struct<V1StorageOSVolumeSource>('StorageOSVolumeSource', () => ({
  fsType: string,
  readOnly: bool,
  secretRef: localObjectReference,
  volumeName: string,
  volumeNamespace: string,
}));

export const volume = struct<V1Volume>('Volume', () => ({
  awsElasticBlockStore: awsElasticBlockStoreVolumeSource,
  azureDisk: azureDiskVolumeSource,
  azureFile: azureFileVolumeSource,
  cephfs: cephFSVolumeSource,
  cinder: cinderVolumeSource,
  configMap: configMapVolumeSource,
  csi: csiVolumeSource,
  downwardAPI: downwardAPIVolumeSource,
  emptyDir: emptyDirVolumeSource,
  ephemeral: ephemeralVolumeSource,
  fc: fcVolumeSource,
  flexVolume: flexVolumeSource,
  flocker: flockerVolumeSource,
  gcePersistentDisk: gcePersistentDiskVolumeSource,
  gitRepo: gitRepoVolumeSource,
  glusterfs: glusterfsVolumeSource,
  hostPath: hostPathVolumeSource,
  image: imageVolumeSource,
  iscsi: iscsiVolumeSource,
  name: required(string),
  nfs: nfsVolumeSource,
  persistentVolumeClaim: persistentVolumeClaimVolumeSource,
  photonPersistentDisk: photonPersistentDiskVolumeSource,
  portworxVolume: portworxVolumeSource,
  projected: projectedVolumeSource,
  quobyte: quobyteVolumeSource,
  rbd: rbdVolumeSource,
  scaleIO: scaleIOVolumeSource,
  secret: secretVolumeSource,
  storageos: storageOSVolumeSource,
  vsphereVolume: vsphereVirtualDiskVolumeSource,
}));

const volumeProjection = struct<V1VolumeProjection>('VolumeProjection', () => ({
  clusterTrustBundle: clusterTrustBundleProjection,
  configMap: configMapProjection,
  downwardAPI: downwardAPIProjection,
  podCertificate: podCertificateProjection,
  secret: secretProjection,
  serviceAccountToken: serviceAccountTokenProjection,
}));

export const vsphereVirtualDiskVolumeSource = struct<V1VsphereVirtualDiskVolumeSource>(
  'VsphereVirtualDiskVolumeSource',
  () => ({
    fsType: string,
    storagePolicyID: string,
    storagePolicyName: string,
    volumePath: required(string),
  }),
);
