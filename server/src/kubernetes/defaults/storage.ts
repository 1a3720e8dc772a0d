import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../objects.ts';

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
