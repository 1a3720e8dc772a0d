import type { Pod } from '../../kubernetes/objects.ts';
import type { NodeName } from '../../scheduler/decision.ts';
import { changedPod, type ClusterState, type PodInfo } from '../../scheduler/index.ts';

const topologyKeys = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'] as const;

/**
 * A pod as the API server stores it when it comes to a node: with the labels that say in which zone and region that is,
 * whatever the pod had there. So selectors over them see pods that run, and none that wait.
 * Source: plugin/pkg/admission/podtopologylabels/admission.go
 */
export function asBound(state: ClusterState, pod: PodInfo, name: NodeName): PodInfo {
  const ofNode = state.node(name)?.facts.labels;
  if (ofNode === undefined || !state.release.featureGates.has('PodTopologyLabelsAdmission')) return pod;
  const { metadata } = pod.pod;
  const given = topologyKeys.flatMap((key) => {
    const value = ofNode[key];
    return value === undefined || metadata?.labels?.[key] === value ? [] : [[key, value] as const];
  });
  if (given.length === 0) return pod;
  const labels = { ...metadata?.labels, ...Object.fromEntries(given) };
  const stored: Pod = { ...pod.pod, metadata: { ...metadata, labels } };
  return changedPod(pod, { pod: stored, class: state.classes.classOf(stored, pod.namespace) });
}
