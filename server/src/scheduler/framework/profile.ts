import type { NodeAffinity, TopologySpreadConstraint } from '../../kubernetes/objects.ts';

/** Where a plugin can take part. Source: pkg/scheduler/apis/config/types.go (Plugins) */
export type ExtensionPoint = 'preEnqueue' | 'queueSort' | 'preFilter' | 'filter' | 'postFilter' | 'preScore' | 'score';

export interface ResourceWeight {
  readonly name: string;
  readonly weight: number;
}

/** A point of RequestedToCapacityRatio: utilization 0..100, score 0..10. */
export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

export interface NodeResourcesFitArgs {
  readonly ignoredResources: readonly string[];
  readonly ignoredResourceGroups: readonly string[];
  readonly scoringStrategy: {
    readonly type: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';
    readonly resources: readonly ResourceWeight[];
    /** Only for RequestedToCapacityRatio. */
    readonly shape: readonly ShapePoint[];
  };
}

export interface NodeResourcesBalancedAllocationArgs {
  readonly resources: readonly ResourceWeight[];
}

export interface NodeAffinityArgs {
  readonly addedAffinity?: NodeAffinity | undefined;
}

export interface InterPodAffinityArgs {
  readonly hardPodAffinityWeight: number;
  readonly ignorePreferredTermsOfExistingPods: boolean;
  /**
   * The fault of 1.34.0 and 1.34.1: a namespace selector of the incoming pod is also matched against no labels at all.
   * Not an argument of upstream's; false gives the answers of 1.33 and of later patches.
   */
  readonly namespaceSelectorMatchesNoLabels: boolean;
}

export interface PodTopologySpreadArgs {
  readonly defaultingType: 'System' | 'List';
  readonly defaultConstraints: readonly TopologySpreadConstraint[];
}

export interface DefaultPreemptionArgs {
  readonly minCandidateNodesPercentage: number;
  readonly minCandidateNodesAbsolute: number;
}

/** The arguments of the plugins that have any. */
export interface PluginArgs {
  readonly NodeResourcesFit: NodeResourcesFitArgs;
  readonly NodeResourcesBalancedAllocation: NodeResourcesBalancedAllocationArgs;
  readonly NodeAffinity: NodeAffinityArgs;
  readonly InterPodAffinity: InterPodAffinityArgs;
  readonly PodTopologySpread: PodTopologySpreadArgs;
  readonly DefaultPreemption: DefaultPreemptionArgs;
}

/** One scheduler profile: which plugins run where, in order, and with which arguments. */
export interface Profile {
  readonly schedulerName: string;
  /** 0 is adaptive. */
  readonly percentageOfNodesToScore: number;
  /** Plugin names in the order in which they run; names the engine does not know are left out. */
  readonly enabled: Readonly<Record<ExtensionPoint, readonly string[]>>;
  /** Weight of each Score plugin. */
  readonly weights: ReadonlyMap<string, number>;
  readonly args: PluginArgs;
}

const cpuAndMemory: readonly ResourceWeight[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** Source: pkg/scheduler/apis/config/v1/defaults.go */
export const defaultPluginArgs: PluginArgs = {
  NodeResourcesFit: {
    ignoredResources: [],
    ignoredResourceGroups: [],
    scoringStrategy: { type: 'LeastAllocated', resources: cpuAndMemory, shape: [] },
  },
  NodeResourcesBalancedAllocation: { resources: cpuAndMemory },
  NodeAffinity: {},
  InterPodAffinity: {
    hardPodAffinityWeight: 1,
    ignorePreferredTermsOfExistingPods: false,
    namespaceSelectorMatchesNoLabels: true,
  },
  PodTopologySpread: { defaultingType: 'System', defaultConstraints: [] },
  DefaultPreemption: { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 },
};

/** The plugins of the default profile in order, with the weight of those that score. Source: default_plugins.go */
export const defaultPlugins: readonly { readonly name: string; readonly weight?: number }[] = [
  { name: 'SchedulingGates' },
  { name: 'PrioritySort' },
  { name: 'NodeUnschedulable' },
  { name: 'NodeName' },
  { name: 'TaintToleration', weight: 3 },
  { name: 'NodeAffinity', weight: 2 },
  { name: 'NodePorts' },
  { name: 'NodeResourcesFit', weight: 1 },
  { name: 'VolumeRestrictions' },
  { name: 'NodeVolumeLimits' },
  { name: 'VolumeBinding' },
  { name: 'VolumeZone' },
  { name: 'PodTopologySpread', weight: 2 },
  { name: 'InterPodAffinity', weight: 2 },
  { name: 'DynamicResources' },
  { name: 'DefaultPreemption' },
  { name: 'NodeResourcesBalancedAllocation', weight: 1 },
  { name: 'ImageLocality', weight: 1 },
  { name: 'DefaultBinder' },
];

const everyPlugin = defaultPlugins.map(({ name }) => name);

/** The profile of a scheduler without configuration: every plugin at every extension point it has. */
export const defaultProfile: Profile = {
  schedulerName: 'default-scheduler',
  percentageOfNodesToScore: 0,
  enabled: {
    preEnqueue: everyPlugin,
    queueSort: everyPlugin,
    preFilter: everyPlugin,
    filter: everyPlugin,
    postFilter: everyPlugin,
    preScore: everyPlugin,
    score: everyPlugin,
  },
  weights: new Map(defaultPlugins.map(({ name, weight }) => [name, weight ?? 1])),
  args: defaultPluginArgs,
};
