import { getOrInsert } from '../../util/maps.ts';
import { own } from '../../util/own.ts';
import type { NodeAffinity, TopologySpreadConstraint } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';

/** The scheduler of a pod that names none. Source: SetDefaults_PodSpec in pkg/apis/core/v1/defaults.go */
export const defaultSchedulerName = 'default-scheduler';

export interface ResourceWeight {
  readonly name: string;
  readonly weight: number;
}

/** A point of a shape by which utilization is scored: utilization 0..100, score 0..10. */
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
   * The fault of 1.34.0 and all that follow up to 1.36.3: a namespace selector of the incoming pod is also matched
   * against no labels at all. Not an argument of upstream's; false gives the answers of 1.33.
   */
  readonly namespaceSelectorMatchesNoLabels: boolean;
}

export interface PodTopologySpreadArgs {
  readonly defaultingType: 'System' | 'List';
  readonly defaultConstraints: readonly TopologySpreadConstraint[];
}

export interface VolumeBindingArgs {
  /** Scores storage. Source: StorageCapacityScoring */
  readonly shape: readonly ShapePoint[];
}

export interface DefaultPreemptionArgs {
  readonly minCandidateNodesPercentage: number;
  readonly minCandidateNodesAbsolute: number;
}

/** In milliseconds. */
export interface DynamicResourcesArgs {
  /** How long a node is searched for devices; 0 for as long as it takes. */
  readonly filterTimeout: number;
  /** How long devices may take to get ready for a node. */
  readonly bindingTimeout: number;
}

/** The arguments of the plugins that have any. */
export interface PluginArgs {
  readonly NodeResourcesFit: NodeResourcesFitArgs;
  readonly NodeResourcesBalancedAllocation: NodeResourcesBalancedAllocationArgs;
  readonly NodeAffinity: NodeAffinityArgs;
  readonly InterPodAffinity: InterPodAffinityArgs;
  readonly PodTopologySpread: PodTopologySpreadArgs;
  readonly VolumeBinding: VolumeBindingArgs;
  readonly DynamicResources: DynamicResourcesArgs;
  readonly DefaultPreemption: DefaultPreemptionArgs;
}

/** One scheduler profile: which plugins run where, in order, and with which arguments. */
export interface Profile {
  readonly schedulerName: string;
  /** 0 is adaptive. */
  readonly percentageOfNodesToScore: number;
  /** Plugin names in the order in which they run; names the engine does not know are left out. */
  readonly enabled: Readonly<Record<EnginePoint, readonly string[]>>;
  /** Weight of each Score plugin. */
  readonly weights: ReadonlyMap<string, number>;
  readonly args: PluginArgs;
  /** Plugins that fail whenever they run, because what prepares for them is not enabled. */
  readonly failing: Readonly<Record<'filter' | 'score', readonly string[]>>;
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
  VolumeBinding: {
    shape: [
      { utilization: 0, score: 10 },
      { utilization: 100, score: 0 },
    ],
  },
  DynamicResources: { filterTimeout: 10_000, bindingTimeout: 600_000 },
  DefaultPreemption: { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 },
};

/** Where the engine runs plugins. The other points belong to the queue, or only write what was decided. */
export type EnginePoint = 'preEnqueue' | 'queueSort' | 'preFilter' | 'filter' | 'postFilter' | 'preScore' | 'score';

/** The plugins of a release's default profile in order, with the weight of those that score. Source: default_plugins.go */
export function defaultPluginsOf(release: Release): readonly { readonly name: string; readonly weight?: number }[] {
  return Object.entries(release.plugins)
    .filter(([, { optional }]) => optional !== true)
    .map(([name, { weight }]) => (weight === undefined ? { name } : { name, weight }));
}

const defaultProfiles = new WeakMap<Release, Profile>();

/** The profile of a scheduler without configuration: every plugin at every extension point it has. */
export function defaultProfileOf(release: Release): Profile {
  return getOrInsert(defaultProfiles, release, () => makeDefaultProfile(release));
}

function makeDefaultProfile(release: Release): Profile {
  const plugins = defaultPluginsOf(release);
  const at = (...points: readonly EnginePoint[]): readonly string[] =>
    plugins
      .map(({ name }) => name)
      .filter((name) => points.some((point) => own(release.plugins, name)!.points.includes(point)));
  return {
    schedulerName: defaultSchedulerName,
    percentageOfNodesToScore: 0,
    enabled: {
      preEnqueue: at('preEnqueue'),
      queueSort: at('queueSort'),
      // Some plugins of the engine prepare in PreFilter what upstream works out in Filter.
      preFilter: at('preFilter', 'filter'),
      filter: at('filter'),
      postFilter: at('postFilter'),
      preScore: at('preScore'),
      score: at('score'),
    },
    weights: new Map(plugins.map(({ name, weight }) => [name, weight ?? 1])),
    args: defaultPluginArgs,
    failing: { filter: [], score: [] },
  };
}
