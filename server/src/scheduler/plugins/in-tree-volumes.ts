import { type Labels, labelValue } from '../../kubernetes/labels.ts';
import type { CSINode, NodeSelector, NodeSelectorTerm, PersistentVolume } from '../../kubernetes/objects.ts';
import type { PodVolume } from './volume-claims.ts';

/** A storage plugin that was part of Kubernetes once, and the CSI driver that took over. */
export interface InTreePlugin {
  /** As classes name it, and nodes that have moved to the driver. */
  readonly name: string;
  readonly driver: string;
  /** The label in which nodes tell the driver their zone; absent where volumes are not moved to it. */
  readonly zoneKey?: string;
  /** Its volumes count as the driver's only on nodes that say so. Source: isCSIMigrationOn in nodevolumelimits/utils.go */
  readonly countsWhereMoved?: true;
}

/** A volume of such a plugin as its driver knows it. */
export interface MigratedVolume {
  readonly plugin: InTreePlugin;
  readonly handle: string;
}

type VolumeSource = Pick<
  PodVolume,
  'awsElasticBlockStore' | 'azureDisk' | 'cinder' | 'gcePersistentDisk' | 'portworxVolume'
>;

/** Source: staging/src/k8s.io/csi-translation-lib/plugins; names, drivers and topology keys of each plugin. */
const aws: InTreePlugin = {
  name: 'kubernetes.io/aws-ebs',
  driver: 'ebs.csi.aws.com',
  zoneKey: 'topology.ebs.csi.aws.com/zone',
};
const azureDisk: InTreePlugin = { name: 'kubernetes.io/azure-disk', driver: 'disk.csi.azure.com' };
const cinder: InTreePlugin = {
  name: 'kubernetes.io/cinder',
  driver: 'cinder.csi.openstack.org',
  zoneKey: 'topology.cinder.csi.openstack.org/zone',
};
const gce: InTreePlugin = {
  name: 'kubernetes.io/gce-pd',
  driver: 'pd.csi.storage.gke.io',
  zoneKey: 'topology.gke.io/zone',
};
const portworx: InTreePlugin = {
  name: 'kubernetes.io/portworx-volume',
  driver: 'pxd.portworx.com',
  countsWhereMoved: true,
};
const byName: ReadonlyMap<string, InTreePlugin> = new Map(
  [aws, azureDisk, cinder, gce, portworx].map((plugin) => [plugin.name, plugin]),
);
/** These have drivers too, but the scheduler takes none of their volumes for the driver's. */
const neverMoved: ReadonlySet<string> = new Set(['kubernetes.io/azure-file', 'kubernetes.io/vsphere-volume']);

/** Who attaches the volumes of a class; null where the scheduler does not know. Source: getCSIDriverInfoFromSC */
export function driverOfProvisioner(
  provisioner: string,
): { readonly driver: string; readonly plugin?: InTreePlugin } | null {
  if (provisioner === '' || neverMoved.has(provisioner)) return null;
  const plugin = byName.get(provisioner);
  return plugin === undefined ? { driver: provisioner } : { driver: plugin.driver, plugin };
}

/** The volume of an old plugin that a pod has written in its spec. */
export function migratedInline(volume: VolumeSource): MigratedVolume | null {
  return migrated(volume, undefined);
}

/** The volume of an old plugin that a PersistentVolume stands for. */
export function migratedVolume({ metadata, spec }: PersistentVolume): MigratedVolume | null {
  return spec === undefined ? null : migrated(spec, metadata?.labels);
}

