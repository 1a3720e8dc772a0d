import { getOrInsert } from '../util/maps.ts';
import { say } from '../util/say.ts';
import { type Minor, minors } from '../util/minors.ts';
import { nearestNames } from '../util/nearest-names.ts';
import { own } from '../util/own.ts';
import { alsoServed, switchedOn } from './api/served.ts';
import type { FeatureGate, Release } from './release.ts';

/** Gates that somebody switches: `HPAScaleToZero` to true; and what `--runtime-config` does: `resource.k8s.io/v1beta1`. */
export type Gates = ReadonlyMap<string, boolean>;

export const noGates: Gates = new Map();

/**
 * Those that an answer depends on, with their stage in each minor: alpha, beta, GA, or none where there is no such gate.
 * Source: pkg/features/kube_features.go; pull request 139520, which merges two gates into GenericWorkload
 */
const asked: Readonly<Record<FeatureGate, string>> = {
  CSIServiceAccountTokenSecrets: '-bgg',
  ClearingNominatedNodeNameAfterBinding: 'abbb',
  ContainerRestartRules: 'abbb',
  DRAAdminAccess: 'bbgg',
  DRAConsumableCapacity: 'aabb',
  DRADeviceBindingConditions: 'aabb',
  DRADeviceTaintRules: '-abb',
  DRADeviceTaints: 'aabb',
  DRAExtendedResource: 'aabb',
  DRAFractionalCapacityRange: '---b',
  DRAListTypeAttributes: '--aa',
  DRAPartitionableDevices: 'aabb',
  DRAPrioritizedList: 'bbgg',
  DRAResourceClaimDeviceStatus: 'bbbb',
  EnvFiles: 'abbb',
  GangScheduling: '-aa-',
  GenericWorkload: '-aaa',
  HPAConfigurableTolerance: 'abbb',
  HPAScaleToZero: 'aaab',
  HostnameOverride: 'abbb',
  ImageVolume: 'bbgg',
  InPlacePodLevelResourcesVerticalScaling: '-abb',
  MatchLabelKeysInPodTopologySpread: 'bbbb',
  MaxUnavailableStatefulSet: 'abbb',
  MutableCSINodeAllocatableCount: 'bbgg',
  MutablePVNodeAffinity: '-aaa',
  MutablePodResourcesForSuspendedJobs: '-abb',
  MutableSchedulingDirectivesForSuspendedJobs: '-abb',
  NodeDeclaredFeatures: '-abb',
  PodTopologyLabelsAdmission: 'abbb',
  RelaxedServiceNameValidation: 'aabb',
  RestartAllContainersOnContainerExits: '-abb',
  StorageCapacityScoring: 'aaab',
  StrictIPCIDRValidation: 'aabb',
  TaintTolerationComparisonOperators: '-aaa',
  VolumeLimitScaling: '-aab',
  WorkloadAwarePreemption: '--a-',
};

/**
 * Others that may be switched, and change nothing here. Source: pkg/features/kube_features.go,
 * test/compatibility_lifecycle/reference
 */
