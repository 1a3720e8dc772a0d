import type { Minor } from '../util/minors.ts';
import type { ApiTypes } from './api/index.ts';
import type { ServedKinds } from './api/served.ts';

/**
 * What differs between the minor versions of Kubernetes that Podium imitates, as data: one object per minor, in
 * `releases/`. Whoever needs to know asks the object; nothing compares versions.
 */

/** Where a scheduler plugin can take part. Source: pkg/scheduler/apis/config/types.go (Plugins) */
export type ExtensionPoint =
  | 'preEnqueue'
  | 'queueSort'
  | 'preFilter'
  | 'filter'
  | 'postFilter'
  | 'preScore'
  | 'score'
  | 'reserve'
  | 'permit'
  | 'preBind'
  | 'bind'
  | 'postBind'
  | 'placementGenerate'
  | 'placementScore';

/** A plugin of the scheduler's own registry. */
export interface ReleasePlugin {
  readonly points: readonly ExtensionPoint[];
  /** Of a plugin that scores. */
  readonly weight?: number;
  /** Registered under its name, but no part of the default profile. */
  readonly optional?: true;
}

/**
 * Feature gates that are on by default in one of the minors, whose fields a user may write, or that lift a refusal, and
 * that an answer depends on. Source: pkg/features/kube_features.go
 */
export type FeatureGate =
  | 'CSIServiceAccountTokenSecrets'
  | 'ClearingNominatedNodeNameAfterBinding'
  | 'ContainerRestartRules'
  | 'DRAAdminAccess'
  | 'DRAConsumableCapacity'
  | 'DRADeviceBindingConditions'
  | 'DRADeviceTaintRules'
  | 'DRADeviceTaints'
  | 'DRAExtendedResource'
  | 'DRAFractionalCapacityRange'
  | 'DRAListTypeAttributes'
  | 'DRAPartitionableDevices'
  | 'DRAPrioritizedList'
  | 'DRAResourceClaimDeviceStatus'
  | 'EnvFiles'
  | 'GangScheduling'
  | 'GenericWorkload'
  | 'HPAConfigurableTolerance'
  | 'HPAScaleToZero'
  | 'HostnameOverride'
  | 'ImageVolume'
  | 'InPlacePodLevelResourcesVerticalScaling'
  | 'MatchLabelKeysInPodTopologySpread'
  | 'MaxUnavailableStatefulSet'
  | 'MutableCSINodeAllocatableCount'
  | 'MutablePVNodeAffinity'
  | 'MutablePodResourcesForSuspendedJobs'
  | 'MutableSchedulingDirectivesForSuspendedJobs'
  | 'NodeDeclaredFeatures'
  | 'PodTopologyLabelsAdmission'
  | 'RelaxedServiceNameValidation'
  | 'RestartAllContainersOnContainerExits'
  | 'StorageCapacityScoring'
  | 'StrictIPCIDRValidation'
  | 'TaintTolerationComparisonOperators'
  | 'VolumeLimitScaling'
  | 'WorkloadAwarePreemption';

