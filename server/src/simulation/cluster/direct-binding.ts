import { own } from '../../util/own.ts';
import type { Node, Pod } from '../../kubernetes/objects.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { assumedPool } from '../../report-model/assumed.ts';
import { firstUntolerated, NO_EXECUTE_EFFECTS, untoleratedText } from '../../kubernetes/taints.ts';
import type { NodeName } from '../../scheduler/decision.ts';
import type { Cluster } from './cluster.ts';
import { omit } from '../../util/omit.ts';
import type { Amounts } from '../../report-model/report.ts';
import type { SimulatedPod } from './simulated-pod.ts';

/**
 * A new pod that names its node is not scheduled. The kubelet of that node looks at it and refuses what does not fit.
 * Null when it runs, else the reason and the message that its status would carry.
 * Source: pkg/kubelet/lifecycle/predicate.go (Admit), pkg/kubelet/kubelet.go (rejectPod)
 */
export function checkDirectBinding(cluster: Cluster, pod: SimulatedPod, node: NodeName): string | null {
  const info = cluster.state.node(node);
  if (info === undefined) return `spec.nodeName names ${node}, which does not exist: nothing will ever run this pod.`;
  const system = otherSystem(pod.pod, info.facts.node);
  if (system !== null) return system;
  const insufficient = insufficientResource(pod.requests, cluster.allocatable(node), cluster.requested(node));
  if (insufficient !== null) {
    const { resource, requested, used, capacity } = insufficient;
    return `OutOf${resource}: Pod was rejected: Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  }
  const refusal = cluster.refusalOn(withoutSchedulerOnlyRules(pod.pod), node);
  if (refusal !== null) return rejection(refusal.plugin, refusal.reasons.join(', '));
  const taint = firstUntolerated(info.facts.hardTaints, pod.pod.spec?.tolerations, NO_EXECUTE_EFFECTS);
  return taint === undefined ? null : rejection('TaintToleration', untoleratedText);
}

/**
 * What the kubelet of a node says of a pod for another operating system, which the scheduler does not look at. Of a node
 * that does not say its own, and of one that is assumed, nothing is known.
 * Source: pkg/kubelet/lifecycle/predicate.go (rejectPodAdmissionBasedOnOSField)
 */
export function otherSystem({ spec }: Pod, node: Node | undefined): string | null {
  const wanted = spec?.os?.name;
  const { labels, annotations } = node?.metadata ?? {};
  const has = labelValue(labels, 'kubernetes.io/os') ?? node?.status?.nodeInfo?.operatingSystem;
  if (wanted === undefined || has === undefined || wanted === has) return null;
  if (own(annotations ?? {}, assumedPool) !== undefined) return null;
  return "PodOSNotSupported: Pod was rejected: Failed to admit pod as the OS field doesn't match node OS";
}

function rejection(predicate: string, reasons: string): string {
  return `${predicate}: Pod was rejected: Predicate ${predicate} failed: ${reasons}`;
}

interface Insufficient {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** Source: pkg/scheduler/framework/plugins/noderesources/fit.go (fitsRequest), whose order the kubelet keeps. */
function insufficientResource(requests: Amounts, allocatable: Amounts, used: Amounts): Insufficient | null {
  const pods = { resource: 'pods', requested: 1, used: used['pods'] ?? 0, capacity: allocatable['pods'] ?? 0 };
  if (pods.used + 1 > pods.capacity) return pods;
  for (const [resource, requested] of Object.entries(requests)) {
    const entry = { resource, requested, used: own(used, resource) ?? 0, capacity: own(allocatable, resource) ?? 0 };
    if (requested > 0 && requested > entry.capacity - entry.used) return entry;
  }
  return null;
}

/** The kubelet knows node affinity and ports; other taints, spread and affinity to pods are the scheduler's business. */
function withoutSchedulerOnlyRules(pod: Pod): Pod {
  const { spec } = pod;
  if (spec === undefined) return pod;
  const nodeAffinity = spec.affinity?.nodeAffinity;
  return {
    ...pod,
    spec: {
      ...omit(spec, 'topologySpreadConstraints', 'volumes', 'schedulingGates', 'nodeName', 'affinity', 'resources'),
      ...(nodeAffinity === undefined ? {} : { affinity: { nodeAffinity } }),
      tolerations: [{ operator: 'Exists' }],
      containers: spec.containers.map((container) => omit(container, 'resources')),
    },
  };
}
