// Made by `npm run api-types` from scripts/api-types. Do not edit.
import type { ApiTable } from './table.ts';

/** What Kubernetes 1.35 adds to 1.34, in the form that table.ts describes. */
export const types: ApiTable = {
  'batch/v1': `
PodFailurePolicyOnPodConditionsPattern type:core.PodConditionType status:core.ConditionStatus+`,
  'core/v1': `
ContainerRestartRuleAction =string Restart RestartAllContainers
NodeStatus capacity:ResourceList? allocatable:ResourceList? phase:NodePhase? conditions:[]NodeCondition?~type addresses:[]NodeAddress?~type daemonEndpoints:NodeDaemonEndpoints? nodeInfo:NodeSystemInfo? images:[]ContainerImage? volumesInUse:[]UniqueVolumeName? volumesAttached:[]AttachedVolume? config:*NodeConfigStatus? runtimeHandlers:[]NodeRuntimeHandler? features:*NodeFeatures? declaredFeatures:[]string?
PodCertificateProjection signerName:string? keyType:string? maxExpirationSeconds:*int32? credentialBundlePath:string? keyPath:string? certificateChainPath:string? userAnnotations:map[string]string?
PodConditionType =string ContainersReady Initialized Ready PodScheduled DisruptionTarget PodReadyToStartContainers PodResizePending PodResizeInProgress AllContainersRestarting
PodSpec volumes:[]Volume?&~name initContainers:[]Container?~name containers:[]Container~name ephemeralContainers:[]EphemeralContainer?~name restartPolicy:RestartPolicy? terminationGracePeriodSeconds:*int64? activeDeadlineSeconds:*int64? dnsPolicy:DNSPolicy? nodeSelector:map[string]string? serviceAccountName:string? serviceAccount:string? automountServiceAccountToken:*bool? nodeName:string? hostNetwork:bool? hostPID:bool? hostIPC:bool? shareProcessNamespace:*bool? securityContext:*PodSecurityContext? imagePullSecrets:[]LocalObjectReference?~name hostname:string? subdomain:string? affinity:*Affinity? schedulerName:string? tolerations:[]Toleration? hostAliases:[]HostAlias?~ip priorityClassName:string? priority:*int32? dnsConfig:*PodDNSConfig? readinessGates:[]PodReadinessGate? runtimeClassName:*string? enableServiceLinks:*bool? preemptionPolicy:*PreemptionPolicy? overhead:ResourceList? topologySpreadConstraints:[]TopologySpreadConstraint?~topologyKey setHostnameAsFQDN:*bool? os:*PodOS? hostUsers:*bool? schedulingGates:[]PodSchedulingGate?~name resourceClaims:[]PodResourceClaim?&~name resources:*ResourceRequirements? hostnameOverride:*string? workloadRef:*WorkloadReference?
PodStatus observedGeneration:int64? phase:PodPhase? conditions:[]PodCondition?~type message:string? reason:string? nominatedNodeName:string? hostIP:string? hostIPs:[]HostIP?~ip podIP:string? podIPs:[]PodIP?~ip startTime:*Time? initContainerStatuses:[]ContainerStatus? containerStatuses:[]ContainerStatus? qosClass:PodQOSClass? ephemeralContainerStatuses:[]ContainerStatus? resize:PodResizeStatus? resourceClaimStatuses:[]PodResourceClaimStatus?&~name extendedResourceClaimStatus:*PodExtendedResourceClaimStatus? allocatedResources:ResourceList? resources:*ResourceRequirements?
TolerationOperator =string Exists Equal Lt Gt
WorkloadReference name:string podGroup:string podGroupReplicaKey:string?`,
  'internal/batch': `
PodFailurePolicyOnPodConditionsPattern Type:core.PodConditionType Status:core.ConditionStatus+`,
  'internal/core': `
PodCertificateProjection SignerName:string KeyType:string MaxExpirationSeconds:*int32 CredentialBundlePath:string KeyPath:string CertificateChainPath:string UserAnnotations:map[string]string
PodSpec Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer+ RestartPolicy:RestartPolicy+ TerminationGracePeriodSeconds:*int64+ ActiveDeadlineSeconds:*int64+ DNSPolicy:DNSPolicy+ NodeSelector:map[string]string+ ServiceAccountName:string AutomountServiceAccountToken:*bool+ NodeName:string+ SecurityContext:*PodSecurityContext+ ImagePullSecrets:[]LocalObjectReference+ Hostname:string+ Subdomain:string+ SetHostnameAsFQDN:*bool+ Affinity:*Affinity+ SchedulerName:string+ Tolerations:[]Toleration+ HostAliases:[]HostAlias+ PriorityClassName:string+ Priority:*int32+ PreemptionPolicy:*PreemptionPolicy+ DNSConfig:*PodDNSConfig+ ReadinessGates:[]PodReadinessGate+ RuntimeClassName:*string+ Overhead:ResourceList+ EnableServiceLinks:*bool+ TopologySpreadConstraints:[]TopologySpreadConstraint+ OS:*PodOS+ SchedulingGates:[]PodSchedulingGate+ ResourceClaims:[]PodResourceClaim+ Resources:*ResourceRequirements+ HostnameOverride:*string+ WorkloadRef:*WorkloadReference+
WorkloadReference Name:string PodGroup:string PodGroupReplicaKey:string+`,
  'internal/storage': `
CSIDriverSpec AttachRequired:*bool+ FSGroupPolicy:*FSGroupPolicy+ PodInfoOnMount:*bool+ VolumeLifecycleModes:[]VolumeLifecycleMode+ StorageCapacity:*bool+ TokenRequests:[]TokenRequest+ RequiresRepublish:*bool+ SELinuxMount:*bool+ NodeAllocatableUpdatePeriodSeconds:*int64+ ServiceAccountTokenInSecrets:*bool+`,
  'kubescheduler.config.k8s.io/v1': `
DynamicResourcesArgs :meta.TypeMeta filterTimeout:*Raw bindingTimeout:*Raw?`,
  'resource/v1': `
AllocationConfigSource =string FromClass FromClaim
DeviceTaintEffect =string None NoSchedule NoExecute
ResourceSliceSpec driver:string pool:ResourcePool nodeName:*string? nodeSelector:*core.NodeSelector? allNodes:*bool? devices:[]Device? perDeviceNodeSelection:*bool? sharedCounters:[]CounterSet?`,
  'storage/v1': `
CSIDriverSpec attachRequired:*bool? podInfoOnMount:*bool? volumeLifecycleModes:[]VolumeLifecycleMode? storageCapacity:*bool? fsGroupPolicy:*FSGroupPolicy? tokenRequests:[]TokenRequest? requiresRepublish:*bool? seLinuxMount:*bool? nodeAllocatableUpdatePeriodSeconds:*int64? serviceAccountTokenInSecrets:*bool?`,
};
