// Made by `npm run api-types` from scripts/api-types. Do not edit.
import type { ApiTable } from './table.ts';

/** What Kubernetes 1.37 adds to 1.36, in the form that table.ts describes. */
export const types: ApiTable = {
  'apps/v1': `
DaemonSetCondition type:DaemonSetConditionType+ status:core.ConditionStatus+ lastTransitionTime:Time? reason:string? message:string?
DeploymentCondition type:DeploymentConditionType+ status:core.ConditionStatus+ lastUpdateTime:Time? lastTransitionTime:Time? reason:string? message:string?
ReplicaSetCondition type:ReplicaSetConditionType+ status:core.ConditionStatus+ lastTransitionTime:Time? reason:string? message:string?
StatefulSetCondition type:StatefulSetConditionType+ status:core.ConditionStatus+ lastTransitionTime:Time? reason:string? message:string?
StatefulSetConditionType =string Progressing
StatefulSetUpdateStrategyType =string RollingUpdate OnDelete Recreate`,
  'autoscaling/v2': `
HorizontalPodAutoscalerCondition type:HorizontalPodAutoscalerConditionType status:core.ConditionStatus lastTransitionTime:Time? reason:string? message:string? observedGeneration:*int64?`,
  'batch/v1': `
JobSchedulingConfiguration schedulingPolicy:*scheduling.WorkloadPodGroupSchedulingPolicy? schedulingConstraints:*scheduling.WorkloadPodGroupSchedulingConstraints? disruptionMode:*scheduling.WorkloadPodGroupDisruptionMode? resourceClaims:[]scheduling.WorkloadPodGroupResourceClaim?~name
JobSpec parallelism:*int32? completions:*int32? activeDeadlineSeconds:*int64? podFailurePolicy:*PodFailurePolicy? successPolicy:*SuccessPolicy? backoffLimit:*int32? backoffLimitPerIndex:*int32? maxFailedIndexes:*int32? selector:*meta.LabelSelector? manualSelector:*bool? template:core.PodTemplateSpec ttlSecondsAfterFinished:*int32? completionMode:*CompletionMode? suspend:*bool? podReplacementPolicy:*PodReplacementPolicy? managedBy:*string? scheduling:*JobSchedulingConfiguration?`,
  'core/v1': `
ClusterTrustBundleProjection name:*string? signerName:*string? labelSelector:*meta.LabelSelector? optional:*bool? path:string user:*int64?
ConfigMapVolumeSource :LocalObjectReference items:[]KeyToPath? defaultMode:*int32? optional:*bool? defaultUser:*int64?
DownwardAPIVolumeFile path:string fieldRef:*ObjectFieldSelector? resourceFieldRef:*ResourceFieldSelector? mode:*int32? user:*int64?
DownwardAPIVolumeSource items:[]DownwardAPIVolumeFile? defaultMode:*int32? defaultUser:*int64?
EmptyDirVolumeSource medium:StorageMedium? sizeLimit:*Quantity? mode:*int32?
EvictionResponder name:string priority:*int32
GRPCAction port:int32 service:*string+ mode:*GRPCProbeMode?
GRPCProbeMode =string Plaintext TLS
HTTPGetAction path:string? port:IntOrString host:string? scheme:URIScheme? httpHeaders:[]HTTPHeader? protocol:*HTTPProtocol?
HTTPProtocol =string HTTP1 HTTP2
KeyToPath key:string path:string mode:*int32? user:*int64?
NodeAllocatableMappedResources name:ResourceName quantity:*Quantity
NodeAllocatableOverheadResources name:ResourceName perPod:*Quantity? perContainer:*Quantity?
NodeAllocatableResourceClaimStatus resourceClaimName:string containers:[]string? mapping:[]NodeAllocatableMappedResources?~name overhead:[]NodeAllocatableOverheadResources?~name
NodeConditionType =string Ready MemoryPressure DiskPressure PIDPressure NetworkUnavailable GracefulNodeShutdownInProgress DrainInProgress Drained MaintenancePlanned MaintenanceInProgress
NodePodPreemptionPolicy disableResizePreemption:[]string?
NodeSpec podCIDR:string? podCIDRs:[]string?~ providerID:string? unschedulable:bool? taints:[]Taint? configSource:*NodeConfigSource? externalID:string? podPreemptionPolicy:*NodePodPreemptionPolicy?
PersistentVolumeClaimStatus phase:PersistentVolumeClaimPhase? accessModes:[]PersistentVolumeAccessMode? capacity:ResourceList? conditions:[]PersistentVolumeClaimCondition?~type allocatedResources:ResourceList? allocatedResourceStatuses:map[ResourceName]ClaimResourceStatus? currentVolumeAttributesClassName:*string? modifyVolumeStatus:*ModifyVolumeStatus? healthStatus:*VolumeHealthStatus?
PodCertificateProjection signerName:string? keyType:string? maxExpirationSeconds:*int32? credentialBundlePath:string? keyPath:string? certificateChainPath:string? userAnnotations:map[string]string? user:*int64?
PodSpec volumes:[]Volume?&~name initContainers:[]Container?~name containers:[]Container~name ephemeralContainers:[]EphemeralContainer?~name restartPolicy:RestartPolicy? terminationGracePeriodSeconds:*int64? activeDeadlineSeconds:*int64? dnsPolicy:DNSPolicy? nodeSelector:map[string]string? serviceAccountName:string? serviceAccount:string? automountServiceAccountToken:*bool? nodeName:string? hostNetwork:bool? hostPID:bool? hostIPC:bool? shareProcessNamespace:*bool? securityContext:*PodSecurityContext? imagePullSecrets:[]LocalObjectReference?~name hostname:string? subdomain:string? affinity:*Affinity? schedulerName:string? tolerations:[]Toleration? hostAliases:[]HostAlias?~ip priorityClassName:string? priority:*int32? dnsConfig:*PodDNSConfig? readinessGates:[]PodReadinessGate? runtimeClassName:*string? enableServiceLinks:*bool? preemptionPolicy:*PreemptionPolicy? overhead:ResourceList? topologySpreadConstraints:[]TopologySpreadConstraint?~topologyKey setHostnameAsFQDN:*bool? os:*PodOS? hostUsers:*bool? schedulingGates:[]PodSchedulingGate?~name resourceClaims:[]PodResourceClaim?&~name resources:*ResourceRequirements? hostnameOverride:*string? schedulingGroup:*PodSchedulingGroup? evictionResponders:[]EvictionResponder?~name
PodStatus observedGeneration:int64? phase:PodPhase? conditions:[]PodCondition?~type message:string? reason:string? nominatedNodeName:string? hostIP:string? hostIPs:[]HostIP?~ip podIP:string? podIPs:[]PodIP?~ip startTime:*Time? initContainerStatuses:[]ContainerStatus? containerStatuses:[]ContainerStatus? qosClass:PodQOSClass? ephemeralContainerStatuses:[]ContainerStatus? resize:PodResizeStatus? resourceClaimStatuses:[]PodResourceClaimStatus?&~name extendedResourceClaimStatus:*PodExtendedResourceClaimStatus? allocatedResources:ResourceList? resources:*ResourceRequirements? nodeAllocatableResourceClaimStatuses:[]NodeAllocatableResourceClaimStatus?~resourceClaimName volumeHealth:[]PodVolumeHealth?
PodVolumeHealth name:string healthConditions:[]VolumeHealthCondition?~status lastTransitionTime:Time?
ProjectedVolumeSource sources:[]VolumeProjection+ defaultMode:*int32? defaultUser:*int64?
SecretVolumeSource secretName:string? items:[]KeyToPath? defaultMode:*int32? optional:*bool? defaultUser:*int64?
ServiceAccountTokenProjection audience:string? expirationSeconds:*int64? path:string user:*int64?
VolumeHealthCondition status:VolumeHealthStatusType reason:string message:string?
VolumeHealthStatus healthConditions:[]VolumeHealthCondition?~status lastTransitionTime:Time?
VolumeHealthStatusType =string Inaccessible DataLoss Degraded
VolumeMount name:string readOnly:bool? recursiveReadOnly:*RecursiveReadOnlyMode? mountPath:string subPath:string? mountPropagation:*MountPropagationMode? subPathExpr:string? bindMountOptions:[]string?`,
  'internal/batch': `
JobSchedulingConfiguration SchedulingPolicy:*scheduling.WorkloadPodGroupSchedulingPolicy+ SchedulingConstraints:*scheduling.WorkloadPodGroupSchedulingConstraints+ DisruptionMode:*scheduling.WorkloadPodGroupDisruptionMode+ ResourceClaims:[]scheduling.WorkloadPodGroupResourceClaim+
JobSpec Parallelism:*int32+ Completions:*int32+ PodFailurePolicy:*PodFailurePolicy+ SuccessPolicy:*SuccessPolicy+ ActiveDeadlineSeconds:*int64+ BackoffLimit:*int32+ BackoffLimitPerIndex:*int32+ MaxFailedIndexes:*int32+ Selector:*meta.LabelSelector+ ManualSelector:*bool+ Template:core.PodTemplateSpec TTLSecondsAfterFinished:*int32+ CompletionMode:*CompletionMode+ Suspend:*bool+ PodReplacementPolicy:*PodReplacementPolicy+ ManagedBy:*string+ Scheduling:*JobSchedulingConfiguration+`,
  'internal/core': `
ClusterTrustBundleProjection Name:*string SignerName:*string LabelSelector:*meta.LabelSelector Optional:*bool Path:string User:*int64+
ConfigMapVolumeSource :LocalObjectReference Items:[]KeyToPath+ DefaultMode:*int32+ Optional:*bool+ DefaultUser:*int64+
DownwardAPIVolumeFile Path:string FieldRef:*ObjectFieldSelector+ ResourceFieldRef:*ResourceFieldSelector+ Mode:*int32+ User:*int64+
DownwardAPIVolumeSource Items:[]DownwardAPIVolumeFile+ DefaultMode:*int32+ DefaultUser:*int64+
EmptyDirVolumeSource Medium:StorageMedium+ SizeLimit:*Quantity+ Mode:*int32+
EvictionResponder Name:string Priority:*int32
GRPCAction Port:int32 Service:*string+ Mode:*GRPCProbeMode+
GRPCProbeMode =string
HTTPGetAction Path:string+ Port:IntOrString+ Host:string+ Scheme:URIScheme+ HTTPHeaders:[]HTTPHeader+ Protocol:*HTTPProtocol+
HTTPProtocol =string
KeyToPath Key:string Path:string Mode:*int32+ User:*int64+
NodePodPreemptionPolicy DisableResizePreemption:[]string+
NodeSpec PodCIDRs:[]string+ ProviderID:string+ Unschedulable:bool+ Taints:[]Taint+ ConfigSource:*NodeConfigSource+ DoNotUseExternalID:string+ PodPreemptionPolicy:*NodePodPreemptionPolicy+
PersistentVolumeClaimStatus Phase:PersistentVolumeClaimPhase+ AccessModes:[]PersistentVolumeAccessMode+ Capacity:ResourceList+ Conditions:[]PersistentVolumeClaimCondition+ AllocatedResources:ResourceList+ AllocatedResourceStatuses:map[ResourceName]ClaimResourceStatus+ CurrentVolumeAttributesClassName:*string+ ModifyVolumeStatus:*ModifyVolumeStatus+ HealthStatus:*VolumeHealthStatus+
PodCertificateProjection SignerName:string KeyType:string MaxExpirationSeconds:*int32 CredentialBundlePath:string KeyPath:string CertificateChainPath:string UserAnnotations:map[string]string User:*int64+
PodSpec Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer+ RestartPolicy:RestartPolicy+ TerminationGracePeriodSeconds:*int64+ ActiveDeadlineSeconds:*int64+ DNSPolicy:DNSPolicy+ NodeSelector:map[string]string+ ServiceAccountName:string AutomountServiceAccountToken:*bool+ NodeName:string+ SecurityContext:*PodSecurityContext+ ImagePullSecrets:[]LocalObjectReference+ Hostname:string+ Subdomain:string+ SetHostnameAsFQDN:*bool+ Affinity:*Affinity+ SchedulerName:string+ Tolerations:[]Toleration+ HostAliases:[]HostAlias+ PriorityClassName:string+ Priority:*int32+ PreemptionPolicy:*PreemptionPolicy+ DNSConfig:*PodDNSConfig+ ReadinessGates:[]PodReadinessGate+ RuntimeClassName:*string+ Overhead:ResourceList+ EnableServiceLinks:*bool+ TopologySpreadConstraints:[]TopologySpreadConstraint+ OS:*PodOS+ SchedulingGates:[]PodSchedulingGate+ ResourceClaims:[]PodResourceClaim+ Resources:*ResourceRequirements+ HostnameOverride:*string+ SchedulingGroup:*PodSchedulingGroup+ EvictionResponders:[]EvictionResponder+
ProjectedVolumeSource Sources:[]VolumeProjection DefaultMode:*int32+ DefaultUser:*int64+
SecretVolumeSource SecretName:string+ Items:[]KeyToPath+ DefaultMode:*int32+ Optional:*bool+ DefaultUser:*int64+
ServiceAccountTokenProjection Audience:string ExpirationSeconds:int64 Path:string User:*int64+
VolumeHealthCondition Status:VolumeHealthStatusType Reason:string Message:string+
VolumeHealthStatus HealthConditions:[]VolumeHealthCondition+ LastTransitionTime:Time+
VolumeHealthStatusType =string
VolumeMount Name:string ReadOnly:bool+ RecursiveReadOnly:*RecursiveReadOnlyMode+ MountPath:string SubPath:string+ MountPropagation:*MountPropagationMode+ SubPathExpr:string+ BindMountOptions:[]string+`,
  'internal/scheduling': `
TopologyConstraint Key:string
WorkloadPodGroupAllDisruptionMode 
WorkloadPodGroupBasicSchedulingPolicy 
WorkloadPodGroupDisruptionMode Single:*WorkloadPodGroupSingleDisruptionMode+ All:*WorkloadPodGroupAllDisruptionMode+
WorkloadPodGroupGangSchedulingPolicy MinCount:*int32+
WorkloadPodGroupResourceClaim Name:string ResourceClaimName:*string+ ResourceClaimTemplateName:*string+
WorkloadPodGroupSchedulingConstraints Topology:[]TopologyConstraint+
WorkloadPodGroupSchedulingPolicy Basic:*WorkloadPodGroupBasicSchedulingPolicy+ Gang:*WorkloadPodGroupGangSchedulingPolicy+
WorkloadPodGroupSingleDisruptionMode `,
  'kubescheduler.config.k8s.io/v1': `
Plugins preEnqueue:PluginSet? queueSort:PluginSet? preFilter:PluginSet? filter:PluginSet? postFilter:PluginSet? preScore:PluginSet? score:PluginSet? reserve:PluginSet? permit:PluginSet? preBind:PluginSet? bind:PluginSet? postBind:PluginSet? multiPoint:PluginSet? placementGenerate:PluginSet? placementScore:PluginSet? podGroupPostFilter:PluginSet?`,
  'resource/v1': `
Device name:string attributes:map[QualifiedName]DeviceAttribute? capacity:map[QualifiedName]DeviceCapacity? consumesCounters:[]DeviceCounterConsumption? nodeName:*string? nodeSelector:*core.NodeSelector? allNodes:*bool? taints:[]DeviceTaint? bindsToNode:*bool? bindingConditions:[]string? bindingFailureConditions:[]string? allowMultipleAllocations:*bool? nodeAllocatableResources:map[core.ResourceName]NodeAllocatableResource?
DeviceRequestAllocationResult request:string driver:string pool:string device:string adminAccess:*bool? tolerations:[]DeviceToleration? bindingConditions:[]string? bindingFailureConditions:[]string? shareID:*UID? consumedCapacity:map[QualifiedName]Quantity? skipNodeOperations:[]SkipNodeOperation?
NodeAllocatableMapping capacityKey:*QualifiedName? capacityMultiplier:*Quantity? deviceMultiplier:*Quantity?
NodeAllocatableOverhead perPod:*Quantity? perContainer:*Quantity?
NodeAllocatableResource mapping:*NodeAllocatableMapping? overhead:*NodeAllocatableOverhead?
ResourceSliceSpec driver:string pool:ResourcePool nodeName:*string? nodeSelector:*core.NodeSelector? allNodes:*bool? devices:[]Device? perDeviceNodeSelection:*bool? sharedCounters:[]CounterSet? partitionTypeAttribute:*FullyQualifiedName? skipNodeOperations:[]SkipNodeOperation?
SkipNodeOperation =string NodePrepareResources NodeUnprepareResources *`,
  'scheduling/v1alpha3': `
TopologyConstraint key:string
WorkloadPodGroupAllDisruptionMode 
WorkloadPodGroupBasicSchedulingPolicy 
WorkloadPodGroupDisruptionMode single:*WorkloadPodGroupSingleDisruptionMode? all:*WorkloadPodGroupAllDisruptionMode?
WorkloadPodGroupGangSchedulingPolicy minCount:*int32?
WorkloadPodGroupResourceClaim name:string resourceClaimName:*string? resourceClaimTemplateName:*string?
WorkloadPodGroupSchedulingConstraints topology:[]TopologyConstraint?
WorkloadPodGroupSchedulingPolicy basic:*WorkloadPodGroupBasicSchedulingPolicy? gang:*WorkloadPodGroupGangSchedulingPolicy?
WorkloadPodGroupSingleDisruptionMode `,
  'storage/v1': `
CSINode :meta.TypeMeta metadata:meta.ObjectMeta? spec:CSINodeSpec status:CSINodeStatus?
CSINodeStatus storageHealth:[]StorageHealth?~name
StorageHealth name:string healthConditions:[]StorageHealthCondition?
StorageHealthCondition status:StorageHealthStatusType reason:string message:string? accessMode:*core.PersistentVolumeAccessMode? volumeMode:*core.PersistentVolumeMode? lastTransitionTime:Time?
StorageHealthStatusType =string StorageUnreachable StorageDegraded`,
};
