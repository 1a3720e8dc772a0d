import { type Labels, labelValue } from '../../kubernetes/labels.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { Node, Pod, Taint } from '../../kubernetes/objects.ts';
import { type ResourceAmounts, readResourceList } from '../../kubernetes/pod-resources.ts';
import { integerQuantity } from '../../kubernetes/quantity.ts';
import { addTo, getOrInsert } from '../../util/maps.ts';
import { merge, requestsOf, subtract } from './amounts.ts';
import type { KarpenterCluster } from './cluster.ts';
import { HostPortUsage } from './host-port-usage.ts';
import { hostnameKey, initializedKey, instanceTypeKey, nodePoolKey, registeredKey } from './labels.ts';
import { hasCondition, type NodeClaim } from './objects.ts';
import { isOfDaemonSet, isTerminal } from './pods.ts';
import { attachedVolumes, VolumeUsage } from './volumes.ts';

/**
 * A machine as Karpenter sees it: a node, what was asked for, or both.
 * Source: karpenter pkg/controllers/state/statenode.go at v1.13.0
 */
export class StateNode {
  readonly node: Node | undefined;
  readonly claim: NodeClaim | undefined;
  /** Pods bound to it that have not ended. */
  readonly pods: readonly Pod[];
  readonly #cluster: KarpenterCluster;

  constructor(node: Node | undefined, claim: NodeClaim | undefined, pods: readonly Pod[], cluster: KarpenterCluster) {
    this.node = node;
    this.claim = claim;
    this.pods = pods;
    this.#cluster = cluster;
  }

  get isManaged(): boolean {
    return this.claim !== undefined;
  }

  get isRegistered(): boolean {
    return !this.isManaged || labelValue(this.node?.metadata?.labels, registeredKey) === 'true';
  }

  get isInitialized(): boolean {
    return !this.isManaged || labelValue(this.node?.metadata?.labels, initializedKey) === 'true';
  }

  get name(): string {
    return this.#isClaimOnly ? this.claim!.name : nameOf(this.node!);
  }

  get labels(): Labels {
    return this.#isClaimOnly ? this.claim!.labels : (this.node!.metadata?.labels ?? {});
  }

  get annotations(): Labels {
    return this.#isClaimOnly ? this.claim!.annotations : (this.node!.metadata?.annotations ?? {});
  }

  get hostname(): string {
    const hostname = labelValue(this.labels, hostnameKey) ?? '';
    return hostname === '' ? this.name : hostname;
  }

  /** Until a node of Karpenter's is ready, taints that will go do not count. */
  get taints(): readonly Taint[] {
    const taints = this.#isClaimOnly ? this.claim!.taints : (this.node!.spec?.taints ?? []);
    if (this.isInitialized || !this.isManaged) return taints;
    const { startupTaints } = this.claim!;
    return taints.filter(
      (taint) =>
        !isEphemeral(taint) && !startupTaints.some(({ key, effect }) => key === taint.key && effect === taint.effect),
    );
  }

  get capacity(): ResourceAmounts {
    const amounts = this.#amounts('capacity');
    return new Map(amounts).set('nodes', integerQuantity(1));
  }

  get allocatable(): ResourceAmounts {
    return this.#amounts('allocatable');
  }

  get available(): ResourceAmounts {
    return subtract(this.allocatable, merge(...this.pods.map(({ spec }) => requestsOf([spec]))));
  }

  get daemonSetRequests(): ResourceAmounts {
    return merge(...this.pods.filter(isOfDaemonSet).map(({ spec }) => requestsOf([spec])));
  }

  get isMarkedForDeletion(): boolean {
    const { claim, node } = this;
    if (claim !== undefined) return claim.isBeingDeleted || hasCondition(claim, 'InstanceTerminating');
    return node?.metadata?.deletionTimestamp !== undefined;
  }

  hostPorts(): HostPortUsage {
    const usage = new HostPortUsage();
    for (const pod of this.pods) usage.add(`${pod.metadata?.namespace ?? 'default'}/${pod.metadata?.name ?? ''}`, pod);
    return usage;
  }

  volumes(): VolumeUsage {
    const drivers = this.node === undefined ? [] : (this.#cluster.csiNodes.get(nameOf(this.node))?.spec.drivers ?? []);
    const limited = drivers.filter(({ allocatable }) => allocatable !== undefined);
    const usage = new VolumeUsage(new Map(limited.map(({ name, allocatable }) => [name, allocatable?.count ?? 0])));
    for (const pod of this.pods) usage.add(attachedVolumes(pod, this.#cluster) ?? new Map());
    return usage;
  }

  get #isClaimOnly(): boolean {
    return this.node === undefined || (this.claim !== undefined && !this.isRegistered);
  }

  /** Before a node is ready, what its status lacks is taken from the claim. */
  #amounts(field: 'capacity' | 'allocatable'): ResourceAmounts {
    const { node, claim } = this;
    if (node === undefined) return claim![field];
    const amounts = readResourceList(node.status?.[field]);
    if (this.isInitialized || claim === undefined) return amounts;
    const filled = new Map(amounts);
    for (const [name, amount] of claim[field]) if ((filled.get(name)?.nanos ?? 0n) === 0n) filled.set(name, amount);
    return filled;
  }
}

/** Taints that a node has while it starts. Source: KnownEphemeralTaints in karpenter pkg/scheduling/taints.go */
const ephemeralTaints: readonly (readonly [string, string])[] = [
  ['node.kubernetes.io/not-ready', 'NoSchedule'],
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoSchedule'],
  ['node.cloudprovider.kubernetes.io/uninitialized', 'NoSchedule'],
  ['karpenter.sh/unregistered', 'NoExecute'],
];

function isEphemeral({ key, effect }: Taint): boolean {
  return ephemeralTaints.some(([k, e]) => k === key && e === effect) || key.startsWith('readiness.k8s.io/');
}

/** The machines of a cluster: nodes and claims with the same provider ID are one. Source: state/cluster.go */
export function stateNodesOf(cluster: KarpenterCluster): readonly StateNode[] {
  const parts = new Map<string, { node?: Node; claim?: NodeClaim }>();
  const at = (providerId: string): { node?: Node; claim?: NodeClaim } => getOrInsert(parts, providerId, () => ({}));
  for (const claim of cluster.nodeClaims) if (claim.providerId !== '') at(claim.providerId).claim = claim;
  for (const node of cluster.nodes) {
    const labels = node.metadata?.labels;
    const isOfPool = (labelValue(labels, nodePoolKey) ?? '') !== '';
    const providerId = node.spec?.providerID ?? '';
    // What Karpenter makes is only looked at when it is known which machine it is, and of which type.
    if (isOfPool && providerId === '') continue;
    const isTyped =
      (labelValue(labels, instanceTypeKey) ?? '') !== '' || (labelValue(labels, initializedKey) ?? '') !== '';
    if (isOfPool && !isTyped) continue;
    at(providerId === '' ? nameOf(node) : providerId).node = node;
  }
  const podsByNode = new Map<string, Pod[]>();
  for (const pod of cluster.pods) {
    const name = pod.spec?.nodeName ?? '';
    if (name === '' || isTerminal(pod)) continue;
    addTo(podsByNode, name, pod);
  }
  return [...parts.values()].map(
    ({ node, claim }) =>
      new StateNode(node, claim, node === undefined ? [] : (podsByNode.get(nameOf(node)) ?? []), cluster),
  );
}
