import { put } from '../../util/own.ts';
import { isObject } from '../../util/values.ts';
import { schedulerArguments } from '../../kubernetes/api/kinds.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { compileNodeSelectorTerm } from '../../kubernetes/node-selector.ts';
import {
  defaultPluginArgs,
  type DynamicResourcesArgs,
  type PluginArgs,
  type VolumeBindingArgs,
} from '../framework/profile.ts';
import type { PluginConfigFields } from './fields.ts';
import { isKnownPlugin, removedPlugins } from './known-plugins.ts';
import { readNodeResourcesFit, validateShape, withWeights } from './node-resources-fit-args.ts';
import type { NotModelled, Place } from './place.ts';
import { tellRemoved } from './plugin-sets.ts';
import { readPodTopologySpread } from './pod-topology-spread-args.ts';

type PluginName = (typeof schedulerArguments)[number];
type Readers = {
  readonly [Name in PluginName]: (
    value: JsonObject,
    at: Place,
  ) => Name extends keyof PluginArgs ? PluginArgs[Name] : undefined;
};

/** The plugins that take arguments. Source: pkg/scheduler/apis/config/v1/register.go */
const readers: Readers = {
  NodeResourcesFit: readNodeResourcesFit,
  NodeResourcesBalancedAllocation: readBalancedAllocation,
  NodeAffinity: readNodeAffinity,
  InterPodAffinity: readInterPodAffinity,
  PodTopologySpread: readPodTopologySpread,
  DefaultPreemption: readDefaultPreemption,
  VolumeBinding: readVolumeBinding,
  DynamicResources: readDynamicResources,
};

/**
 * The arguments of a profile's plugins. A plugin whose arguments upstream refuses has its defaults.
 * `ignored` gets the plugins whose arguments are not modelled.
 * Source: validatePluginConfig in pkg/scheduler/apis/config/validation/validation.go
 */
export function readPluginArgs(
  written: readonly PluginConfigFields[],
  place: Place,
  ignored: NotModelled[],
): PluginArgs {
  const read: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const [index, { name, args = {} }] of written.entries()) {
    const at = place.at(index);
    const takesArguments = schedulerArguments.find((known) => known === name);
    if (seen.has(name)) {
      at.markedAt('name').duplicate(name);
    } else if (removedPlugins.has(name)) {
      tellRemoved(at, name);
    } else if (takesArguments !== undefined) {
      const problems = place.problems.length;
      const value = readArgs(takesArguments, args, at.at('args'));
      if (place.problems.length === problems && value !== undefined) put(read, name, value);
    } else if (!isKnownPlugin(place.release, name)) {
      ignored.push({ name, path: at.at('name').path });
    }
    seen.add(name);
  }
  return { ...defaultPluginArgs, ...read };
}

function readArgs(name: PluginName, value: Json, at: Place): unknown {
  if (!isObject(value)) {
    at.invalid(value, 'has to match plugin args');
    return undefined;
  }
  const kind = value['kind'] ?? '';
  if (kind === '' || kind === `${name}Args`) return readers[name](value, at);
  at.at('kind').invalid(kind, `args for plugin ${name} were not of type ${name}Args`);
  return undefined;
}

/** Source: SetDefaults_NodeResourcesBalancedAllocationArgs, ValidateNodeResourcesBalancedAllocationArgs */
function readBalancedAllocation(value: JsonObject, at: Place): PluginArgs['NodeResourcesBalancedAllocation'] {
  const { resources = [] } = at.decode(value, 'NodeResourcesBalancedAllocationArgs');
  if (resources.length === 0) return defaultPluginArgs.NodeResourcesBalancedAllocation;
  const weighted = withWeights(resources);
  for (const [index, { name, weight }] of weighted.entries()) {
    const item = at.at('resources', index);
    if (weighted.findIndex((each) => each.name === name) < index) item.at('name').duplicate(name);
    if (weight !== 1) item.at('weight').invalid(weight, 'must be 1');
  }
  return { resources: weighted };
}

