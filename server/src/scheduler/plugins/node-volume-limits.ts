import type { CSINode } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { attachmentsOn, type AttachedVolume, attachedVolumesOf, countsOn } from './csi-volumes.ts';
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

  filter({ cluster: { objects, release } }: Cycle, { volumes, missing }: FilterState, node: NodeInfo): Status | null {
    if (missing !== null) return missing;
    const csiNode = objects.fixed.csiNodes.get(node.name);
    const limits = limitsOf(csiNode);
    if (csiNode === undefined || limits.size === 0) return null;
    const used = new Map<string, number>();
    const added = new Map(
      volumes.filter((each) => countsOn(each, csiNode, release)).map((each) => [each.id, each.driver]),
    );
    const mounted = mountedBy(objects, csiNode, node, release);
    for (const [id, driver] of mounted) {
      added.delete(id);
      countOne(used, driver);
    }
    // What is attached while no pod of the node uses it counts, even if it is what the pod brings: then it counts twice.
    for (const [id, driver] of attachmentsOn(objects, node.name)) if (!mounted.has(id)) countOne(used, driver);
    const wanted = new Map<string, number>();
    for (const driver of added.values()) countOne(wanted, driver);
    for (const [driver, count] of wanted) {
      const limit = limits.get(driver);
      if (limit !== undefined && (used.get(driver) ?? 0) + count > limit) return exceeded;
    }
    return null;
  },
};

/** The volumes of the node's pods: id → driver. */
function mountedBy(
  objects: StoredObjects,
  csiNode: CSINode,
  node: NodeInfo,
  release: Release,
): ReadonlyMap<string, string> {
  const mounted = new Map<string, string>();
  for (const pod of node.pods) {
    for (const volume of attachedVolumesOf(objects, pod)) {
      if (countsOn(volume, csiNode, release)) mounted.set(volume.id, volume.driver);
    }
  }
  return mounted;
}

function countOne(counts: Map<string, number>, driver: string): void {
  counts.set(driver, (counts.get(driver) ?? 0) + 1);
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
