import { classOfClaim } from '../../kubernetes/storage-class-of.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { CSINode, PersistentVolume, PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';
import {
  driverOfProvisioner,
  hasMoved,
  type InTreePlugin,
  migratedInline,
  type MigratedVolume,
  migratedVolume,
  untranslatable,
} from './in-tree-volumes.ts';
import { claimNotFound, claimOf, claimUseOf, foreignEphemeralClaim } from './volume-claims.ts';

/** A volume that a CSI driver attaches to the node. */
export interface AttachedVolume {
  readonly driver: string;
  /** The same for two uses of one volume. */
  readonly id: string;
  /** Set when the volume is written as one of an old plugin. */
  readonly plugin?: InTreePlugin;
}

/** Why the volumes of a pod cannot be counted. */
export interface VolumeProblem {
  readonly why: string;
  /** A claim that is not there stops only the pod that is looking for a node. */
  readonly isMissing: boolean;
  /** A volume in the pod itself is looked at only where the node has a CSINode. */
  readonly isInline: boolean;
}

interface PodVolumes {
  readonly volumes: readonly AttachedVolume[];
  /** In the order in which they are come upon. */
  readonly problems: readonly VolumeProblem[];
}

/**
 * The volumes of a pod that drivers attach, and what keeps them from being counted.
 * Source: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go (filterAttachableVolumes, checkAttachableInlineVolume)
 */
export function attachedVolumesOf(objects: StoredObjects, pod: PodInfo): PodVolumes {
  const written = pod.pod.spec?.volumes;
  if (written === undefined || written.length === 0) return nothing;
  const volumes: AttachedVolume[] = [];
  const problems: VolumeProblem[] = [];
  for (const volume of written) {
    const use = claimUseOf(pod, volume);
    if (use === null) {
      const why = untranslatable({ spec: volume })?.why;
      if (why !== undefined) {
        const text = `converting volume(${volume.name}) from inline to csi: ${why}`;
        problems.push({ why: text, isMissing: false, isInline: true });
      }
      const inline = migratedInline(volume);
      if (inline !== null) volumes.push(attached(inline));
      continue;
    }
    const claim = claimOf(objects, pod, use);
    if (claim === undefined) {
      const why = `looking up PVC ${pod.namespace}/${use.claimName}: ${claimNotFound(use.claimName)}`;
      problems.push({ why, isMissing: true, isInline: false });
      continue;
    }
    const foreign = use.ephemeral ? foreignEphemeralClaim(pod, claim, use.claimName) : null;
    if (foreign !== null) {
      problems.push({ why: foreign, isMissing: false, isInline: false });
      continue;
    }
    const found = volumeOfClaim(objects, claim);
    if (found !== null) volumes.push(found);
  }
  return { volumes, problems };
}

const nothing: PodVolumes = { volumes: [], problems: [] };

/** Source: getCSIDriverInfo */
function volumeOfClaim(objects: StoredObjects, claim: PersistentVolumeClaim): AttachedVolume | null {
  const volume = objects.persistentVolumes.get(claim.spec?.volumeName ?? '');
  return volume === undefined ? volumeToMake(objects, claim) : volumeOf(volume);
}

/** How drivers know the volume; null for one that none attaches. */
function volumeOf(volume: PersistentVolume): AttachedVolume | null {
  const { csi } = volume.spec ?? {};
  if (csi !== undefined) {
    const { driver, volumeHandle } = csi;
    return driver === '' || volumeHandle === '' ? null : { driver, id: `${driver}/${volumeHandle}` };
  }
  const old = migratedVolume(volume);
  return old === null || old.handle === '' ? null : attached(old);
}

/** A claim without a volume counts as one of its class's provisioner. Source: getCSIDriverInfoFromSC */
function volumeToMake(objects: StoredObjects, claim: PersistentVolumeClaim): AttachedVolume | null {
  const maker = driverOfProvisioner(objects.fixed.storageClasses.get(classOfClaim(claim))?.provisioner ?? '');
  // A volume handle has no such form: no volume is mistaken for one that is yet to be made.
  return maker && { ...maker, id: ` ${keyOf(claim)}` };
}

/**
 * Volumes that VolumeAttachments say are attached to a node, by id, with their driver. Those of old plugins are not
 * looked at. Source: getNodeVolumeAttachmentInfo
 */
export function attachmentsOn(objects: StoredObjects, nodeName: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { spec } of objects.fixed.attachmentsByNode.get(nodeName) ?? []) {
    const { attacher, source } = spec;
    const csi = objects.persistentVolumes.get(source.persistentVolumeName ?? '')?.spec?.csi;
    if (attacher !== '' && csi !== undefined) found.set(`${attacher}/${csi.volumeHandle}`, attacher);
  }
  return found;
}

/** Whether the volume is one of the driver on that node. Source: nodevolumelimits/utils.go (isCSIMigrationOn) */
export function countsOn({ plugin }: AttachedVolume, csiNode: CSINode, { behaviours }: Release): boolean {
  return plugin?.countsWhereMoved !== true || behaviours.alwaysMigratesPortworx || hasMoved(csiNode, plugin);
}

function attached({ plugin, handle }: MigratedVolume): AttachedVolume {
  return { driver: plugin.driver, id: `${plugin.driver}/${handle}`, plugin };
}
