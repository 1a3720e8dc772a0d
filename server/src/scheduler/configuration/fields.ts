import type * as api from '../../kubernetes/api/types.ts';

/**
 * What a KubeSchedulerConfiguration says, typed but neither defaulted nor validated.
 * Source: staging/src/k8s.io/kube-scheduler/config/v1/types.go, types_pluginargs.go
 */
export type ConfigurationFields = api.KubeSchedulerConfiguration;
export type LeaderElectionFields = api.LeaderElectionConfiguration;
export type ProfileFields = api.KubeSchedulerProfile;
export type PluginsFields = api.Plugins;
export type PluginSetFields = api.PluginSet;
export type PluginFields = api.Plugin;
export type PluginConfigFields = api.PluginConfig;
export type ExtenderFields = api.Extender;
export type ResourceFields = api.ResourceSpec;
export type ScoringStrategyFields = api.ScoringStrategy;

/** The types that a configuration is decoded into. */
export interface ConfigurationTypes {
  readonly KubeSchedulerConfiguration: ConfigurationFields;
  readonly NodeResourcesFitArgs: api.NodeResourcesFitArgs;
  readonly NodeResourcesBalancedAllocationArgs: api.NodeResourcesBalancedAllocationArgs;
  readonly InterPodAffinityArgs: api.InterPodAffinityArgs;
  readonly DefaultPreemptionArgs: api.DefaultPreemptionArgs;
  readonly NodeAffinityArgs: api.NodeAffinityArgs;
  readonly PodTopologySpreadArgs: api.PodTopologySpreadArgs;
  readonly VolumeBindingArgs: api.VolumeBindingArgs;
  readonly DynamicResourcesArgs: api.DynamicResourcesArgs;
}
