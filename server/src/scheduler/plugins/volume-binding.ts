import { getOrInsert } from '../../util/maps.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import { Status, unresolvable } from '../framework/status.ts';
import { defaultPluginArgs, type ShapePoint, type VolumeBindingArgs } from '../framework/profile.ts';
import { alongShape } from './resource-allocation.ts';
import { assumeVolumes, type NodeVolumes, podClaims, type PodClaims, volumesOnNode } from './volume-binder.ts';
import { claimNotFound, claimOf, claimUsesOf, foreignEphemeralClaim } from './volume-claims.ts';
import { storageUse } from './storage-use.ts';
import { isReachableEverywhere } from './volume-reach.ts';

const name = 'VolumeBinding';
const unboundImmediate = unresolvable(name, 'pod has unbound immediate PersistentVolumeClaims');

/**
 * Bound claims need a node that reaches their volume; claims that wait for their first consumer need one where a volume
 * is found or can be made.
 * Source: pkg/scheduler/framework/plugins/volumebinding/volume_binding.go
 */
export class VolumeBindingPlugin implements Plugin<PodClaims, PodClaims | null> {
  readonly name = name;
  readonly dependsOnPods = false;
  readonly #shape: readonly ShapePoint[];

  constructor({ shape }: VolumeBindingArgs = defaultPluginArgs.VolumeBinding) {
    this.#shape = shape.map(({ utilization, score }) => ({ utilization, score: score * 10 }));
  }

  preFilter(cycle: Cycle): PreFilterAnswer<PodClaims> {
    const { cluster, pod } = cycle;
    if (claimUsesOf(pod).length === 0) return skip;
    const problem = claimProblem(cycle);
    if (problem !== null) return { rejected: unresolvable(name, problem) };
    const state = podClaims(cluster.objects, pod);
    if (state.hasUnboundImmediate) return { rejected: unboundImmediate };
    const fitsAnywhere =
      state.delayed.length === 0 &&
      state.bound.every((volume) => volume !== undefined && isReachableEverywhere(volume));
    return fitsAnywhere ? skip : { state };
  }

  filter({ cluster }: Cycle, state: PodClaims, node: NodeInfo): Status | null {
    const volumes = volumesOnNode(cluster.objects, state, node);
    return volumes.failure === null ? refusalOf(volumes) : new Status('Error', name, [volumes.failure]);
  }

  preScore({ cluster, pod }: Cycle): PodClaims | null | typeof skip {
    if (!cluster.release.featureGates.has('StorageCapacityScoring')) return skip;
    if (claimUsesOf(pod).length === 0) return null;
    const claims = podClaims(cluster.objects, pod);
    return claims.delayed.length === 0 ? null : claims;
  }

  /** Source: scorer.go */
  score({ cluster }: Cycle, claims: PodClaims | null, node: NodeInfo): number {
    if (claims === null) return 0;
    const uses = [...storageUse(cluster.objects, volumesOnNode(cluster.objects, claims, node), node).values()];
    if (uses.length === 0) return 0;
    const scores = uses.map(({ requested, capacity }) => {
      const full = capacity === 0n || requested > capacity;
      return alongShape(this.#shape, full ? 100 : Number((requested * 100n) / capacity));
    });
    return Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length);
  }

  uniformScore(_cycle: Cycle, claims: PodClaims | null): number | null {
    return claims === null ? 0 : null;
  }

  reserve({ cluster, pod }: Cycle, node: NodeInfo): void {
    if (claimUsesOf(pod).length === 0) return;
    const claims = podClaims(cluster.objects, pod);
    if (claims.delayed.length === 0) return;
    assumeVolumes(cluster.objects, volumesOnNode(cluster.objects, claims, node), node.name);
  }
}

/** Null, or what keeps a claim of the pod from being used at all. Source: podHasPVCs */
function claimProblem({ cluster, pod }: Cycle): string | null {
  for (const use of claimUsesOf(pod)) {
    const { claimName, ephemeral } = use;
    const claim = claimOf(cluster.objects, pod, use);
    if (claim === undefined) {
      return ephemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${claimName}"`
        : claimNotFound(claimName);
    }
    if (claim.status?.phase === 'Lost') {
      const volumeName = claim.spec?.volumeName ?? '';
      return `persistentvolumeclaim "${claimName}" bound to non-existent persistentvolume "${volumeName}"`;
    }
    if (claim.metadata?.deletionTimestamp !== undefined) return `persistentvolumeclaim "${claimName}" is being deleted`;
    const foreign = ephemeral ? foreignEphemeralClaim(pod, claim, claimName) : null;
    if (foreign !== null) return foreign;
  }
  return null;
}

const statuses = new Map<string, Status>();

/** Source: the reasons of FindPodVolumes, in its order. */
function refusalOf({ boundReachable, matched, enoughStorage, boundExist }: NodeVolumes): Status | null {
  const reasons: string[] = [];
  if (!boundReachable) reasons.push("node(s) didn't match PersistentVolume's node affinity");
  if (!matched) reasons.push("node(s) didn't find available persistent volumes to bind");
  if (!enoughStorage) reasons.push('node(s) did not have enough free storage');
  if (!boundExist) reasons.push('node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)');
  if (reasons.length === 0) return null;
  const key = reasons.join();
  return getOrInsert(statuses, key, () => unresolvable(name, ...reasons));
}