/** Source: ValidateNodeAffinityArgs */
function readNodeAffinity(value: JsonObject, at: Place): PluginArgs['NodeAffinity'] {
  const { addedAffinity } = at.decode(value, 'NodeAffinityArgs');
  if (addedAffinity === undefined) return {};
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = addedAffinity;
  const requiredAt = at.at('addedAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const preferredAt = at.at('addedAffinity', 'preferredDuringSchedulingIgnoredDuringExecution');
  const terms = [
    ...(required?.nodeSelectorTerms ?? []).map((term, index) => ({ term, place: requiredAt.at(index) })),
    ...preferred.map(({ preference }, index) => ({ term: preference, place: preferredAt.at(index, 'preference') })),
  ];
  for (const { term, place } of terms) {
    const problem = compileNodeSelectorTerm(term).invalid;
    if (problem !== undefined) place.invalid(term, problem);
  }
  return { addedAffinity };
}

/** Source: SetDefaults_InterPodAffinityArgs, validateHardPodAffinityWeight */
function readInterPodAffinity(value: JsonObject, at: Place): PluginArgs['InterPodAffinity'] {
  const fields = at.decode(value, 'InterPodAffinityArgs');
  const defaults = defaultPluginArgs.InterPodAffinity;
  const hardPodAffinityWeight = fields.hardPodAffinityWeight ?? defaults.hardPodAffinityWeight;
  if (hardPodAffinityWeight < 0 || hardPodAffinityWeight > 100) {
    at.at('hardPodAffinityWeight').invalid(hardPodAffinityWeight, 'not in valid range [0, 100]');
  }
  const { ignorePreferredTermsOfExistingPods } = fields;
  return { ...defaults, hardPodAffinityWeight, ignorePreferredTermsOfExistingPods };
}

/** Source: SetDefaults_DefaultPreemptionArgs, ValidateDefaultPreemptionArgs */
function readDefaultPreemption(value: JsonObject, at: Place): PluginArgs['DefaultPreemption'] {
  const defaults = defaultPluginArgs.DefaultPreemption;
  const fields = at.decode(value, 'DefaultPreemptionArgs');
  const percentage = fields.minCandidateNodesPercentage ?? defaults.minCandidateNodesPercentage;
  const absolute = fields.minCandidateNodesAbsolute ?? defaults.minCandidateNodesAbsolute;
  const percentageAt = at.at('minCandidateNodesPercentage');
  const absoluteAt = at.at('minCandidateNodesAbsolute');
  if (percentage < 0 || percentage > 100) percentageAt.invalid(percentage, 'not in valid range [0, 100]');
  if (absolute < 0) absoluteAt.invalid(absolute, 'not in valid range [0, inf)');
  if (percentage === 0 && absolute === 0) {
    percentageAt.invalid(percentage, 'cannot be zero at the same time as minCandidateNodesAbsolute');
    absoluteAt.invalid(absolute, 'cannot be zero at the same time as minCandidateNodesPercentage');
  }
  return { minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute };
}

/** Source: ValidateVolumeBindingArgsWithOptions, SetDefaults_VolumeBindingArgs */
function readVolumeBinding(value: JsonObject, at: Place): VolumeBindingArgs {
  const { bindTimeoutSeconds = 0, shape } = at.decode(value, 'VolumeBindingArgs');
  if (bindTimeoutSeconds < 0) {
    const detail = 'invalid BindTimeoutSeconds, should not be a negative value';
    at.at('bindTimeoutSeconds').invalid(bindTimeoutSeconds, detail);
  }
  const scores = at.release.featureGates.has('StorageCapacityScoring');
  if (shape !== undefined && !scores) {
    const detail = 'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring';
    at.at('shape').invalid(shape, detail);
  }
  if (!scores || shape === undefined || shape.length === 0) return defaultPluginArgs.VolumeBinding;
  validateShape(shape, at.at('shape'));
  return { shape };
}

/** Source: ValidateDynamicResourcesArgs, with the gate DRASchedulerFilterTimeout on as it is by default */
function readDynamicResources(value: JsonObject, at: Place): DynamicResourcesArgs {
  const defaults = defaultPluginArgs.DynamicResources;
  const { filterTimeout, bindingTimeout } = at.decode(value, 'DynamicResourcesArgs');
  const filterAt = at.at('filterTimeout');
  const timeout = filterAt.duration(filterTimeout);
  if (timeout !== undefined && timeout < 0) filterAt.invalid(filterTimeout, 'must be zero or positive');
  const args = { ...defaults, filterTimeout: timeout ?? defaults.filterTimeout };
  if (bindingTimeout === undefined) return args;
  const bindingAt = at.at('bindingTimeout');
  const { featureGates } = at.release;
  if (!featureGates.has('DRADeviceBindingConditions') || !featureGates.has('DRAResourceClaimDeviceStatus')) {
    bindingAt.forbidden('DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled');
    return args;
  }
  const binding = bindingAt.duration(bindingTimeout) ?? defaults.bindingTimeout;
  if (binding < 1000) bindingAt.invalid(bindingTimeout, 'must be at least 1 second');
  return { ...args, bindingTimeout: binding };
}
