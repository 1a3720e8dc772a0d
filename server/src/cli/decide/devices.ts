import { put } from '../../util/own.ts';
import { nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import type { ResourceClaim } from '../../kubernetes/objects.ts';
import {
  bindingOf,
  type ClaimedDevices,
  type ClusterState,
  compareBytewise,
  deallocated,
  decide,
  type Decision,
  devicesFor,
  evictAndNominate,
  type FitsDecision,
  heldByClaims,
  type PodInfo,
  type PodKey,
  type UnschedulableDecision,
  withoutUser,
} from '../../scheduler/index.ts';
import { clusterOf, pendingInOrder } from './cluster.ts';
import { printFits, printRefusals, printUnschedulable } from './cycle.ts';

/** Later than every time in 2026, and before 2099: so are the cases made. */
const now = Date.UTC(2027, 0, 1);

/** Mode `dra`: each pending pod on its own, from the same start. */
export function decideDevices(input: JsonObject): JsonObject {
  const cluster = clusterOf(input);
  const pods = pendingInOrder(cluster).filter(({ gates }) => gates.length === 0);
  return { expected: { dra: pods.map((pod) => printAttempt(cluster, pod)) } };
}

function printAttempt(cluster: ClusterState, pod: PodInfo): JsonObject {
  const held = heldByClaims(cluster, pod);
  const preEnqueue: JsonObject =
    held === null ? {} : { preEnqueue: { code: held.code, reasons: held.reasons, plugin: held.plugin } };
  return { ...preEnqueue, ...printDecision(cluster, pod, decide(cluster, pod, { now })) };
}

function printDecision(cluster: ClusterState, pod: PodInfo, decision: Decision): JsonObject {
  switch (decision.kind) {
    case 'fits':
      return { ...printFits(decision), ...printPlacement(cluster, pod, decision) };
    case 'unschedulable':
      return decision.failure === null ? printRefused(decision) : printFailure(decision);
    case 'gated':
    case 'not-modelled':
      return { pod: decision.pod, error: decision.message };
  }
}

function printRefused(decision: UnschedulableDecision): JsonObject {
  const { freedClaims: freed, deletedClaim: deleted } = decision;
  return {
    ...printUnschedulable(decision),
    ...(freed.length === 0 ? {} : { freed: freed.map(nameOfKey).sort(compareBytewise) }),
    ...(deleted === null ? {} : { deleted: [nameOfKey(deleted)] }),
  };
}

function nameOfKey(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

function printFailure({ pod, failure }: UnschedulableDecision): JsonObject {
  const { errors, feasible, refusals } = failure!;
  return {
    pod,
    ...(feasible.length === 0 ? {} : { feasible }),
    ...(refusals.size === 0 ? {} : { filter: printRefusals(refusals) }),
    errors,
  };
}

function printPlacement(cluster: ClusterState, pod: PodInfo, decision: FitsDecision): JsonObject {
  const cycle = { cluster, pod, now };
  const nodes: Record<string, Json> = {};
  for (const name of decision.feasible) {
    const devices = devicesFor(cycle, cluster.node(name)!);
    if (devices !== null && devices.given.length > 0) put(nodes, name, printNode(devices));
  }
  const chosen = devicesFor(cycle, cluster.node(decision.node)!);
  const bound = cluster.branch();
  const binding = chosen === null ? null : bindingOf({ ...cycle, cluster: bound }, chosen);
  for (const claim of binding?.changes ?? []) {
    if (binding!.failure === null || nameOf(claim) !== binding!.madeClaim) bound.objects.putResourceClaim(claim);
  }
  const claims = printClaims(bound, pod.namespace, new Set(binding?.madeClaim == null ? [] : [binding.madeClaim]));
  return {
    ...(Object.keys(nodes).length === 0 ? {} : { nodes }),
    node: decision.node,
    ...(Object.keys(claims).length === 0 ? {} : { claims }),
    ...(binding?.madeClaim == null
      ? {}
      : {
          podStatus: {
            requestMappings: (chosen!.extended?.mappings ?? []).map((mapping): JsonObject => ({ ...mapping })),
            resourceClaimName: `${pod.name}-extended-resources-00000`,
          },
        }),
    ...(binding?.waits === true ? { waits: true } : {}),
    ...(binding?.failure == null
      ? {}
      : { bind: `prebind: running PreBind plugin "DynamicResources": ${binding.failure}` }),
  };
}

function printNode({ given, extended }: ClaimedDevices): JsonObject {
  const claims = printGiven({ given });
  if (extended === null || extended.requests.length === 0) return { claims };
  return {
    claims,
    extendedRequests: extended.requests as unknown as Json,
    extendedMappings: extended.mappings as unknown as Json,
  };
}

function printGiven({ given }: Pick<ClaimedDevices, 'given'>): JsonObject {
  const entries = given.map(({ claim, allocation }) => {
    const results = (allocation.devices?.results ?? []).map(
      ({ request, driver, pool, device, adminAccess, consumedCapacity }): JsonObject => ({
        request,
        device: `${driver}/${pool}/${device}`,
        ...(adminAccess === true ? { adminAccess } : {}),
        ...(consumedCapacity === undefined ? {} : { consumed: consumedCapacity }),
      }),
    );
    return [claim.name, results] as const;
  });
  return Object.fromEntries(entries);
}

/** The claims of a namespace that are allocated or reserved; `made` is the scheduler's own of this attempt. */
function printClaims({ objects }: ClusterState, namespace: string, made: ReadonlySet<string>): JsonObject {
  const claims = [...objects.resourceClaims]
    .filter((claim) => namespaceOf(claim) === namespace)
    .filter(({ status }) => status?.allocation !== undefined || (status?.reservedFor ?? []).length > 0)
    .sort((a, b) => compareBytewise(nameOf(a), nameOf(b)));
  const shares = new Map<string, string>();
  const printed = claims.map((claim): [string, JsonObject] => {
    const status = printStatus(claim, shares);
    const { spec } = claim;
    return made.has(nameOf(claim))
      ? [nameOf(claim), { spec: spec as unknown as Json, status }]
      : [nameOf(claim), status];
  });
  return Object.fromEntries(printed);
}

function printStatus({ status = {} }: ResourceClaim, shares: Map<string, string>): JsonObject {
  const { allocation, ...rest } = status;
  if (allocation === undefined) return rest as unknown as JsonObject;
  const { allocationTimestamp: _time, devices, ...others } = allocation;
  const results = devices?.results?.map((result) => {
    if (result.shareID === undefined) return result;
    const share = shares.get(result.shareID) ?? `share-${shares.size + 1}`;
    shares.set(result.shareID, share);
    return { ...result, shareID: share };
  });
  const printed = { ...devices, ...(results === undefined ? {} : { results }) };
  return { allocation: { devices: printed, ...others }, ...rest } as unknown as JsonObject;
}

/** After so many rounds the recordings end. */
const mostRounds = 12;

/** Mode `dra-replay`: all pending pods one after the other, in rounds until one changes nothing. */
export function decideDevicesReplay(input: JsonObject): JsonObject {
  const cluster = clusterOf(input);
  const run = new Rounds(cluster, pendingInOrder(cluster));
  for (let round = 1; round <= mostRounds && run.play(round); round++);
  return { expected: { steps: run.steps, claims: printClaims(cluster, 'default', run.made) } };
}

class Rounds {
  readonly steps: JsonObject[] = [];
  /** Names of claims that the scheduler made. */
  readonly made = new Set<string>();
  /** Keys of deleted claims that the scheduler still has in its cache, as it has those whose status it wrote. */
  readonly #cached = new Set<string>();
  readonly #cluster: ClusterState;
  #waiting: readonly PodInfo[];

  constructor(cluster: ClusterState, waiting: readonly PodInfo[]) {
    this.#cluster = cluster;
    this.#waiting = waiting;
  }

  /** Whether there is reason for another round. */
  play(pass: number): boolean {
    const left: PodInfo[] = [];
    const victims = new Set<PodKey>();
    let changed = false;
    for (const { key } of this.#waiting) {
      const pod = this.#cluster.pod(key);
      if (pod === undefined) continue;
      const gates = pod.gates.length === 0 ? null : `waiting for scheduling gates: [${pod.gates.join(' ')}]`;
      const message = gates ?? heldByClaims(this.#cluster, pod)?.message;
      if (message !== undefined) {
        if (pass === 1) this.steps.push({ pass, pod: key, result: 'Gated', message });
        left.push(pod);
        continue;
      }
      const { step, isPlaced, hasChanged } = this.#attempt(pod, victims);
      this.steps.push({ pass, pod: key, ...step });
      if (!isPlaced) left.push(pod);
      changed ||= hasChanged;
    }
    for (const victim of victims) this.#remove(victim);
    this.#waiting = left;
    return changed && left.length > 0;
  }

  #attempt(pod: PodInfo, victims: Set<PodKey>): { step: JsonObject; isPlaced: boolean; hasChanged: boolean } {
    const cluster = this.#cluster;
    const decision = decide(cluster, pod, { now });
    if (decision.kind === 'fits') return this.#place(pod, decision);
    if (decision.kind !== 'unschedulable') {
      return { step: { result: 'Error', errors: [decision.message] }, isPlaced: false, hasChanged: false };
    }
    const { failure, message, freedClaims, preemption, deletedClaim } = decision;
    if (failure !== null) {
      return { step: { result: 'Error', errors: failure.errors }, isPlaced: false, hasChanged: false };
    }
    const [freed] = freedClaims.toSorted(compareBytewise);
    if (freed !== undefined) cluster.objects.putResourceClaim(deallocated(cluster.objects.resourceClaim(freed)!));
    if (deletedClaim !== null && this.#cached.has(deletedClaim)) {
      const problem = `update resourceclaim ${deletedClaim}: resourceclaims.resource.k8s.io "${nameOfKey(deletedClaim)}" not found`;
      const text = `${message.split('deletion of ResourceClaim completed')[0]}${problem}`;
      return { step: { result: 'Unschedulable', message: text }, isPlaced: false, hasChanged: false };
    }
    if (deletedClaim !== null) this.#delete(deletedClaim);
    const hasFreed = freed !== undefined || deletedClaim !== null;
    const choice = preemption?.choice ?? null;
    if (choice === null) {
      if (decision.losesNomination && pod.nominatedNodeName !== '') cluster.nominate(pod, '');
      const step = { result: 'Unschedulable', ...(freed === undefined ? {} : { freed: nameOfKey(freed) }), message };
      return { step, isPlaced: false, hasChanged: hasFreed };
    }
    const { victims: evicted } = preemption!.candidates.get(choice.node)!;
    for (const victim of evicted) victims.add(victim);
    evictAndNominate(cluster, pod, choice.node, evicted);
    const step = { result: 'Nominated', node: choice.node, victims: evicted, message };
    return { step, isPlaced: false, hasChanged: true };
  }

  #place(pod: PodInfo, { node: name }: FitsDecision): { step: JsonObject; isPlaced: boolean; hasChanged: boolean } {
    const cluster = this.#cluster;
    const cycle = { cluster, pod, now };
    const devices = devicesFor(cycle, cluster.node(name)!);
    const binding = devices === null ? null : bindingOf(cycle, devices);
    if (binding?.failure != null) {
      const message = `prebind: running PreBind plugin "DynamicResources": ${binding.failure}`;
      return { step: { result: 'BindFailed', message }, isPlaced: false, hasChanged: false };
    }
    for (const claim of binding?.changes ?? []) cluster.objects.putResourceClaim(claim);
    if (binding?.madeClaim != null) this.made.add(binding.madeClaim);
    cluster.bind(pod, name);
    const step: JsonObject = {
      result: 'Scheduled',
      node: name,
      ...(devices === null || devices.given.length === 0 ? {} : { claims: printGiven(devices) }),
      ...(binding?.waits === true ? { waits: true } : {}),
    };
    return { step, isPlaced: true, hasChanged: true };
  }

  #delete(key: string): void {
    const { objects } = this.#cluster;
    const claim = objects.resourceClaim(key)!;
    if (claim.status?.allocation === undefined) {
      objects.removeResourceClaim(key);
      return;
    }
    this.#cached.add(key);
    objects.putResourceClaim(deallocated(claim));
  }

  /** A pod is gone: it uses its claims no longer, and those that nobody uses lose their devices. */
  #remove(key: PodKey): void {
    const { objects } = this.#cluster;
    const pod = this.#cluster.removeRunning(key);
    if (pod === undefined) return;
    for (const claim of [...objects.resourceClaims]) {
      if (!(claim.status?.reservedFor ?? []).some(({ uid }) => uid === pod.uid)) continue;
      const left = withoutUser(claim, pod.uid);
      const isUnused = (left.status?.reservedFor ?? []).length === 0;
      objects.putResourceClaim(isUnused ? deallocated(left) : left);
    }
  }
}
