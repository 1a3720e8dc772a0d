// Made by `npm run api-types` from scripts/api-types. Do not edit.
import type { ApiTable } from './table.ts';

/** What Kubernetes 1.36 adds to 1.35, in the form that table.ts describes. */
export const types: ApiTable = {
  'autoscaling/v2': `
HorizontalPodAutoscalerConditionType =string ScalingActive AbleToScale ScalingLimited ScaledToZero`,
  'core/v1': `
ImageVolumeStatus imageRef:string?
NodeAllocatableResourceClaimStatus resourceClaimName:string containers:[]string? resources:map[ResourceName]Quantity
PersistentVolumeClaimConditionType =string Resizing FileSystemResizePending ControllerResizeError NodeResizeError ModifyVolumeError ModifyingVolume Unused
PodSchedulingGroup podGroupName:*string?
PodSpec volumes:[]Volume?&~name initContainers:[]Container?~name containers:[]Container~name ephemeralContainers:[]EphemeralContainer?~name restartPolicy:RestartPolicy? terminationGracePeriodSeconds:*int64? activeDeadlineSeconds:*int64? dnsPolicy:DNSPolicy? nodeSelector:map[string]string? serviceAccountName:string? serviceAccount:string? automountServiceAccountToken:*bool? nodeName:string? hostNetwork:bool? hostPID:bool? hostIPC:bool? shareProcessNamespace:*bool? securityContext:*PodSecurityContext? imagePullSecrets:[]LocalObjectReference?~name hostname:string? subdomain:string? affinity:*Affinity? schedulerName:string? tolerations:[]Toleration? hostAliases:[]HostAlias?~ip priorityClassName:string? priority:*int32? dnsConfig:*PodDNSConfig? readinessGates:[]PodReadinessGate? runtimeClassName:*string? enableServiceLinks:*bool? preemptionPolicy:*PreemptionPolicy? overhead:ResourceList? topologySpreadConstraints:[]TopologySpreadConstraint?~topologyKey setHostnameAsFQDN:*bool? os:*PodOS? hostUsers:*bool? schedulingGates:[]PodSchedulingGate?~name resourceClaims:[]PodResourceClaim?&~name resources:*ResourceRequirements? hostnameOverride:*string? schedulingGroup:*PodSchedulingGroup?
PodStatus observedGeneration:int64? phase:PodPhase? conditions:[]PodCondition?~type message:string? reason:string? nominatedNodeName:string? hostIP:string? hostIPs:[]HostIP?~ip podIP:string? podIPs:[]PodIP?~ip startTime:*Time? initContainerStatuses:[]ContainerStatus? containerStatuses:[]ContainerStatus? qosClass:PodQOSClass? ephemeralContainerStatuses:[]ContainerStatus? resize:PodResizeStatus? resourceClaimStatuses:[]PodResourceClaimStatus?&~name extendedResourceClaimStatus:*PodExtendedResourceClaimStatus? allocatedResources:ResourceList? resources:*ResourceRequirements? nodeAllocatableResourceClaimStatuses:[]NodeAllocatableResourceClaimStatus?
ResourceHealth resourceID:ResourceID health:ResourceHealthStatus? message:*string?
VolumeMountStatus name:string mountPath:string readOnly:bool? recursiveReadOnly:*RecursiveReadOnlyMode? volumeStatus:*VolumeStatus?
VolumeStatus image:*ImageVolumeStatus?`,
  'internal/core': `
PodSchedulingGroup PodGroupName:*string+
PodSpec Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer+ RestartPolicy:RestartPolicy+ TerminationGracePeriodSeconds:*int64+ ActiveDeadlineSeconds:*int64+ DNSPolicy:DNSPolicy+ NodeSelector:map[string]string+ ServiceAccountName:string AutomountServiceAccountToken:*bool+ NodeName:string+ SecurityContext:*PodSecurityContext+ ImagePullSecrets:[]LocalObjectReference+ Hostname:string+ Subdomain:string+ SetHostnameAsFQDN:*bool+ Affinity:*Affinity+ SchedulerName:string+ Tolerations:[]Toleration+ HostAliases:[]HostAlias+ PriorityClassName:string+ Priority:*int32+ PreemptionPolicy:*PreemptionPolicy+ DNSConfig:*PodDNSConfig+ ReadinessGates:[]PodReadinessGate+ RuntimeClassName:*string+ Overhead:ResourceList+ EnableServiceLinks:*bool+ TopologySpreadConstraints:[]TopologySpreadConstraint+ OS:*PodOS+ SchedulingGates:[]PodSchedulingGate+ ResourceClaims:[]PodResourceClaim+ Resources:*ResourceRequirements+ HostnameOverride:*string+ SchedulingGroup:*PodSchedulingGroup+`,
  'internal/storage': `
CSIDriverSpec AttachRequired:*bool+ FSGroupPolicy:*FSGroupPolicy+ PodInfoOnMount:*bool+ VolumeLifecycleModes:[]VolumeLifecycleMode+ StorageCapacity:*bool+ TokenRequests:[]TokenRequest+ RequiresRepublish:*bool+ SELinuxMount:*bool+ NodeAllocatableUpdatePeriodSeconds:*int64+ ServiceAccountTokenInSecrets:*bool+ PreventPodSchedulingIfMissing:*bool+`,
  'kubescheduler.config.k8s.io/v1': `
Plugins preEnqueue:PluginSet? queueSort:PluginSet? preFilter:PluginSet? filter:PluginSet? postFilter:PluginSet? preScore:PluginSet? score:PluginSet? reserve:PluginSet? permit:PluginSet? preBind:PluginSet? bind:PluginSet? postBind:PluginSet? multiPoint:PluginSet? placementGenerate:PluginSet? placementScore:PluginSet?`,
  'policy/v1': `
PodDisruptionBudgetStatus observedGeneration:int64? disruptedPods:map[string]Time? disruptionsAllowed:int32+ currentHealthy:int32+ desiredHealthy:int32+ expectedPods:int32+ conditions:[]meta.Condition?~type`,
  'resource/v1': `
Device name:string attributes:map[QualifiedName]DeviceAttribute? capacity:map[QualifiedName]DeviceCapacity? consumesCounters:[]DeviceCounterConsumption? nodeName:*string? nodeSelector:*core.NodeSelector? allNodes:*bool? taints:[]DeviceTaint? bindsToNode:*bool? bindingConditions:[]string? bindingFailureConditions:[]string? allowMultipleAllocations:*bool? nodeAllocatableResourceMappings:map[core.ResourceName]NodeAllocatableResourceMapping?
DeviceAttribute int:*int64? bool:*bool? string:*string? version:*string? ints:[]int64? bools:[]bool? strings:[]string? versions:[]string?
NodeAllocatableResourceMapping capacityKey:*QualifiedName? allocationMultiplier:*Quantity?`,
  'scheduling/v1': `
PriorityClass :meta.TypeMeta metadata:meta.ObjectMeta? value:int32+ globalDefault:bool? description:string? preemptionPolicy:*core.PreemptionPolicy?`,
  'storage/v1': `
CSIDriverSpec attachRequired:*bool? podInfoOnMount:*bool? volumeLifecycleModes:[]VolumeLifecycleMode? storageCapacity:*bool? fsGroupPolicy:*FSGroupPolicy? tokenRequests:[]TokenRequest? requiresRepublish:*bool? seLinuxMount:*bool? nodeAllocatableUpdatePeriodSeconds:*int64? serviceAccountTokenInSecrets:*bool? preventPodSchedulingIfMissing:*bool?`,
};