/** Why a volume, in a PersistentVolume or in a pod, cannot be translated for its driver; null where it can. */
export function untranslatable({
  metadata,
  spec,
}: {
  readonly metadata?: PersistentVolume['metadata'];
  readonly spec?: VolumeSource;
}): { readonly plugin: InTreePlugin; readonly why: string } | null {
  const { awsElasticBlockStore: ebs, azureDisk: azure, gcePersistentDisk } = spec ?? {};
  if (ebs !== undefined && ebsVolumeId(ebs.volumeID) === null) {
    const why = `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${ebs.volumeID})`;
    return { plugin: aws, why };
  }
  const kind = unmovedKind(azure);
  if (kind !== null) return { plugin: azureDisk, why: `kind(${kind}) is not supported in csi migration` };
  if (gcePersistentDisk === undefined) return null;
  const region = gceRegion(gceZones(metadata?.labels));
  return region === null || !('problem' in region)
    ? null
    : { plugin: gce, why: `failed to get region from zones: ${region.problem}` };
}

/** Whether the node leaves the volumes of the plugin to its driver. Source: isPluginMigratedToCSIOnNode */
export function hasMoved(csiNode: CSINode | undefined, plugin: InTreePlugin): boolean {
  return movedPlugins(csiNode)?.split(',').includes(plugin.name) === true;
}

/** The old plugins whose volumes the node leaves to drivers, separated by commas. */
export function movedPlugins(csiNode: CSINode | undefined): string | undefined {
  return labelValue(csiNode?.metadata?.annotations, 'storage.alpha.kubernetes.io/migrated-plugins');
}

/** Whether a volume in a pod is one of a plugin that has a driver. Source: IsInlineMigratable */
export function isOfOldPlugin(volume: PodVolume): boolean {
  const { azureFile, vsphereVolume } = volume;
  return (azureFile ?? vsphereVolume) !== undefined || sourceOf(volume) !== undefined;
}

function sourceOf(source: VolumeSource): object | undefined {
  const { awsElasticBlockStore, azureDisk: azure, cinder: openstack, gcePersistentDisk, portworxVolume } = source;
  return awsElasticBlockStore ?? azure ?? openstack ?? gcePersistentDisk ?? portworxVolume;
}

/** Null also for a volume of an old plugin whose name or zones are not in the form that can be translated. */
function migrated(source: VolumeSource, labels: Labels | undefined): MigratedVolume | null {
  if (source.awsElasticBlockStore !== undefined) return named(aws, ebsVolumeId(source.awsElasticBlockStore.volumeID));
  if (source.azureDisk !== undefined) {
    return named(azureDisk, unmovedKind(source.azureDisk) === null ? source.azureDisk.diskURI : null);
  }
  if (source.cinder !== undefined) return named(cinder, source.cinder.volumeID);
  if (source.gcePersistentDisk !== undefined) return named(gce, gceDisk(source.gcePersistentDisk.pdName, labels));
  if (source.portworxVolume !== undefined) return named(portworx, source.portworxVolume.volumeID);
  return null;
}

function named(plugin: InTreePlugin, handle: string | null): MigratedVolume | null {
  return handle === null ? null : { plugin, handle };
}

/**
 * The kind of an Azure disk that its driver does not take over; null where it does, and where there is no disk. The API
 * server writes `Shared` where no kind is written.
 * Sources: azure_disk.go (TranslateInTreePVToCSI), pkg/apis/core/v1/defaults.go (SetDefaults_AzureDiskVolumeSource)
 */
function unmovedKind(disk: VolumeSource['azureDisk']): string | null {
  if (disk === undefined) return null;
  const { kind = 'Shared' } = disk;
  return kind.toLowerCase() === 'managed' ? null : kind;
}

