import { type HostPort, noHostPorts } from './host-ports.ts';
import type { PodInfo } from './pod-info.ts';
import type { NodeFacts } from './node-facts.ts';
import { addExact, type ExactResources, int64, noExactResources, noScalars, safeLimit, toExact } from './resources.ts';

/** Node and pods in arbitrary precision, for the rare node that needs it. */
export interface ExactNode {
  readonly allocatable: ExactResources;
  readonly allowedPods: bigint;
  readonly requested: ExactResources;
  readonly nonZeroMilliCpu: bigint;
  readonly nonZeroMemory: bigint;
}

/**
 * A node with the pods on it and the sums over them.
 * It is changed only by its owner, the cluster state or dry run that made it; everybody else reads.
 * Source: pkg/scheduler/framework/types.go (NodeInfo)
 */
export class NodeInfo {
  readonly owner: object;
  readonly facts: NodeFacts;
  readonly index: number;
  readonly name: string;

  /** In the order of the scheduler's cache, which preemption depends on where victims tie. */
  pods: PodInfo[] = [];

  readonly allocatableMilliCpu: number;
  readonly allocatableMemory: number;
  /** Sums over `pods` of their requests, and of what scoring assumes (`nonZero…`). Stale when `exact` is set. */
  requestedMilliCpu = 0;
  requestedMemory = 0;
  requestedEphemeralStorage = 0;
  requestedScalars: ReadonlyMap<string, number> = noScalars;
  nonZeroMilliCpu = 0;
  nonZeroMemory = 0;
  /** Set when a value of the node, of one of its pods, or a sum is negative or too large for doubles. */
  exact: ExactNode | null = null;

  /**
   * Ports taken, as a set: of two pods that hold the same port, the first to leave frees it.
   * Source: staging/src/k8s.io/kube-scheduler/framework/types.go (HostPortInfo)
   */
  hostPorts: readonly HostPort[] = noHostPorts;

  /** Whatever preemption worked out from `pods`; dropped when they change. */
  memo: object | null = null;
  /** This node with pods nominated to it added; dropped when its own pods change. */
  withNominated: { readonly nominated: readonly PodInfo[]; readonly node: NodeInfo } | null = null;

  constructor(facts: NodeFacts, owner: object) {
    this.owner = owner;
    this.facts = facts;
    this.index = facts.index;
    this.name = facts.name;
    this.allocatableMilliCpu = facts.allocatable.milliCpu;
    this.allocatableMemory = facts.allocatable.memory;
    if (facts.exact !== null) this.#sumExactly();
  }

  /** A copy that its new owner may change. */
  clone(owner: object): NodeInfo {
    const copy = new NodeInfo(this.facts, owner);
    copy.pods = this.pods.slice();
    copy.requestedMilliCpu = this.requestedMilliCpu;
    copy.requestedMemory = this.requestedMemory;
    copy.requestedEphemeralStorage = this.requestedEphemeralStorage;
    copy.requestedScalars = this.requestedScalars;
    copy.nonZeroMilliCpu = this.nonZeroMilliCpu;
    copy.nonZeroMemory = this.nonZeroMemory;
    copy.exact = this.exact;
    copy.hostPorts = this.hostPorts;
    copy.memo = this.memo;
    return copy;
  }

  addPod(pod: PodInfo): void {
    this.pods.push(pod);
    this.#account(pod, 1);
    if (pod.hostPorts.length > 0) this.hostPorts = union(this.hostPorts, pod.hostPorts);
  }

  /** Takes a pod out; the last one takes its place. False when no pod has this uid. */
  removePod(pod: PodInfo): boolean {
    const at = this.pods.findIndex((each) => each.uid === pod.uid);
    if (at < 0) return false;
    const removed = this.pods[at]!;
    const last = this.pods.pop()!;
    if (at < this.pods.length) this.pods[at] = last;
    this.#account(removed, -1);
    if (removed.hostPorts.length > 0) this.hostPorts = difference(this.hostPorts, removed.hostPorts);
    return true;
  }

