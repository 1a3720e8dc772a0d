import {
  compileLabelSelector,
  compileRequirements,
  type CompiledSelector,
  type LabelRequirement,
  matchLabelsOnly,
} from '../../kubernetes/labels.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/**
 * What default spreading counts: the pods that the services of the pod select, narrowed by the selector of its
 * controller if that is an object that exists. Empty when nothing selects the pod.
 * Source: pkg/scheduler/framework/plugins/helper/spread.go (DefaultSelector)
 */
export function defaultSpreadSelector(cluster: ClusterState, pod: PodInfo): CompiledSelector {
  const labels = new Map<string, string>();
  for (const service of cluster.objects.fixed.servicesByNamespace.get(pod.namespace) ?? []) {
    const selector = service.spec?.selector;
    if (selector === undefined || !matchLabelsOnly(selector, pod.class.labels)) continue;
    for (const [key, value] of Object.entries(selector)) labels.set(key, value);
  }
  const controller = pod.pod.metadata?.ownerReferences?.find((owner) => owner.controller === true);
  if (controller === undefined) return compileRequirements(equalities(labels));
  const key = `${pod.namespace}/${controller.name}`;
  const { replicationControllers, replicaSets, statefulSets } = cluster.objects.fixed;
  switch (`${controller.apiVersion}/${controller.kind}`) {
    case 'v1/ReplicationController': {
      const selector = replicationControllers.get(key)?.spec?.selector ?? {};
      for (const [name, value] of Object.entries(selector)) labels.set(name, value);
      return compileRequirements(equalities(labels));
    }
    case 'apps/v1/ReplicaSet':
      return narrowed(labels, replicaSets.get(key)?.spec?.selector);
    case 'apps/v1/StatefulSet':
      return narrowed(labels, statefulSets.get(key)?.spec?.selector);
    default:
      return compileRequirements(equalities(labels));
  }
}

function narrowed(
  labels: ReadonlyMap<string, string>,
  selector: Parameters<typeof compileLabelSelector>[0],
): CompiledSelector {
  return compileRequirements([...equalities(labels), ...compileLabelSelector(selector).requirements]);
}

function equalities(labels: ReadonlyMap<string, string>): LabelRequirement[] {
  return [...labels].map(([key, value]) => ({ key, operator: 'In', values: [value] }));
}
