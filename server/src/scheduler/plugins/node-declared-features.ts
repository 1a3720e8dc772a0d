import type { PodSpec } from '../../kubernetes/objects.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import { type Status, unresolvable } from '../framework/status.ts';

const name = 'NodeDeclaredFeatures';
const missing = unresolvable(name, "node(s) didn't match Pod's required features");

/**
 * Features that a pod can need of the kubelet, in the order of their names, and who needs them.
 * Source: staging/src/k8s.io/component-helpers/nodedeclaredfeatures/features
 */
const features: readonly { readonly name: string; readonly isNeededBy: (spec: PodSpec) => boolean }[] = [
  {
    name: 'RestartAllContainersOnContainerExits',
    isNeededBy: ({ containers, initContainers }) =>
      [...containers, ...(initContainers ?? [])].some(({ restartPolicyRules }) =>
        restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
      ),
  },
  {
    name: 'UserNamespacesHostNetworkSupport',
    isNeededBy: ({ hostNetwork, hostUsers }) => hostNetwork === true && hostUsers === false,
  },
];

/** All the names that are known, also of features that only an update can need; sorted. */
const knownNames: readonly string[] = [
  'ExtendWebSocketsToKubelet',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  ...features.map((feature) => feature.name),
].sort();

/** The features that the node must declare for a pod. */
function requiredFeatures(spec: PodSpec | undefined): readonly string[] {
  if (spec === undefined) return [];
  return features.filter(({ isNeededBy }) => isNeededBy(spec)).map((feature) => feature.name);
}

/**
 * Nodes that lack what the pod needs of their kubelet. Source: pkg/scheduler/framework/plugins/nodedeclaredfeatures
 */
export const nodeDeclaredFeatures: Plugin<readonly string[]> = {
  name,
  dependsOnPods: false,

  preFilter({ pod }: Cycle): PreFilterAnswer<readonly string[]> {
    const required = requiredFeatures(pod.pod.spec);
    return required.length === 0 ? skip : { state: required };
  },

  filter(_cycle: Cycle, required: readonly string[], node: NodeInfo): Status | null {
    const declared = knownAmong(node.facts.node.status?.declaredFeatures ?? []);
    return required.every((feature) => declared.has(feature)) ? null : missing;
  },
};

/**
 * The declared features that are known. The two sorted lists are merged, so that in a list out of order a name behind
 * its place is not seen.
 */
function knownAmong(declared: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  let at = 0;
  for (const known of knownNames) {
    while (at < declared.length && declared[at]! < known) at++;
    if (declared[at] === known) found.add(known);
  }
  return found;
}
