import { compileNodeSelector, type NodeMatcher } from '../../kubernetes/node-selector.ts';
import type { ResourceClaim } from '../../kubernetes/objects.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import {
  type DeviceAllocator,
  deviceEngine,
  type DeviceSource,
  type NoDevices,
  type WantedClaim,
} from '../framework/device-engine.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { defaultPluginArgs } from '../framework/profile.ts';
import { defaultNormalize } from '../framework/normalize.ts';
import { type Blocker, type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { claimsOf } from '../framework/resource-claims.ts';
import { Status, unresolvable } from '../framework/status.ts';
import { bindingOf, type ClaimedDevices, type NodeDevices, readinessOf } from './claim-binding.ts';
import { type AskedOfNode, devicesBlocker, elsewhereBlocker } from './device-blockers.ts';
import { deviceResourcesOf, type ExtendedRequests, extendedRequestsOf } from './device-resources.ts';

const name = 'DynamicResources';
const notAvailable = unresolvable(name, 'resourceclaim not available on the node');
const cannotAllocate = unresolvable(name, 'cannot allocate all claims');
const invalidPools = unresolvable(name, 'invalid resource pools were encountered');
const timedOut = unresolvable(name, 'timed out trying to allocate devices');
const cannotSchedule = unresolvable(name, 'cannot schedule extended resource claim');

/** The claim for extended resources as results name it, before it is made. Source: specialClaimInMemName */
const extendedClaimName = '<extended-resources>';
/** Source: ExtendedResourceClaimAnnotation */
const extendedAnnotation = 'resource.kubernetes.io/extended-resource-claim';

/** A claim that has its devices. */
interface AllocatedClaim {
  readonly claim: ResourceClaim;
  /** Nodes that reach them; null for all. */
  readonly nodes: NodeMatcher | null;
  /** Its devices cannot be made ready, or were not in time. */
  readonly isStale: boolean;
}

interface FilterState {
  /** The pod's claims, in order. */
  readonly claims: readonly ResourceClaim[];
  readonly allocated: readonly AllocatedClaim[];
  readonly wanted: readonly WantedClaim[];
  /** Extended resources that a node must offer as devices if it does not have them as such, with their classes. */
  readonly deviceResources: ReadonlyMap<string, string>;
  /** A claim for extended resources that an earlier attempt left behind. */
  readonly leftover: ResourceClaim | null;
  readonly allocator: DeviceAllocator | null;
  /** Keys of claims that keep the pod off some node. */
  readonly unavailable: Set<string>;
  /** By index of the node. */
  readonly devices: Map<number, NodeDevices>;
  /** Errors, by their texts: nodes share them. */
  readonly errors: Map<string, Status>;
}

/** Score is not handed what PreFilter worked out. */
const states = new WeakMap<Cycle, FilterState>();

/**
 * Claims to devices. The search for devices is another part, which is loaded where there are any (`device-engine.ts`).
 * Devices are never freed by preemption: every refusal is unresolvable.
 * Source: pkg/scheduler/framework/plugins/dynamicresources/{dynamicresources,extendeddynamicresources}.go
 */
export const dynamicResources: Plugin<FilterState> = {
  name,
  dependsOnPods: false,

  preFilter(cycle: Cycle): PreFilterAnswer<FilterState> {
    const { cluster, pod } = cycle;
    const found = claimsOf(cluster.objects, pod, cluster.release);
    if ('problem' in found) return { rejected: unresolvable(name, found.problem) };
    const { claims } = found;
    const deviceResources = deviceResourcesOf(cluster, pod);
    if (claims.length === 0 && deviceResources.size === 0) return skip;
    const allocated: AllocatedClaim[] = [];
    const wanted: WantedClaim[] = [];
    for (const claim of claims) {
      const allocation = claim.status?.allocation;
      if (allocation === undefined) {
        const problem = unclassedRequest(cluster, claim);
        if (problem !== null) return { rejected: problem };
        wanted.push(wantedClaim(claim));
        continue;
      }
      const nodes = allocation.nodeSelector === undefined ? null : compileNodeSelector(allocation.nodeSelector);
      allocated.push({ claim, nodes, isStale: isStale(cycle, claim) });
    }
    const needsAllocator = wanted.length > 0 || deviceResources.size > 0;
    const state: FilterState = {
      claims,
      allocated,
      wanted,
      deviceResources,
      leftover: deviceResources.size === 0 ? null : leftoverClaim(cluster, pod),
      allocator: needsAllocator
        ? (deviceEngine()?.newAllocator(
            deviceSourceOf(cluster),
            (cycle.args ?? defaultPluginArgs).DynamicResources.filterTimeout,
          ) ?? null)
        : null,
      unavailable: new Set(),
      devices: new Map(),
      errors: new Map(),
    };
    states.set(cycle, state);
    return { state };
  },

  filter({ cluster, pod }: Cycle, state: FilterState, node: NodeInfo): Status | null {
    if (state.leftover !== null) return cannotSchedule;
    const { facts } = node;
    const out = state.allocated.filter(({ nodes, isStale: stale }) => stale || nodes?.matches(facts) === false);
    const { allocator } = state;
    if (allocator !== null) {
      const devices = devicesOn(state, allocator, pod, node);
      if (devices !== null && 'kind' in devices) return refusalOf(devices, state, cluster, node);
      if (devices !== null) state.devices.set(facts.index, devices);
    }
    // Without the part that knows devices there are none: see `lacksDeviceEngine`.
    const { scalars } = facts.allocatable;
    const needsDevices = (resource: string): boolean => (scalars.get(resource) ?? 0) <= 0;
    if (allocator === null && [...state.deviceResources.keys()].some(needsDevices)) return cannotAllocate;
    if (out.length === 0) return null;
    for (const { claim } of out) state.unavailable.add(keyOf(claim));
    return notAvailable;
  },

  explain(cycle: Cycle, state: FilterState, node: NodeInfo, status: Status): readonly Blocker[] {
    const { cluster, pod } = cycle;
    const { facts } = node;
    const blockers = state.allocated
      .filter(({ nodes, isStale: stale }) => stale || nodes?.matches(facts) === false)
      .map(({ claim, isStale: stale }) => elsewhereBlocker(claim, stale));
    if (status === notAvailable || state.allocator === null || state.leftover !== null) return blockers;
    const { all, extended } = wantedOn(state, pod, node);
    const asked: AskedOfNode = {
      source: deviceSourceOf(cluster),
      node: facts,
      pod,
      wanted: all,
      resources: new Map(extended?.mappings.map(({ requestName, resourceName }) => [requestName, resourceName])),
      timesOut: status === timedOut || status === state.errors.get(timedOutOn(node)),
    };
    const found = devicesBlocker(asked);
    const isOther = status.code === 'Error' && !asked.timesOut;
    // What ends the attempt is not always a matter of devices.
    const other: readonly Blocker[] = isOther ? [{ kind: 'other', plugin: name, reasons: status.reasons }] : [];
    return [...blockers, ...other, ...(found === null || isOther ? [] : [found])];
  },

  score(cycle: Cycle, _state: unknown, node: NodeInfo): number {
    const state = states.get(cycle);
    return state === undefined ? 0 : scoreOf(state, node);
  },

  uniformScore(cycle: Cycle): number | null {
    const state = states.get(cycle);
    const hasChoice = state?.claims.some(({ spec }) =>
      (spec.devices?.requests ?? []).some(({ firstAvailable = [] }) => firstAvailable.length > 0),
    );
    return hasChoice === true ? null : 0;
  },

  normalize(_cycle, _state, _nodes, _feasible, scores): void {
    defaultNormalize(scores, false);
  },

  reserve(cycle: Cycle, node: NodeInfo): void {
    const devices = devicesFor(cycle, node);
    if (devices === null) return;
    for (const change of bindingOf(cycle, devices).changes) cycle.cluster.objects.putResourceClaim(change);
  },
};

const nothing: NodeDevices = { given: [], extended: null };

/** What the pod would get on a node that takes it, with its claims; null where it has none. */
export function devicesFor(cycle: Cycle, node: NodeInfo): ClaimedDevices | null {
  let state = states.get(cycle);
  if (state === undefined) {
    const answer = dynamicResources.preFilter!(cycle);
    if (answer === skip || 'rejected' in answer) return null;
    ({ state } = answer);
  }
  const { claims, allocator, devices } = state;
  if (allocator === null) return { ...nothing, claims };
  const found = devices.get(node.facts.index) ?? devicesOn(state, allocator, cycle.pod, node) ?? nothing;
  return 'kind' in found ? null : { ...found, claims };
}

/** Why the claims of a pod cannot be written once it has a node; null when they can. */
export function bindingFailureOf(cycle: Cycle, node: NodeInfo): string | null {
  const { pod } = cycle;
  if (pod.requests.scalars.size === 0 && (pod.pod.spec?.resourceClaims ?? []).length === 0) return null;
  const devices = devicesFor(cycle, node);
  const failure = devices === null ? null : bindingOf(cycle, devices).failure;
  return failure === null ? null : `running PreBind plugin "${name}": ${failure}`;
}

/** What a node is asked for: the claims, and the scheduler's own for what it does not have as extended resources. */
function wantedOn(
  { wanted, deviceResources }: FilterState,
  pod: PodInfo,
  { facts }: NodeInfo,
): { readonly all: readonly WantedClaim[]; readonly extended: ExtendedRequests | null } {
  if (deviceResources.size === 0) return { all: wanted, extended: null };
  const { scalars } = facts.allocatable;
  const byDevices = new Map([...deviceResources].filter(([resource]) => (scalars.get(resource) ?? 0) <= 0));
  const extended = extendedRequestsOf(pod, byDevices);
  const spec = { devices: { requests: extended.requests } };
  return { all: [...wanted, { namespace: pod.namespace, name: extendedClaimName, spec }], extended };
}

/** Null where the node needs to give nothing. */
function devicesOn(
  state: FilterState,
  allocator: DeviceAllocator,
  pod: PodInfo,
  node: NodeInfo,
): NodeDevices | NoDevices | null {
  const { facts } = node;
  const { all, extended } = wantedOn(state, pod, node);
  // What the node has as such is no business of devices.
  if (extended?.requests.length === 0 && state.claims.length === 0) return null;
  const found = allocator.allocate(facts, all);
  if (found.kind !== 'allocated') return found;
  return {
    get given() {
      return all.map((claim, at) => ({ claim, allocation: found.results[at]! }));
    },
    extended,
  };
}

function refusalOf(problem: NoDevices, { errors }: FilterState, { release }: ClusterState, node: NodeInfo): Status {
  switch (problem.kind) {
    case 'none':
      return cannotAllocate;
    case 'invalid-pools':
      return invalidPools;
    case 'timeout':
      return release.devices.timeoutEndsAttempt ? errorOf(errors, timedOutOn(node)) : timedOut;
    case 'error':
      return errorOf(errors, problem.text);
  }
}

function timedOutOn({ facts }: NodeInfo): string {
  return `node ${facts.name}: timed out trying to allocate devices`;
}

function errorOf(errors: Map<string, Status>, text: string): Status {
  return getOrInsert(errors, text, () => new Status('Error', name, [text]));
}

function wantedClaim(claim: ResourceClaim): WantedClaim {
  const [namespace] = keyOf(claim).split('/');
  return { namespace: namespace!, name: nameOf(claim), spec: claim.spec };
}

function deviceSourceOf({ objects, release }: ClusterState): DeviceSource {
  const { resourceSlices: slices, deviceClasses: classes } = objects.fixed;
  const taken = objects.takenDevices(release.featureGates.has('DRAConsumableCapacity'));
  return { release, slices, classes, taken };
}

/** Whether an answer for the pod would need the part of the engine that knows devices, which is not loaded. */
export function lacksDeviceEngine(cluster: ClusterState, pod: PodInfo): boolean {
  if (deviceEngine() !== undefined) return false;
  if (cluster.objects.fixed.resourceSlices.length > 0 && deviceResourcesOf(cluster, pod).size > 0) return true;
  const found = claimsOf(cluster.objects, pod, cluster.release);
  if ('problem' in found) return false;
  const open = found.claims.filter(({ status }) => status?.allocation === undefined);
  return open.length > 0 && open.every((claim) => unclassedRequest(cluster, claim) === null);
}

/** The refusal of PreEnqueue: such a pod never gets an attempt; null when its claims are all there. */
export function heldByClaims({ objects, release }: ClusterState, pod: PodInfo): Status | null {
  const found = claimsOf(objects, pod, release);
  return 'problem' in found ? unresolvable(name, found.problem) : null;
}

/** What PostFilter of the plugin does. */
export interface ClaimsPostFilter {
  readonly message: string;
  /** Keys of the claims of which one, by chance, loses its devices. */
  readonly freed: readonly string[];
  /** The key of the claim for extended resources that is deleted. */
  readonly deleted: string | null;
}

/** `state` is undefined when the plugin had nothing to say about the pod, or turned it down. */
export function claimsPostFilter(state: unknown, pod: PodInfo): ClaimsPostFilter {
  const none = { freed: [], deleted: null };
  if (state === undefined) return { ...none, message: 'no new claims to deallocate' };
  const { unavailable, claims, leftover } = state as FilterState;
  const freed = claims
    .filter((claim) => unavailable.has(keyOf(claim)))
    .filter(({ status }) =>
      (status?.reservedFor ?? []).every(({ uid }, _, all) => all.length === 1 && uid === pod.uid),
    );
  if (freed.length > 0) {
    const keys = [...new Set(freed.map(keyOf))];
    return { ...none, message: 'deallocation of ResourceClaim completed', freed: keys };
  }
  if (leftover !== null) {
    return { ...none, message: 'deletion of ResourceClaim completed', deleted: keyOf(leftover) };
  }
  return { ...none, message: 'still not schedulable' };
}

/** What PostFilter says when PreFilter never came to the plugin, so that its state is missing. */
export const stateNotFound = 'not found';

/** A claim that the scheduler made for this pod in an attempt that did not come to its end. */
function leftoverClaim({ objects }: ClusterState, pod: PodInfo): ResourceClaim | null {
  for (const claim of objects.resourceClaims) {
    const { annotations = {}, ownerReferences = [], namespace } = claim.metadata ?? {};
    if ((namespace ?? 'default') !== pod.namespace || annotations[extendedAnnotation] !== 'true') continue;
    if (ownerReferences.some(({ controller, uid }) => controller === true && uid === pod.uid)) return claim;
  }
  return null;
}

/** Whether the devices of an allocated claim failed to get ready. Source: isClaimTimeout */
function isStale({ cluster, now = Infinity, args = defaultPluginArgs }: Cycle, claim: ResourceClaim): boolean {
  if (!cluster.release.featureGates.has('DRADeviceBindingConditions')) return false;
  const readiness = readinessOf(claim);
  if (readiness !== 'pending') return readiness === 'failed';
  const since = claim.status?.allocation?.allocationTimestamp;
  return since !== undefined && Date.parse(since) + args.DynamicResources.bindingTimeout < now;
}

/** Source: computeScore; the first alternative counts 8, as there are at most so many. */
const mostAlternatives = 8;

function scoreOf({ claims, devices }: FilterState, node: NodeInfo): number {
  const given = new Map(
    devices.get(node.facts.index)?.given.map(({ claim, allocation }) => [claim.name, allocation]) ?? [],
  );
  let score = 0;
  for (const claim of claims) {
    const allocation = claim.status?.allocation ?? given.get(nameOf(claim));
    const chosen = new Set(allocation?.devices?.results?.map(({ request }) => request));
    for (const { name: request, firstAvailable = [] } of claim.spec.devices?.requests ?? []) {
      const at = firstAvailable.findIndex((each) => chosen.has(`${request}/${each.name}`));
      if (at !== -1) score += mostAlternatives - at;
    }
  }
  return score;
}

/** The first request of a class that does not exist; null when all have theirs. Source: validateDeviceClass */
function unclassedRequest({ objects, release }: ClusterState, claim: ResourceClaim): Status | null {
  for (const { name: request, exactly, firstAvailable = [] } of claim.spec.devices?.requests ?? []) {
    if (exactly === undefined && firstAvailable.length === 0) {
      return unresolvable(name, `resource claim ${keyOf(claim)}, request ${request}: unknown request type`);
    }
    if (exactly === undefined && !release.featureGates.has('DRAPrioritizedList')) {
      const off = 'has subrequests, but the DRAPrioritizedList feature is disabled';
      return unresolvable(name, `claim ${keyOf(claim)}, request ${request}: ${off}`);
    }
    const parts =
      exactly === undefined
        ? firstAvailable.map((each) => ({ request: `${request}/${each.name}`, deviceClass: each.deviceClassName }))
        : [{ request, deviceClass: exactly.deviceClassName }];
    for (const { request: part, deviceClass } of parts) {
      if (deviceClass === '') return new Status('Error', name, [`request ${part}: unsupported request type`]);
      if (objects.fixed.deviceClasses.has(deviceClass)) continue;
      return unresolvable(name, `request ${part}: device class ${deviceClass} does not exist`);
    }
  }
  return null;
}
