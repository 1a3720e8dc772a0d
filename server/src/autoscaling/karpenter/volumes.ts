import { keyOf, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../kubernetes/objects.ts';
import { addTo, getOrInsert } from '../../util/maps.ts';
import type { KarpenterCluster } from './cluster.ts';
import { hostnameKey } from './labels.ts';
import { Requirement } from './requirement.ts';
import { disjointKeys, noRequirements, type Requirements, selectorRequirements, together } from './requirements.ts';

type Storage = Pick<KarpenterCluster, 'claims' | 'volumes' | 'classes'>;
type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

/** Alternatives, or why they cannot be told. */
export type VolumeRequirements = { readonly alternatives: readonly Requirements[] } | { readonly problem: string };

/** What of a claim, and why it is not there; undefined for volumes without one. */
type Claim = { readonly claim: PersistentVolumeClaim } | { readonly problem: string } | undefined;

function claimOf(pod: Pod, volume: Volume, { claims }: Storage): Claim {
  const name =
    volume.persistentVolumeClaim?.claimName ??
    (volume.ephemeral === undefined ? undefined : `${nameOf(pod)}-${volume.name}`);
  if (name === undefined) return undefined;
  const claim = claims.get(`${namespaceOf(pod)}/${name}`);
  if (claim !== undefined) return { claim };
  const text = `persistentvolumeclaims "${name}" not found`;
  return { problem: `getting persistent volume claim, ${text} (PersistentVolumeClaim=${name})` };
}

/**
 * Where the volumes of a pod can be, as alternatives: none when they do not say.
 * Source: karpenter pkg/controllers/provisioning/scheduling/volumetopology.go GetRequirements
 */
export function volumeRequirements(pod: Pod, storage: Storage): VolumeRequirements {
  let alternatives: readonly (Requirements | undefined)[] = [undefined];
  for (const volume of pod.spec?.volumes ?? []) {
    const found = claimOf(pod, volume, storage);
    if (found === undefined) continue;
    if ('problem' in found) return { problem: `discovering persistent volume claim, ${found.problem}` };
    const own = requirementsOfClaim(found.claim, storage);
    if ('problem' in own) return own;
    if (own.alternatives.length === 0) continue;
    alternatives = crossed(alternatives, own.alternatives);
  }
  if (alternatives.length === 1 && alternatives[0] === undefined) return { alternatives: [] };
  return { alternatives: alternatives.map((each) => each ?? noRequirements) };
}

/** Each with each; pairs that contradict each other only where all do. */
function crossed(
  existing: readonly (Requirements | undefined)[],
  more: readonly Requirements[],
): readonly Requirements[] {
  const pairs = existing.flatMap((one) => more.map((other) => [one, other] as const));
  const compatible = pairs.filter(([one, other]) => one === undefined || disjointKeys(one, other) === undefined);
  const kept = compatible.length > 0 ? compatible : pairs;
  return kept.map(([one, other]) => together(one?.values() ?? [], other.values()));
}

function requirementsOfClaim({ spec }: PersistentVolumeClaim, { volumes, classes }: Storage): VolumeRequirements {
  const { volumeName = '', storageClassName = '' } = spec ?? {};
  if (volumeName !== '') {
    const volume = volumes.get(volumeName);
    if (volume !== undefined) return { alternatives: requirementsOfVolume(volume) };
    const text = `getting persistent volume, persistentvolumes "${volumeName}" not found`;
    return { problem: `getting existing requirements, ${text} (PersistentVolume=${volumeName})` };
  }
  if (storageClassName === '') return { alternatives: [] };
  const storageClass = classes.get(storageClassName);
  if (storageClass === undefined) {
    const text = `storageclasses.storage.k8s.io "${storageClassName}" not found`;
    return { problem: `getting storage class, ${text} (StorageClass=${storageClassName})` };
  }
  const terms = (storageClass.allowedTopologies ?? []).filter(
    ({ matchLabelExpressions = [] }) => matchLabelExpressions.length > 0,
  );
  return {
    alternatives: terms.map(({ matchLabelExpressions = [] }) =>
      together(matchLabelExpressions.map(({ key, values }) => Requirement.in(key, ...values))),
    ),
  };
}

function requirementsOfVolume({ spec }: PersistentVolume): readonly Requirements[] {
  const isBoundToHost = spec?.local !== undefined || spec?.hostPath !== undefined;
  return (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap(({ matchExpressions = [] }) => {
    // A pod that is made anew elsewhere does not take the host along.
    const kept = isBoundToHost ? matchExpressions.filter(({ key }) => key !== hostnameKey) : matchExpressions;
    if (kept.length === 0) return isBoundToHost && matchExpressions.length > 0 ? [noRequirements] : [];
    return [together(selectorRequirements(kept))];
  });
}

/** Why Karpenter does not look at a pod with these volumes. Source: ValidatePersistentVolumeClaims */
export function volumeProblem(pod: Pod, storage: Storage): string | undefined {
  for (const volume of pod.spec?.volumes ?? []) {
    const found = claimOf(pod, volume, storage);
    const problem = found === undefined || 'problem' in found ? found?.problem : claimProblem(found.claim, storage);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function claimProblem(claim: PersistentVolumeClaim, { volumes, classes }: Storage): string | undefined {
  const { volumeName = '', storageClassName = '' } = claim.spec ?? {};
  const self = `PersistentVolumeClaim=${keyOf(claim)}`;
  if (claim.metadata?.deletionTimestamp !== undefined) return `persistentvolumeclaim is being deleted (${self})`;
  if (claim.status?.phase === 'Lost') {
    return `persistentvolumeclaim bound to non-existent persistentvolume (PersistentVolume=${volumeName}, ${self})`;
  }
  if (volumeName !== '') {
    const volume = volumes.get(volumeName);
    if (volume === undefined || volume.metadata?.deletionTimestamp !== undefined) {
      const text =
        volume === undefined ? `persistentvolumes "${volumeName}" not found` : 'persistentvolume is being deleted';
      return `failed to validate pvc, ${text} (PersistentVolume=${volumeName}, ${self}, StorageClass=${storageClassName})`;
    }
    // Source: AnnBindCompleted in component-helpers/storage/volume
    const bound = 'pv.kubernetes.io/bind-completed';
    if (Object.hasOwn(claim.metadata?.annotations ?? {}, bound)) return undefined;
    const where = `PersistentVolume=${volumeName}, PersistentVolumeClaim=${nameOf(claim)}, annotation=${bound}`;
    return `pvc is considered unbound because it does not contain annotation (${where})`;
  }
  if (storageClassName === '') return `unbound pvc must define a storage class (${self}, StorageClass=)`;
  const storageClass = classes.get(storageClassName);
  const where = `(${self}, StorageClass=${storageClassName})`;
  if (storageClass === undefined) {
    const text = `storageclasses.storage.k8s.io "${storageClassName}" not found`;
    return `failed to validate pvc, failed to get storage class, ${text} ${where}`;
  }
  if (storageClass.volumeBindingMode !== 'Immediate') return undefined;
  return `failed to validate pvc, pvc with immediate volume binding mode must be bound ${where}`;
}

/** Volumes of a pod by the driver that attaches them; undefined when a volume is missing. Source: volumeusage.go GetVolumes */
export function attachedVolumes(pod: Pod, storage: Storage): ReadonlyMap<string, readonly string[]> | undefined {
  const attached = new Map<string, string[]>();
  for (const volume of pod.spec?.volumes ?? []) {
    const found = claimOf(pod, volume, storage);
    if (found === undefined || 'problem' in found) continue;
    const driver = driverOf(found.claim, storage);
    if (driver === undefined) return undefined;
    if (driver === '') continue;
    addTo(attached, driver, keyOf(found.claim));
  }
  return attached;
}

/** Empty when no driver attaches it; undefined when its volume is missing. Source: ResolveDriver */
function driverOf({ spec }: PersistentVolumeClaim, { volumes, classes }: Storage): string | undefined {
  const { volumeName = '', storageClassName = '' } = spec ?? {};
  if (volumeName !== '') {
    const volume = volumes.get(volumeName);
    if (volume === undefined) return undefined;
    return volume.spec?.csi?.driver ?? (volume.spec?.awsElasticBlockStore === undefined ? '' : 'ebs.csi.aws.com');
  }
  const provisioner = classes.get(storageClassName)?.provisioner ?? '';
  return driversOfInTreePlugins.get(provisioner) ?? provisioner;
}

/** Source: staging/src/k8s.io/csi-translation-lib/plugins */
const driversOfInTreePlugins: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
]);

/** Volumes attached to a node, against what its drivers allow. */
export class VolumeUsage {
  readonly #limits: ReadonlyMap<string, number>;
  readonly #attached = new Map<string, Set<string>>();

  constructor(limits: ReadonlyMap<string, number>) {
    this.#limits = limits;
  }

  add(volumes: ReadonlyMap<string, readonly string[]>): void {
    for (const [driver, keys] of volumes) {
      const attached = getOrInsert(this.#attached, driver, () => new Set());
      for (const key of keys) attached.add(key);
    }
  }

  exceeds(volumes: ReadonlyMap<string, readonly string[]>): boolean {
    for (const [driver, limit] of this.#limits) {
      const all = new Set([...(this.#attached.get(driver) ?? []), ...(volumes.get(driver) ?? [])]);
      if (all.size > limit) return true;
    }
    return false;
  }
}
