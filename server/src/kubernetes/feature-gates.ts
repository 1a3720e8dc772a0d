import { say } from '../kit/say.ts';
import { nearestNames } from '../kit/nearest-names.ts';
import type { FeatureGate, Release } from './release.ts';

/** Gates that somebody switches: `HPAScaleToZero` to true. */
export type Gates = ReadonlyMap<string, boolean>;

export const noGates: Gates = new Map();

/** Those that an answer depends on. */
const asked: Readonly<Record<FeatureGate, true>> = {
  ClearingNominatedNodeNameAfterBinding: true,
  ContainerRestartRules: true,
  DRAConsumableCapacity: true,
  DRADeviceBindingConditions: true,
  DRADeviceTaints: true,
  DRAExtendedResource: true,
  DRAPartitionableDevices: true,
  EnvFiles: true,
  HPAScaleToZero: true,
  HostnameOverride: true,
  ImageVolume: true,
  InPlacePodLevelResourcesVerticalScaling: true,
  MutablePodResourcesForSuspendedJobs: true,
  MutableSchedulingDirectivesForSuspendedJobs: true,
  NodeDeclaredFeatures: true,
  PodTopologyLabelsAdmission: true,
  RestartAllContainersOnContainerExits: true,
};

/**
 * Others that may be switched, and change nothing here. Source: pkg/features/kube_features.go,
 * test/compatibility_lifecycle/reference
 */
const others = `
AllowDNSOnlyNodeCSR AllowOverwriteTerminationGracePeriodSeconds AllowParsingUserUIDFromCertAuth
AllowUnsafeMalformedObjectDeletion AnonymousAuthConfigurableEndpoints AnyVolumeDataSource APIResponseCompression
APIServerIdentity APIServerTracing APIServingWithRoutine AuthorizeNodeWithSelectors AuthorizeWithSelectors
BtreeWatchCache CBORServingAndStorage CPUCFSQuotaPeriod CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions
CPUManagerPolicyOptions CRDValidationRatcheting CSIMigrationPortworx CSIVolumeHealth CloudControllerManagerWebhook
ClusterTrustBundle ClusterTrustBundleProjection ComponentFlagz ComponentSLIs ComponentStatusz
ConcurrentWatchObjectDecode ConsistentListFromCache ContainerCheckpoint ContainerStopSignals ContextualLogging
CoordinatedLeaderElection CronJobsScheduledAnnotation CrossNamespaceVolumeDataSource CustomResourceFieldSelectors
DRAAdminAccess DRAPrioritizedList DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout DeclarativeValidation
DeclarativeValidationTakeover DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency DevicePluginCDIDevices
DisableAllocatorDualWrite DisableCPUQuotaWithExclusiveCPUs DisableNodeKubeProxyVersion DynamicResourceAllocation
EventedPLEG ExecProbeTimeout ExternalServiceAccountTokenSigner GangScheduling GenericWorkload GitRepoVolumeDriver
GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance HonorPVReclaimPolicy
ImageMaximumGCAge InPlacePodVerticalScaling InPlacePodVerticalScalingAllocatedStatus
InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingInitContainers InTreePluginPortworxUnregister
JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy JobSuccessPolicy KMSv1 KubeletCgroupDriverFromCRI
KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletFineGrainedAuthz KubeletInUserNamespace KubeletPSI
KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletSeparateDiskGC
KubeletServiceAccountTokenForCredentialProviders KubeletTracing ListFromCacheSnapshot LoadBalancerIPMode
LocalStorageCapacityIsolationFSQuotaMonitoring LogarithmicScaleDown LoggingAlphaOptions LoggingBetaOptions
MatchLabelKeysInPodAffinity MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge
MaxUnavailableStatefulSet MemoryManager MemoryQoS MultiCIDRServiceAllocator MutableCSINodeAllocatableCount MutatingAdmissionPolicy
NFTablesProxyMode NodeInclusionPolicyInPodTopologySpread NodeLogQuery NodeSwap NominatedNodeNameForExpectation
OpenAPIEnums OpportunisticBatching OrderedNamespaceDeletion PodAndContainerStatsFromCRI PodDeletionCost PodIndexLabel
PodLevelResources PodLifecycleSleepAction PodLifecycleSleepActionAllowZero PodLogsQuerySplitStreams
PodObservedGenerationTracking PodReadyToStartContainersCondition PodSchedulingReadiness PortForwardWebsockets
PreferSameTrafficDistribution PreventStaticPodAPIReferences ProcMountType QOSReserved RecoverVolumeExpansionFailure
RecursiveReadOnlyMounts ReduceDefaultCrashLoopBackOffDecay RelaxedDNSSearchValidation
RelaxedEnvironmentVariableValidation RelaxedServiceNameValidation ReloadKubeletServerCertificateFile
RemoteRequestHeaderUID ResilientWatchCacheInitialization ResourceHealthStatus RetryGenerateName
RotateKubeletServerCertificate RuntimeClassInImageCriAPI SELinuxChangePolicy SELinuxMount
SELinuxMountReadWriteOncePod SchedulerAsyncAPICalls SchedulerAsyncPreemption SchedulerPopFromBackoffQ
SchedulerQueueingHints SeparateCacheWatchRPC SeparateTaintEvictionController ServiceAccountNodeAudienceRestriction
ServiceAccountTokenJTI ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation
ServiceAccountTokenPodNodeInfo ServiceTrafficDistribution SidecarContainers SizeBasedListCostEstimate
SizeMemoryBackedVolumes StatefulSetAutoDeletePVC StorageCapacityScoring StorageNamespaceIndex StorageVersionAPI
StorageVersionHash StorageVersionMigrator StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
StrictIPCIDRValidation StructuredAuthenticationConfiguration StructuredAuthenticationConfigurationEgressSelector
StructuredAuthorizationConfiguration SupplementalGroupsPolicy SystemdWatchdog TaintTolerationComparisonOperators
TokenRequestServiceAccountUIDValidation TopologyAwareHints TopologyAwareWorkloadScheduling
TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions
TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy
UserNamespacesHostNetworkSupport UserNamespacesPodSecurityStandards UserNamespacesSupport VolumeAttributesClass
VolumeLimitScaling WatchCacheInitializationPostStartHook WatchFromStorageWithoutResourceVersion WatchList WinDSR
WinOverlay WindowsCPUAndMemoryAffinity WindowsGracefulNodeShutdown WindowsHostNetwork WorkloadAwarePreemption
WorkloadWithJob AllAlpha AllBeta`;

