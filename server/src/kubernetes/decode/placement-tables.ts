/**
 * What a pod says about where it wants to run. All fields of Kubernetes' types; the compiler compares them with its
 * client library.
 */
import type {
  V1Affinity,
  V1NodeAffinity,
  V1NodeSelector,
  V1NodeSelectorRequirement,
  V1NodeSelectorTerm,
  V1PodAffinity,
  V1PodAffinityTerm,
  V1PodAntiAffinity,
  V1PodOS,
  V1PodReadinessGate,
  V1PodResourceClaim,
  V1PodSchedulingGate,
  V1PodSchedulingGroup,
  V1PreferredSchedulingTerm,
  V1Toleration,
  V1TopologySpreadConstraint,
  V1WeightedPodAffinityTerm,
} from '@kubernetes/client-node';
import { int32, int64, list, required, string, stringOf, struct } from './field-types.ts';
import { labelSelector } from './meta-tables.ts';

export const affinity = struct<V1Affinity>('Affinity', () => ({
  nodeAffinity: nodeAffinity,
  podAffinity: podAffinity,
  podAntiAffinity: podAntiAffinity,
}));

export const nodeAffinity = struct<V1NodeAffinity>('NodeAffinity', () => ({
  preferredDuringSchedulingIgnoredDuringExecution: list(preferredSchedulingTerm),
  requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
}));

export const nodeSelector = struct<V1NodeSelector>('NodeSelector', () => ({
  nodeSelectorTerms: required(list(nodeSelectorTerm)),
}));

const nodeSelectorTerm = struct<V1NodeSelectorTerm>('NodeSelectorTerm', () => ({
  matchExpressions: list(nodeSelectorRequirement),
  matchFields: list(nodeSelectorRequirement),
}));

const nodeSelectorRequirement = struct<V1NodeSelectorRequirement>('NodeSelectorRequirement', () => ({
  key: required(string),
  operator: required(stringOf('v1.NodeSelectorOperator')),
  values: list(string),
}));

const preferredSchedulingTerm = struct<V1PreferredSchedulingTerm>('PreferredSchedulingTerm', () => ({
  preference: required(nodeSelectorTerm),
  weight: required(int32),
}));

const podAffinity = struct<V1PodAffinity>('PodAffinity', () => ({
  preferredDuringSchedulingIgnoredDuringExecution: list(weightedPodAffinityTerm),
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
}));

const podAntiAffinity = struct<V1PodAntiAffinity>('PodAntiAffinity', () => ({
  preferredDuringSchedulingIgnoredDuringExecution: list(weightedPodAffinityTerm),
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
}));

const podAffinityTerm = struct<V1PodAffinityTerm>('PodAffinityTerm', () => ({
  labelSelector: labelSelector,
  matchLabelKeys: list(string),
  mismatchLabelKeys: list(string),
  namespaceSelector: labelSelector,
  namespaces: list(string),
  topologyKey: required(string),
}));

const weightedPodAffinityTerm = struct<V1WeightedPodAffinityTerm>('WeightedPodAffinityTerm', () => ({
  podAffinityTerm: required(podAffinityTerm),
  weight: required(int32),
}));

export const toleration = struct<V1Toleration>('Toleration', () => ({
  effect: stringOf('v1.TaintEffect'),
  key: string,
  operator: stringOf('v1.TolerationOperator'),
  tolerationSeconds: int64,
  value: string,
}));

export const topologySpreadConstraint = struct<V1TopologySpreadConstraint>('TopologySpreadConstraint', () => ({
  labelSelector: labelSelector,
  matchLabelKeys: list(string),
  maxSkew: required(int32),
  minDomains: int32,
  nodeAffinityPolicy: stringOf('v1.NodeInclusionPolicy'),
  nodeTaintsPolicy: stringOf('v1.NodeInclusionPolicy'),
  topologyKey: required(string),
  whenUnsatisfiable: required(stringOf('v1.UnsatisfiableConstraintAction')),
}));

export const podSchedulingGate = struct<V1PodSchedulingGate>('PodSchedulingGate', () => ({
  name: required(string),
}));

export const podReadinessGate = struct<V1PodReadinessGate>('PodReadinessGate', () => ({
  conditionType: required(string),
}));

export const podResourceClaim = struct<V1PodResourceClaim>('PodResourceClaim', () => ({
  name: required(string),
  resourceClaimName: string,
  resourceClaimTemplateName: string,
}));

export const podSchedulingGroup = struct<V1PodSchedulingGroup>('PodSchedulingGroup', () => ({
  podGroupName: string,
}));

export const podOS = struct<V1PodOS>('PodOS', () => ({
  name: required(string),
}));
