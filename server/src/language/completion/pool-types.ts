import { type ApiTypes, structOf, type StructType } from '../../kubernetes/api/index.ts';
import type { ApiTable } from '../../kubernetes/api/table.ts';
import { isPoolKind } from '../../kubernetes/pool-kinds.ts';
import { getOrInsert } from '../../util/maps.ts';

/**
 * The fields of kinds that say how a cluster grows, which are no kinds of Kubernetes itself, in the form that
 * kubernetes/api/table.ts describes. Sources: karpenter pkg/apis/v1 and v1alpha1; the AWS provider's pkg/apis/v1;
 * autoscaler cluster-autoscaler/apis/capacitybuffer; cluster-api api; openshift/api machine and autoscaling; the schema of eksctl
 */
const table: ApiTable = {
  'karpenter.sh': `
NodePool apiVersion:string kind:string metadata:meta.ObjectMeta spec:NodePoolSpec
NodePoolSpec template:NodeClaimTemplate disruption:Disruption? limits:core.ResourceList? weight:int32? replicas:int64?
NodeClaimTemplate metadata:NodeMetadata? spec:NodeClaimSpec
NodeMetadata labels:map[string]string? annotations:map[string]string?
NodeClaimSpec nodeClassRef:NodeClassReference requirements:[]PoolRequirement taints:[]core.Taint? startupTaints:[]core.Taint? expireAfter:string? terminationGracePeriod:string?
NodeClassReference group:string kind:string name:string
PoolRequirement key:string operator:PoolOperator values:[]string? minValues:int32?
PoolOperator =string In NotIn Exists DoesNotExist Gt Lt Gte Lte
Disruption consolidationPolicy:ConsolidationPolicy? consolidateAfter:string? budgets:[]DisruptionBudget?
ConsolidationPolicy =string WhenEmptyOrUnderutilized WhenEmpty
DisruptionBudget nodes:string reasons:[]DisruptionReason? schedule:string? duration:string?
DisruptionReason =string Underutilized Empty Drifted
NodeOverlay apiVersion:string kind:string metadata:meta.ObjectMeta spec:NodeOverlaySpec
NodeOverlaySpec requirements:[]PoolRequirement capacity:core.ResourceList? price:string? priceAdjustment:string? weight:int32?`,
  'karpenter.k8s.aws': `
EC2NodeClass apiVersion:string kind:string metadata:meta.ObjectMeta spec:EC2NodeClassSpec
EC2NodeClassSpec amiSelectorTerms:[]AMISelectorTerm subnetSelectorTerms:[]SelectorTerm securityGroupSelectorTerms:[]SelectorTerm role:string? instanceProfile:string? amiFamily:AMIFamily? kubelet:KubeletConfiguration? blockDeviceMappings:[]BlockDeviceMapping? instanceStorePolicy:InstanceStorePolicy? capacityReservationSelectorTerms:[]SelectorTerm? metadataOptions:MetadataOptions? tags:map[string]string? userData:string? detailedMonitoring:bool? associatePublicIPAddress:bool? context:string?
AMISelectorTerm alias:AMIAlias? id:string? name:string? owner:string? ssmParameter:string? tags:map[string]string?
AMIAlias =string al2023@latest bottlerocket@latest al2@latest windows2022@latest windows2019@latest
SelectorTerm id:string? name:string? ownerID:string? tags:map[string]string?
AMIFamily =string AL2023 Bottlerocket AL2 Windows2022 Windows2019 Custom
KubeletConfiguration maxPods:int32? podsPerCore:int32? kubeReserved:map[string]Quantity? systemReserved:map[string]Quantity? evictionHard:map[string]string? evictionSoft:map[string]string? evictionSoftGracePeriod:map[string]string? evictionMaxPodGracePeriod:int32? imageGCHighThresholdPercent:int32? imageGCLowThresholdPercent:int32? cpuCFSQuota:bool? clusterDNS:[]string?
BlockDeviceMapping deviceName:string ebs:BlockDevice rootVolume:bool?
BlockDevice volumeSize:Quantity volumeType:VolumeType? iops:int64? throughput:int64? encrypted:bool? kmsKeyID:string? deleteOnTermination:bool? snapshotID:string?
VolumeType =string gp3 gp2 io2 io1 st1 sc1 standard
InstanceStorePolicy =string RAID0
MetadataOptions httpEndpoint:HTTPEndpoint? httpTokens:HTTPTokens? httpPutResponseHopLimit:int64? httpProtocolIPv6:HTTPEndpoint?
HTTPEndpoint =string enabled disabled
HTTPTokens =string required optional`,
  'autoscaling.x-k8s.io': `
CapacityBuffer apiVersion:string kind:string metadata:meta.ObjectMeta spec:CapacityBufferSpec
CapacityBufferSpec provisioningStrategy:ProvisioningStrategy? podTemplateRef:BufferTemplateRef? scalableRef:BufferScalableRef? replicas:int32? percentage:int32? limits:core.ResourceList?
ProvisioningStrategy =string buffer.x-k8s.io/active-capacity
BufferTemplateRef name:string
BufferScalableRef apiGroup:BufferScalableGroup kind:BufferScalableKind name:string
BufferScalableGroup =string apps batch
BufferScalableKind =string Deployment StatefulSet ReplicaSet Job`,
  'cluster.x-k8s.io': `
MachineDeployment apiVersion:string kind:string metadata:meta.ObjectMeta spec:MachinesSpec
MachineSet apiVersion:string kind:string metadata:meta.ObjectMeta spec:MachinesSpec
MachinePool apiVersion:string kind:string metadata:meta.ObjectMeta spec:MachinesSpec
MachinesSpec clusterName:string replicas:int32? selector:raw? template:raw`,
  'machine.openshift.io': `
MachineSet apiVersion:string kind:string metadata:meta.ObjectMeta spec:MachineSetSpec
MachineSetSpec replicas:int32? selector:raw? template:raw`,
  'autoscaling.openshift.io': `
MachineAutoscaler apiVersion:string kind:string metadata:meta.ObjectMeta spec:MachineAutoscalerSpec
MachineAutoscalerSpec minReplicas:int32 maxReplicas:int32 scaleTargetRef:MachineTarget
MachineTarget apiVersion:MachineVersion kind:MachineKind name:string
MachineVersion =string machine.openshift.io/v1beta1
MachineKind =string MachineSet
ClusterAutoscaler apiVersion:string kind:string metadata:meta.ObjectMeta spec:ClusterAutoscalerSpec
ClusterAutoscalerSpec podPriorityThreshold:int32? resourceLimits:AutoscalerLimits? balanceSimilarNodeGroups:bool? expanders:[]AutoscalerExpander? maxPodGracePeriod:int32? scaleDown:ScaleDown?
AutoscalerLimits maxNodesTotal:int32? cores:AutoscalerRange? memory:AutoscalerRange?
AutoscalerRange min:int32 max:int32
AutoscalerExpander =string LeastWaste Priority Random
ScaleDown enabled:bool delayAfterAdd:string? delayAfterDelete:string? delayAfterFailure:string? unneededTime:string? utilizationThreshold:string?`,
  'eksctl.io': `
ClusterConfig apiVersion:string kind:string metadata:ClusterMeta availabilityZones:[]string? managedNodeGroups:[]NodeGroup? nodeGroups:[]NodeGroup?
ClusterMeta name:string region:string version:string? tags:map[string]string?
NodeGroup name:string instanceType:string? instanceTypes:[]string? minSize:int32? maxSize:int32? desiredCapacity:int32? labels:map[string]string? taints:[]core.Taint? availabilityZones:[]string? spot:bool? maxPodsPerNode:int32? volumeSize:int32? volumeType:NodeGroupVolume? amiFamily:string? privateNetworking:bool? tags:map[string]string?
NodeGroupVolume =string gp3 gp2 io1 sc1 st1`,
  'cloud.google.com': `
ComputeClass apiVersion:string kind:string metadata:meta.ObjectMeta spec:ComputeClassSpec
ComputeClassSpec priorities:[]ComputePriority nodePoolAutoCreation:NodePoolAutoCreation? activeMigration:ActiveMigration? whenUnsatisfiable:WhenUnsatisfiable?
ComputePriority machineFamily:string? machineType:string? minCores:int32? minMemoryGb:int32? spot:bool? maxPodsPerNode:int32? nodepools:[]string?
NodePoolAutoCreation enabled:bool
ActiveMigration optimizeRulePriority:bool
WhenUnsatisfiable =string DoNotScaleUp ScaleUpAnyway`,
};

