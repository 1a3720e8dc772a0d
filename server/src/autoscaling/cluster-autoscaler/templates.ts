import { nameOf } from '../../kubernetes/names.ts';
import type { DaemonSet, Node, Pod, Taint } from '../../kubernetes/objects.ts';
import { expandWorkload } from '../../kubernetes/workloads.ts';
import type { ScaleUpInput } from './groups.ts';

/** What a node of a group will be: the node, and what DaemonSets and static pods put on it. */
export interface NodeTemplate {
  readonly node: Node;
  readonly pods: readonly Pod[];
}

const toBeDeletedTaint = 'ToBeDeletedByClusterAutoscaler';

/**
 * A template for each group: a ready node of it, else what the provider says, else any node of it.
 * Source: cluster-autoscaler/processors/nodeinfosprovider/mixed_nodeinfos_processor.go
 */
export function templatesOf(input: ScaleUpInput): ReadonlyMap<string, NodeTemplate> {
  const { groups, nodes, groupOf, pods, daemonSets } = input;
  const templates = new Map<string, NodeTemplate>();
  for (const node of nodes) {
    const id = groupOf.get(nameOf(node));
    if (id === undefined || templates.has(id) || !isGoodExample(node)) continue;
    const there = pods.filter(({ spec }) => spec?.nodeName === nameOf(node));
    templates.set(id, templateOf(id, node, there, daemonSets, false));
  }
  for (const { id, template } of groups) {
    if (!templates.has(id)) templates.set(id, templateOf(id, withDeprecatedLabels(template), [], daemonSets, true));
  }
  return templates;
}

function isGoodExample({ spec }: Node): boolean {
  return spec?.unschedulable !== true && !(spec?.taints ?? []).some(({ key }) => key === toBeDeletedTaint);
}

/** Source: UpdateDeprecatedLabels in cluster-autoscaler/utils/labels/labels.go */
function withDeprecatedLabels(node: Node): Node {
  const labels = { ...node.metadata?.labels };
  for (const [stable, deprecated] of [
    ['node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type'],
    ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'],
    ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
  ] as const) {
    if (Object.hasOwn(labels, stable)) labels[deprecated] = labels[stable]!;
  }
  return { ...node, metadata: { ...node.metadata, labels } };
}

/** Source: SanitizedTemplateNodeInfoFromNodeInfo in cluster-autoscaler/simulator/node_info_utils.go */
function templateOf(
  id: string,
  example: Node,
  there: readonly Pod[],
  daemonSets: readonly DaemonSet[],
  forcesDaemonSets: boolean,
): NodeTemplate {
  const bare = renamed({ node: example, pods: [] }, `template-node-for-${id}`).node;
  const taints = (bare.spec?.taints ?? []).filter((taint) => !isTransient(taint));
  const clean: Node = { ...bare, spec: { ...bare.spec, taints } };
  const alive = there.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  const kept = alive.filter((pod) => isOfDaemonSet(pod) || isMirror(pod));
  const running = new Set(
    alive
      .map((pod) => controllerOf(pod))
      .filter((owner) => owner?.kind === 'DaemonSet')
      .map((owner) => owner!.uid),
  );
  const missing = daemonSets.filter(({ metadata }) => !running.has(metadata?.uid ?? ''));
  const made = missing
    .flatMap((daemonSet) => expandWorkload(daemonSet, { nodes: [clean] }).pods)
    .filter((pod) => forcesDaemonSets || isPreemptingNodeCritical(pod));
  const labels = { ...clean.metadata?.labels, 'cluster-autoscaler.kubernetes.io/template-node': 'true' };
  const node: Node = { ...clean, metadata: { ...clean.metadata, labels } };
  return renamed({ node, pods: [...kept, ...made] }, nameOf(node));
}

/** The same node and pods under other names. Source: createSanitizedNodeInfo */
export function renamed({ node, pods }: NodeTemplate, name: string): NodeTemplate {
  const labels = { ...node.metadata?.labels, 'kubernetes.io/hostname': name };
  return {
    node: { ...node, metadata: { ...node.metadata, name, uid: name, labels } },
    pods: pods.map((pod, at) => {
      const own = `${nameOf(pod)}-${name}-${at}`;
      return {
        ...pod,
        metadata: { ...pod.metadata, name: own, uid: own },
        spec: { ...pod.spec!, nodeName: name },
      };
    }),
  };
}

/** Taints that say how a node fares, or that go when it is ready. Source: cluster-autoscaler/utils/taints/taints.go SanitizeTaints */
const transientTaints: ReadonlySet<string> = new Set([
  toBeDeletedTaint,
  'DeletionCandidateOfClusterAutoscaler',
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/network-unavailable',
  'node.kubernetes.io/pid-pressure',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'node.cloudprovider.kubernetes.io/shutdown',
  'cloud.google.com/impending-node-termination',
  'NodeWithImpairedVolumes',
]);
const transientPrefixes: readonly string[] = [
  'ignore-taint.cluster-autoscaler.kubernetes.io/',
  'startup-taint.cluster-autoscaler.kubernetes.io/',
  'status-taint.cluster-autoscaler.kubernetes.io/',
];

function isTransient({ key }: Taint): boolean {
  return transientTaints.has(key) || transientPrefixes.some((prefix) => key.startsWith(prefix));
}

/** Source: cluster-autoscaler/utils/pod/pod.go IsDaemonSetPod */
export function isOfDaemonSet(pod: Pod): boolean {
  return (
    controllerOf(pod)?.kind === 'DaemonSet' ||
    pod.metadata?.annotations?.['cluster-autoscaler.kubernetes.io/daemonset-pod'] === 'true'
  );
}

function isMirror({ metadata }: Pod): boolean {
  return Object.hasOwn(metadata?.annotations ?? {}, 'kubernetes.io/config.mirror');
}

type Owner = NonNullable<NonNullable<Pod['metadata']>['ownerReferences']>[number];

export function controllerOf({ metadata }: Pod): Owner | undefined {
  return (metadata?.ownerReferences ?? []).find(({ controller }) => controller === true);
}

function isPreemptingNodeCritical({ spec }: Pod): boolean {
  return (
    spec?.priorityClassName === 'system-node-critical' &&
    (spec.preemptionPolicy === undefined || spec.preemptionPolicy === 'PreemptLowerPriority')
  );
}
