/**
 * Nodes, namespaces, classes, budgets, quotas, services. All fields of Kubernetes' types; the compiler compares them with its
 * client library.
 */
import type {
  V1AttachedVolume,
  V1ClientIPConfig,
  V1ConfigMapNodeConfigSource,
  V1ContainerImage,
  V1LimitRange,
  V1LimitRangeItem,
  V1LimitRangeSpec,
  V1Namespace,
  V1NamespaceSpec,
  V1Node,
  V1NodeCondition,
  V1NodeConfigSource,
  V1NodeSpec,
  V1NodeStatus,
  V1PodDisruptionBudget,
  V1PodDisruptionBudgetSpec,
  V1PodDisruptionBudgetStatus,
  V1PriorityClass,
  V1ResourceQuota,
  V1ResourceQuotaSpec,
  V1ResourceQuotaStatus,
  V1ScopeSelector,
  V1ScopedResourceSelectorRequirement,
  V1Service,
  V1ServicePort,
  V1ServiceSpec,
  V1SessionAffinityConfig,
  V1Taint,
  V2CrossVersionObjectReference,
  V2HorizontalPodAutoscaler,
  V2HorizontalPodAutoscalerSpec,
} from '@kubernetes/client-node';
import {
  bool,
  int32,
  int64,
  intOrString,
  list,
  map,
  quantity,
  raw,
  required,
  string,
  stringOf,
  struct,
  time,
} from './field-types.ts';
import { labelSelector, objectMeta } from './meta-tables.ts';

export const node = struct<V1Node>('Node', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: nodeSpec,
  status: nodeStatus,
}));

const nodeSpec = struct<V1NodeSpec>('NodeSpec', () => ({
  configSource: nodeConfigSource,
  externalID: string,
  podCIDR: string,
  podCIDRs: list(string),
  providerID: string,
  taints: list(taint),
  unschedulable: bool,
}));

const nodeStatus = struct<V1NodeStatus>('NodeStatus', () => ({
  addresses: raw(),
  allocatable: map(quantity),
  capacity: map(quantity),
  conditions: list(nodeCondition),
  config: raw(),
  daemonEndpoints: raw(),
  declaredFeatures: list(string),
  features: raw(),
  images: list(containerImage),
  nodeInfo: raw(),
  phase: string,
  runtimeHandlers: raw(),
  volumesAttached: list(attachedVolume),
  volumesInUse: list(string),
}));

const nodeCondition = struct<V1NodeCondition>('NodeCondition', () => ({
  lastHeartbeatTime: time,
  lastTransitionTime: time,
  message: string,
  reason: string,
  status: required(string),
  type: required(string),
}));

const taint = struct<V1Taint>('Taint', () => ({
  effect: required(stringOf('v1.TaintEffect')),
  key: required(string),
  timeAdded: time,
  value: string,
}));

const containerImage = struct<V1ContainerImage>('ContainerImage', () => ({
  names: list(string),
  sizeBytes: int64,
}));

const attachedVolume = struct<V1AttachedVolume>('AttachedVolume', () => ({
  devicePath: required(string),
  name: required(string),
}));

export const namespace = struct<V1Namespace>('Namespace', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: namespaceSpec,
  status: raw(),
}));

const namespaceSpec = struct<V1NamespaceSpec>('NamespaceSpec', () => ({
  finalizers: list(string),
}));

export const service = struct<V1Service>('Service', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: serviceSpec,
  status: raw(),
}));

const serviceSpec = struct<V1ServiceSpec>('ServiceSpec', () => ({
  allocateLoadBalancerNodePorts: bool,
  clusterIP: string,
  clusterIPs: list(string),
  externalIPs: list(string),
  externalName: string,
  externalTrafficPolicy: string,
  healthCheckNodePort: int32,
  internalTrafficPolicy: string,
  ipFamilies: list(string),
  ipFamilyPolicy: string,
  loadBalancerClass: string,
  loadBalancerIP: string,
  loadBalancerSourceRanges: list(string),
  ports: list(servicePort),
  publishNotReadyAddresses: bool,
  selector: map(string),
  sessionAffinity: stringOf('v1.ServiceAffinity'),
  sessionAffinityConfig: sessionAffinityConfig,
  trafficDistribution: string,
  type: stringOf('v1.ServiceType'),
}));

const servicePort = struct<V1ServicePort>('ServicePort', () => ({
  appProtocol: string,
  name: string,
  nodePort: int32,
  port: required(int32),
  protocol: stringOf('v1.Protocol'),
  targetPort: intOrString,
}));

