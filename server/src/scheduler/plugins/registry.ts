import { getOrInsert } from '../../util/maps.ts';
import { Framework } from '../framework/framework.ts';
import type { Plugin } from '../framework/plugin.ts';
import type { PluginArgs, Profile } from '../framework/profile.ts';
import { dynamicResources } from './dynamic-resources.ts';
import { imageLocality } from './image-locality.ts';
import { InterPodAffinityPlugin } from './inter-pod-affinity.ts';
import { NodeAffinityPlugin } from './node-affinity.ts';
import { nodeDeclaredFeatures } from './node-declared-features.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { NodeResourcesBalancedAllocationPlugin } from './node-resources-balanced-allocation.ts';
import { NodeResourcesFitPlugin } from './node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { nodeVolumeLimits } from './node-volume-limits.ts';
import { PodTopologySpreadPlugin } from './pod-topology-spread.ts';
import { taintToleration } from './taint-toleration.ts';
import { VolumeBindingPlugin } from './volume-binding.ts';
import { volumeRestrictions } from './volume-restrictions.ts';
import { volumeZone } from './volume-zone.ts';

/**
 * The plugins that take part in a scheduling cycle, in the order of the default profile. The others of that profile
 * have no part in one: SchedulingGates and PrioritySort belong to the queue, DefaultPreemption is `preemption/`, and
 * DefaultBinder only writes what was decided.
 * Source: pkg/scheduler/apis/config/v1/default_plugins.go
 */
const makers: readonly ((args: PluginArgs) => Plugin)[] = [
  () => nodeUnschedulable,
  () => nodeName,
  () => taintToleration,
  (args) => new NodeAffinityPlugin(args.NodeAffinity),
  () => nodePorts,
  (args) => new NodeResourcesFitPlugin(args.NodeResourcesFit),
  () => volumeRestrictions,
  () => nodeVolumeLimits,
  (args) => new VolumeBindingPlugin(args.VolumeBinding),
  () => volumeZone,
  (args) => new PodTopologySpreadPlugin(args.PodTopologySpread),
  (args) => new InterPodAffinityPlugin(args.InterPodAffinity),
  () => dynamicResources,
  (args) => new NodeResourcesBalancedAllocationPlugin(args.NodeResourcesBalancedAllocation),
  () => imageLocality,
  () => nodeDeclaredFeatures,
];

const frameworks = new WeakMap<Profile, Framework>();

/** The profile with its plugins made; made once per profile. */
export function frameworkOf(profile: Profile): Framework {
  return getOrInsert(frameworks, profile, () => {
    const plugins = makers.map((make) => make(profile.args));
    return new Framework(profile, new Map(plugins.map((plugin) => [plugin.name, plugin])));
  });
}