const known: ReadonlySet<string> = new Set([...Object.keys(asked), ...others.trim().split(/\s+/)]);

export function isKnownGate(name: string): boolean {
  return known.has(name);
}

/** What is wrong with the name of a gate; empty where nothing is. */
export function gateProblem(name: string): string {
  if (known.has(name)) return '';
  const [near] = nearestNames(name, known, Math.max(2, Math.floor(name.length / 4)));
  const hint = near === undefined ? '' : say`; did you mean ${near}?`;
  return say`there is no feature gate ${name}${hint}`;
}

/** Reads `HPAScaleToZero=true,ImageVolume=false`, or says what is wrong with it. */
export function gatesOf(text: string): Gates | string {
  const gates = new Map<string, boolean>();
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue;
    const [name = '', value, ...rest] = pair.split('=');
    if ((value !== 'true' && value !== 'false') || rest.length > 0) {
      return say`'${pair}' is not NAME=true or NAME=false`;
    }
    const problem = gateProblem(name);
    if (problem !== '') return problem;
    gates.set(name, value === 'true');
  }
  return gates;
}

const made = new WeakMap<Release, Map<string, Release>>();

/** A release with gates that are switched: the same one for the same gates. */
export function withGates(release: Release, gates: Gates): Release {
  const switched = [...gates].filter(([name, isOn]) => Object.hasOwn(asked, name) && isOn !== isOnIn(release, name));
  if (switched.length === 0) return release;
  let releases = made.get(release);
  if (releases === undefined) made.set(release, (releases = new Map<string, Release>()));
  const key = JSON.stringify(switched.sort());
  let other = releases.get(key);
  if (other === undefined) {
    const featureGates = new Set(release.featureGates);
    for (const [name, isOn] of switched) {
      if (isOn) featureGates.add(name as FeatureGate);
      else featureGates.delete(name as FeatureGate);
    }
    releases.set(key, (other = { ...release, featureGates }));
  }
  return other;
}

function isOnIn({ featureGates }: Release, name: string): boolean {
  return featureGates.has(name as FeatureGate);
}