const known = new WeakMap<ApiTypes, ApiTypes>();

/** The type of a kind of Kubernetes, or of one that says how a cluster grows; undefined for every other. */
export function structOfAny(types: ApiTypes, apiVersion: string, kind: string): StructType | undefined {
  const own = structOf(types, apiVersion, kind);
  if (own !== undefined || !isPoolKind(apiVersion, kind)) return own;
  const extended = getOrInsert(known, types, () => types.with(table));
  return extended.struct(apiVersion.slice(0, apiVersion.indexOf('/')), kind);
}

const capacity = 'capacity.cluster-autoscaler.kubernetes.io/';

/** Sources: cluster-autoscaler/cloudprovider/clusterapi/README.md; openshift/machine-api-operator */
export const machineAnnotations: readonly string[] = [
  ...['min-size', 'max-size'].map((end) => `cluster.x-k8s.io/cluster-api-autoscaler-node-group-${end}`),
  ...['cpu', 'memory', 'ephemeral-disk', 'maxPods', 'gpu-type', 'gpu-count', 'labels', 'taints'].map(
    (name) => capacity + name,
  ),
];

export const openshiftAnnotations: readonly string[] = [
  ...['min-size', 'max-size'].map((end) => `machine.openshift.io/cluster-api-autoscaler-node-group-${end}`),
  ...['vCPU', 'memoryMb', 'GPU', 'maxPods'].map((name) => `machine.openshift.io/${name}`),
];
