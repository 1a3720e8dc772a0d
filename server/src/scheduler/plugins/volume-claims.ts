import { betaStorageClass } from '../../kubernetes/storage-class-of.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod, PodSpec } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';

/** A volume of a pod as its spec lists it. */
export type PodVolume = NonNullable<PodSpec['volumes']>[number];

/** A volume of a pod that is backed by a claim. */
export interface ClaimUse {
  readonly claimName: string;
  /** A generic ephemeral volume: its claim is made for the pod, under a name made of both names. */
  readonly ephemeral: boolean;
}

/** Sources: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go */
export const bindCompleted = 'pv.kubernetes.io/bind-completed';
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
export const selectedNode = 'volume.kubernetes.io/selected-node';

const noUses: readonly ClaimUse[] = [];
const knownUses = new WeakMap<Pod, readonly ClaimUse[]>();

/** The claims that a pod's volumes use, in the order of the volumes; a claim used twice is there twice. */
export function claimUsesOf(info: PodInfo): readonly ClaimUse[] {
  const { pod } = info;
  const volumes = pod.spec?.volumes;
  if (volumes === undefined || volumes.length === 0) return noUses;
  return getOrInsert(knownUses, pod, () =>
    volumes.map((volume) => claimUseOf(info, volume)).filter((use) => use !== null),
  );
}

/** The claim behind a volume of a pod; null for one that has none. */
export function claimUseOf(pod: PodInfo, { name, persistentVolumeClaim, ephemeral }: PodVolume): ClaimUse | null {
  if (persistentVolumeClaim !== undefined) return { claimName: persistentVolumeClaim.claimName, ephemeral: false };
  // Source: staging/src/k8s.io/component-helpers/storage/ephemeral/ephemeral.go (VolumeClaimName)
  return ephemeral === undefined ? null : { claimName: `${pod.name}-${name}`, ephemeral: true };
}

export function claimOf(
  objects: StoredObjects,
  { namespace }: PodInfo,
  { claimName }: ClaimUse,
): PersistentVolumeClaim | undefined {
  return objects.persistentVolumeClaims.get(`${namespace}/${claimName}`);
}

/** The text of the API's "not found" error. */
export function claimNotFound(claimName: string): string {
  return `persistentvolumeclaim "${claimName}" not found`;
}

/** Null, or why the claim does not belong to the ephemeral volume of the pod. Source: ephemeral.go (VolumeIsForPod) */
export function foreignEphemeralClaim(pod: PodInfo, claim: PersistentVolumeClaim, claimName: string): string | null {
  const owner = claim.metadata?.ownerReferences?.find((each) => each.controller === true);
  const uid = pod.pod.metadata?.uid;
  // Manifests that were never stored have no uid; then the name must do.
  const owned = uid === undefined ? owner?.kind === 'Pod' && owner.name === pod.name : owner?.uid === uid;
  if (owned) return null;
  return `PVC ${pod.namespace}/${claimName} was not created for pod ${pod.key} (pod is not owner)`;
}

/** Source: GetPersistentVolumeClass */
export function classOfVolume({ metadata, spec }: PersistentVolume): string {
  return labelValue(metadata?.annotations, betaStorageClass) ?? spec?.storageClassName ?? '';
}
