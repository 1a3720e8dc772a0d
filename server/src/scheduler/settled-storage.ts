import { keyOf } from '../kubernetes/names.ts';
import { labelValue } from '../kubernetes/labels.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../kubernetes/objects.ts';
import { classOfClaim, hasClass, withDefaultClass } from '../kubernetes/storage-class-of.ts';
import { misspeltStorageClass } from '../kubernetes/misspelt-class.ts';
import { compareBytewise } from './framework/order.ts';
import { classTopologies, madeFor } from './made-volumes.ts';
import { bindCompleted } from './plugins/volume-claims.ts';
import { bound, candidatesFor, isBoundTo } from './plugins/volume-matching.ts';
import { noProvisioner } from './plugins/volume-provisioning.ts';

/** Claims, volumes and classes as they are written. */
export interface WrittenStorage {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
  readonly classes: readonly StorageClass[];
  /** Whether no other class can exist: then a claim of one that is not among `classes` stays unbound. */
  readonly knowsAllClasses: boolean;
}

export interface SettledStorage {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
  /** How many claims got a volume that is declared nowhere, so that its place is unknown. */
  readonly made: number;
  /** Classes that are declared nowhere, of which such volumes are. */
  readonly assumedClasses: readonly string[];
}

/**
 * What a cluster makes of claims and volumes that are only written down, until nothing changes without a pod: claims get
 * the default class, and those that need not wait for a consumer a volume that fits, or one that is made for them. What
 * has a status has been in a cluster, and is left as it is. A volume that is made lies in the topologies of its class;
 * where no class tells, every node reaches it.
 * Sources: plugin/pkg/admission/storage/storageclass/setdefault/admission.go,
 * pkg/controller/volume/persistentvolume/pv_controller.go (syncUnboundClaim, syncVolume)
 */
export function settleStorage({ claims, volumes, classes, knowsAllClasses }: WrittenStorage): SettledStorage {
  const ofNodes = new Set(volumes.flatMap((each) => (isOfNode(each) ? (each.spec?.storageClassName ?? []) : [])));
  const byName = new Map(classes.map((each) => [each.metadata?.name ?? '', each]));
  const settledVolumes = new Map(volumes.map((each) => [each.metadata?.name ?? '', available(each)]));
  /** Those that no claim has got yet. */
  const open = new Map(settledVolumes);
  const settledClaims: PersistentVolumeClaim[] = [];
  let made = 0;
  const assumed = new Set<string>();
  for (const written of claims.toSorted((a, b) => compareBytewise(keyOf(a), keyOf(b)))) {
    if (isKnownToCluster(written)) {
      settledClaims.push(written);
      continue;
    }
    const claim = withDefaultClass([written], classes)[0]!;
    const storageClass = byName.get(classOfClaim(claim));
    const volumeName = claim.spec?.volumeName ?? '';
    let volume: PersistentVolume | undefined;
    if (volumeName !== '') {
      volume = settledVolumes.get(volumeName);
      if (volume?.spec?.claimRef !== undefined && !isBoundTo(volume, claim)) volume = undefined;
    } else if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') {
      const { prebound, free } = candidatesFor(claim, open.values());
      volume = prebound[0] ?? free[0];
      if (
        volume === undefined &&
        isServed(claim, storageClass, classes, knowsAllClasses || ofNodes.has(classOfClaim(claim)))
      ) {
        volume = madeFor(claim, storageClass, classTopologies(storageClass));
        made += 1;
        if (storageClass === undefined && hasClass(claim)) assumed.add(classOfClaim(claim));
      }
    }
    if (volume === undefined) {
      settledClaims.push(claim);
      continue;
    }
    const pair = bound(volume, claim);
    settledVolumes.set(pair.volume.metadata?.name ?? '', pair.volume);
    open.delete(pair.volume.metadata?.name ?? '');
    settledClaims.push(pair.claim);
  }
  return { claims: settledClaims, volumes: [...settledVolumes.values()], made, assumedClasses: [...assumed] };
}

/** Disks of nodes that are written by hand: what has their class, and is declared nowhere, makes no others. */
function isOfNode({ metadata, spec }: PersistentVolume): boolean {
  const isMade = labelValue(metadata?.annotations, provisionedBy) !== undefined;
  return (spec?.hostPath !== undefined || spec?.local !== undefined) && !isMade;
}

const provisionedBy = 'pv.kubernetes.io/provisioned-by';

function isKnownToCluster({ metadata, status }: PersistentVolumeClaim): boolean {
  const phase = status?.phase;
  // One that is bound has the mark, unless it was written, or cleaned, by hand: then the controller sets it.
  return (phase !== undefined && phase !== 'Bound') || labelValue(metadata?.annotations, bindCompleted) !== undefined;
}

function available(volume: PersistentVolume): PersistentVolume {
  return volume.status?.phase === undefined ? { ...volume, status: { ...volume.status, phase: 'Available' } } : volume;
}

/** Whether somebody makes a volume for the claim at once. */
function isServed(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  classes: readonly StorageClass[],
  knowsAllClasses: boolean,
): boolean {
  if (storageClass !== undefined) return storageClass.provisioner !== noProvisioner;
  if (!hasClass(claim)) return !knowsAllClasses;
  // An empty class asks for volumes without one, and nobody makes such. Classes of a cloud are seldom declared: only a
  // name that is nearly that of a declared one is taken to be wrong.
  const named = classOfClaim(claim);
  const declared = classes.flatMap(({ metadata }) => metadata?.name ?? []);
  return named !== '' && !knowsAllClasses && misspeltStorageClass(named, declared) === undefined;
}