/** `aws://zone/vol-1` and `vol-1` are the same. Source: aws_ebs.go (KubernetesVolumeIDToEBSVolumeID) */
function ebsVolumeId(text: string): string | null {
  if (!text.startsWith('aws://')) return text;
  const id = /^aws:\/\/[^/]*\/+(vol-[^/]*)\/*$/.exec(text);
  return id?.[1] ?? null;
}

/** Its project is never known, its zone or region only by the labels. Source: gce_pd.go (TranslateInTreePVToCSI) */
function gceDisk(name: string, labels: Labels | undefined): string | null {
  const zones = gceZones(labels);
  const region = gceRegion(zones);
  if (region === null) return `projects/UNSPECIFIED/zones/${zones[0] === '' ? 'UNSPECIFIED' : zones[0]!}/disks/${name}`;
  return 'problem' in region ? null : `projects/UNSPECIFIED/regions/${region.name}/disks/${name}`;
}

function gceZones(labels: Labels | undefined): readonly string[] {
  const old = labelValue(labels, oldKeys.zone) ?? '';
  return (old === '' ? (labelValue(labels, keys.zone) ?? '') : old).split(zoneSeparator);
}

/** Null for a disk in one zone. Source: getRegionFromZones, which wants zones of Google's: `europe-west1-b` */
function gceRegion(zones: readonly string[]): { readonly name: string } | { readonly problem: string } | null {
  if (zones.length === 1) return null;
  const regions = new Set<string>();
  for (const zone of zones) {
    const parts = zone.split('-');
    if (parts.length !== 3) {
      return { problem: `zone in unexpected format, expected: {locale}-{region}-{zone}, got: ${zone}` };
    }
    regions.add(parts.slice(0, 2).join('-'));
  }
  const [name, ...others] = [...regions].sort();
  if (others.length === 0) return { name: name! };
  const all = [name!, ...others].map((region) => `${region}:{}`).join(' ');
  return { problem: `multiple or no regions gotten from zones, got: map[${all}]` };
}

/** Source: labelMultiZoneDelimiter */
const zoneSeparator = '__';
const keys = { zone: 'topology.kubernetes.io/zone', region: 'topology.kubernetes.io/region' } as const;
const oldKeys = {
  zone: 'failure-domain.beta.kubernetes.io/zone',
  region: 'failure-domain.beta.kubernetes.io/region',
} as const;

/**
 * Where the driver can reach the volume: its zones under the key of the driver, from the node affinity or else from the
 * labels. Undefined for everywhere.
 * Source: csi-translation-lib/plugins/in_tree_volume.go (translateTopologyFromInTreeToCSI)
 */
export function migratedAffinity({ metadata, spec }: PersistentVolume, zoneKey: string): NodeSelector | undefined {
  const required = spec?.nodeAffinity?.required;
  const terms = required?.nodeSelectorTerms ?? [];
  const label = (key: string): string | undefined => labelValue(metadata?.labels, key);
  const isOld =
    !hasKey(terms, keys.zone) &&
    (hasKey(terms, oldKeys.zone) || (label(keys.zone) === undefined && label(oldKeys.zone) !== undefined));
  const { zone, region } = isOld ? oldKeys : keys;
  const placed = hasValues(terms, zone)
    ? renamed(terms, zone, zoneKey)
    : withZones(terms, zoneKey, (label(zone) ?? '').split(zoneSeparator));
  const current = isOld && hasValues(placed, region) ? renamed(placed, region, keys.region) : placed;
  return current === terms ? required : { nodeSelectorTerms: [...current] };
}

function hasKey(terms: readonly NodeSelectorTerm[], key: string): boolean {
  return terms.some(({ matchExpressions }) => matchExpressions?.some((each) => each.key === key));
}

function hasValues(terms: readonly NodeSelectorTerm[], key: string): boolean {
  return terms.some(({ matchExpressions }) =>
    matchExpressions?.some((each) => each.key === key && (each.values ?? []).length > 0),
  );
}

function renamed(terms: readonly NodeSelectorTerm[], from: string, to: string): readonly NodeSelectorTerm[] {
  return terms.map((term) => ({
    ...term,
    matchExpressions: (term.matchExpressions ?? []).map((each) => (each.key === from ? { ...each, key: to } : each)),
  }));
}

/** Source: addTopology */
function withZones(
  terms: readonly NodeSelectorTerm[],
  key: string,
  written: readonly string[],
): readonly NodeSelectorTerm[] {
  const values = [...new Set(written.map((zone) => zone.trim()).filter((zone) => zone !== ''))];
  if (values.length === 0) return terms;
  return (terms.length === 0 ? [{}] : terms).map((term: NodeSelectorTerm) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), { key, operator: 'In' as const, values }],
  }));
}