/** What the code of a minor does otherwise than its neighbours', where no feature gate decides. */
export interface Behaviours {
  /**
   * Victims that terminate already are preempted once more: they get condition and event again, and lower nominations
   * on the node are cleared although nobody else is a victim.
   * Source: prepareCandidateAsync in pkg/scheduler/framework/preemption
   */
  readonly preemptsTerminatingVictims: boolean;
  /**
   * That a nominated pod is bound is taken for its deletion, and frees the room that was held for it.
   * Source: deletePodFromSchedulingQueue in pkg/scheduler/eventhandlers.go
   */
  readonly bindingEndsNomination: boolean;
  /** Pods that are only nominated to a node wake others as those on a node do. Source: pull request 135392 */
  readonly hintsSeeNominatedPods: boolean;
  /** A pod is tried again when its own labels change. Source: pull request 135394, for InterPodAffinity */
  readonly hintsSeeOwnLabels: boolean;
  /** That a pod goes which kept the waiting one away is noticed. Source: pull request 135325, for InterPodAffinity */
  readonly hintsSeeAntiAffinityOfOthers: boolean;
  /**
   * One matching term of anti-affinity makes a change worth a try; else all must match.
   * Source: pull request 139161, for InterPodAffinity
   */
  readonly hintsSeeAnyAntiAffinity: boolean;
  /** The nomination of a pod that PreEnqueue holds back holds room, too. Source: pull request 139057 */
  readonly gatedNominationsHold: boolean;
  /** A profile without a PostFilter plugin leaves the nomination of a pod that fits nowhere. Source: handleSchedulingFailure */
  readonly keepsNominationWithoutPostFilter: boolean;
  /**
   * NodeResourcesBalancedAllocation scores what the pod changes of the balance, not the balance with the pod.
   * Source: balanced_allocation.go (balancedResourceScorer)
   */
  readonly scoresChangeOfBalance: boolean;
  /** ImageLocality counts image volumes. Source: image_locality.go (sumImageScores) */
  readonly countsImageVolumes: boolean;
  /** An image volume raises what ImageLocality can reach, as a container does. Source: pull request 138951 */
  readonly boundsImageVolumes: boolean;
  /** Portworx volumes are those of its CSI driver without a word from the node. Source: isCSIMigrationOn in nodevolumelimits */
  readonly alwaysMigratesPortworx: boolean;
  /** Arguments of NodeResourcesFit must fit the type of its strategy. Source: ValidateNodeResourcesFitArgs */
  readonly checksScoringStrategy: boolean;
  /** More restart rules or exit codes than may be are too many; earlier the list was too long. */
  readonly countsRestartRules: boolean;
  /** Operators `Gt` and `Lt` of tolerations are known, though their gate is off. Source: ValidateTolerations */
  readonly knowsNumericTolerations: boolean;
  /** What is stored with `hostNetwork` and no `hostUsers` may be updated so. Source: UserNamespacesHostNetworkSupport */
  readonly sparesStoredHostNetworkUsers: boolean;
  /** An init container that ends may not ask to be restarted for a resize. Source: validateResizePolicy */
  readonly refusesResizeOfInitContainers: boolean;
  /** kubectl drain writes "cannot delete" twice before "Pods that declare no controller". */
  readonly drainRepeatsCannotDelete: boolean;
  /** New quotas that ask for more than they limit are told of. Source: WarningsOnCreate in pkg/registry/core/resourcequota */
  readonly warnsOfQuotas: boolean;
  /** Drivers of slices that are named in capitals are told of. Source: pull request 134185 */
  readonly warnsOfDrivers: boolean;
  /** What of a Service is deprecated. Source: GetWarningsForService in pkg/api/service/warnings.go, KEPs 3015 and 5707 */
  readonly warnsOfServices: readonly ('externalIPs' | 'PreferClose')[];
  /** The empty name of a CSI driver is also said to be of no valid form. Source: ValidateCSIDriverName */
  readonly formatsEmptyDrivers: boolean;
  /** A label is counted in bytes, and its key is called one. Source: k8s.io/apimachinery/pkg/api/validate/content */
  readonly countsLabelsInBytes: boolean;
  /** A maximum of 0 is one that is not written. */
  readonly wantsMaximumOfAutoscalers: boolean;
  /** Updates of some kinds judge the whole object, and then judge it as an update. Source: ValidateUpdate of their strategies */
  readonly judgesUpdatesTwice: boolean;
  /** The driver of an attachment is judged whole, and before the rest. Source: validateVolumeAttachmentSpec */
  readonly judgesAttachersFirst: boolean;
  /** Each field of a StorageClass is said to be immutable, and an empty map of parameters is none. */
  readonly namesImmutableClassFields: boolean;
  /**
   * The largest of what a resize in place wants, has granted and has in force is that of the whole pod; else of each
   * container. Source: pull request 140047 (AggregateContainerRequests in component-helpers/resource/helpers.go)
   */
  readonly resizesWholePods: boolean;
  /** Resources of a pod that name none leave its QoS class to the containers. Source: pull request 137150 */
  readonly ignoresEmptyPodResources: boolean;
  /** The message of a pod that preempts others says where. Source: pull request 140180 */
  readonly tellsOfPreemption: boolean;
  /** A template must name the image of an image volume. Source: pull request 135989 */
  readonly wantsImagesOfTemplates: boolean;
  /** A refused eviction says why the budget allows none. Source: checkAndDecrement in pkg/registry/core/pod/storage/eviction.go */
  readonly explainsRefusedEvictions: boolean;
  /** A Job keeps a pod that has failed until it looks again after its pause. Source: recorded roll-outs of 1.34 */
  readonly jobsKeepFailedPods: boolean;
}

