import type { CSINode } from '../../kubernetes/objects.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { type AttachedVolume, attachedVolumesOf, countsOn, volumeOf } from './csi-volumes.ts';
import { claimNotFound, claimOf, claimUsesOf } from './volume-claims.ts';

const name = 'NodeVolumeLimits';
const exceeded = unschedulable(name, 'node(s) exceed max volume count');

interface FilterState {
  /** The volumes the pod brings. */
  readonly volumes: readonly AttachedVolume[];
  /** Set when a claim of the pod does not exist. */
  readonly missing: Status | null;
}

/**
 * How many volumes each CSI driver can attach to a node.
 * Source: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go
 */
export const nodeVolumeLimits: Plugin<FilterState> = {
  name,
  dependsOnPods: true,

  preFilter({ cluster: { objects }, pod }: Cycle): PreFilterAnswer<FilterState> {
    const missing = claimUsesOf(pod).find((use) => claimOf(objects, pod, use) === undefined);
    if (missing !== undefined) {
      const { claimName } = missing;
      const reason = `looking up PVC ${pod.namespace}/${claimName}: ${claimNotFound(claimName)}`;
      return { state: { volumes: [], missing: unresolvable(name, reason) } };
    }
    const limited = limitedDrivers(objects.fixed.csiNodes);
    const volumes = attachedVolumesOf(objects, pod).filter(({ driver }) => limited.has(driver));
    return volumes.length === 0 ? skip : { state: { volumes, missing: null } };
  },

  filter({ cluster: { objects } }: Cycle, { volumes, missing }: FilterState, node: NodeInfo): Status | null {
    if (missing !== null) return missing;
    const csiNode = objects.fixed.csiNodes.get(node.name);
    const limits = limitsOf(csiNode);
    if (csiNode === undefined || limits.size === 0) return null;
    const added = new Map(volumes.filter((each) => countsOn(each, csiNode)).map((each) => [each.id, each]));
    const attached = attachedTo(objects, csiNode, node);
    for (const id of attached.keys()) added.delete(id);
    const used = countByDriver(attached);
    for (const [driver, count] of countByDriver(added)) {
      const limit = limits.get(driver);
      if (limit !== undefined && (used.get(driver) ?? 0) + count > limit) return exceeded;
    }
    return null;
  },
};

/** Volumes of the node's pods, and those still attached although their pods are gone; by id. */
function attachedTo(objects: StoredObjects, csiNode: CSINode, node: NodeInfo): Map<string, AttachedVolume> {
  const attached = new Map<string, AttachedVolume>();
  for (const pod of node.pods) {
    for (const volume of attachedVolumesOf(objects, pod)) {
      if (countsOn(volume, csiNode)) attached.set(volume.id, volume);
    }
  }
  for (const { spec } of objects.fixed.attachmentsByNode.get(node.name) ?? []) {
    const persistentVolume = objects.persistentVolumes.get(spec.source.persistentVolumeName ?? '');
    const volume = persistentVolume === undefined ? null : volumeOf(persistentVolume);
    if (volume !== null && countsOn(volume, csiNode)) attached.set(volume.id, volume);
  }
  return attached;
}

function countByDriver(volumes: ReadonlyMap<string, AttachedVolume>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { driver } of volumes.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}

/** Driver → how many volumes it can attach to the node; drivers without a limit are left out. */
function limitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name: driver, allocatable } of csiNode?.spec.drivers ?? []) {
    if (allocatable?.count !== undefined) limits.set(driver, allocatable.count);
  }
  return limits;
}

const knownDrivers = new WeakMap<ReadonlyMap<string, CSINode>, ReadonlySet<string>>();

/** Drivers that some node limits. */
function limitedDrivers(csiNodes: ReadonlyMap<string, CSINode>): ReadonlySet<string> {
  let drivers = knownDrivers.get(csiNodes);
  if (drivers === undefined) {
    drivers = new Set([...csiNodes.values()].flatMap((csiNode) => [...limitsOf(csiNode).keys()]));
    knownDrivers.set(csiNodes, drivers);
  }
  return drivers;
}