  #account(pod: PodInfo, sign: 1 | -1): void {
    this.memo = null;
    this.withNominated = null;
    const requests = pod.requests;
    this.requestedMilliCpu += sign * requests.milliCpu;
    this.requestedMemory += sign * requests.memory;
    this.requestedEphemeralStorage += sign * requests.ephemeralStorage;
    this.nonZeroMilliCpu += sign * pod.nonZero.milliCpu;
    this.nonZeroMemory += sign * pod.nonZero.memory;
    let overflow =
      this.requestedMilliCpu > safeLimit ||
      this.requestedMemory > safeLimit ||
      this.requestedEphemeralStorage > safeLimit ||
      this.nonZeroMilliCpu > safeLimit ||
      this.nonZeroMemory > safeLimit;
    if (requests.scalars.size > 0) {
      const sums = new Map(this.requestedScalars);
      for (const [name, value] of requests.scalars) {
        const sum = (sums.get(name) ?? 0) + sign * value;
        sums.set(name, sum);
        if (sum > safeLimit) overflow = true;
      }
      this.requestedScalars = sums;
    }
    if (this.exact !== null || pod.exact !== null || overflow) this.#sumExactly();
  }

  /** Sums over the pods anew, in bigint, and goes back to doubles when everything fits. */
  #sumExactly(): void {
    let requested = noExactResources;
    let nonZeroMilliCpu = 0n;
    let nonZeroMemory = 0n;
    let safe = this.facts.exact === null;
    for (const pod of this.pods) {
      if (pod.exact !== null) safe = false;
      requested = addExact(requested, pod.exact?.requests ?? toExact(pod.requests));
      nonZeroMilliCpu = int64(nonZeroMilliCpu + (pod.exact?.nonZeroMilliCpu ?? BigInt(pod.nonZero.milliCpu)));
      nonZeroMemory = int64(nonZeroMemory + (pod.exact?.nonZeroMemory ?? BigInt(pod.nonZero.memory)));
    }
    this.requestedMilliCpu = Number(requested.milliCpu);
    this.requestedMemory = Number(requested.memory);
    this.requestedEphemeralStorage = Number(requested.ephemeralStorage);
    this.requestedScalars = new Map([...requested.scalars].map(([name, value]) => [name, Number(value)]));
    this.nonZeroMilliCpu = Number(nonZeroMilliCpu);
    this.nonZeroMemory = Number(nonZeroMemory);
    const small =
      this.requestedMilliCpu <= safeLimit &&
      this.requestedMemory <= safeLimit &&
      this.requestedEphemeralStorage <= safeLimit &&
      this.nonZeroMilliCpu <= safeLimit &&
      this.nonZeroMemory <= safeLimit &&
      [...this.requestedScalars.values()].every((value) => value <= safeLimit);
    this.exact =
      safe && small
        ? null
        : {
            allocatable: this.facts.exact ?? toExact(this.facts.allocatable),
            allowedPods: this.facts.exact?.pods ?? BigInt(this.facts.allowedPods),
            requested,
            nonZeroMilliCpu,
            nonZeroMemory,
          };
  }
}

/** The node in arbitrary precision, whether it needs it or not. */
export function exactly(node: NodeInfo): ExactNode {
  return (
    node.exact ?? {
      allocatable: toExact(node.facts.allocatable),
      allowedPods: BigInt(node.facts.allowedPods),
      requested: toExact({
        milliCpu: node.requestedMilliCpu,
        memory: node.requestedMemory,
        ephemeralStorage: node.requestedEphemeralStorage,
        scalars: node.requestedScalars,
      }),
      nonZeroMilliCpu: BigInt(node.nonZeroMilliCpu),
      nonZeroMemory: BigInt(node.nonZeroMemory),
    }
  );
}

function samePort(a: HostPort, b: HostPort): boolean {
  return a.port === b.port && a.protocol === b.protocol && a.ip === b.ip;
}

function union(taken: readonly HostPort[], added: readonly HostPort[]): readonly HostPort[] {
  const result = taken.slice();
  for (const port of added) if (!result.some((each) => samePort(each, port))) result.push(port);
  return result;
}

function difference(taken: readonly HostPort[], removed: readonly HostPort[]): readonly HostPort[] {
  return taken.filter((each) => !removed.some((port) => samePort(port, each)));
}
