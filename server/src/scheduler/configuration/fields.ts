import {
  bool,
  int32,
  int64,
  list,
  raw,
  required,
  string,
  stringOf,
  struct,
  type Field,
} from '../../kubernetes/decode/field-types.ts';
import type { Json } from '../../kubernetes/json.ts';
import { nodeAffinity, topologySpreadConstraint } from '../../kubernetes/decode/placement-tables.ts';

/**
 * What a KubeSchedulerConfiguration says, typed but neither defaulted nor validated.
 * Source: staging/src/k8s.io/kube-scheduler/config/v1/types.go
 */
export interface ConfigurationFields {
  apiVersion?: string;
  kind?: string;
  parallelism?: number;
  leaderElection?: LeaderElectionFields;
  clientConnection?: ClientConnectionFields;
  enableProfiling?: boolean;
  enableContentionProfiling?: boolean;
  percentageOfNodesToScore?: number;
  podInitialBackoffSeconds?: number;
  podMaxBackoffSeconds?: number;
  profiles?: ProfileFields[];
  extenders?: ExtenderFields[];
  delayCacheUntilActive?: boolean;
}

/** Source: staging/src/k8s.io/component-base/config/v1alpha1/types.go */
export interface LeaderElectionFields {
  leaderElect?: boolean;
  leaseDuration?: Json;
  renewDeadline?: Json;
  retryPeriod?: Json;
  resourceLock?: string;
  resourceName?: string;
  resourceNamespace?: string;
}

export interface ClientConnectionFields {
  kubeconfig?: string;
  acceptContentTypes?: string;
  contentType?: string;
  qps?: Json;
  burst?: number;
}

export interface ProfileFields {
  schedulerName?: string;
  percentageOfNodesToScore?: number;
  plugins?: PluginsFields;
  pluginConfig?: PluginConfigFields[];
}

/** The extension points of a profile. Source: Plugins in types.go */
export const allPoints = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
] as const;
export type Point = (typeof allPoints)[number];

export type PluginsFields = Partial<Record<Point | 'multiPoint', PluginSetFields>>;

export interface PluginSetFields {
  enabled?: PluginFields[];
  disabled?: PluginFields[];
}

export interface PluginFields {
  name: string;
  weight?: number;
}

export interface PluginConfigFields {
  name: string;
  /** As written: each plugin has its own. */
  args?: Json;
}

export interface ExtenderFields {
  urlPrefix: string;
  filterVerb?: string;
  preemptVerb?: string;
  prioritizeVerb?: string;
  weight?: number;
  bindVerb?: string;
  enableHTTPS?: boolean;
  tlsConfig?: never;
  httpTimeout?: Json;
  nodeCacheCapable?: boolean;
  managedResources?: ManagedResourceFields[];
  ignorable?: boolean;
}

interface ManagedResourceFields {
  name: string;
  ignoredByScheduler?: boolean;
}

const plugin = struct<PluginFields>('Plugin', () => ({ name: required(string), weight: int32 }));

const pluginSet = struct<PluginSetFields>('PluginSet', () => ({ enabled: list(plugin), disabled: list(plugin) }));

const plugins = struct<PluginsFields>('Plugins', () => ({
  preEnqueue: pluginSet,
  queueSort: pluginSet,
  preFilter: pluginSet,
  filter: pluginSet,
  postFilter: pluginSet,
  preScore: pluginSet,
  score: pluginSet,
  reserve: pluginSet,
  permit: pluginSet,
  preBind: pluginSet,
  bind: pluginSet,
  postBind: pluginSet,
  multiPoint: pluginSet,
}));

const pluginConfig = struct<PluginConfigFields>('PluginConfig', () => ({ name: required(string), args: raw() }));

const profile = struct<ProfileFields>('KubeSchedulerProfile', () => ({
  schedulerName: string,
  percentageOfNodesToScore: int32,
  plugins,
  pluginConfig: list(pluginConfig),
}));

const managedResource = struct<ManagedResourceFields>('ExtenderManagedResource', () => ({
  name: required(string),
  ignoredByScheduler: bool,
}));

const extender = struct<ExtenderFields>('Extender', () => ({
  urlPrefix: required(string),
  filterVerb: string,
  preemptVerb: string,
  prioritizeVerb: string,
  weight: int64,
  bindVerb: string,
  enableHTTPS: bool,
  tlsConfig: raw(),
  httpTimeout: raw(),
  nodeCacheCapable: bool,
  managedResources: list(managedResource),
  ignorable: bool,
}));

const leaderElection = struct<LeaderElectionFields>('LeaderElectionConfiguration', () => ({
  leaderElect: bool,
  leaseDuration: raw(),
  renewDeadline: raw(),
  retryPeriod: raw(),
  resourceLock: string,
  resourceName: string,
  resourceNamespace: string,
}));

const clientConnection = struct<ClientConnectionFields>('ClientConnectionConfiguration', () => ({
  kubeconfig: string,
  acceptContentTypes: string,
  contentType: string,
  qps: raw(),
  burst: int32,
}));

