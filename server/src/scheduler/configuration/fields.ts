import type * as api from '../../kubernetes/api/types.ts';

/**
 * What a KubeSchedulerConfiguration says, typed but neither defaulted nor validated.
 * Source: staging/src/k8s.io/kube-scheduler/config/v1/types.go, types_pluginargs.go
 */
export type ConfigurationFields = api.KubeSchedulerConfiguration;
export type LeaderElectionFields = api.LeaderElectionConfiguration;
export type ClientConnectionFields = api.ClientConnectionConfiguration;
export type ProfileFields = api.KubeSchedulerProfile;
export type PluginsFields = api.Plugins;
export type PluginSetFields = api.PluginSet;
export type PluginFields = api.Plugin;
export type PluginConfigFields = api.PluginConfig;
export type ExtenderFields = api.Extender;
export type ResourceFields = api.ResourceSpec;
export type ScoringStrategyFields = api.ScoringStrategy;
export type NodeResourcesFitFields = api.NodeResourcesFitArgs;
export type BalancedAllocationFields = api.NodeResourcesBalancedAllocationArgs;
export type InterPodAffinityFields = api.InterPodAffinityArgs;
export type DefaultPreemptionFields = api.DefaultPreemptionArgs;
export type NodeAffinityFields = api.NodeAffinityArgs;
export type PodTopologySpreadFields = api.PodTopologySpreadArgs;

/** The types that a configuration is decoded into. */
export interface ConfigurationTypes {
  readonly KubeSchedulerConfiguration: ConfigurationFields;
  readonly NodeResourcesFitArgs: NodeResourcesFitFields;
  readonly NodeResourcesBalancedAllocationArgs: BalancedAllocationFields;
  readonly InterPodAffinityArgs: InterPodAffinityFields;
  readonly DefaultPreemptionArgs: DefaultPreemptionFields;
  readonly NodeAffinityArgs: NodeAffinityFields;
  readonly PodTopologySpreadArgs: PodTopologySpreadFields;
  readonly VolumeBindingArgs: api.VolumeBindingArgs;
  readonly DynamicResourcesArgs: api.DynamicResourcesArgs;
}
