// Made by `npm run api-types` from scripts/api-types. Do not edit.
import type { ApiTable } from './table.ts';

/** All types of Kubernetes 1.34, in the form that table.ts describes. */
export const types: ApiTable = {
  'apps/v1': `
DaemonSet :meta.TypeMeta metadata:meta.ObjectMeta? spec:DaemonSetSpec? status:DaemonSetStatus?
DaemonSetCondition type:DaemonSetConditionType status:core.ConditionStatus lastTransitionTime:Time? reason:string? message:string?
DaemonSetConditionType =string
DaemonSetSpec selector:*meta.LabelSelector template:core.PodTemplateSpec updateStrategy:DaemonSetUpdateStrategy? minReadySeconds:int32? revisionHistoryLimit:*int32?
DaemonSetStatus currentNumberScheduled:int32 numberMisscheduled:int32 desiredNumberScheduled:int32 numberReady:int32 observedGeneration:int64? updatedNumberScheduled:int32? numberAvailable:int32? numberUnavailable:int32? collisionCount:*int32? conditions:[]DaemonSetCondition?~type
DaemonSetUpdateStrategy type:DaemonSetUpdateStrategyType? rollingUpdate:*RollingUpdateDaemonSet?
DaemonSetUpdateStrategyType =string RollingUpdate OnDelete
Deployment :meta.TypeMeta metadata:meta.ObjectMeta? spec:DeploymentSpec? status:DeploymentStatus?
DeploymentCondition type:DeploymentConditionType status:core.ConditionStatus lastUpdateTime:Time? lastTransitionTime:Time? reason:string? message:string?
DeploymentConditionType =string Available Progressing ReplicaFailure
DeploymentSpec replicas:*int32? selector:*meta.LabelSelector template:core.PodTemplateSpec strategy:DeploymentStrategy?& minReadySeconds:int32? revisionHistoryLimit:*int32? paused:bool? progressDeadlineSeconds:*int32?
DeploymentStatus observedGeneration:int64? replicas:int32? updatedReplicas:int32? readyReplicas:int32? availableReplicas:int32? unavailableReplicas:int32? terminatingReplicas:*int32? conditions:[]DeploymentCondition?~type collisionCount:*int32?
DeploymentStrategy type:DeploymentStrategyType? rollingUpdate:*RollingUpdateDeployment?
DeploymentStrategyType =string Recreate RollingUpdate
PersistentVolumeClaimRetentionPolicyType =string Retain Delete
PodManagementPolicyType =string OrderedReady Parallel
ReplicaSet :meta.TypeMeta metadata:meta.ObjectMeta? spec:ReplicaSetSpec? status:ReplicaSetStatus?
ReplicaSetCondition type:ReplicaSetConditionType status:core.ConditionStatus lastTransitionTime:Time? reason:string? message:string?
ReplicaSetConditionType =string ReplicaFailure
ReplicaSetSpec replicas:*int32? minReadySeconds:int32? selector:*meta.LabelSelector template:core.PodTemplateSpec?
ReplicaSetStatus replicas:int32 fullyLabeledReplicas:int32? readyReplicas:int32? availableReplicas:int32? terminatingReplicas:*int32? observedGeneration:int64? conditions:[]ReplicaSetCondition?~type
RollingUpdateDaemonSet maxUnavailable:*IntOrString? maxSurge:*IntOrString?
RollingUpdateDeployment maxUnavailable:*IntOrString? maxSurge:*IntOrString?
RollingUpdateStatefulSetStrategy partition:*int32? maxUnavailable:*IntOrString?
StatefulSet :meta.TypeMeta metadata:meta.ObjectMeta? spec:StatefulSetSpec? status:StatefulSetStatus?
StatefulSetCondition type:StatefulSetConditionType status:core.ConditionStatus lastTransitionTime:Time? reason:string? message:string?
StatefulSetConditionType =string
StatefulSetOrdinals start:int32+
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:PersistentVolumeClaimRetentionPolicyType? whenScaled:PersistentVolumeClaimRetentionPolicyType?
StatefulSetSpec replicas:*int32? selector:*meta.LabelSelector template:core.PodTemplateSpec volumeClaimTemplates:[]core.PersistentVolumeClaim? serviceName:string+ podManagementPolicy:PodManagementPolicyType? updateStrategy:StatefulSetUpdateStrategy? revisionHistoryLimit:*int32? minReadySeconds:int32? persistentVolumeClaimRetentionPolicy:*StatefulSetPersistentVolumeClaimRetentionPolicy? ordinals:*StatefulSetOrdinals?
StatefulSetStatus observedGeneration:int64? replicas:int32 readyReplicas:int32? currentReplicas:int32? updatedReplicas:int32? currentRevision:string? updateRevision:string? collisionCount:*int32? conditions:[]StatefulSetCondition?~type availableReplicas:int32+
StatefulSetUpdateStrategy type:StatefulSetUpdateStrategyType? rollingUpdate:*RollingUpdateStatefulSetStrategy?
StatefulSetUpdateStrategyType =string RollingUpdate OnDelete`,
  'autoscaling/v1': `
CrossVersionObjectReference kind:string name:string apiVersion:string?
HorizontalPodAutoscaler :meta.TypeMeta metadata:meta.ObjectMeta? spec:HorizontalPodAutoscalerSpec? status:HorizontalPodAutoscalerStatus?
HorizontalPodAutoscalerSpec scaleTargetRef:CrossVersionObjectReference minReplicas:*int32? maxReplicas:int32 targetCPUUtilizationPercentage:*int32?
HorizontalPodAutoscalerStatus observedGeneration:*int64? lastScaleTime:*Time? currentReplicas:int32 desiredReplicas:int32 currentCPUUtilizationPercentage:*int32?`,
  'autoscaling/v2': `
ContainerResourceMetricSource name:core.ResourceName target:MetricTarget container:string
ContainerResourceMetricStatus name:core.ResourceName current:MetricValueStatus container:string
CrossVersionObjectReference kind:string name:string apiVersion:string?
ExternalMetricSource metric:MetricIdentifier target:MetricTarget
ExternalMetricStatus metric:MetricIdentifier current:MetricValueStatus
HPAScalingPolicy type:HPAScalingPolicyType value:int32 periodSeconds:int32
HPAScalingPolicyType =string Pods Percent
HPAScalingRules stabilizationWindowSeconds:*int32? selectPolicy:*ScalingPolicySelect? policies:[]HPAScalingPolicy? tolerance:*Quantity?
HorizontalPodAutoscaler :meta.TypeMeta metadata:meta.ObjectMeta? spec:HorizontalPodAutoscalerSpec? status:HorizontalPodAutoscalerStatus?
HorizontalPodAutoscalerBehavior scaleUp:*HPAScalingRules? scaleDown:*HPAScalingRules?
HorizontalPodAutoscalerCondition type:HorizontalPodAutoscalerConditionType status:core.ConditionStatus lastTransitionTime:Time? reason:string? message:string?
HorizontalPodAutoscalerConditionType =string ScalingActive AbleToScale ScalingLimited
HorizontalPodAutoscalerSpec scaleTargetRef:CrossVersionObjectReference minReplicas:*int32? maxReplicas:int32 metrics:[]MetricSpec? behavior:*HorizontalPodAutoscalerBehavior?
HorizontalPodAutoscalerStatus observedGeneration:*int64? lastScaleTime:*Time? currentReplicas:int32? desiredReplicas:int32 currentMetrics:[]MetricStatus+ conditions:[]HorizontalPodAutoscalerCondition?~type
MetricIdentifier name:string selector:*meta.LabelSelector?
MetricSourceType =string Object Pods Resource ContainerResource External
MetricSpec type:MetricSourceType object:*ObjectMetricSource? pods:*PodsMetricSource? resource:*ResourceMetricSource? containerResource:*ContainerResourceMetricSource? external:*ExternalMetricSource?
MetricStatus type:MetricSourceType object:*ObjectMetricStatus? pods:*PodsMetricStatus? resource:*ResourceMetricStatus? containerResource:*ContainerResourceMetricStatus? external:*ExternalMetricStatus?
MetricTarget type:MetricTargetType value:*Quantity? averageValue:*Quantity? averageUtilization:*int32?
MetricTargetType =string Utilization Value AverageValue
MetricValueStatus value:*Quantity? averageValue:*Quantity? averageUtilization:*int32?
ObjectMetricSource describedObject:CrossVersionObjectReference target:MetricTarget metric:MetricIdentifier
ObjectMetricStatus metric:MetricIdentifier current:MetricValueStatus describedObject:CrossVersionObjectReference
PodsMetricSource metric:MetricIdentifier target:MetricTarget
PodsMetricStatus metric:MetricIdentifier current:MetricValueStatus
ResourceMetricSource name:core.ResourceName target:MetricTarget
ResourceMetricStatus name:core.ResourceName current:MetricValueStatus
ScalingPolicySelect =string Max Min Disabled`,
  'batch/v1': `
CompletionMode =string NonIndexed Indexed
ConcurrencyPolicy =string Allow Forbid Replace
CronJob :meta.TypeMeta metadata:meta.ObjectMeta? spec:CronJobSpec? status:CronJobStatus?
CronJobSpec schedule:string timeZone:*string? startingDeadlineSeconds:*int64? concurrencyPolicy:ConcurrencyPolicy? suspend:*bool? jobTemplate:JobTemplateSpec successfulJobsHistoryLimit:*int32? failedJobsHistoryLimit:*int32?
CronJobStatus active:[]core.ObjectReference? lastScheduleTime:*Time? lastSuccessfulTime:*Time?
Job :meta.TypeMeta metadata:meta.ObjectMeta? spec:JobSpec? status:JobStatus?
JobCondition type:JobConditionType status:core.ConditionStatus lastProbeTime:Time? lastTransitionTime:Time? reason:string? message:string?
JobConditionType =string Suspended Complete Failed FailureTarget SuccessCriteriaMet
JobSpec parallelism:*int32? completions:*int32? activeDeadlineSeconds:*int64? podFailurePolicy:*PodFailurePolicy? successPolicy:*SuccessPolicy? backoffLimit:*int32? backoffLimitPerIndex:*int32? maxFailedIndexes:*int32? selector:*meta.LabelSelector? manualSelector:*bool? template:core.PodTemplateSpec ttlSecondsAfterFinished:*int32? completionMode:*CompletionMode? suspend:*bool? podReplacementPolicy:*PodReplacementPolicy? managedBy:*string?
JobStatus conditions:[]JobCondition?~type startTime:*Time? completionTime:*Time? active:int32? succeeded:int32? failed:int32? terminating:*int32? completedIndexes:string? failedIndexes:*string? uncountedTerminatedPods:*UncountedTerminatedPods? ready:*int32?
JobTemplateSpec metadata:meta.ObjectMeta? spec:JobSpec?
PodFailurePolicy rules:[]PodFailurePolicyRule
PodFailurePolicyAction =string FailJob FailIndex Ignore Count
PodFailurePolicyOnExitCodesOperator =string In NotIn
PodFailurePolicyOnExitCodesRequirement containerName:*string? operator:PodFailurePolicyOnExitCodesOperator values:[]int32
PodFailurePolicyOnPodConditionsPattern type:core.PodConditionType status:core.ConditionStatus
PodFailurePolicyRule action:PodFailurePolicyAction onExitCodes:*PodFailurePolicyOnExitCodesRequirement? onPodConditions:[]PodFailurePolicyOnPodConditionsPattern?
PodReplacementPolicy =string TerminatingOrFailed Failed
SuccessPolicy rules:[]SuccessPolicyRule
SuccessPolicyRule succeededIndexes:*string? succeededCount:*int32?
UncountedTerminatedPods succeeded:[]UID? failed:[]UID?`,
  'componentbase/v1alpha1': `
ClientConnectionConfiguration kubeconfig:string? acceptContentTypes:string? contentType:string? qps:Raw? burst:int32?
DebuggingConfiguration enableProfiling:*bool? enableContentionProfiling:*bool?
LeaderElectionConfiguration leaderElect:*bool? leaseDuration:Raw? renewDeadline:Raw? retryPeriod:Raw? resourceLock:string? resourceName:string? resourceNamespace:string?`,
  'core/v1': `
AWSElasticBlockStoreVolumeSource volumeID:string fsType:string? partition:int32? readOnly:bool?
Affinity nodeAffinity:*NodeAffinity? podAffinity:*PodAffinity? podAntiAffinity:*PodAntiAffinity?
AppArmorProfile type:AppArmorProfileType localhostProfile:*string?
AppArmorProfileType =string Unconfined RuntimeDefault Localhost
AttachedVolume name:UniqueVolumeName devicePath:string
AzureDataDiskCachingMode =string None ReadOnly ReadWrite
AzureDataDiskKind =string Shared Dedicated Managed
AzureDiskVolumeSource diskName:string diskURI:string cachingMode:*AzureDataDiskCachingMode? fsType:*string? readOnly:*bool? kind:*AzureDataDiskKind?
AzureFilePersistentVolumeSource secretName:string shareName:string readOnly:bool? secretNamespace:*string+
AzureFileVolumeSource secretName:string shareName:string readOnly:bool?
CSIPersistentVolumeSource driver:string volumeHandle:string readOnly:bool? fsType:string? volumeAttributes:map[string]string? controllerPublishSecretRef:*SecretReference? nodeStageSecretRef:*SecretReference? nodePublishSecretRef:*SecretReference? controllerExpandSecretRef:*SecretReference? nodeExpandSecretRef:*SecretReference?
CSIVolumeSource driver:string readOnly:*bool? fsType:*string? volumeAttributes:map[string]string? nodePublishSecretRef:*LocalObjectReference?
Capabilities add:[]Capability? drop:[]Capability?
Capability =string
CephFSPersistentVolumeSource monitors:[]string path:string? user:string? secretFile:string? secretRef:*SecretReference? readOnly:bool?
CephFSVolumeSource monitors:[]string path:string? user:string? secretFile:string? secretRef:*LocalObjectReference? readOnly:bool?
CinderPersistentVolumeSource volumeID:string fsType:string? readOnly:bool? secretRef:*SecretReference?
CinderVolumeSource volumeID:string fsType:string? readOnly:bool? secretRef:*LocalObjectReference?
ClaimResourceStatus =string ControllerResizeInProgress ControllerResizeInfeasible NodeResizePending NodeResizeInProgress NodeResizeInfeasible
ClientIPConfig timeoutSeconds:*int32?
ClusterTrustBundleProjection name:*string? signerName:*string? labelSelector:*meta.LabelSelector? optional:*bool? path:string
ConditionStatus =string True False Unknown
ConfigMapEnvSource :LocalObjectReference optional:*bool?
ConfigMapKeySelector :LocalObjectReference key:string optional:*bool?
ConfigMapNodeConfigSource namespace:string name:string uid:UID? resourceVersion:string? kubeletConfigKey:string
ConfigMapProjection :LocalObjectReference items:[]KeyToPath? optional:*bool?
ConfigMapVolumeSource :LocalObjectReference items:[]KeyToPath? defaultMode:*int32? optional:*bool?
Container name:string image:string? command:[]string? args:[]string? workingDir:string? ports:[]ContainerPort?~containerPort envFrom:[]EnvFromSource? env:[]EnvVar?~name resources:ResourceRequirements? resizePolicy:[]ContainerResizePolicy? restartPolicy:*ContainerRestartPolicy? restartPolicyRules:[]ContainerRestartRule? volumeMounts:[]VolumeMount?~mountPath volumeDevices:[]VolumeDevice?~devicePath livenessProbe:*Probe? readinessProbe:*Probe? startupProbe:*Probe? lifecycle:*Lifecycle? terminationMessagePath:string? terminationMessagePolicy:TerminationMessagePolicy? imagePullPolicy:PullPolicy? securityContext:*SecurityContext? stdin:bool? stdinOnce:bool? tty:bool?
ContainerExtendedResourceRequest containerName:string resourceName:string requestName:string
ContainerImage names:[]string+ sizeBytes:int64?
ContainerPort name:string? hostPort:int32? containerPort:int32 protocol:Protocol? hostIP:string?
ContainerResizePolicy resourceName:ResourceName restartPolicy:ResourceResizeRestartPolicy
ContainerRestartPolicy =string Always Never OnFailure
ContainerRestartRule action:ContainerRestartRuleAction? exitCodes:*ContainerRestartRuleOnExitCodes?
ContainerRestartRuleAction =string Restart
ContainerRestartRuleOnExitCodes operator:ContainerRestartRuleOnExitCodesOperator? values:[]int32?
ContainerRestartRuleOnExitCodesOperator =string In NotIn
ContainerState waiting:*ContainerStateWaiting? running:*ContainerStateRunning? terminated:*ContainerStateTerminated?
ContainerStateRunning startedAt:Time?
ContainerStateTerminated exitCode:int32 signal:int32? reason:string? message:string? startedAt:Time? finishedAt:Time? containerID:string?
ContainerStateWaiting reason:string? message:string?
ContainerStatus name:string state:ContainerState? lastState:ContainerState? ready:bool restartCount:int32 image:string imageID:string containerID:string? started:*bool? allocatedResources:ResourceList? resources:*ResourceRequirements? volumeMounts:[]VolumeMountStatus?~mountPath user:*ContainerUser? allocatedResourcesStatus:[]ResourceStatus?~name stopSignal:*Signal?
ContainerUser linux:*LinuxContainerUser?
DNSPolicy =string ClusterFirstWithHostNet ClusterFirst Default None
DaemonEndpoint Port:int32
DownwardAPIProjection items:[]DownwardAPIVolumeFile?
DownwardAPIVolumeFile path:string fieldRef:*ObjectFieldSelector? resourceFieldRef:*ResourceFieldSelector? mode:*int32?
DownwardAPIVolumeSource items:[]DownwardAPIVolumeFile? defaultMode:*int32?
EmptyDirVolumeSource medium:StorageMedium? sizeLimit:*Quantity?
EnvFromSource prefix:string? configMapRef:*ConfigMapEnvSource? secretRef:*SecretEnvSource?
EnvVar name:string value:string? valueFrom:*EnvVarSource?
EnvVarSource fieldRef:*ObjectFieldSelector? resourceFieldRef:*ResourceFieldSelector? configMapKeyRef:*ConfigMapKeySelector? secretKeyRef:*SecretKeySelector? fileKeyRef:*FileKeySelector?
EphemeralContainer :EphemeralContainerCommon targetContainerName:string?
EphemeralContainerCommon name:string image:string? command:[]string? args:[]string? workingDir:string? ports:[]ContainerPort?~containerPort envFrom:[]EnvFromSource? env:[]EnvVar?~name resources:ResourceRequirements? resizePolicy:[]ContainerResizePolicy? restartPolicy:*ContainerRestartPolicy? restartPolicyRules:[]ContainerRestartRule? volumeMounts:[]VolumeMount?~mountPath volumeDevices:[]VolumeDevice?~devicePath livenessProbe:*Probe? readinessProbe:*Probe? startupProbe:*Probe? lifecycle:*Lifecycle? terminationMessagePath:string? terminationMessagePolicy:TerminationMessagePolicy? imagePullPolicy:PullPolicy? securityContext:*SecurityContext? stdin:bool? stdinOnce:bool? tty:bool?
EphemeralVolumeSource volumeClaimTemplate:*PersistentVolumeClaimTemplate?
ExecAction command:[]string?
FCVolumeSource targetWWNs:[]string? lun:*int32? fsType:string? readOnly:bool? wwids:[]string?
FileKeySelector volumeName:string path:string key:string optional:*bool?
FinalizerName =string kubernetes
FlexPersistentVolumeSource driver:string fsType:string? secretRef:*SecretReference? readOnly:bool? options:map[string]string?
FlexVolumeSource driver:string fsType:string? secretRef:*LocalObjectReference? readOnly:bool? options:map[string]string?
FlockerVolumeSource datasetName:string? datasetUUID:string?
GCEPersistentDiskVolumeSource pdName:string fsType:string? partition:int32? readOnly:bool?
GRPCAction port:int32 service:*string+
GitRepoVolumeSource repository:string revision:string? directory:string?
GlusterfsPersistentVolumeSource endpoints:string path:string readOnly:bool? endpointsNamespace:*string?
GlusterfsVolumeSource endpoints:string path:string readOnly:bool?
HTTPGetAction path:string? port:IntOrString host:string? scheme:URIScheme? httpHeaders:[]HTTPHeader?
HTTPHeader name:string value:string
HostAlias ip:string hostnames:[]string?
HostIP ip:string
HostPathType =string DirectoryOrCreate Directory FileOrCreate File Socket CharDevice BlockDevice
HostPathVolumeSource path:string type:*HostPathType?
IPFamily =string IPv4 IPv6
IPFamilyPolicy =string SingleStack PreferDualStack RequireDualStack
ISCSIPersistentVolumeSource targetPortal:string iqn:string lun:int32 iscsiInterface:string? fsType:string? readOnly:bool? portals:[]string? chapAuthDiscovery:bool? chapAuthSession:bool? secretRef:*SecretReference? initiatorName:*string?
ISCSIVolumeSource targetPortal:string iqn:string lun:int32 iscsiInterface:string? fsType:string? readOnly:bool? portals:[]string? chapAuthDiscovery:bool? chapAuthSession:bool? secretRef:*LocalObjectReference? initiatorName:*string?
ImageVolumeSource reference:string? pullPolicy:PullPolicy?
KeyToPath key:string path:string mode:*int32?
Lifecycle postStart:*LifecycleHandler? preStop:*LifecycleHandler? stopSignal:*Signal?
LifecycleHandler exec:*ExecAction? httpGet:*HTTPGetAction? tcpSocket:*TCPSocketAction? sleep:*SleepAction?
LimitRange :meta.TypeMeta metadata:meta.ObjectMeta? spec:LimitRangeSpec?
LimitRangeItem type:LimitType max:ResourceList? min:ResourceList? default:ResourceList? defaultRequest:ResourceList? maxLimitRequestRatio:ResourceList?
LimitRangeSpec limits:[]LimitRangeItem
LimitType =string Pod Container PersistentVolumeClaim
LinuxContainerUser uid:int64 gid:int64 supplementalGroups:[]int64?
LoadBalancerIPMode =string VIP Proxy
LoadBalancerIngress ip:string? hostname:string? ipMode:*LoadBalancerIPMode? ports:[]PortStatus?
LoadBalancerStatus ingress:[]LoadBalancerIngress?
LocalObjectReference name:string?
LocalVolumeSource path:string fsType:*string?
ModifyVolumeStatus targetVolumeAttributesClassName:string? status:PersistentVolumeClaimModifyVolumeStatus
MountPropagationMode =string None HostToContainer Bidirectional
NFSVolumeSource server:string path:string readOnly:bool?
Namespace :meta.TypeMeta metadata:meta.ObjectMeta? spec:NamespaceSpec? status:NamespaceStatus?
NamespaceCondition type:NamespaceConditionType status:ConditionStatus lastTransitionTime:Time? reason:string? message:string?
NamespaceConditionType =string NamespaceDeletionDiscoveryFailure NamespaceDeletionContentFailure NamespaceDeletionGroupVersionParsingFailure NamespaceContentRemaining NamespaceFinalizersRemaining
NamespacePhase =string Active Terminating
NamespaceSpec finalizers:[]FinalizerName?
NamespaceStatus phase:NamespacePhase? conditions:[]NamespaceCondition?~type
Node :meta.TypeMeta metadata:meta.ObjectMeta? spec:NodeSpec? status:NodeStatus?
NodeAddress type:NodeAddressType address:string
NodeAddressType =string Hostname InternalIP ExternalIP InternalDNS ExternalDNS
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:*NodeSelector? preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm?
NodeCondition type:NodeConditionType status:ConditionStatus lastHeartbeatTime:Time? lastTransitionTime:Time? reason:string? message:string?
NodeConditionType =string Ready MemoryPressure DiskPressure PIDPressure NetworkUnavailable
NodeConfigSource configMap:*ConfigMapNodeConfigSource?
NodeConfigStatus assigned:*NodeConfigSource? active:*NodeConfigSource? lastKnownGood:*NodeConfigSource? error:string?
NodeDaemonEndpoints kubeletEndpoint:DaemonEndpoint?
NodeFeatures supplementalGroupsPolicy:*bool?
NodeInclusionPolicy =string Ignore Honor
NodePhase =string Pending Running Terminated
NodeRuntimeHandler name:string+ features:*NodeRuntimeHandlerFeatures?
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:*bool? userNamespaces:*bool?
NodeSelector nodeSelectorTerms:[]NodeSelectorTerm
NodeSelectorOperator =string In NotIn Exists DoesNotExist Gt Lt
NodeSelectorRequirement key:string operator:NodeSelectorOperator values:[]string?
NodeSelectorTerm matchExpressions:[]NodeSelectorRequirement? matchFields:[]NodeSelectorRequirement?
NodeSpec podCIDR:string? podCIDRs:[]string?~ providerID:string? unschedulable:bool? taints:[]Taint? configSource:*NodeConfigSource? externalID:string?
NodeStatus capacity:ResourceList? allocatable:ResourceList? phase:NodePhase? conditions:[]NodeCondition?~type addresses:[]NodeAddress?~type daemonEndpoints:NodeDaemonEndpoints? nodeInfo:NodeSystemInfo? images:[]ContainerImage? volumesInUse:[]UniqueVolumeName? volumesAttached:[]AttachedVolume? config:*NodeConfigStatus? runtimeHandlers:[]NodeRuntimeHandler? features:*NodeFeatures?
NodeSwapStatus capacity:*int64?
NodeSystemInfo machineID:string systemUUID:string bootID:string kernelVersion:string osImage:string containerRuntimeVersion:string kubeletVersion:string kubeProxyVersion:string operatingSystem:string architecture:string swap:*NodeSwapStatus?
OSName =string linux windows
ObjectFieldSelector apiVersion:string? fieldPath:string
ObjectReference kind:string? namespace:string? name:string? uid:UID? apiVersion:string? resourceVersion:string? fieldPath:string?
PersistentVolume :meta.TypeMeta metadata:meta.ObjectMeta? spec:PersistentVolumeSpec? status:PersistentVolumeStatus?
PersistentVolumeAccessMode =string ReadWriteOnce ReadOnlyMany ReadWriteMany ReadWriteOncePod
PersistentVolumeClaim :meta.TypeMeta metadata:meta.ObjectMeta? spec:PersistentVolumeClaimSpec? status:PersistentVolumeClaimStatus?
PersistentVolumeClaimCondition type:PersistentVolumeClaimConditionType status:ConditionStatus lastProbeTime:Time? lastTransitionTime:Time? reason:string? message:string?
PersistentVolumeClaimConditionType =string Resizing FileSystemResizePending ControllerResizeError NodeResizeError ModifyVolumeError ModifyingVolume
PersistentVolumeClaimModifyVolumeStatus =string Pending InProgress Infeasible
PersistentVolumeClaimPhase =string Pending Bound Lost
PersistentVolumeClaimSpec accessModes:[]PersistentVolumeAccessMode? selector:*meta.LabelSelector? resources:VolumeResourceRequirements? volumeName:string? storageClassName:*string? volumeMode:*PersistentVolumeMode? dataSource:*TypedLocalObjectReference? dataSourceRef:*TypedObjectReference? volumeAttributesClassName:*string?
PersistentVolumeClaimStatus phase:PersistentVolumeClaimPhase? accessModes:[]PersistentVolumeAccessMode? capacity:ResourceList? conditions:[]PersistentVolumeClaimCondition?~type allocatedResources:ResourceList? allocatedResourceStatuses:map[ResourceName]ClaimResourceStatus? currentVolumeAttributesClassName:*string? modifyVolumeStatus:*ModifyVolumeStatus?
PersistentVolumeClaimTemplate metadata:meta.ObjectMeta? spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName:string readOnly:bool?
PersistentVolumeMode =string Block Filesystem
PersistentVolumePhase =string Pending Available Bound Released Failed
PersistentVolumeReclaimPolicy =string Recycle Delete Retain
PersistentVolumeSource gcePersistentDisk:*GCEPersistentDiskVolumeSource? awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource? hostPath:*HostPathVolumeSource? glusterfs:*GlusterfsPersistentVolumeSource? nfs:*NFSVolumeSource? rbd:*RBDPersistentVolumeSource? iscsi:*ISCSIPersistentVolumeSource? cinder:*CinderPersistentVolumeSource? cephfs:*CephFSPersistentVolumeSource? fc:*FCVolumeSource? flocker:*FlockerVolumeSource? flexVolume:*FlexPersistentVolumeSource? azureFile:*AzureFilePersistentVolumeSource? vsphereVolume:*VsphereVirtualDiskVolumeSource? quobyte:*QuobyteVolumeSource? azureDisk:*AzureDiskVolumeSource? photonPersistentDisk:*PhotonPersistentDiskVolumeSource? portworxVolume:*PortworxVolumeSource? scaleIO:*ScaleIOPersistentVolumeSource? local:*LocalVolumeSource? storageos:*StorageOSPersistentVolumeSource? csi:*CSIPersistentVolumeSource?
PersistentVolumeSpec capacity:ResourceList? :PersistentVolumeSource accessModes:[]PersistentVolumeAccessMode? claimRef:*ObjectReference? persistentVolumeReclaimPolicy:PersistentVolumeReclaimPolicy? storageClassName:string? mountOptions:[]string? volumeMode:*PersistentVolumeMode? nodeAffinity:*VolumeNodeAffinity? volumeAttributesClassName:*string?
PersistentVolumeStatus phase:PersistentVolumePhase? message:string? reason:string? lastPhaseTransitionTime:*Time?
PhotonPersistentDiskVolumeSource pdID:string fsType:string?
Pod :meta.TypeMeta metadata:meta.ObjectMeta? spec:PodSpec? status:PodStatus?
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm? preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm?
PodAffinityTerm labelSelector:*meta.LabelSelector? namespaces:[]string? topologyKey:string namespaceSelector:*meta.LabelSelector? matchLabelKeys:[]string? mismatchLabelKeys:[]string?
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm? preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm?
PodCertificateProjection signerName:string? keyType:string? maxExpirationSeconds:*int32? credentialBundlePath:string? keyPath:string? certificateChainPath:string?
PodCondition type:PodConditionType observedGeneration:int64? status:ConditionStatus lastProbeTime:Time? lastTransitionTime:Time? reason:string? message:string?
PodConditionType =string ContainersReady Initialized Ready PodScheduled DisruptionTarget PodReadyToStartContainers PodResizePending PodResizeInProgress
PodDNSConfig nameservers:[]string? searches:[]string? options:[]PodDNSConfigOption?
PodDNSConfigOption name:string? value:*string?
PodExtendedResourceClaimStatus requestMappings:[]ContainerExtendedResourceRequest resourceClaimName:string
PodFSGroupChangePolicy =string OnRootMismatch Always
PodIP ip:string
PodOS name:OSName
PodPhase =string Pending Running Succeeded Failed Unknown
PodQOSClass =string Guaranteed Burstable BestEffort
PodReadinessGate conditionType:PodConditionType
PodResizeStatus =string InProgress Deferred Infeasible
PodResourceClaim name:string resourceClaimName:*string? resourceClaimTemplateName:*string?
PodResourceClaimStatus name:string resourceClaimName:*string?
PodSELinuxChangePolicy =string Recursive MountOption
PodSchedulingGate name:string
PodSecurityContext seLinuxOptions:*SELinuxOptions? windowsOptions:*WindowsSecurityContextOptions? runAsUser:*int64? runAsGroup:*int64? runAsNonRoot:*bool? supplementalGroups:[]int64? supplementalGroupsPolicy:*SupplementalGroupsPolicy? fsGroup:*int64? sysctls:[]Sysctl? fsGroupChangePolicy:*PodFSGroupChangePolicy? seccompProfile:*SeccompProfile? appArmorProfile:*AppArmorProfile? seLinuxChangePolicy:*PodSELinuxChangePolicy?
PodSpec volumes:[]Volume?&~name initContainers:[]Container?~name containers:[]Container~name ephemeralContainers:[]EphemeralContainer?~name restartPolicy:RestartPolicy? terminationGracePeriodSeconds:*int64? activeDeadlineSeconds:*int64? dnsPolicy:DNSPolicy? nodeSelector:map[string]string? serviceAccountName:string? serviceAccount:string? automountServiceAccountToken:*bool? nodeName:string? hostNetwork:bool? hostPID:bool? hostIPC:bool? shareProcessNamespace:*bool? securityContext:*PodSecurityContext? imagePullSecrets:[]LocalObjectReference?~name hostname:string? subdomain:string? affinity:*Affinity? schedulerName:string? tolerations:[]Toleration? hostAliases:[]HostAlias?~ip priorityClassName:string? priority:*int32? dnsConfig:*PodDNSConfig? readinessGates:[]PodReadinessGate? runtimeClassName:*string? enableServiceLinks:*bool? preemptionPolicy:*PreemptionPolicy? overhead:ResourceList? topologySpreadConstraints:[]TopologySpreadConstraint?~topologyKey setHostnameAsFQDN:*bool? os:*PodOS? hostUsers:*bool? schedulingGates:[]PodSchedulingGate?~name resourceClaims:[]PodResourceClaim?&~name resources:*ResourceRequirements? hostnameOverride:*string?
PodStatus observedGeneration:int64? phase:PodPhase? conditions:[]PodCondition?~type message:string? reason:string? nominatedNodeName:string? hostIP:string? hostIPs:[]HostIP?~ip podIP:string? podIPs:[]PodIP?~ip startTime:*Time? initContainerStatuses:[]ContainerStatus? containerStatuses:[]ContainerStatus? qosClass:PodQOSClass? ephemeralContainerStatuses:[]ContainerStatus? resize:PodResizeStatus? resourceClaimStatuses:[]PodResourceClaimStatus?&~name extendedResourceClaimStatus:*PodExtendedResourceClaimStatus?
PodTemplateSpec metadata:meta.ObjectMeta? spec:PodSpec?
PortStatus port:int32 protocol:Protocol error:*string?
PortworxVolumeSource volumeID:string fsType:string? readOnly:bool?
PreemptionPolicy =string PreemptLowerPriority Never
PreferredSchedulingTerm weight:int32 preference:NodeSelectorTerm
Probe :ProbeHandler initialDelaySeconds:int32? timeoutSeconds:int32? periodSeconds:int32? successThreshold:int32? failureThreshold:int32? terminationGracePeriodSeconds:*int64?
ProbeHandler exec:*ExecAction? httpGet:*HTTPGetAction? tcpSocket:*TCPSocketAction? grpc:*GRPCAction?
ProcMountType =string Default Unmasked
ProjectedVolumeSource sources:[]VolumeProjection+ defaultMode:*int32?
Protocol =string TCP UDP SCTP
PullPolicy =string Always Never IfNotPresent
QuobyteVolumeSource registry:string volume:string readOnly:bool? user:string? group:string? tenant:string?
RBDPersistentVolumeSource monitors:[]string image:string fsType:string? pool:string? user:string? keyring:string? secretRef:*SecretReference? readOnly:bool?
RBDVolumeSource monitors:[]string image:string fsType:string? pool:string? user:string? keyring:string? secretRef:*LocalObjectReference? readOnly:bool?
RecursiveReadOnlyMode =string Disabled IfPossible Enabled
ReplicationController :meta.TypeMeta metadata:meta.ObjectMeta? spec:ReplicationControllerSpec? status:ReplicationControllerStatus?
ReplicationControllerCondition type:ReplicationControllerConditionType status:ConditionStatus lastTransitionTime:Time? reason:string? message:string?
ReplicationControllerConditionType =string ReplicaFailure
ReplicationControllerSpec replicas:*int32? minReadySeconds:int32? selector:map[string]string? template:*PodTemplateSpec?
ReplicationControllerStatus replicas:int32 fullyLabeledReplicas:int32? readyReplicas:int32? availableReplicas:int32? observedGeneration:int64? conditions:[]ReplicationControllerCondition?~type
ResourceClaim name:string request:string?
ResourceFieldSelector containerName:string? resource:string divisor:Quantity?
ResourceHealth resourceID:ResourceID health:ResourceHealthStatus?
ResourceHealthStatus =string Healthy Unhealthy Unknown
ResourceID =string
ResourceList =map[ResourceName]Quantity
ResourceName =string cpu memory storage ephemeral-storage pods services replicationcontrollers resourcequotas secrets configmaps persistentvolumeclaims services.nodeports services.loadbalancers requests.cpu requests.memory requests.storage requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage
ResourceQuota :meta.TypeMeta metadata:meta.ObjectMeta? spec:ResourceQuotaSpec? status:ResourceQuotaStatus?
ResourceQuotaScope =string Terminating NotTerminating BestEffort NotBestEffort PriorityClass CrossNamespacePodAffinity VolumeAttributesClass
ResourceQuotaSpec hard:ResourceList? scopes:[]ResourceQuotaScope? scopeSelector:*ScopeSelector?
ResourceQuotaStatus hard:ResourceList? used:ResourceList?
ResourceRequirements limits:ResourceList? requests:ResourceList? claims:[]ResourceClaim?
ResourceResizeRestartPolicy =string NotRequired RestartContainer
ResourceStatus name:ResourceName resources:[]ResourceHealth?
RestartPolicy =string Always OnFailure Never
SELinuxOptions user:string? role:string? type:string? level:string?
ScaleIOPersistentVolumeSource gateway:string system:string secretRef:*SecretReference sslEnabled:bool? protectionDomain:string? storagePool:string? storageMode:string? volumeName:string? fsType:string? readOnly:bool?
ScaleIOVolumeSource gateway:string system:string secretRef:*LocalObjectReference sslEnabled:bool? protectionDomain:string? storagePool:string? storageMode:string? volumeName:string? fsType:string? readOnly:bool?
ScopeSelector matchExpressions:[]ScopedResourceSelectorRequirement?
ScopeSelectorOperator =string In NotIn Exists DoesNotExist
ScopedResourceSelectorRequirement scopeName:ResourceQuotaScope operator:ScopeSelectorOperator values:[]string?
SeccompProfile type:SeccompProfileType localhostProfile:*string?
SeccompProfileType =string Unconfined RuntimeDefault Localhost
SecretEnvSource :LocalObjectReference optional:*bool?
SecretKeySelector :LocalObjectReference key:string optional:*bool?
SecretProjection :LocalObjectReference items:[]KeyToPath? optional:*bool?
SecretReference name:string? namespace:string?
SecretVolumeSource secretName:string? items:[]KeyToPath? defaultMode:*int32? optional:*bool?
SecurityContext capabilities:*Capabilities? privileged:*bool? seLinuxOptions:*SELinuxOptions? windowsOptions:*WindowsSecurityContextOptions? runAsUser:*int64? runAsGroup:*int64? runAsNonRoot:*bool? readOnlyRootFilesystem:*bool? allowPrivilegeEscalation:*bool? procMount:*ProcMountType? seccompProfile:*SeccompProfile? appArmorProfile:*AppArmorProfile?
Service :meta.TypeMeta metadata:meta.ObjectMeta? spec:ServiceSpec? status:ServiceStatus?
ServiceAccountTokenProjection audience:string? expirationSeconds:*int64? path:string
ServiceAffinity =string ClientIP None
ServiceExternalTrafficPolicy =string Cluster Local
ServiceInternalTrafficPolicy =string Cluster Local
ServicePort name:string? protocol:Protocol? appProtocol:*string? port:int32 targetPort:IntOrString? nodePort:int32?
ServiceSpec ports:[]ServicePort?~port selector:map[string]string? clusterIP:string? clusterIPs:[]string? type:ServiceType? externalIPs:[]string? sessionAffinity:ServiceAffinity? loadBalancerIP:string? loadBalancerSourceRanges:[]string? externalName:string? externalTrafficPolicy:ServiceExternalTrafficPolicy? healthCheckNodePort:int32? publishNotReadyAddresses:bool? sessionAffinityConfig:*SessionAffinityConfig? ipFamilies:[]IPFamily? ipFamilyPolicy:*IPFamilyPolicy? allocateLoadBalancerNodePorts:*bool? loadBalancerClass:*string? internalTrafficPolicy:*ServiceInternalTrafficPolicy? trafficDistribution:*string?
ServiceStatus loadBalancer:LoadBalancerStatus? conditions:[]meta.Condition?~type
ServiceType =string ClusterIP NodePort LoadBalancer ExternalName
SessionAffinityConfig clientIP:*ClientIPConfig?
Signal =string SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIGRTMIN SIGRTMIN+1 SIGRTMIN+2 SIGRTMIN+3 SIGRTMIN+4 SIGRTMIN+5 SIGRTMIN+6 SIGRTMIN+7 SIGRTMIN+8 SIGRTMIN+9 SIGRTMIN+10 SIGRTMIN+11 SIGRTMIN+12 SIGRTMIN+13 SIGRTMIN+14 SIGRTMIN+15 SIGRTMAX-14 SIGRTMAX-13 SIGRTMAX-12 SIGRTMAX-11 SIGRTMAX-10 SIGRTMAX-9 SIGRTMAX-8 SIGRTMAX-7 SIGRTMAX-6 SIGRTMAX-5 SIGRTMAX-4 SIGRTMAX-3 SIGRTMAX-2 SIGRTMAX-1 SIGRTMAX
SleepAction seconds:int64
StorageMedium =string Memory HugePages HugePages-
StorageOSPersistentVolumeSource volumeName:string? volumeNamespace:string? fsType:string? readOnly:bool? secretRef:*ObjectReference?
StorageOSVolumeSource volumeName:string? volumeNamespace:string? fsType:string? readOnly:bool? secretRef:*LocalObjectReference?
SupplementalGroupsPolicy =string Merge Strict
Sysctl name:string value:string
TCPSocketAction port:IntOrString host:string?
Taint key:string value:string? effect:TaintEffect timeAdded:*Time?
TaintEffect =string NoSchedule PreferNoSchedule NoExecute
TerminationMessagePolicy =string File FallbackToLogsOnError
Toleration key:string? operator:TolerationOperator? value:string? effect:TaintEffect? tolerationSeconds:*int64?
TolerationOperator =string Exists Equal
TopologySelectorLabelRequirement key:string values:[]string
TopologySelectorTerm matchLabelExpressions:[]TopologySelectorLabelRequirement?
TopologySpreadConstraint maxSkew:int32 topologyKey:string whenUnsatisfiable:UnsatisfiableConstraintAction labelSelector:*meta.LabelSelector? minDomains:*int32? nodeAffinityPolicy:*NodeInclusionPolicy? nodeTaintsPolicy:*NodeInclusionPolicy? matchLabelKeys:[]string?
TypedLocalObjectReference apiGroup:*string+ kind:string name:string
TypedObjectReference apiGroup:*string+ kind:string name:string namespace:*string?
URIScheme =string HTTP HTTPS
UniqueVolumeName =string
UnsatisfiableConstraintAction =string DoNotSchedule ScheduleAnyway
Volume name:string :VolumeSource
VolumeDevice name:string devicePath:string
VolumeMount name:string readOnly:bool? recursiveReadOnly:*RecursiveReadOnlyMode? mountPath:string subPath:string? mountPropagation:*MountPropagationMode? subPathExpr:string?
VolumeMountStatus name:string mountPath:string readOnly:bool? recursiveReadOnly:*RecursiveReadOnlyMode?
VolumeNodeAffinity required:*NodeSelector?
VolumeProjection secret:*SecretProjection? downwardAPI:*DownwardAPIProjection? configMap:*ConfigMapProjection? serviceAccountToken:*ServiceAccountTokenProjection? clusterTrustBundle:*ClusterTrustBundleProjection? podCertificate:*PodCertificateProjection?
VolumeResourceRequirements limits:ResourceList? requests:ResourceList?
VolumeSource hostPath:*HostPathVolumeSource? emptyDir:*EmptyDirVolumeSource? gcePersistentDisk:*GCEPersistentDiskVolumeSource? awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource? gitRepo:*GitRepoVolumeSource? secret:*SecretVolumeSource? nfs:*NFSVolumeSource? iscsi:*ISCSIVolumeSource? glusterfs:*GlusterfsVolumeSource? persistentVolumeClaim:*PersistentVolumeClaimVolumeSource? rbd:*RBDVolumeSource? flexVolume:*FlexVolumeSource? cinder:*CinderVolumeSource? cephfs:*CephFSVolumeSource? flocker:*FlockerVolumeSource? downwardAPI:*DownwardAPIVolumeSource? fc:*FCVolumeSource? azureFile:*AzureFileVolumeSource? configMap:*ConfigMapVolumeSource? vsphereVolume:*VsphereVirtualDiskVolumeSource? quobyte:*QuobyteVolumeSource? azureDisk:*AzureDiskVolumeSource? photonPersistentDisk:*PhotonPersistentDiskVolumeSource? projected:*ProjectedVolumeSource? portworxVolume:*PortworxVolumeSource? scaleIO:*ScaleIOVolumeSource? storageos:*StorageOSVolumeSource? csi:*CSIVolumeSource? ephemeral:*EphemeralVolumeSource? image:*ImageVolumeSource?
VsphereVirtualDiskVolumeSource volumePath:string fsType:string? storagePolicyName:string? storagePolicyID:string?
WeightedPodAffinityTerm weight:int32 podAffinityTerm:PodAffinityTerm
WindowsSecurityContextOptions gmsaCredentialSpecName:*string? gmsaCredentialSpec:*string? runAsUserName:*string? hostProcess:*bool?`,
  'internal/apps': `
DaemonSetSpec Selector:*meta.LabelSelector+ Template:core.PodTemplateSpec UpdateStrategy:DaemonSetUpdateStrategy+ MinReadySeconds:int32+ TemplateGeneration:int64+ RevisionHistoryLimit:*int32+
DaemonSetUpdateStrategy Type:DaemonSetUpdateStrategyType+ RollingUpdate:*RollingUpdateDaemonSet+
DaemonSetUpdateStrategyType =string
DeploymentSpec Replicas:int32 Selector:*meta.LabelSelector+ Template:core.PodTemplateSpec Strategy:DeploymentStrategy+ MinReadySeconds:int32+ RevisionHistoryLimit:*int32+ Paused:bool+ RollbackTo:*RollbackConfig+ ProgressDeadlineSeconds:*int32+
DeploymentStrategy Type:DeploymentStrategyType+ RollingUpdate:*RollingUpdateDeployment+
DeploymentStrategyType =string
PersistentVolumeClaimRetentionPolicyType =string
PodManagementPolicyType =string
ReplicaSetSpec Replicas:int32 MinReadySeconds:int32+ Selector:*meta.LabelSelector+ Template:core.PodTemplateSpec+
RollbackConfig Revision:int64+
RollingUpdateDaemonSet MaxUnavailable:IntOrString+ MaxSurge:IntOrString+
RollingUpdateDeployment MaxUnavailable:IntOrString+ MaxSurge:IntOrString+
RollingUpdateStatefulSetStrategy Partition:int32 MaxUnavailable:*IntOrString+
StatefulSetOrdinals Start:int32+
StatefulSetPersistentVolumeClaimRetentionPolicy WhenDeleted:PersistentVolumeClaimRetentionPolicyType WhenScaled:PersistentVolumeClaimRetentionPolicyType
StatefulSetSpec Replicas:int32+ Selector:*meta.LabelSelector+ Template:core.PodTemplateSpec VolumeClaimTemplates:[]core.PersistentVolumeClaim+ ServiceName:string+ PodManagementPolicy:PodManagementPolicyType+ UpdateStrategy:StatefulSetUpdateStrategy RevisionHistoryLimit:*int32 MinReadySeconds:int32+ PersistentVolumeClaimRetentionPolicy:*StatefulSetPersistentVolumeClaimRetentionPolicy+ Ordinals:*StatefulSetOrdinals+
StatefulSetUpdateStrategy Type:StatefulSetUpdateStrategyType RollingUpdate:*RollingUpdateStatefulSetStrategy
StatefulSetUpdateStrategyType =string`,
  'internal/autoscaling': `
ContainerResourceMetricSource Name:core.ResourceName Container:string Target:MetricTarget
CrossVersionObjectReference Kind:string Name:string APIVersion:string+
ExternalMetricSource Metric:MetricIdentifier Target:MetricTarget
HPAScalingPolicy Type:HPAScalingPolicyType Value:int32 PeriodSeconds:int32
HPAScalingPolicyType =string
HPAScalingRules StabilizationWindowSeconds:*int32+ SelectPolicy:*ScalingPolicySelect+ Policies:[]HPAScalingPolicy+ Tolerance:*Quantity+
HorizontalPodAutoscalerBehavior ScaleUp:*HPAScalingRules+ ScaleDown:*HPAScalingRules+
HorizontalPodAutoscalerSpec ScaleTargetRef:CrossVersionObjectReference MinReplicas:*int32+ MaxReplicas:int32 Metrics:[]MetricSpec+ Behavior:*HorizontalPodAutoscalerBehavior+
MetricIdentifier Name:string Selector:*meta.LabelSelector+
MetricSourceType =string
MetricSpec Type:MetricSourceType Object:*ObjectMetricSource+ Pods:*PodsMetricSource+ Resource:*ResourceMetricSource+ ContainerResource:*ContainerResourceMetricSource+ External:*ExternalMetricSource+
MetricTarget Type:MetricTargetType Value:*Quantity AverageValue:*Quantity AverageUtilization:*int32
MetricTargetType =string
ObjectMetricSource DescribedObject:CrossVersionObjectReference Target:MetricTarget Metric:MetricIdentifier
PodsMetricSource Metric:MetricIdentifier Target:MetricTarget
ResourceMetricSource Name:core.ResourceName Target:MetricTarget
ScalingPolicySelect =string`,
  'internal/batch': `
CompletionMode =string
ConcurrencyPolicy =string
CronJobSpec Schedule:string TimeZone:*string+ StartingDeadlineSeconds:*int64+ ConcurrencyPolicy:ConcurrencyPolicy+ Suspend:*bool+ JobTemplate:JobTemplateSpec SuccessfulJobsHistoryLimit:*int32+ FailedJobsHistoryLimit:*int32+
JobSpec Parallelism:*int32+ Completions:*int32+ PodFailurePolicy:*PodFailurePolicy+ SuccessPolicy:*SuccessPolicy+ ActiveDeadlineSeconds:*int64+ BackoffLimit:*int32+ BackoffLimitPerIndex:*int32+ MaxFailedIndexes:*int32+ Selector:*meta.LabelSelector+ ManualSelector:*bool+ Template:core.PodTemplateSpec TTLSecondsAfterFinished:*int32+ CompletionMode:*CompletionMode+ Suspend:*bool+ PodReplacementPolicy:*PodReplacementPolicy+ ManagedBy:*string+
JobTemplateSpec :meta.ObjectMeta Spec:JobSpec+
PodFailurePolicy Rules:[]PodFailurePolicyRule
PodFailurePolicyAction =string
PodFailurePolicyOnExitCodesOperator =string
PodFailurePolicyOnExitCodesRequirement ContainerName:*string+ Operator:PodFailurePolicyOnExitCodesOperator Values:[]int32
PodFailurePolicyOnPodConditionsPattern Type:core.PodConditionType Status:core.ConditionStatus
PodFailurePolicyRule Action:PodFailurePolicyAction OnExitCodes:*PodFailurePolicyOnExitCodesRequirement+ OnPodConditions:[]PodFailurePolicyOnPodConditionsPattern+
PodReplacementPolicy =string
SuccessPolicy Rules:[]SuccessPolicyRule
SuccessPolicyRule SucceededIndexes:*string+ SucceededCount:*int32+`,
  'internal/core': `
AWSElasticBlockStoreVolumeSource VolumeID:string FSType:string+ Partition:int32+ ReadOnly:bool+
Affinity NodeAffinity:*NodeAffinity+ PodAffinity:*PodAffinity+ PodAntiAffinity:*PodAntiAffinity+
AppArmorProfile Type:AppArmorProfileType LocalhostProfile:*string+
AppArmorProfileType =string
AzureDataDiskCachingMode =string
AzureDataDiskKind =string
AzureDiskVolumeSource DiskName:string DataDiskURI:string CachingMode:*AzureDataDiskCachingMode+ FSType:*string+ ReadOnly:*bool+ Kind:*AzureDataDiskKind
AzureFilePersistentVolumeSource SecretName:string ShareName:string ReadOnly:bool+ SecretNamespace:*string+
AzureFileVolumeSource SecretName:string ShareName:string ReadOnly:bool+
CSIPersistentVolumeSource Driver:string VolumeHandle:string ReadOnly:bool+ FSType:string+ VolumeAttributes:map[string]string+ ControllerPublishSecretRef:*SecretReference+ NodeStageSecretRef:*SecretReference+ NodePublishSecretRef:*SecretReference+ ControllerExpandSecretRef:*SecretReference+ NodeExpandSecretRef:*SecretReference+
CSIVolumeSource Driver:string ReadOnly:*bool+ FSType:*string+ VolumeAttributes:map[string]string+ NodePublishSecretRef:*LocalObjectReference+
Capabilities Add:[]Capability+ Drop:[]Capability+
Capability =string
CephFSPersistentVolumeSource Monitors:[]string Path:string+ User:string+ SecretFile:string+ SecretRef:*SecretReference+ ReadOnly:bool+
CephFSVolumeSource Monitors:[]string Path:string+ User:string+ SecretFile:string+ SecretRef:*LocalObjectReference+ ReadOnly:bool+
CinderPersistentVolumeSource VolumeID:string FSType:string+ ReadOnly:bool+ SecretRef:*SecretReference+
CinderVolumeSource VolumeID:string FSType:string+ ReadOnly:bool+ SecretRef:*LocalObjectReference+
ClaimResourceStatus =string
ClientIPConfig TimeoutSeconds:*int32+
ClusterTrustBundleProjection Name:*string SignerName:*string LabelSelector:*meta.LabelSelector Optional:*bool Path:string
ConditionStatus =string
ConfigMapEnvSource :LocalObjectReference Optional:*bool+
ConfigMapKeySelector :LocalObjectReference Key:string Optional:*bool+
ConfigMapNodeConfigSource Namespace:string Name:string UID:UID+ ResourceVersion:string+ KubeletConfigKey:string
ConfigMapProjection :LocalObjectReference Items:[]KeyToPath+ Optional:*bool+
ConfigMapVolumeSource :LocalObjectReference Items:[]KeyToPath+ DefaultMode:*int32+ Optional:*bool+
Container Name:string Image:string Command:[]string+ Args:[]string+ WorkingDir:string+ Ports:[]ContainerPort+ EnvFrom:[]EnvFromSource+ Env:[]EnvVar+ Resources:ResourceRequirements+ ResizePolicy:[]ContainerResizePolicy+ RestartPolicy:*ContainerRestartPolicy+ RestartPolicyRules:[]ContainerRestartRule+ VolumeMounts:[]VolumeMount+ VolumeDevices:[]VolumeDevice+ LivenessProbe:*Probe+ ReadinessProbe:*Probe+ StartupProbe:*Probe+ Lifecycle:*Lifecycle+ TerminationMessagePath:string+ TerminationMessagePolicy:TerminationMessagePolicy+ ImagePullPolicy:PullPolicy SecurityContext:*SecurityContext+ Stdin:bool+ StdinOnce:bool+ TTY:bool+
ContainerPort Name:string+ HostPort:int32+ ContainerPort:int32 Protocol:Protocol+ HostIP:string+
ContainerResizePolicy ResourceName:ResourceName RestartPolicy:ResourceResizeRestartPolicy
ContainerRestartPolicy =string
ContainerRestartRule Action:ContainerRestartRuleAction ExitCodes:*ContainerRestartRuleOnExitCodes+
ContainerRestartRuleAction =string
ContainerRestartRuleOnExitCodes Operator:ContainerRestartRuleOnExitCodesOperator Values:[]int32+
ContainerRestartRuleOnExitCodesOperator =string
DNSPolicy =string
DownwardAPIProjection Items:[]DownwardAPIVolumeFile+
DownwardAPIVolumeFile Path:string FieldRef:*ObjectFieldSelector+ ResourceFieldRef:*ResourceFieldSelector+ Mode:*int32+
DownwardAPIVolumeSource Items:[]DownwardAPIVolumeFile+ DefaultMode:*int32+
EmptyDirVolumeSource Medium:StorageMedium+ SizeLimit:*Quantity+
EnvFromSource Prefix:string+ ConfigMapRef:*ConfigMapEnvSource+ SecretRef:*SecretEnvSource+
EnvVar Name:string Value:string+ ValueFrom:*EnvVarSource+
EnvVarSource FieldRef:*ObjectFieldSelector+ ResourceFieldRef:*ResourceFieldSelector+ ConfigMapKeyRef:*ConfigMapKeySelector+ SecretKeyRef:*SecretKeySelector+ FileKeyRef:*FileKeySelector+
EphemeralContainer :EphemeralContainerCommon TargetContainerName:string+
EphemeralContainerCommon Name:string Image:string Command:[]string+ Args:[]string+ WorkingDir:string+ Ports:[]ContainerPort+ EnvFrom:[]EnvFromSource+ Env:[]EnvVar+ Resources:ResourceRequirements+ ResizePolicy:[]ContainerResizePolicy+ RestartPolicy:*ContainerRestartPolicy+ RestartPolicyRules:[]ContainerRestartRule+ VolumeMounts:[]VolumeMount+ VolumeDevices:[]VolumeDevice+ LivenessProbe:*Probe+ ReadinessProbe:*Probe+ StartupProbe:*Probe+ Lifecycle:*Lifecycle+ TerminationMessagePath:string+ TerminationMessagePolicy:TerminationMessagePolicy+ ImagePullPolicy:PullPolicy SecurityContext:*SecurityContext+ Stdin:bool+ StdinOnce:bool+ TTY:bool+
EphemeralVolumeSource VolumeClaimTemplate:*PersistentVolumeClaimTemplate
ExecAction Command:[]string+
FCVolumeSource TargetWWNs:[]string+ Lun:*int32+ FSType:string+ ReadOnly:bool+ WWIDs:[]string+
FileKeySelector VolumeName:string Path:string Key:string Optional:*bool+
FinalizerName =string
FlexPersistentVolumeSource Driver:string FSType:string+ SecretRef:*SecretReference+ ReadOnly:bool+ Options:map[string]string+
FlexVolumeSource Driver:string FSType:string+ SecretRef:*LocalObjectReference+ ReadOnly:bool+ Options:map[string]string+
FlockerVolumeSource DatasetName:string+ DatasetUUID:string+
GCEPersistentDiskVolumeSource PDName:string FSType:string+ Partition:int32+ ReadOnly:bool+
GRPCAction Port:int32 Service:*string+
GitRepoVolumeSource Repository:string Revision:string+ Directory:string+
GlusterfsPersistentVolumeSource EndpointsName:string Path:string ReadOnly:bool+ EndpointsNamespace:*string+
GlusterfsVolumeSource EndpointsName:string Path:string ReadOnly:bool+
HTTPGetAction Path:string+ Port:IntOrString+ Host:string+ Scheme:URIScheme+ HTTPHeaders:[]HTTPHeader+
HTTPHeader Name:string Value:string
HostAlias IP:string Hostnames:[]string
HostPathType =string
HostPathVolumeSource Path:string Type:*HostPathType
IPFamily =string
IPFamilyPolicy =string
ISCSIPersistentVolumeSource TargetPortal:string+ IQN:string+ Lun:int32+ ISCSIInterface:string+ FSType:string+ ReadOnly:bool+ Portals:[]string+ DiscoveryCHAPAuth:bool+ SessionCHAPAuth:bool+ SecretRef:*SecretReference+ InitiatorName:*string+
ISCSIVolumeSource TargetPortal:string+ IQN:string+ Lun:int32+ ISCSIInterface:string+ FSType:string+ ReadOnly:bool+ Portals:[]string+ DiscoveryCHAPAuth:bool+ SessionCHAPAuth:bool+ SecretRef:*LocalObjectReference+ InitiatorName:*string+
ImageVolumeSource Reference:string+ PullPolicy:PullPolicy+
KeyToPath Key:string Path:string Mode:*int32+
Lifecycle PostStart:*LifecycleHandler+ PreStop:*LifecycleHandler+ StopSignal:*Signal+
LifecycleHandler Exec:*ExecAction+ HTTPGet:*HTTPGetAction+ TCPSocket:*TCPSocketAction+ Sleep:*SleepAction+
LimitRangeItem Type:LimitType+ Max:ResourceList+ Min:ResourceList+ Default:ResourceList+ DefaultRequest:ResourceList+ MaxLimitRequestRatio:ResourceList+
LimitRangeSpec Limits:[]LimitRangeItem
LimitType =string
LocalObjectReference Name:string
LocalVolumeSource Path:string FSType:*string+
ModifyVolumeStatus TargetVolumeAttributesClassName:string Status:PersistentVolumeClaimModifyVolumeStatus
MountPropagationMode =string
NFSVolumeSource Server:string Path:string ReadOnly:bool+
NamespaceSpec Finalizers:[]FinalizerName
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector+ PreferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm+
NodeConfigSource ConfigMap:*ConfigMapNodeConfigSource
NodeInclusionPolicy =string
NodeSelector NodeSelectorTerms:[]NodeSelectorTerm
NodeSelectorOperator =string
NodeSelectorRequirement Key:string Operator:NodeSelectorOperator Values:[]string+
NodeSelectorTerm MatchExpressions:[]NodeSelectorRequirement MatchFields:[]NodeSelectorRequirement
NodeSpec PodCIDRs:[]string+ ProviderID:string+ Unschedulable:bool+ Taints:[]Taint+ ConfigSource:*NodeConfigSource+ DoNotUseExternalID:string+
OSName =string
ObjectFieldSelector APIVersion:string FieldPath:string
ObjectReference Kind:string+ Namespace:string+ Name:string+ UID:UID+ APIVersion:string+ ResourceVersion:string+ FieldPath:string+
PersistentVolumeAccessMode =string
PersistentVolumeClaim :meta.TypeMeta :meta.ObjectMeta Spec:PersistentVolumeClaimSpec+ Status:PersistentVolumeClaimStatus+
PersistentVolumeClaimCondition Type:PersistentVolumeClaimConditionType Status:ConditionStatus LastProbeTime:Time+ LastTransitionTime:Time+ Reason:string+ Message:string+
PersistentVolumeClaimConditionType =string
PersistentVolumeClaimModifyVolumeStatus =string
PersistentVolumeClaimPhase =string
PersistentVolumeClaimSpec AccessModes:[]PersistentVolumeAccessMode+ Selector:*meta.LabelSelector+ Resources:VolumeResourceRequirements+ VolumeName:string+ StorageClassName:*string+ VolumeMode:*PersistentVolumeMode+ DataSource:*TypedLocalObjectReference+ DataSourceRef:*TypedObjectReference+ VolumeAttributesClassName:*string+
PersistentVolumeClaimStatus Phase:PersistentVolumeClaimPhase+ AccessModes:[]PersistentVolumeAccessMode+ Capacity:ResourceList+ Conditions:[]PersistentVolumeClaimCondition+ AllocatedResources:ResourceList+ AllocatedResourceStatuses:map[ResourceName]ClaimResourceStatus+ CurrentVolumeAttributesClassName:*string+ ModifyVolumeStatus:*ModifyVolumeStatus+
PersistentVolumeClaimTemplate :meta.ObjectMeta Spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource ClaimName:string ReadOnly:bool+
PersistentVolumeMode =string
PersistentVolumeReclaimPolicy =string
PersistentVolumeSource GCEPersistentDisk:*GCEPersistentDiskVolumeSource+ AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource+ HostPath:*HostPathVolumeSource+ Glusterfs:*GlusterfsPersistentVolumeSource+ NFS:*NFSVolumeSource+ RBD:*RBDPersistentVolumeSource+ Quobyte:*QuobyteVolumeSource+ ISCSI:*ISCSIPersistentVolumeSource+ FlexVolume:*FlexPersistentVolumeSource+ Cinder:*CinderPersistentVolumeSource+ CephFS:*CephFSPersistentVolumeSource+ FC:*FCVolumeSource+ Flocker:*FlockerVolumeSource+ AzureFile:*AzureFilePersistentVolumeSource+ VsphereVolume:*VsphereVirtualDiskVolumeSource+ AzureDisk:*AzureDiskVolumeSource+ PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource PortworxVolume:*PortworxVolumeSource+ ScaleIO:*ScaleIOPersistentVolumeSource+ Local:*LocalVolumeSource+ StorageOS:*StorageOSPersistentVolumeSource+ CSI:*CSIPersistentVolumeSource+
PersistentVolumeSpec Capacity:ResourceList :PersistentVolumeSource AccessModes:[]PersistentVolumeAccessMode+ ClaimRef:*ObjectReference+ PersistentVolumeReclaimPolicy:PersistentVolumeReclaimPolicy+ StorageClassName:string+ MountOptions:[]string+ VolumeMode:*PersistentVolumeMode+ NodeAffinity:*VolumeNodeAffinity+ VolumeAttributesClassName:*string+
PhotonPersistentDiskVolumeSource PdID:string FSType:string
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm+ PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm+
PodAffinityTerm LabelSelector:*meta.LabelSelector+ Namespaces:[]string+ TopologyKey:string NamespaceSelector:*meta.LabelSelector+ MatchLabelKeys:[]string+ MismatchLabelKeys:[]string+
PodAntiAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm+ PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm+
PodCertificateProjection SignerName:string KeyType:string MaxExpirationSeconds:*int32 CredentialBundlePath:string KeyPath:string CertificateChainPath:string
PodConditionType =string
PodDNSConfig Nameservers:[]string+ Searches:[]string+ Options:[]PodDNSConfigOption+
PodDNSConfigOption Name:string Value:*string+
PodFSGroupChangePolicy =string
PodOS Name:OSName
PodReadinessGate ConditionType:PodConditionType
PodResourceClaim Name:string ResourceClaimName:*string ResourceClaimTemplateName:*string
PodSELinuxChangePolicy =string
PodSchedulingGate Name:string
PodSecurityContext HostNetwork:bool+ HostPID:bool+ HostIPC:bool+ ShareProcessNamespace:*bool+ HostUsers:*bool+ SELinuxOptions:*SELinuxOptions+ WindowsOptions:*WindowsSecurityContextOptions+ RunAsUser:*int64+ RunAsGroup:*int64+ RunAsNonRoot:*bool+ SupplementalGroups:[]int64+ SupplementalGroupsPolicy:*SupplementalGroupsPolicy+ FSGroup:*int64+ FSGroupChangePolicy:*PodFSGroupChangePolicy+ Sysctls:[]Sysctl+ SeccompProfile:*SeccompProfile+ AppArmorProfile:*AppArmorProfile+ SELinuxChangePolicy:*PodSELinuxChangePolicy+
PodSpec Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer+ RestartPolicy:RestartPolicy+ TerminationGracePeriodSeconds:*int64+ ActiveDeadlineSeconds:*int64+ DNSPolicy:DNSPolicy+ NodeSelector:map[string]string+ ServiceAccountName:string AutomountServiceAccountToken:*bool+ NodeName:string+ SecurityContext:*PodSecurityContext+ ImagePullSecrets:[]LocalObjectReference+ Hostname:string+ Subdomain:string+ SetHostnameAsFQDN:*bool+ Affinity:*Affinity+ SchedulerName:string+ Tolerations:[]Toleration+ HostAliases:[]HostAlias+ PriorityClassName:string+ Priority:*int32+ PreemptionPolicy:*PreemptionPolicy+ DNSConfig:*PodDNSConfig+ ReadinessGates:[]PodReadinessGate+ RuntimeClassName:*string+ Overhead:ResourceList+ EnableServiceLinks:*bool+ TopologySpreadConstraints:[]TopologySpreadConstraint+ OS:*PodOS+ SchedulingGates:[]PodSchedulingGate+ ResourceClaims:[]PodResourceClaim+ Resources:*ResourceRequirements+ HostnameOverride:*string+
PodTemplateSpec :meta.ObjectMeta Spec:PodSpec+
PortworxVolumeSource VolumeID:string FSType:string+ ReadOnly:bool+
PreemptionPolicy =string
PreferredSchedulingTerm Weight:int32 Preference:NodeSelectorTerm
Probe :ProbeHandler InitialDelaySeconds:int32+ TimeoutSeconds:int32+ PeriodSeconds:int32+ SuccessThreshold:int32+ FailureThreshold:int32+ TerminationGracePeriodSeconds:*int64+
ProbeHandler Exec:*ExecAction+ HTTPGet:*HTTPGetAction+ TCPSocket:*TCPSocketAction+ GRPC:*GRPCAction+
ProcMountType =string
ProjectedVolumeSource Sources:[]VolumeProjection DefaultMode:*int32+
Protocol =string
PullPolicy =string
QuobyteVolumeSource Registry:string Volume:string ReadOnly:bool+ User:string+ Group:string+ Tenant:string+
RBDPersistentVolumeSource CephMonitors:[]string RBDImage:string FSType:string+ RBDPool:string+ RadosUser:string+ Keyring:string+ SecretRef:*SecretReference+ ReadOnly:bool+
RBDVolumeSource CephMonitors:[]string RBDImage:string FSType:string+ RBDPool:string+ RadosUser:string+ Keyring:string+ SecretRef:*LocalObjectReference+ ReadOnly:bool+
RecursiveReadOnlyMode =string
ReplicationControllerSpec Replicas:*int32 MinReadySeconds:int32+ Selector:map[string]string Template:*PodTemplateSpec+
ResourceClaim Name:string Request:string+
ResourceFieldSelector ContainerName:string+ Resource:string Divisor:Quantity+
ResourceList =map[ResourceName]Quantity
ResourceName =string
ResourceQuotaScope =string
ResourceQuotaSpec Hard:ResourceList+ Scopes:[]ResourceQuotaScope+ ScopeSelector:*ScopeSelector+
ResourceRequirements Limits:ResourceList+ Requests:ResourceList+ Claims:[]ResourceClaim+
ResourceResizeRestartPolicy =string
RestartPolicy =string
SELinuxOptions User:string+ Role:string+ Type:string+ Level:string+
ScaleIOPersistentVolumeSource Gateway:string System:string SecretRef:*SecretReference SSLEnabled:bool+ ProtectionDomain:string+ StoragePool:string+ StorageMode:string+ VolumeName:string FSType:string+ ReadOnly:bool+
ScaleIOVolumeSource Gateway:string System:string SecretRef:*LocalObjectReference SSLEnabled:bool+ ProtectionDomain:string+ StoragePool:string+ StorageMode:string+ VolumeName:string FSType:string+ ReadOnly:bool+
ScopeSelector MatchExpressions:[]ScopedResourceSelectorRequirement+
ScopeSelectorOperator =string
ScopedResourceSelectorRequirement ScopeName:ResourceQuotaScope Operator:ScopeSelectorOperator Values:[]string+
SeccompProfile Type:SeccompProfileType LocalhostProfile:*string+
SeccompProfileType =string
SecretEnvSource :LocalObjectReference Optional:*bool+
SecretKeySelector :LocalObjectReference Key:string Optional:*bool+
SecretProjection :LocalObjectReference Items:[]KeyToPath+ Optional:*bool+
SecretReference Name:string+ Namespace:string+
SecretVolumeSource SecretName:string+ Items:[]KeyToPath+ DefaultMode:*int32+ Optional:*bool+
SecurityContext Capabilities:*Capabilities+ Privileged:*bool+ SELinuxOptions:*SELinuxOptions+ WindowsOptions:*WindowsSecurityContextOptions+ RunAsUser:*int64+ RunAsGroup:*int64+ RunAsNonRoot:*bool+ ReadOnlyRootFilesystem:*bool+ AllowPrivilegeEscalation:*bool+ ProcMount:*ProcMountType+ SeccompProfile:*SeccompProfile+ AppArmorProfile:*AppArmorProfile+
ServiceAccountTokenProjection Audience:string ExpirationSeconds:int64 Path:string
ServiceAffinity =string
ServiceExternalTrafficPolicy =string
ServiceInternalTrafficPolicy =string
ServicePort Name:string Protocol:Protocol AppProtocol:*string+ Port:int32 TargetPort:IntOrString NodePort:int32
ServiceSpec Type:ServiceType+ Ports:[]ServicePort Selector:map[string]string ClusterIP:string+ ClusterIPs:[]string+ IPFamilies:[]IPFamily+ IPFamilyPolicy:*IPFamilyPolicy+ ExternalName:string ExternalIPs:[]string+ LoadBalancerIP:string+ SessionAffinity:ServiceAffinity+ SessionAffinityConfig:*SessionAffinityConfig+ LoadBalancerSourceRanges:[]string+ ExternalTrafficPolicy:ServiceExternalTrafficPolicy+ HealthCheckNodePort:int32+ PublishNotReadyAddresses:bool+ AllocateLoadBalancerNodePorts:*bool+ LoadBalancerClass:*string+ InternalTrafficPolicy:*ServiceInternalTrafficPolicy+ TrafficDistribution:*string+
ServiceType =string
SessionAffinityConfig ClientIP:*ClientIPConfig+
Signal =string
SleepAction Seconds:int64
StorageMedium =string
StorageOSPersistentVolumeSource VolumeName:string VolumeNamespace:string+ FSType:string+ ReadOnly:bool+ SecretRef:*ObjectReference+
StorageOSVolumeSource VolumeName:string VolumeNamespace:string+ FSType:string+ ReadOnly:bool+ SecretRef:*LocalObjectReference+
SupplementalGroupsPolicy =string
Sysctl Name:string Value:string
TCPSocketAction Port:IntOrString+ Host:string+
Taint Key:string Value:string+ Effect:TaintEffect TimeAdded:*Time+
TaintEffect =string
TerminationMessagePolicy =string
Toleration Key:string+ Operator:TolerationOperator+ Value:string+ Effect:TaintEffect+ TolerationSeconds:*int64+
TolerationOperator =string
TopologySpreadConstraint MaxSkew:int32 TopologyKey:string WhenUnsatisfiable:UnsatisfiableConstraintAction LabelSelector:*meta.LabelSelector+ MinDomains:*int32+ NodeAffinityPolicy:*NodeInclusionPolicy+ NodeTaintsPolicy:*NodeInclusionPolicy+ MatchLabelKeys:[]string+
TypedLocalObjectReference APIGroup:*string+ Kind:string Name:string
TypedObjectReference APIGroup:*string+ Kind:string Name:string Namespace:*string+
URIScheme =string
UnsatisfiableConstraintAction =string
Volume Name:string :VolumeSource
VolumeDevice Name:string DevicePath:string
VolumeMount Name:string ReadOnly:bool+ RecursiveReadOnly:*RecursiveReadOnlyMode+ MountPath:string SubPath:string+ MountPropagation:*MountPropagationMode+ SubPathExpr:string+
VolumeNodeAffinity Required:*NodeSelector
VolumeProjection Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection PodCertificate:*PodCertificateProjection
VolumeResourceRequirements Limits:ResourceList+ Requests:ResourceList+
VolumeSource HostPath:*HostPathVolumeSource+ EmptyDir:*EmptyDirVolumeSource+ GCEPersistentDisk:*GCEPersistentDiskVolumeSource+ AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource+ GitRepo:*GitRepoVolumeSource+ Secret:*SecretVolumeSource+ NFS:*NFSVolumeSource+ ISCSI:*ISCSIVolumeSource+ Glusterfs:*GlusterfsVolumeSource+ PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource+ RBD:*RBDVolumeSource+ Quobyte:*QuobyteVolumeSource+ FlexVolume:*FlexVolumeSource+ Cinder:*CinderVolumeSource+ CephFS:*CephFSVolumeSource+ Flocker:*FlockerVolumeSource+ DownwardAPI:*DownwardAPIVolumeSource+ FC:*FCVolumeSource+ AzureFile:*AzureFileVolumeSource+ ConfigMap:*ConfigMapVolumeSource+ VsphereVolume:*VsphereVirtualDiskVolumeSource+ AzureDisk:*AzureDiskVolumeSource+ PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource+ ScaleIO:*ScaleIOVolumeSource+ StorageOS:*StorageOSVolumeSource+ CSI:*CSIVolumeSource+ Ephemeral:*EphemeralVolumeSource+ Image:*ImageVolumeSource+
VsphereVirtualDiskVolumeSource VolumePath:string FSType:string+ StoragePolicyName:string+ StoragePolicyID:string+
WeightedPodAffinityTerm Weight:int32 PodAffinityTerm:PodAffinityTerm
WindowsSecurityContextOptions GMSACredentialSpecName:*string+ GMSACredentialSpec:*string+ RunAsUserName:*string+ HostProcess:*bool+`,
  'internal/policy': `
PodDisruptionBudgetSpec MinAvailable:*IntOrString+ Selector:*meta.LabelSelector+ MaxUnavailable:*IntOrString+ UnhealthyPodEvictionPolicy:*UnhealthyPodEvictionPolicyType+
UnhealthyPodEvictionPolicyType =string`,
  'internal/storage': `
CSIDriverSpec AttachRequired:*bool+ FSGroupPolicy:*FSGroupPolicy+ PodInfoOnMount:*bool+ VolumeLifecycleModes:[]VolumeLifecycleMode+ StorageCapacity:*bool+ TokenRequests:[]TokenRequest+ RequiresRepublish:*bool+ SELinuxMount:*bool+ NodeAllocatableUpdatePeriodSeconds:*int64+
CSINodeDriver Name:string NodeID:string TopologyKeys:[]string+ Allocatable:*VolumeNodeResources+
CSINodeSpec Drivers:[]CSINodeDriver
FSGroupPolicy =string
TokenRequest Audience:string ExpirationSeconds:*int64+
VolumeAttachmentSource PersistentVolumeName:*string+ InlineVolumeSpec:*core.PersistentVolumeSpec+
VolumeAttachmentSpec Attacher:string Source:VolumeAttachmentSource NodeName:string
VolumeLifecycleMode =string
VolumeNodeResources Count:*int32+`,
  'kubescheduler.config.k8s.io/v1': `
DefaultPreemptionArgs :meta.TypeMeta minCandidateNodesPercentage:*int32? minCandidateNodesAbsolute:*int32?
DynamicResourcesArgs :meta.TypeMeta filterTimeout:*Raw
Extender urlPrefix:string filterVerb:string? preemptVerb:string? prioritizeVerb:string? weight:int64? bindVerb:string? enableHTTPS:bool? tlsConfig:*ExtenderTLSConfig? httpTimeout:Raw? nodeCacheCapable:bool? managedResources:[]ExtenderManagedResource? ignorable:bool?
ExtenderManagedResource name:string ignoredByScheduler:bool?
ExtenderTLSConfig insecure:bool? serverName:string? certFile:string? keyFile:string? caFile:string? certData:Raw? keyData:Raw? caData:Raw?
InterPodAffinityArgs :meta.TypeMeta hardPodAffinityWeight:*int32? ignorePreferredTermsOfExistingPods:bool
KubeSchedulerConfiguration :meta.TypeMeta :componentbase.DebuggingConfiguration parallelism:*int32? leaderElection:componentbase.LeaderElectionConfiguration clientConnection:componentbase.ClientConnectionConfiguration percentageOfNodesToScore:*int32? podInitialBackoffSeconds:*int64? podMaxBackoffSeconds:*int64? profiles:[]KubeSchedulerProfile? extenders:[]Extender? delayCacheUntilActive:bool?
KubeSchedulerProfile schedulerName:*string? percentageOfNodesToScore:*int32? plugins:*Plugins? pluginConfig:[]PluginConfig?
NodeAffinityArgs :meta.TypeMeta addedAffinity:*core.NodeAffinity?
NodeResourcesBalancedAllocationArgs :meta.TypeMeta resources:[]ResourceSpec?
NodeResourcesFitArgs :meta.TypeMeta ignoredResources:[]string? ignoredResourceGroups:[]string? scoringStrategy:*ScoringStrategy?
Plugin name:string weight:*int32?
PluginConfig name:string args:Raw?
PluginSet enabled:[]Plugin? disabled:[]Plugin?
Plugins preEnqueue:PluginSet? queueSort:PluginSet? preFilter:PluginSet? filter:PluginSet? postFilter:PluginSet? preScore:PluginSet? score:PluginSet? reserve:PluginSet? permit:PluginSet? preBind:PluginSet? bind:PluginSet? postBind:PluginSet? multiPoint:PluginSet?
PodTopologySpreadArgs :meta.TypeMeta defaultConstraints:[]core.TopologySpreadConstraint? defaultingType:PodTopologySpreadConstraintsDefaulting?
PodTopologySpreadConstraintsDefaulting =string System List
RequestedToCapacityRatioParam shape:[]UtilizationShapePoint?
ResourceSpec name:string weight:int64?
ScoringStrategy type:ScoringStrategyType? resources:[]ResourceSpec? requestedToCapacityRatio:*RequestedToCapacityRatioParam?
ScoringStrategyType =string LeastAllocated MostAllocated RequestedToCapacityRatio
UtilizationShapePoint utilization:int32 score:int32
VolumeBindingArgs :meta.TypeMeta bindTimeoutSeconds:*int64? shape:[]UtilizationShapePoint?`,
  'meta/v1': `
Condition type:string status:ConditionStatus observedGeneration:int64? lastTransitionTime:Time reason:string message:string
ConditionStatus =string True False Unknown
LabelSelector matchLabels:map[string]string? matchExpressions:[]LabelSelectorRequirement?
LabelSelectorOperator =string In NotIn Exists DoesNotExist
LabelSelectorRequirement key:string operator:LabelSelectorOperator values:[]string?
ManagedFieldsEntry manager:string? operation:ManagedFieldsOperationType? apiVersion:string? time:*Time? fieldsType:string? fieldsV1:*Raw? subresource:string?
ManagedFieldsOperationType =string Apply Update
ObjectMeta name:string? generateName:string? namespace:string? selfLink:string? uid:UID? resourceVersion:string? generation:int64? creationTimestamp:Time? deletionTimestamp:*Time? deletionGracePeriodSeconds:*int64? labels:map[string]string? annotations:map[string]string? ownerReferences:[]OwnerReference?~uid finalizers:[]string?~ managedFields:[]ManagedFieldsEntry?
OwnerReference apiVersion:string kind:string name:string uid:UID controller:*bool? blockOwnerDeletion:*bool?
TypeMeta kind:string? apiVersion:string?`,
  'node/v1': `
Overhead podFixed:core.ResourceList?
RuntimeClass :meta.TypeMeta metadata:meta.ObjectMeta? handler:string overhead:*Overhead? scheduling:*Scheduling?
Scheduling nodeSelector:map[string]string? tolerations:[]core.Toleration?`,
  'policy/v1': `
PodDisruptionBudget :meta.TypeMeta metadata:meta.ObjectMeta? spec:PodDisruptionBudgetSpec? status:PodDisruptionBudgetStatus?
PodDisruptionBudgetSpec minAvailable:*IntOrString? selector:*meta.LabelSelector? maxUnavailable:*IntOrString? unhealthyPodEvictionPolicy:*UnhealthyPodEvictionPolicyType?
PodDisruptionBudgetStatus observedGeneration:int64? disruptedPods:map[string]Time? disruptionsAllowed:int32 currentHealthy:int32 desiredHealthy:int32 expectedPods:int32 conditions:[]meta.Condition?~type
UnhealthyPodEvictionPolicyType =string IfHealthyBudget AlwaysAllow`,
  'resource/v1': `
AllocatedDeviceStatus driver:string pool:string device:string shareID:*string? conditions:[]meta.Condition+ data:*Raw? networkData:*NetworkDeviceData?
AllocationConfigSource =string
AllocationResult devices:DeviceAllocationResult? nodeSelector:*core.NodeSelector? allocationTimestamp:*Time?
CELDeviceSelector expression:string
CapacityRequestPolicy default:*Quantity+ validValues:[]Quantity? validRange:*CapacityRequestPolicyRange?
CapacityRequestPolicyRange min:*Quantity? max:*Quantity? step:*Quantity?
CapacityRequirements requests:map[QualifiedName]Quantity?
Counter value:Quantity
CounterSet name:string counters:map[string]Counter?
Device name:string attributes:map[QualifiedName]DeviceAttribute? capacity:map[QualifiedName]DeviceCapacity? consumesCounters:[]DeviceCounterConsumption? nodeName:*string? nodeSelector:*core.NodeSelector? allNodes:*bool? taints:[]DeviceTaint? bindsToNode:*bool? bindingConditions:[]string? bindingFailureConditions:[]string? allowMultipleAllocations:*bool?
DeviceAllocationConfiguration :DeviceConfiguration source:AllocationConfigSource requests:[]string?
DeviceAllocationMode =string
DeviceAllocationResult results:[]DeviceRequestAllocationResult? config:[]DeviceAllocationConfiguration?
DeviceAttribute int:*int64? bool:*bool? string:*string? version:*string?
DeviceCapacity value:Quantity requestPolicy:*CapacityRequestPolicy?
DeviceClaim requests:[]DeviceRequest+ constraints:[]DeviceConstraint? config:[]DeviceClaimConfiguration?
DeviceClaimConfiguration :DeviceConfiguration requests:[]string?
DeviceClass :meta.TypeMeta metadata:meta.ObjectMeta? spec:DeviceClassSpec
DeviceClassConfiguration :DeviceConfiguration
DeviceClassSpec selectors:[]DeviceSelector? config:[]DeviceClassConfiguration? extendedResourceName:*string?
DeviceConfiguration opaque:*OpaqueDeviceConfiguration?
DeviceConstraint requests:[]string? matchAttribute:*FullyQualifiedName? distinctAttribute:*FullyQualifiedName?
DeviceCounterConsumption counterSet:string counters:map[string]Counter?
DeviceRequest name:string exactly:*ExactDeviceRequest? firstAvailable:[]DeviceSubRequest?
DeviceRequestAllocationResult request:string driver:string pool:string device:string adminAccess:*bool? tolerations:[]DeviceToleration? bindingConditions:[]string? bindingFailureConditions:[]string? shareID:*UID? consumedCapacity:map[QualifiedName]Quantity?
DeviceSelector cel:*CELDeviceSelector?
DeviceSubRequest name:string deviceClassName:string selectors:[]DeviceSelector? allocationMode:DeviceAllocationMode? count:int64? tolerations:[]DeviceToleration? capacity:*CapacityRequirements?
DeviceTaint key:string value:string? effect:DeviceTaintEffect timeAdded:*Time?
DeviceTaintEffect =string NoSchedule NoExecute
DeviceToleration key:string? operator:DeviceTolerationOperator? value:string? effect:DeviceTaintEffect? tolerationSeconds:*int64?
DeviceTolerationOperator =string Exists Equal
ExactDeviceRequest deviceClassName:string selectors:[]DeviceSelector? allocationMode:DeviceAllocationMode? count:int64? adminAccess:*bool? tolerations:[]DeviceToleration? capacity:*CapacityRequirements?
FullyQualifiedName =string
NetworkDeviceData interfaceName:string? ips:[]string? hardwareAddress:string?
OpaqueDeviceConfiguration driver:string parameters:Raw
QualifiedName =string
ResourceClaim :meta.TypeMeta metadata:meta.ObjectMeta? spec:ResourceClaimSpec status:ResourceClaimStatus?
ResourceClaimConsumerReference apiGroup:string? resource:string name:string uid:UID
ResourceClaimSpec devices:DeviceClaim+
ResourceClaimStatus allocation:*AllocationResult? reservedFor:[]ResourceClaimConsumerReference?~uid devices:[]AllocatedDeviceStatus?
ResourceClaimTemplate :meta.TypeMeta metadata:meta.ObjectMeta? spec:ResourceClaimTemplateSpec
ResourceClaimTemplateSpec metadata:meta.ObjectMeta? spec:ResourceClaimSpec
ResourcePool name:string generation:int64 resourceSliceCount:int64
ResourceSlice :meta.TypeMeta metadata:meta.ObjectMeta? spec:ResourceSliceSpec
ResourceSliceSpec driver:string pool:ResourcePool nodeName:*string? nodeSelector:*core.NodeSelector? allNodes:*bool? devices:[]Device+ perDeviceNodeSelection:*bool? sharedCounters:[]CounterSet?`,
  'scheduling/v1': `
PriorityClass :meta.TypeMeta metadata:meta.ObjectMeta? value:int32 globalDefault:bool? description:string? preemptionPolicy:*core.PreemptionPolicy?`,
  'storage/v1': `
CSIDriver :meta.TypeMeta metadata:meta.ObjectMeta? spec:CSIDriverSpec
CSIDriverSpec attachRequired:*bool? podInfoOnMount:*bool? volumeLifecycleModes:[]VolumeLifecycleMode? storageCapacity:*bool? fsGroupPolicy:*FSGroupPolicy? tokenRequests:[]TokenRequest? requiresRepublish:*bool? seLinuxMount:*bool? nodeAllocatableUpdatePeriodSeconds:*int64?
CSINode :meta.TypeMeta metadata:meta.ObjectMeta? spec:CSINodeSpec
CSINodeDriver name:string nodeID:string topologyKeys:[]string+ allocatable:*VolumeNodeResources?
CSINodeSpec drivers:[]CSINodeDriver~name
CSIStorageCapacity :meta.TypeMeta metadata:meta.ObjectMeta? nodeTopology:*meta.LabelSelector? storageClassName:string capacity:*Quantity? maximumVolumeSize:*Quantity?
FSGroupPolicy =string ReadWriteOnceWithFSType File None
StorageClass :meta.TypeMeta metadata:meta.ObjectMeta? provisioner:string parameters:map[string]string? reclaimPolicy:*core.PersistentVolumeReclaimPolicy? mountOptions:[]string? allowVolumeExpansion:*bool? volumeBindingMode:*VolumeBindingMode? allowedTopologies:[]core.TopologySelectorTerm?
TokenRequest audience:string expirationSeconds:*int64?
VolumeAttachment :meta.TypeMeta metadata:meta.ObjectMeta? spec:VolumeAttachmentSpec status:VolumeAttachmentStatus?
VolumeAttachmentSource persistentVolumeName:*string? inlineVolumeSpec:*core.PersistentVolumeSpec?
VolumeAttachmentSpec attacher:string source:VolumeAttachmentSource nodeName:string
VolumeAttachmentStatus attached:bool attachmentMetadata:map[string]string? attachError:*VolumeError? detachError:*VolumeError?
VolumeBindingMode =string Immediate WaitForFirstConsumer
VolumeError time:Time? message:string? errorCode:*int32?
VolumeLifecycleMode =string Persistent Ephemeral
VolumeNodeResources count:*int32?`,
};
