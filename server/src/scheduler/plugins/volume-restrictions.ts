import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { claimNotFound, claimOf, claimUsesOf, type PodVolume } from './volume-claims.ts';

const name = 'VolumeRestrictions';
const diskTaken = unschedulable(name, 'node(s) had no available disk');
const claimTaken = unschedulable(
  name,
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);

interface FilterState {
  /** Volumes of the pod that cannot be mounted freely by several pods of a node. */
  readonly exclusive: readonly PodVolume[];
  /** Names of the pod's claims that only one pod may use. */
  readonly onePodClaims: ReadonlySet<string>;
  /** How many uses of these claims stand in the way. */
  conflicts: number;
}

/**
 * Disks that cannot be mounted twice on a node, and claims that only one pod of the cluster may use.
 * Source: pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go
 */
export const volumeRestrictions: Plugin<FilterState> = {
  name,
  dependsOnPods: true,

  preFilter({ cluster, pod }: Cycle): PreFilterAnswer<FilterState> {
    const onePodClaims = new Set<string>();
    for (const use of claimUsesOf(pod)) {
      if (use.ephemeral) continue;
      const claim = claimOf(cluster.objects, pod, use);
      if (claim === undefined) return { rejected: unresolvable(name, claimNotFound(use.claimName)) };
      if (claim.spec?.accessModes?.includes('ReadWriteOncePod') === true) onePodClaims.add(use.claimName);
    }
    const exclusive = (pod.pod.spec?.volumes ?? []).filter(isExclusive);
    const conflicts = onePodClaims.size === 0 ? 0 : claimsInUse(cluster, pod.namespace, onePodClaims);
    return exclusive.length === 0 && conflicts === 0 ? skip : { state: { exclusive, onePodClaims, conflicts } };
  },

  addPod(_cycle: Cycle, state: FilterState, added: PodInfo): void {
    state.conflicts += usesOf(state, added);
  },

  removePod(_cycle: Cycle, state: FilterState, removed: PodInfo): void {
    state.conflicts -= usesOf(state, removed);
  },

  filter(_cycle: Cycle, { exclusive, conflicts }: FilterState, node: NodeInfo): Status | null {
    for (const volume of exclusive) {
      for (const { pod } of node.pods) {
        if (pod.spec?.volumes?.some((taken) => cannotShare(volume, taken)) === true) return diskTaken;
      }
    }
    return conflicts > 0 ? claimTaken : null;
  },
};

/** Whether the pods cannot have their volumes on one node. Source: satisfyVolumeConflicts */
export function hasDiskConflict(wanting: PodInfo, holding: PodInfo): boolean {
  const taken = holding.pod.spec?.volumes ?? [];
  return (wanting.pod.spec?.volumes ?? []).some(
    (volume) => isExclusive(volume) && taken.some((each) => cannotShare(volume, each)),
  );
}

/** How many of the claims some pod on a known node uses. Source: StorageInfos().IsPVCUsedByPods */
function claimsInUse(cluster: ClusterState, namespace: string, claims: ReadonlySet<string>): number {
  const used = new Set<string>();
  for (const running of cluster.running()) {
    if (running.namespace !== namespace) continue;
    for (const { claimName, ephemeral } of claimUsesOf(running)) {
      if (!ephemeral && claims.has(claimName)) used.add(claimName);
    }
    if (used.size === claims.size) break;
  }
  return used.size;
}

/** By volume, and of pods of any namespace: upstream compares names only. Source: conflictingPVCRefCountForPod */
function usesOf({ onePodClaims }: FilterState, pod: PodInfo): number {
  let uses = 0;
  for (const { claimName, ephemeral } of claimUsesOf(pod)) if (!ephemeral && onePodClaims.has(claimName)) uses++;
  return uses;
}

/** Source: needsRestrictionsCheck */
function isExclusive({ gcePersistentDisk, awsElasticBlockStore, rbd, iscsi }: PodVolume): boolean {
  return (gcePersistentDisk ?? awsElasticBlockStore ?? rbd ?? iscsi) !== undefined;
}

/** Source: isVolumeConflict */
function cannotShare(wanted: PodVolume, taken: PodVolume): boolean {
  const { gcePersistentDisk: disk, awsElasticBlockStore: block, iscsi, rbd } = wanted;
  const { gcePersistentDisk: takenDisk, awsElasticBlockStore: takenBlock, iscsi: takenIscsi, rbd: takenRbd } = taken;
  if (disk !== undefined && disk.pdName === takenDisk?.pdName && !bothReadOnly(disk, takenDisk)) return true;
  if (block !== undefined && block.volumeID === takenBlock?.volumeID) return true;
  if (iscsi !== undefined && iscsi.iqn === takenIscsi?.iqn && !bothReadOnly(iscsi, takenIscsi)) return true;
  return (
    rbd !== undefined &&
    takenRbd !== undefined &&
    rbd.monitors.some((monitor) => takenRbd.monitors.includes(monitor)) &&
    (rbd.pool ?? defaultPool) === (takenRbd.pool ?? defaultPool) &&
    rbd.image === takenRbd.image &&
    !bothReadOnly(rbd, takenRbd)
  );
}

/** Source: pkg/apis/core/v1/defaults.go (SetDefaults_RBDVolumeSource) */
const defaultPool = 'rbd';

interface Mountable {
  readonly readOnly?: boolean;
}

function bothReadOnly(a: Mountable, b: Mountable): boolean {
  return a.readOnly === true && b.readOnly === true;
}