export const priorityClass = struct<V1PriorityClass>('PriorityClass', () => ({
  apiVersion: string,
  description: string,
  globalDefault: bool,
  kind: string,
  metadata: objectMeta,
  preemptionPolicy: stringOf('v1.PreemptionPolicy'),
  value: int32,
}));

export const podDisruptionBudget = struct<V1PodDisruptionBudget>('PodDisruptionBudget', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: podDisruptionBudgetSpec,
  status: podDisruptionBudgetStatus,
}));

const podDisruptionBudgetSpec = struct<V1PodDisruptionBudgetSpec>('PodDisruptionBudgetSpec', () => ({
  maxUnavailable: intOrString,
  minAvailable: intOrString,
  selector: labelSelector,
  unhealthyPodEvictionPolicy: stringOf('v1.UnhealthyPodEvictionPolicyType'),
}));

const podDisruptionBudgetStatus = struct<V1PodDisruptionBudgetStatus>('PodDisruptionBudgetStatus', () => ({
  conditions: raw(),
  currentHealthy: int32,
  desiredHealthy: int32,
  disruptedPods: raw(),
  disruptionsAllowed: int32,
  expectedPods: int32,
  observedGeneration: int64,
}));

export const resourceQuota = struct<V1ResourceQuota>('ResourceQuota', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: resourceQuotaSpec,
  status: resourceQuotaStatus,
}));

const resourceQuotaSpec = struct<V1ResourceQuotaSpec>('ResourceQuotaSpec', () => ({
  hard: map(quantity),
  scopeSelector: scopeSelector,
  scopes: list(stringOf('v1.ResourceQuotaScope')),
}));

const resourceQuotaStatus = struct<V1ResourceQuotaStatus>('ResourceQuotaStatus', () => ({
  hard: map(quantity),
  used: map(quantity),
}));

const scopeSelector = struct<V1ScopeSelector>('ScopeSelector', () => ({
  matchExpressions: list(scopedResourceSelectorRequirement),
}));

const scopedResourceSelectorRequirement = struct<V1ScopedResourceSelectorRequirement>(
  'ScopedResourceSelectorRequirement',
  () => ({
    operator: required(stringOf('v1.ScopeSelectorOperator')),
    scopeName: required(stringOf('v1.ResourceQuotaScope')),
    values: list(string),
  }),
);

export const limitRange = struct<V1LimitRange>('LimitRange', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: limitRangeSpec,
}));

const limitRangeSpec = struct<V1LimitRangeSpec>('LimitRangeSpec', () => ({
  limits: required(list(limitRangeItem)),
}));

const limitRangeItem = struct<V1LimitRangeItem>('LimitRangeItem', () => ({
  _default: map(quantity),
  defaultRequest: map(quantity),
  max: map(quantity),
  maxLimitRequestRatio: map(quantity),
  min: map(quantity),
  type: required(stringOf('v1.LimitType')),
}));

export const horizontalPodAutoscaler = struct<V2HorizontalPodAutoscaler>(
  'HorizontalPodAutoscaler',
  () => ({
    apiVersion: string,
    kind: string,
    metadata: objectMeta,
    spec: required(horizontalPodAutoscalerSpec),
    status: raw(),
  }),
  'v2',
);

const horizontalPodAutoscalerSpec = struct<V2HorizontalPodAutoscalerSpec>(
  'HorizontalPodAutoscalerSpec',
  () => ({
    behavior: raw(),
    maxReplicas: required(int32),
    metrics: raw(),
    minReplicas: int32,
    scaleTargetRef: required(crossVersionObjectReference),
  }),
  'v2',
);

const crossVersionObjectReference = struct<V2CrossVersionObjectReference>(
  'CrossVersionObjectReference',
  () => ({
    apiVersion: string,
    kind: required(string),
    name: required(string),
  }),
  'v2',
);

const nodeConfigSource = struct<V1NodeConfigSource>('NodeConfigSource', () => ({
  configMap: configMapNodeConfigSource,
}));

const configMapNodeConfigSource = struct<V1ConfigMapNodeConfigSource>('ConfigMapNodeConfigSource', () => ({
  kubeletConfigKey: required(string),
  name: required(string),
  namespace: required(string),
  resourceVersion: string,
  uid: string,
}));

const sessionAffinityConfig = struct<V1SessionAffinityConfig>('SessionAffinityConfig', () => ({
  clientIP: clientIPConfig,
}));

const clientIPConfig = struct<V1ClientIPConfig>('ClientIPConfig', () => ({
  timeoutSeconds: int32,
}));