const others = `
APIResponseCompression APIServerIdentity APIServerTracing APIServerWebhookAuthenticationToken APIServingWithRoutine
AggregatedDiscoveryRemoveBetaType AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
AllowOverwriteTerminationGracePeriodSeconds AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs
AllowServiceLBStatusOnNonLB AllowUnsafeMalformedObjectDeletion AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
AtomicFIFO AtomicWriteVolumeUserFields AuthorizeNodeWithSelectors AuthorizePodWebsocketUpgradeCreatePermission
AuthorizeWithSelectors BtreeWatchCache CBORServingAndStorage CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions
CPUManagerPolicyOptions CRDObservedGenerationTracking CRDValidationRatcheting CRIListStreaming CSIMigrationPortworx
CSIVolumeHealth ChangeContainerStatusOnKubeletRestart ClientsAllowCARotation ClientsAllowCBOR ClientsAllowTLSCacheGC
ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook ClusterTrustBundle
ClusterTrustBundleProjection ComponentFlagz ComponentSLIs ComponentStatusz CompositePodGroup
ConcurrentWatchObjectDecode ConsistentListFromCache ConsistentListFromCacheSkipTimeoutFallback ConstrainedImpersonation
ContainerCheckpoint ContainerStopSignals ContextualLogging ControllerManagerReleaseLeaderElectionLockOnExit
CoordinatedLeaderElection CronJobsScheduledAnnotation CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod
CustomResourceFieldSelectors DRADerivedAttributes DRADeviceCompatibilityGroups DRANodeAllocatableResources
DRAOptionalNodeOperations DRAPartitionableDevicesType DRAResourceClaimGranularStatusAuthorization DRAResourcePoolStatus
DRASchedulerFilterTimeout DRAWorkloadResourceClaims DeclarativeValidation DeclarativeValidationBeta
DeclarativeValidationTakeover DefaultPodSysctls DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency
DevicePluginCDIDevices DisableAllocatorDualWrite DisableCPUQuotaWithExclusiveCPUs DisableNodeKubeProxyVersion
DynamicResourceAllocation EmptyDirVolumeMode EtcdRangeStream EventedPLEG EvictionRequestAPI
ExcludeAdmissionWebhookVirtualResources ExecProbeTimeout ExtendWebSocketsToKubelet ExternalServiceAccountTokenSigner
GRPCContainerProbeTLS GitRepoVolumeDriver GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority H2CContainerProbe
HPAOptimizedSelectorStore HonorPVReclaimPolicy HugepageAwareEviction ImageMaximumGCAge ImageVolumeWithDigest
InOrderInformers InOrderInformersBatchProcess InPlacePodVerticalScaling InPlacePodVerticalScalingAllocatedStatus
InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory InPlacePodVerticalScalingInitContainers
InPlacePodVerticalScalingMemoryBackedVolumes InPlacePodVerticalScalingSchedulerPreemption
InTreePluginPortworxUnregister InformerResourceVersion InterPodAffinityHostnameFastPath JobBackoffLimitPerIndex
JobManagedBy JobPodReplacementPolicy JobSuccessPolicy KMSv1 KubeProxyIPVS KubeletAllocatedPodsEndpoint
KubeletCgroupDriverFromCRI KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletFineGrainedAuthz
KubeletInUserNamespace KubeletPSI KubeletPodResourcesDynamicResources KubeletPodResourcesGet
KubeletPodResourcesListUseActivePods KubeletRegistrationGetOnExistsOnly KubeletSeparateDiskGC
KubeletServiceAccountTokenForCredentialProviders KubeletTracing ListFromCacheSnapshot LoadBalancerIPMode
LocalStorageCapacityIsolationFSQuotaMonitoring LogarithmicScaleDown LoggingAlphaOptions LoggingBetaOptions
LoggingStableOptions ManifestBasedAdmissionControlConfig MatchLabelKeysInPodAffinity
MatchLabelKeysInPodTopologySpreadSelectorMerge MemoryManager MemoryQoS MultiCIDRServiceAllocator
MutatingAdmissionPolicy NFTablesNetlink NFTablesProxyMode NativeHistograms NodeInclusionPolicyInPodTopologySpread
NodeLogQuery NodeSwap NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching OrderedNamespaceDeletion
PLEGOnDemandRelist PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI PodCertificateRequest
PodDeletionCost PodGroupPreemptionPolicy PodIndexLabel PodLevelResourceManagers PodLevelResources
PodLifecycleSleepAction PodLifecycleSleepActionAllowZero PodLogsQuerySplitStreams PodObservedGenerationTracking
PodReadyToStartContainersCondition PodSchedulingReadiness PodsAPI PortForwardWebsockets PreferSameTrafficDistribution
PreventStaticPodAPIReferences ProbeHostPodSecurityStandards ProcMountType QOSReserved RecoverVolumeExpansionFailure
RecursiveReadOnlyMounts ReduceDefaultCrashLoopBackOffDecay RelaxedDNSSearchValidation
RelaxedEnvironmentVariableValidation ReloadKubeletServerCertificateFile RemoteRequestHeaderUID
ResilientWatchCacheInitialization ResourceHealthStatus ResourceHealthStatusMessage RetryGenerateName
RotateKubeletServerCertificate RuntimeClassInImageCriApi SELinuxChangePolicy SELinuxMount SELinuxMountReadWriteOncePod
SchedulerAsyncAPICalls SchedulerAsyncPreemption SchedulerPopFromBackoffQ SchedulerPreQueueingHints
SchedulerQueueingHints SeparateCacheWatchRPC SeparateTaintEvictionController ServiceAccountNodeAudienceRestriction
ServiceAccountTokenJTI ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation
ServiceAccountTokenPodNodeInfo ServiceCIDRStatusFieldWiping ServiceTrafficDistribution ShardedListAndWatch
SidecarContainers SizeBasedListCostEstimate SizeMemoryBackedVolumes StaleControllerConsistencyDaemonSet
StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet
StatefulSetAutoDeletePVC StatefulSetRecreateStrategy StatefulSetSemanticRevisionComparison StorageNamespaceIndex
StorageVersionAPI StorageVersionHash StorageVersionMigration StorageVersionMigrator StreamingCollectionEncodingToJSON
StreamingCollectionEncodingToProtobuf StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks
StructuredAuthenticationConfiguration StructuredAuthenticationConfigurationEgressSelector
StructuredAuthenticationConfigurationJWKSMetrics StructuredAuthorizationConfiguration SupplementalGroupsPolicy
SystemdWatchdog TokenRequestServiceAccountUIDValidation TopologyAwareHints TopologyAwareWorkloadScheduling
TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions
TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy
UnlockWhileProcessingFIFO UserNamespacesHostNetworkSupport UserNamespacesPodSecurityStandards UserNamespacesSupport
VolumeAttributesClass VolumeBindMountOptions WatchCacheInitializationPostStartHook
WatchFromStorageWithoutResourceVersion WatchList WatchListClient WatchListCompression WebhookRoundTripLoadBalancing
WinDSR WinOverlay WindowsCPUAndMemoryAffinity WindowsGracefulNodeShutdown WindowsHostNetwork WorkloadWithJob AllAlpha
AllBeta`;