/**
 * How the allocator of devices that a minor uses by default differs from that of others, where no feature gate decides.
 * Source: staging/src/k8s.io/dynamic-resource-allocation/structured (NewAllocator), internal/{experimental,incubating}
 */
export interface DeviceAllocation {
  /** A pool is complete when all its slices are there; else when those are that reach the node. */
  readonly countsSlicesOfOtherNodes: boolean;
  /** Devices of pools that are not complete, or not valid, are passed over; else only an invalid pool ends the attempt. */
  readonly skipsBadPools: boolean;
  /** Pools are searched by driver and name, slices by name; else in the order of a map of Go. */
  readonly sortsPools: boolean;
  /** The next device of a request is looked for behind the last one; else from the first again. */
  readonly continuesBehindLastDevice: boolean;
  /** An alternative that wants all devices stays itself after its first device; else the first alternative goes on. */
  readonly keepsAlternativeOfAll: boolean;
  /**
   * Counters are of the slice that has them, for its own devices; else of the pool. Source: checkAvailableCounters in
   * structured/internal/experimental/allocator_experimental.go of 1.34
   */
  readonly countersOfSlices: boolean;
  /** Slices with counters belong to a pool on every node; else on those that they are for. */
  readonly countersReachAllNodes: boolean;
  /**
   * What a device that is refused or left again had taken is given back; pools are told apart by driver too, distinct values
   * by device; a share counts without consumed capacity; a full device fails a request for all; an amount that cannot be
   * rounded ends the attempt. Source: pull requests 140431, 140435, 140437, 140442, 140600, 140769
   */
  readonly accountsExactly: boolean;
  /** A configuration is written once, and without requests where it is for all. Source: pull requests 139731, 139732 */
  readonly joinsConfigurations: boolean;
  /** Errors of selectors say of which device, and what helps where a key is missing. Source: EnhanceRuntimeError in cel/errors.go */
  readonly namesDevicesInErrors: boolean;
  /** Selectors read lists of attributes whatever their gate says. Source: getAttributeValue in cel/compile.go */
  readonly selectorsReadLists: boolean;
  /** What becomes of a request with capacities while their gate is off; the text names it, or its alternative. */
  readonly capacityRequestsWithoutGate: 'ignored' | 'refused' | 'alternative refused';
  /** What becomes of `distinctAttribute` while its gate is off. */
  readonly distinctAttributeWithoutGate: 'enforced' | 'ignored' | 'refused';
  /** A search that takes too long ends the attempt; else it refuses the node. */
  readonly timeoutEndsAttempt: boolean;
  /** Results carry the tolerations of their requests. Source: Allocator.Allocate */
  readonly resultsCarryTolerations: boolean;
  /** Selectors may call `includes`. Source: newCompiler in cel/compile.go */
  readonly selectorsInclude: boolean;
  /**
   * Selectors of new objects may do what they can since 1.34; else what the minor before knows, too.
   * Source: DefaultCompatibilityVersion in apiserver/pkg/cel/environment/base.go
   */
  readonly newSelectorsKnowLists: boolean;
  /** Claims of templates are "not created for Pod", else "for pod". Source: IsForPod in resourceclaim/resourceclaim.go */
  readonly writesPodLarge: boolean;
  /** How an attribute of a slice without a value is refused. Source: validateDeviceAttribute in pkg/apis/resource/validation */
  readonly refusesNoValueAs: 'required' | 'invalid';
  /** Of a list that is too long the items are judged, too, and what is there twice is named by its field. */
  readonly judgesLongLists: boolean;
  /** A bad key of a map is named in the path, too. Source: validateMap */
  readonly namesBadKeys: boolean;
}

/** A minor version of Kubernetes. */
export interface Release {
  readonly minor: Minor;
  /** The patch release whose answers these are. */
  readonly version: string;
  /** The fields of its objects. */
  readonly types: ApiTypes;
  /** The kinds that its API server takes. */
  readonly served: ServedKinds;
  /** Those that it takes only where the feature gate GenericWorkload and their version are switched on. */
  readonly servedOnDemand: Readonly<Record<string, readonly string[]>>;
  /** The scheduler's plugins, in the order of its default profile. Source: default_plugins.go, plugins/registry.go */
  readonly plugins: Readonly<Record<string, ReleasePlugin>>;
  /** The gates that are on by default. */
  readonly featureGates: ReadonlySet<FeatureGate>;
  readonly behaviours: Behaviours;
  readonly devices: DeviceAllocation;
}
