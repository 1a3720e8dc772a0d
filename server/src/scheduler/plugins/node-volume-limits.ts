import type { CSINode } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';
import { Status, unresolvable, unschedulable } from '../framework/status.ts';
import { attachmentsOn, type AttachedVolume, attachedVolumesOf, countsOn, type VolumeProblem } from './csi-volumes.ts';
import { isOfOldPlugin } from './in-tree-volumes.ts';
import { claimUsesOf } from './volume-claims.ts';

const name = 'NodeVolumeLimits';
const exceeded = unschedulable(name, 'node(s) exceed max volume count');

interface FilterState {
  /** Those that the pod brings. */
  readonly volumes: readonly AttachedVolume[];
  /** Why the volumes of the pod cannot be counted, on nodes with a CSINode and on those without. */
  readonly withNode: Status | null;
  readonly withoutNode: Status | null;
}

/**
 * How many volumes each CSI driver can attach to a node.
 * Source: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go
 */
export const nodeVolumeLimits: Plugin<FilterState> = {
  name,
  dependsOnPods: true,

  preFilter({ cluster: { objects, release }, pod }: Cycle): PreFilterAnswer<FilterState> {
    const written = pod.pod.spec?.volumes ?? [];
    if (claimUsesOf(pod).length === 0 && !written.some(isOfOldPlugin)) return skip;
    const { volumes, problems } = attachedVolumesOf(objects, pod);
    const mayRefuse =
      haveLimits(objects.fixed.csiNodes) ||
      (release.featureGates.has('VolumeLimitScaling') &&
        volumes.some(({ driver }) => mustBeThere(objects, driver, release)));
    if (problems.length === 0 && (volumes.length === 0 || !mayRefuse)) return skip;
    const statusOf = (problem: VolumeProblem | undefined): Status | null =>
      problem === undefined
        ? null
        : problem.isMissing
          ? unresolvable(name, problem.why)
          : new Status('Error', name, [problem.why]);
    return {
      state: {
        volumes,
        withNode: statusOf(problems[0]),
        withoutNode: statusOf(problems.find(({ isInline }) => !isInline)),
      },
    };
  },

  filter({ cluster: { objects, release } }: Cycle, state: FilterState, node: NodeInfo): Status | null {
    const csiNode = objects.fixed.csiNodes.get(node.name);
    const problem = csiNode === undefined ? state.withoutNode : state.withNode;
    if (problem !== null) return problem;
    if (release.featureGates.has('VolumeLimitScaling')) {
      const isLacking = (driver: string): boolean =>
        mustBeThere(objects, driver, release) && !(csiNode?.spec.drivers ?? []).some((each) => each.name === driver);
      const lacking = state.volumes.find(({ driver }) => isLacking(driver))?.driver;
      if (lacking !== undefined) return unschedulable(name, `${lacking} CSI driver is not installed on the node`);
    }
    if (csiNode === undefined) return null;
    const limits = limitsOf(csiNode);
    const added = new Map(
      state.volumes.filter((each) => countsOn(each, csiNode, release)).map((each) => [each.id, each.driver]),
    );
    if (limits.size === 0 || added.size === 0) return null;
    const mounted = mountedBy(objects, csiNode, node, release);
    if (mounted instanceof Status) return mounted;
    const used = new Map<string, number>();
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

/**
 * Source: pull request 135012, for the gate VolumeLimitScaling. In 1.35 a driver has no say: each that has an object must
 * be there.
 */
function mustBeThere({ fixed }: StoredObjects, driver: string, { types }: Release): boolean {
  const found = fixed.csiDrivers.get(driver);
  const hasSay = types.struct('storage/v1', 'CSIDriverSpec')?.fields.has('preventPodSchedulingIfMissing') === true;
  return found !== undefined && (!hasSay || found.spec.preventPodSchedulingIfMissing === true);
}

/** The volumes of the node's pods: id → driver; a status where those of one pod cannot be counted. */
function mountedBy(
  objects: StoredObjects,
  csiNode: CSINode,
  node: NodeInfo,
  release: Release,
): ReadonlyMap<string, string> | Status {
  const mounted = new Map<string, string>();
  for (const pod of node.pods) {
    const { volumes, problems } = attachedVolumesOf(objects, pod);
    const problem = problems.find(({ isMissing }) => !isMissing);
    if (problem !== undefined) return new Status('Error', name, [problem.why]);
    for (const volume of volumes) {
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

const known = new WeakMap<ReadonlyMap<string, CSINode>, boolean>();

/** Whether some node limits a driver. */
function haveLimits(csiNodes: ReadonlyMap<string, CSINode>): boolean {
  return getOrInsert(known, csiNodes, () => [...csiNodes.values()].some((csiNode) => limitsOf(csiNode).size > 0));
}
