import type { ResourceClaim } from '../../kubernetes/objects.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { AllocationResult, WantedClaim } from '../framework/device-engine.ts';
import type { Cycle } from '../framework/plugin.ts';
import type { ExtendedRequests } from './device-resources.ts';

/** What a node would give the pod. */
export interface NodeDevices {
  /** In the order of the pod's claims, those without devices so far; then the scheduler's own. */
  readonly given: readonly { readonly claim: WantedClaim; readonly allocation: AllocationResult }[];
  /** The requests of the scheduler's own claim; null where there is none. */
  readonly extended: ExtendedRequests | null;
}

/** With all claims of the pod, in order. */
export interface ClaimedDevices extends NodeDevices {
  readonly claims: readonly ResourceClaim[];
}

/** What PreBind writes, and whether it comes to its end. */
export interface ClaimBinding {
  /** The claims as they are afterwards. */
  readonly changes: readonly ResourceClaim[];
  /** Why the pod is not bound: the text of the plugin; null when it is. */
  readonly failure: string | null;
  /** The driver has still to say that the devices are ready. */
  readonly waits: boolean;
  /** The name of the claim that was made for extended resources. */
  readonly madeClaim: string | null;
}

/** Source: resourceapi.ResourceClaimReservedForMaxSize */
const mostUsers = 256;

/**
 * Gives the devices to the pod: each claim gets its allocation, and the pod among its users. Of what fails the
 * allocations stay, and the pod is no user. Source: PreBind, Unreserve, bindClaim in dynamicresources.go
 */
export function bindingOf({ cluster, pod }: Cycle, { claims, given, extended }: ClaimedDevices): ClaimBinding {
  const user = { resource: 'pods', name: pod.name, uid: pod.uid };
  const changes = new Map<string, ResourceClaim>();
  const allocations = new Map(given.map(({ claim, allocation }) => [claim.name, allocation]));
  let failure: string | null = null;
  for (const claim of claims) {
    const key = keyOf(claim);
    const current = changes.get(key) ?? claim;
    const { allocation, reservedFor = [] } = current.status ?? {};
    if (claim.status?.allocation === undefined && allocation !== undefined) {
      failure = `claim ${key} got allocated elsewhere in the meantime`;
      break;
    }
    if (reservedFor.some(({ uid }) => uid === pod.uid)) continue;
    if (reservedFor.length >= mostUsers) {
      failure =
        `add reservation to claim ${key}: ResourceClaim.resource.k8s.io "${nameOf(claim)}" is invalid: ` +
        `status.reservedFor: Too many: ${reservedFor.length + 1}: must have at most ${mostUsers} items`;
      break;
    }
    const granted = allocation ?? withShares(allocations.get(nameOf(claim)) ?? {}, key);
    const status = { ...current.status, allocation: granted, reservedFor: [...reservedFor, user] };
    changes.set(key, { ...current, status });
  }
  let madeClaim: string | null = null;
  if (failure === null && extended !== null) {
    if (extended.mappings.length === 0) {
      failure = `nil or empty request mappings, no update of pod ${pod.key} ExtendedResourceClaimStatus`;
    } else {
      const { allocation } = given.at(-1)!;
      madeClaim = freeName(`${pod.name}-extended-resources-`, (name) =>
        cluster.objects.resourceClaim(`${pod.namespace}/${name}`),
      );
      const key = `${pod.namespace}/${madeClaim}`;
      changes.set(key, {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceClaim',
        metadata: {
          name: madeClaim,
          namespace: pod.namespace,
          annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid, controller: true }],
        },
        spec: { devices: { requests: extended.requests } },
        status: { allocation: withShares(allocation, key), reservedFor: [user] },
      });
    }
  }
  if (failure !== null) {
    for (const [key, claim] of changes) changes.set(key, withoutUser(claim, pod.uid));
  }
  const bound = [...claims.map((claim) => changes.get(keyOf(claim)) ?? claim), ...changes.values()];
  const waits = failure === null && bound.some((claim) => readinessOf(claim) === 'pending');
  return { changes: [...changes.values()], failure, waits, madeClaim };
}

/** Whether the devices of a claim can be used. Source: isClaimReadyForBinding */
export function readinessOf({ status }: ResourceClaim): 'failed' | 'pending' | 'ready' {
  let readiness: 'pending' | 'ready' = 'ready';
  for (const result of status?.allocation?.devices?.results ?? []) {
    const { bindingConditions = [], bindingFailureConditions = [] } = result;
    if (bindingConditions.length === 0) continue;
    const own = status?.devices?.find(
      ({ driver, pool, device }) => driver === result.driver && pool === result.pool && device === result.device,
    );
    const isTrue = (type: string): boolean =>
      own?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
    if (bindingFailureConditions.some(isTrue)) return 'failed';
    if (!bindingConditions.every(isTrue)) readiness = 'pending';
  }
  return readiness;
}

/** The suffix is random in a cluster. */
function freeName(prefix: string, find: (name: string) => unknown): string {
  for (let number = 0; ; number++) {
    const name = `${prefix}${String(number).padStart(5, '0')}`;
    if (find(name) === undefined) return name;
  }
}

/** Shares of a device have identities of their own. */
function withShares(allocation: AllocationResult, key: string): AllocationResult {
  const results = allocation.devices?.results ?? [];
  if (!results.some(({ shareID }) => shareID !== undefined)) return allocation;
  const named = results.map((result, at) =>
    result.shareID === undefined ? result : { ...result, shareID: `${key}/${at}` },
  );
  return { ...allocation, devices: { ...allocation.devices, results: named } };
}

/** A claim that a pod no longer uses; it keeps its devices. */
export function withoutUser(claim: ResourceClaim, uid: string): ResourceClaim {
  const { reservedFor = [], ...status } = claim.status ?? {};
  const left = reservedFor.filter((user) => user.uid !== uid);
  return { ...claim, status: left.length === 0 ? status : { ...status, reservedFor: left } };
}

/** A claim without devices. */
export function deallocated(claim: ResourceClaim): ResourceClaim {
  const { allocation: _allocation, reservedFor: _users, devices: _devices, ...status } = claim.status ?? {};
  return { ...claim, status };
}