export const configuration: Field<ConfigurationFields> = struct<ConfigurationFields>(
  'KubeSchedulerConfiguration',
  () => ({
    apiVersion: string,
    kind: string,
    parallelism: int32,
    leaderElection,
    clientConnection,
    enableProfiling: bool,
    enableContentionProfiling: bool,
    percentageOfNodesToScore: int32,
    podInitialBackoffSeconds: int64,
    podMaxBackoffSeconds: int64,
    profiles: list(profile),
    extenders: list(extender),
    delayCacheUntilActive: bool,
  }),
);

// Arguments. Source: staging/src/k8s.io/kube-scheduler/config/v1/types_pluginargs.go

interface TypeMeta {
  apiVersion?: string;
  kind?: string;
}

export interface ResourceFields {
  name: string;
  weight?: number;
}

interface ShapePointFields {
  utilization: number;
  score: number;
}

export interface ScoringStrategyFields {
  type?: string;
  resources?: ResourceFields[];
  requestedToCapacityRatio?: { shape?: ShapePointFields[] };
}

export interface NodeResourcesFitFields extends TypeMeta {
  ignoredResources?: string[];
  ignoredResourceGroups?: string[];
  scoringStrategy?: ScoringStrategyFields;
}

export interface BalancedAllocationFields extends TypeMeta {
  resources?: ResourceFields[];
}

export interface InterPodAffinityFields extends TypeMeta {
  hardPodAffinityWeight?: number;
  ignorePreferredTermsOfExistingPods?: boolean;
}

export interface DefaultPreemptionFields extends TypeMeta {
  minCandidateNodesPercentage?: number;
  minCandidateNodesAbsolute?: number;
}

export interface NodeAffinityFields extends TypeMeta {
  addedAffinity?: Held<typeof nodeAffinity>;
}

export interface PodTopologySpreadFields extends TypeMeta {
  defaultConstraints?: Held<typeof topologySpreadConstraint>[];
  defaultingType?: string;
}

interface VolumeBindingFields extends TypeMeta {
  bindTimeoutSeconds?: number;
  shape?: Json;
}

interface DynamicResourcesFields extends TypeMeta {
  filterTimeout?: Json;
  bindingTimeout?: Json;
}

type Held<F> = F extends Field<infer T> ? T : never;

const typeMeta = { apiVersion: string, kind: string } as const;

const resource = struct<ResourceFields>('ResourceSpec', () => ({ name: required(string), weight: int64 }));

const shapePoint = struct<ShapePointFields>('UtilizationShapePoint', () => ({
  utilization: required(int32),
  score: required(int32),
}));

const ratio = struct<{ shape?: ShapePointFields[] }>('RequestedToCapacityRatioParam', () => ({
  shape: list(shapePoint),
}));

const scoringStrategy = struct<ScoringStrategyFields>('ScoringStrategy', () => ({
  type: stringOf('v1.ScoringStrategyType'),
  resources: list(resource),
  requestedToCapacityRatio: ratio,
}));

/** By plugin: the arguments that the engine knows. */
export const argsFields = {
  NodeResourcesFit: struct<NodeResourcesFitFields>('NodeResourcesFitArgs', () => ({
    ...typeMeta,
    ignoredResources: list(string),
    ignoredResourceGroups: list(string),
    scoringStrategy,
  })),
  NodeResourcesBalancedAllocation: struct<BalancedAllocationFields>('NodeResourcesBalancedAllocationArgs', () => ({
    ...typeMeta,
    resources: list(resource),
  })),
  InterPodAffinity: struct<InterPodAffinityFields>('InterPodAffinityArgs', () => ({
    ...typeMeta,
    hardPodAffinityWeight: int32,
    ignorePreferredTermsOfExistingPods: bool,
  })),
  DefaultPreemption: struct<DefaultPreemptionFields>('DefaultPreemptionArgs', () => ({
    ...typeMeta,
    minCandidateNodesPercentage: int32,
    minCandidateNodesAbsolute: int32,
  })),
  NodeAffinity: struct<NodeAffinityFields>('NodeAffinityArgs', () => ({ ...typeMeta, addedAffinity: nodeAffinity })),
  PodTopologySpread: struct<PodTopologySpreadFields>('PodTopologySpreadArgs', () => ({
    ...typeMeta,
    defaultConstraints: list(topologySpreadConstraint),
    defaultingType: stringOf('v1.PodTopologySpreadConstraintsDefaulting'),
  })),
  VolumeBinding: struct<VolumeBindingFields>('VolumeBindingArgs', () => ({
    ...typeMeta,
    bindTimeoutSeconds: int64,
    shape: raw(),
  })),
  DynamicResources: struct<DynamicResourcesFields>('DynamicResourcesArgs', () => ({
    ...typeMeta,
    filterTimeout: raw(),
    bindingTimeout: raw(),
  })),
} as const;
