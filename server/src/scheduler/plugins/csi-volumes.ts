import { labelValue } from '../../kubernetes/labels.ts';
import type { CSINode, PersistentVolume, PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';
import {
  claimOf,
  claimUsesOf,
  classOfClaim,
  foreignEphemeralClaim,
  namespaceOf,
  type PodVolume,
} from './volume-claims.ts';

/** A volume that a CSI driver attaches to the node. */
export interface AttachedVolume {
  readonly driver: string;
  /** The same for two uses of one volume. */
  readonly id: string;
  /** Set when the volume is written as one of an old plugin; it counts where the node has moved that one to CSI. */
  readonly inTreePlugin?: string;
}

type VolumeSource = Pick<
  PodVolume,
  'awsElasticBlockStore' | 'azureDisk' | 'cinder' | 'gcePersistentDisk' | 'portworxVolume' | 'vsphereVolume'
>;

/** Source: staging/src/k8s.io/csi-translation-lib/plugins (in-tree name, driver and handle of each plugin) */
function migratable(source: VolumeSource): AttachedVolume | null {
  const {
    awsElasticBlockStore: aws,
    azureDisk,
    cinder,
    gcePersistentDisk: gce,
    portworxVolume,
    vsphereVolume,
  } = source;
  if (aws !== undefined) return moved('kubernetes.io/aws-ebs', 'ebs.csi.aws.com', lastPart(aws.volumeID));
  if (azureDisk !== undefined) return moved('kubernetes.io/azure-disk', 'disk.csi.azure.com', azureDisk.diskURI);
  if (cinder !== undefined) return moved('kubernetes.io/cinder', 'cinder.csi.openstack.org', cinder.volumeID);
  if (gce !== undefined) return moved('kubernetes.io/gce-pd', 'pd.csi.storage.gke.io', gce.pdName);
  if (portworxVolume !== undefined) {
    return moved('kubernetes.io/portworx-volume', 'pxd.portworx.com', portworxVolume.volumeID);
  }
  if (vsphereVolume !== undefined) {
    return moved('kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com', vsphereVolume.volumePath);
  }
  return null;
}

/** Provisioners of old plugins → the driver that took over. */
const migratedProvisioners: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
]);

/**
 * The volumes of a pod that drivers attach. A claim that does not exist is left out, as is one of another pod.
 * Source: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go (filterAttachableVolumes)
 */
export function attachedVolumesOf(objects: StoredObjects, pod: PodInfo): readonly AttachedVolume[] {
  const found: AttachedVolume[] = [];
  for (const volume of pod.pod.spec?.volumes ?? []) {
    const inline = migratable(volume);
    if (inline !== null) found.push(inline);
  }
  for (const use of claimUsesOf(pod)) {
    const claim = claimOf(objects, pod, use);
    if (claim === undefined) continue;
    if (use.ephemeral && foreignEphemeralClaim(pod, claim, use.claimName) !== null) continue;
    const attached = volumeOfClaim(objects, claim);
    if (attached !== null) found.push(attached);
  }
  return found;
}

/** Source: getCSIDriverInfo */
function volumeOfClaim(objects: StoredObjects, claim: PersistentVolumeClaim): AttachedVolume | null {
  const volume = objects.persistentVolumes.get(claim.spec?.volumeName ?? '');
  return volume === undefined ? volumeToMake(objects, claim) : volumeOf(volume);
}

/** How drivers know the volume; null for one that none attaches. */
export function volumeOf({ spec }: PersistentVolume): AttachedVolume | null {
  if (spec?.csi === undefined) return spec === undefined ? null : migratable(spec);
  const { driver, volumeHandle } = spec.csi;
  return driver === '' || volumeHandle === '' ? null : { driver, id: `${driver}/${volumeHandle}` };
}

/** A claim without a volume counts as one of its class's provisioner. Source: getCSIDriverInfoFromSC */
function volumeToMake(objects: StoredObjects, claim: PersistentVolumeClaim): AttachedVolume | null {
  const provisioner = objects.fixed.storageClasses.get(classOfClaim(claim))?.provisioner ?? '';
  if (provisioner === '') return null;
  const driver = migratedProvisioners.get(provisioner);
  // A volume handle has no such form: no volume is mistaken for one that is yet to be made.
  const id = ` ${namespaceOf(claim.metadata ?? {})}/${claim.metadata?.name ?? ''}`;
  return driver === undefined ? { driver: provisioner, id } : { driver, id, inTreePlugin: provisioner };
}

/** Source: isCSIMigrationOn; all plugins of the table are on by default in v1.34. */
export function countsOn({ inTreePlugin }: AttachedVolume, csiNode: CSINode | undefined): boolean {
  if (inTreePlugin === undefined) return true;
  const migrated = labelValue(csiNode?.metadata?.annotations, 'storage.alpha.kubernetes.io/migrated-plugins');
  return migrated?.split(',').includes(inTreePlugin) === true;
}

function moved(inTreePlugin: string, driver: string, handle: string): AttachedVolume {
  return { driver, id: `${driver}/${handle}`, inTreePlugin };
}

/** `aws://zone/vol-1` and `vol-1` are the same. Source: csi-translation-lib/plugins/aws_ebs.go */
function lastPart(volumeId: string): string {
  return volumeId.slice(volumeId.lastIndexOf('/') + 1);
}
