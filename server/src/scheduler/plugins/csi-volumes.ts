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
} from './in-tree-volumes.ts';
import { claimOf, claimUsesOf, classOfClaim, foreignEphemeralClaim } from './volume-claims.ts';

/** A volume that a CSI driver attaches to the node. */
export interface AttachedVolume {
  readonly driver: string;
  /** The same for two uses of one volume. */
  readonly id: string;
  /** Set when the volume is written as one of an old plugin. */
  readonly plugin?: InTreePlugin;
}

/**
 * The volumes of a pod that drivers attach. A claim that does not exist is left out, as is one of another pod.
 * Source: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go (filterAttachableVolumes)
 */
export function attachedVolumesOf(objects: StoredObjects, pod: PodInfo): readonly AttachedVolume[] {
  const found: AttachedVolume[] = [];
  for (const volume of pod.pod.spec?.volumes ?? []) {
    const inline = migratedInline(volume);
    if (inline !== null) found.push(attached(inline));
  }
  for (const use of claimUsesOf(pod)) {
    const claim = claimOf(objects, pod, use);
    if (claim === undefined) continue;
    if (use.ephemeral && foreignEphemeralClaim(pod, claim, use.claimName) !== null) continue;
    const volume = volumeOfClaim(objects, claim);
    if (volume !== null) found.push(volume);
  }
  return found;
}

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
