import type { ResourceClaim } from '../../kubernetes/objects.ts';
import { compileNodeSelector, type NodeMatcher } from '../../kubernetes/node-selector.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { Status, unresolvable } from '../framework/status.ts';
import { claimsOf } from '../framework/resource-claims.ts';
import { deviceResourcesOf } from './device-resources.ts';

const name = 'DynamicResources';
const notAvailable = unresolvable(name, 'resourceclaim not available on the node');
const cannotAllocate = unresolvable(name, 'cannot allocate all claims');

/** A claim that has its devices. */
interface AllocatedClaim {
  readonly claim: ResourceClaim;
  /** Nodes that reach them; null for all. */
  readonly nodes: NodeMatcher | null;
}

interface FilterState {
  readonly claims: readonly AllocatedClaim[];
  /** Extended resources that a node must offer as devices if it does not have them as such. */
  readonly deviceResources: ReadonlySet<string>;
  /** Claims that keep the pod off some node. */
  readonly unavailable: Set<ResourceClaim>;
}

/**
 * Claims to devices. There is no allocator here: who needs one is answered "not modelled" (`needsAllocator`) before any
 * plugin runs, and what is certain without one is answered as upstream answers it. Devices are never freed by
 * preemption: every refusal is unresolvable.
 * Source: pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go
 */
export const dynamicResources: Plugin<FilterState> = {
  name,
  dependsOnPods: false,

  preFilter({ cluster, pod }: Cycle): PreFilterAnswer<FilterState> {
    const found = claimsOf(cluster.objects, pod);
    if ('problem' in found) return { rejected: unresolvable(name, found.problem) };
    const deviceResources = deviceResourcesOf(cluster, pod);
    if (found.claims.length === 0 && deviceResources.size === 0) return skip;
    const claims: AllocatedClaim[] = [];
    for (const claim of found.claims) {
      const { allocation } = claim.status ?? {};
      const problem = allocation === undefined ? unclassedRequest(cluster, claim) : inUse(claim, pod);
      if (problem !== null) return { rejected: problem };
      if (allocation !== undefined) {
        claims.push({ claim, nodes: allocation.nodeSelector ? compileNodeSelector(allocation.nodeSelector) : null });
      }
    }
    return { state: { claims, deviceResources, unavailable: new Set() } };
  },

  filter(_cycle: Cycle, { claims, deviceResources, unavailable }: FilterState, node: NodeInfo): Status | null {
    const { name: nodeName, labels, allocatable } = node.facts;
    for (const resource of deviceResources) {
      // Nobody offers devices: see `needsAllocator`.
      if ((allocatable.scalars.get(resource) ?? 0) <= 0) return cannotAllocate;
    }
    const out = claims.filter(({ nodes }) => nodes?.matches({ name: nodeName, labels }) === false);
    for (const { claim } of out) unavailable.add(claim);
    return out.length === 0 ? null : notAvailable;
  },

  // Every node has what upstream adds for alternatives that are taken: nothing.
  score(): number {
    return 0;
  },

  uniformScore(): number {
    return 0;
  },
};

/** Whether an answer for the pod would need an allocator of devices. */
export function needsAllocator(cluster: ClusterState, pod: PodInfo): boolean {
  const { fixed } = cluster.objects;
  if (fixed.hasResourceSlices && deviceResourcesOf(cluster, pod).size > 0) return true;
  const found = claimsOf(cluster.objects, pod);
  if ('problem' in found) return false;
  const open = found.claims.filter(({ status }) => status?.allocation === undefined);
  return open.length > 0 && open.every((claim) => unclassedRequest(cluster, claim) === null);
}

/** What PostFilter says. `state` is undefined when the plugin had nothing to say about the pod, or turned it down. */
export function claimsPostFilter(state: unknown, pod: PodInfo): string {
  if (state === undefined) return 'no new claims to deallocate';
  const { unavailable } = state as FilterState;
  const free = [...unavailable].some(({ status }) =>
    (status?.reservedFor ?? []).every(({ uid }, _, all) => all.length === 1 && uid === pod.uid),
  );
  return free ? 'deallocation of ResourceClaim completed' : 'still not schedulable';
}

/** What PostFilter says when PreFilter never came to the plugin, so that its state is missing. */
export const stateNotFound = 'not found';

/** Source: resourceapi.ResourceClaimReservedForMaxSize */
const maxReservedFor = 256;

function inUse({ status }: ResourceClaim, pod: PodInfo): Status | null {
  const reservedFor = status?.reservedFor ?? [];
  const mayUse = reservedFor.length < maxReservedFor || reservedFor.some(({ uid }) => uid === pod.uid);
  return mayUse ? null : unresolvable(name, 'resourceclaim in use');
}

/** The first request of a class that does not exist; null when all have theirs. Source: validateDeviceClass */
function unclassedRequest(cluster: ClusterState, { spec }: ResourceClaim): Status | null {
  for (const { name: request, exactly, firstAvailable = [] } of spec.devices?.requests ?? []) {
    const parts =
      exactly === undefined
        ? firstAvailable.map((each) => ({ request: `${request}/${each.name}`, deviceClass: each.deviceClassName }))
        : [{ request, deviceClass: exactly.deviceClassName }];
    for (const { request: part, deviceClass } of parts) {
      if (deviceClass === '') return new Status('Error', name, [`request ${part}: unsupported request type`]);
      if (cluster.objects.fixed.deviceClasses.has(deviceClass)) continue;
      return unresolvable(name, `request ${part}: device class ${deviceClass} does not exist`);
    }
  }
  return null;
}