/** Of gates that are switched those that a minor does not have: its components refuse to start with them. */
export function gatesUnknownTo(minor: Minor, gates: Gates): readonly string[] {
  return [...gates.keys()].filter((name) => !hasGate(minor, name));
}

function hasGate(minor: Minor, name: string): boolean {
  return stageOf(minor, name) !== '-';
}

function stageOf(minor: Minor, name: string): string | undefined {
  return own(asked, name)?.[minors.indexOf(minor)];
}

const stages: ReadonlyMap<string, string> = new Map([
  ['AllAlpha', 'a'],
  ['AllBeta', 'b'],
]);

/** With each gate that is switched by its stage; one that is named itself is as it says. */
function each(minor: Minor, gates: Gates): Gates {
  const byStage = [...stages].flatMap(([all, stage]) => {
    const isOn = gates.get(all);
    const names = Object.keys(asked).filter((name) => stageOf(minor, name) === stage);
    return isOn === undefined ? [] : names.map((name) => [name, isOn] as const);
  });
  return new Map([...byStage, ...gates]);
}

const known: ReadonlySet<string> = new Set([...Object.keys(asked), ...others.trim().split(/\s+/)]);

export function isKnownGate(name: string): boolean {
  return known.has(name) || switchedOn(name) !== undefined;
}

/** What is wrong with the name of a gate; empty where nothing is. */
export function gateProblem(name: string): string {
  if (isKnownGate(name)) return '';
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

const knowsCapacities = {
  capacityRequestsWithoutGate: 'alternative refused',
  distinctAttributeWithoutGate: 'enforced',
} as const;

/** A release with gates that are switched: the same one for the same gates. */
export function withGates(release: Release, gates: Gates): Release {
  const {
    minor,
    devices: { capacityRequestsWithoutGate },
  } = release;
  const counts = (name: string): boolean => Object.hasOwn(asked, name) && hasGate(minor, name);
  const switched = [...each(minor, gates)].filter(
    ([name, isOn]) => isOn !== isOnIn(release, name) && (counts(name) || (isOn && name.includes('/'))),
  );
  if (switched.length === 0) return release;
  const releases = getOrInsert(made, release, () => new Map());
  const key = JSON.stringify(switched.sort());
  let other = releases.get(key);
  if (other === undefined) {
    const featureGates = new Set(release.featureGates);
    for (const [name, isOn] of switched) {
      if (isOn) featureGates.add(name as FeatureGate);
      else featureGates.delete(name as FeatureGate);
    }
    // Where one gate stands for all of groups, the code still asks for each.
    if (featureGates.has('GenericWorkload') && !hasGate(minor, 'GangScheduling')) {
      featureGates.add('GangScheduling').add('WorkloadAwarePreemption');
    }
    // Nobody could say how the conditions are. Source: NewAllocator's features, pkg/scheduler/framework/plugins/feature
    if (!featureGates.has('DRAResourceClaimDeviceStatus')) featureGates.delete('DRADeviceBindingConditions');
    // The allocator of 1.35 that knows conditions knows of capacities, too.
    const isOther = featureGates.has('DRADeviceBindingConditions') && capacityRequestsWithoutGate === 'ignored';
    const devices = isOther ? { ...release.devices, ...knowsCapacities } : release.devices;
    releases.set(key, (other = { ...release, featureGates, devices, served: servedWith(featureGates, release) }));
  }
  return other;
}

/** Who switches GenericWorkload on is taken to have switched on the API versions of its kinds, too. */
function servedWith(gates: ReadonlySet<FeatureGate>, { served, servedOnDemand }: Release): Release['served'] {
  const all = gates.has('GenericWorkload') ? alsoServed(served, servedOnDemand) : served;
  return [...gates].reduce((so, name) => alsoServed(so, switchedOn(name) ?? {}), all);
}

function isOnIn({ featureGates }: Release, name: string): boolean {
  return featureGates.has(name as FeatureGate);
}
