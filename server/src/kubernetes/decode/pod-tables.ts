/**
 * The Pod. All fields of Kubernetes' types; the compiler compares them with its
 * client library.
 */
import type { V1Pod, V1PodCondition, V1PodSpec, V1PodStatus } from '@kubernetes/client-node';
import { bool, int32, int64, list, map, quantity, required, string, stringOf, struct, time } from './field-types.ts';
import {
  container,
  containerStatus,
  ephemeralContainer,
  hostAlias,
  hostIP,
  nodeAllocatableResourceClaimStatus,
  podDNSConfig,
  podExtendedResourceClaimStatus,
  podIP,
  podResourceClaimStatus,
  podSecurityContext,
  resourceRequirements,
} from './container-tables.ts';
import { localObjectReference, objectMeta } from './meta-tables.ts';
import {
  affinity,
  podOS,
  podReadinessGate,
  podResourceClaim,
  podSchedulingGate,
  podSchedulingGroup,
  toleration,
  topologySpreadConstraint,
} from './placement-tables.ts';
import { volume } from './volume-tables.ts';

export const pod = struct<V1Pod>('Pod', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: podSpec,
  status: podStatus,
}));

export const podSpec = struct<V1PodSpec>('PodSpec', () => ({
  activeDeadlineSeconds: int64,
  affinity: affinity,
  automountServiceAccountToken: bool,
  containers: required(list(container)),
  dnsConfig: podDNSConfig,
  dnsPolicy: stringOf('v1.DNSPolicy'),
  enableServiceLinks: bool,
  ephemeralContainers: list(ephemeralContainer),
  hostAliases: list(hostAlias),
  hostIPC: bool,
  hostNetwork: bool,
  hostPID: bool,
  hostUsers: bool,
  hostname: string,
  hostnameOverride: string,
  imagePullSecrets: list(localObjectReference),
  initContainers: list(container),
  nodeName: string,
  nodeSelector: map(string),
  os: podOS,
  overhead: map(quantity),
  preemptionPolicy: stringOf('v1.PreemptionPolicy'),
  priority: int32,
  priorityClassName: string,
  readinessGates: list(podReadinessGate),
  resourceClaims: list(podResourceClaim),
  resources: resourceRequirements,
  restartPolicy: stringOf('v1.RestartPolicy'),
  runtimeClassName: string,
  schedulerName: string,
  schedulingGates: list(podSchedulingGate),
  schedulingGroup: podSchedulingGroup,
  securityContext: podSecurityContext,
  serviceAccount: string,
  serviceAccountName: string,
  setHostnameAsFQDN: bool,
  shareProcessNamespace: bool,
  subdomain: string,
  terminationGracePeriodSeconds: int64,
  tolerations: list(toleration),
  topologySpreadConstraints: list(topologySpreadConstraint),
  volumes: list(volume),
}));

const podStatus = struct<V1PodStatus>('PodStatus', () => ({
  allocatedResources: map(quantity),
  conditions: list(podCondition),
  containerStatuses: list(containerStatus),
  ephemeralContainerStatuses: list(containerStatus),
  extendedResourceClaimStatus: podExtendedResourceClaimStatus,
  hostIP: string,
  hostIPs: list(hostIP),
  initContainerStatuses: list(containerStatus),
  message: string,
  nodeAllocatableResourceClaimStatuses: list(nodeAllocatableResourceClaimStatus),
  nominatedNodeName: string,
  observedGeneration: int64,
  phase: string,
  podIP: string,
  podIPs: list(podIP),
  qosClass: string,
  reason: string,
  resize: string,
  resourceClaimStatuses: list(podResourceClaimStatus),
  resources: resourceRequirements,
  startTime: time,
}));

const podCondition = struct<V1PodCondition>('PodCondition', () => ({
  lastProbeTime: time,
  lastTransitionTime: time,
  message: string,
  observedGeneration: int64,
  reason: string,
  status: required(string),
  type: required(string),
}));
