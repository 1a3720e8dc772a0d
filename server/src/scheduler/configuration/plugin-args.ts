import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import type { Release } from '../../kubernetes/release.ts';
import { defaultPluginArgs, type PluginArgs } from '../framework/profile.ts';
import { validateDynamicResources, validateVolumeBinding } from './args-without-effect.ts';
import { decodeFields, hasKnownArguments } from './decode.ts';
import {
  type BalancedAllocationFields,
  type DefaultPreemptionFields,
  type InterPodAffinityFields,
  type NodeAffinityFields,
  type PluginConfigFields,
} from './fields.ts';
import { readNodeResourcesFit, withWeights } from './node-resources-fit-args.ts';
import { removed } from './plugin-sets.ts';
import { readPodTopologySpread } from './pod-topology-spread-args.ts';
import { isKnownPlugin, removedPlugins } from './known-plugins.ts';
import { duplicate, invalid, markedAt, type NotModelled } from './problems.ts';
import { validateNodeAffinity } from './node-affinity-args.ts';

/** Plugins of upstream's that take arguments. Source: pkg/scheduler/apis/config/v1/register.go */
function takesArgs(name: string): boolean {
  return hasKnownArguments(name);
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * The arguments of a profile's plugins. A plugin whose arguments upstream refuses has its defaults.
 * `ignored` gets the plugins whose arguments are not modelled.
 * Source: validatePluginConfig in pkg/scheduler/apis/config/validation/validation.go
 */
export function readPluginArgs(
  release: Release,
  written: readonly PluginConfigFields[],
  path: Path,
  problems: FieldError[],
  ignored: NotModelled[],
): PluginArgs {
  const args: Writable<PluginArgs> = { ...defaultPluginArgs };
  const seen = new Set<string>();
  for (const [index, { name, args: value }] of written.entries()) {
    const at = [...path, index];
    if (seen.has(name)) problems.push(markedAt(duplicate(at, name), [...at, 'name']));
    else if (removedPlugins.has(name)) problems.push(removed(at, name));
    else if (takesArgs(name)) readArgs(release, args, name, value ?? {}, [...at, 'args'], problems);
    else if (!isKnownPlugin(release, name)) ignored.push({ name, path: [...at, 'name'] });
    seen.add(name);
  }
  return args;
}

function readArgs(
  release: Release,
  args: Writable<PluginArgs>,
  name: string,
  value: Json,
  path: Path,
  problems: FieldError[],
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(invalid(path, value, 'has to match plugin args'));
    return;
  }
  const kind = (value as JsonObject)['kind'] ?? '';
  if (kind !== '' && kind !== `${name}Args`) {
    problems.push(invalid([...path, 'kind'], kind, `args for plugin ${name} were not of type ${name}Args`));
    return;
  }
  const before = problems.length;
  const read = <T>(reader: () => T, fallback: T): T => {
    const result = reader();
    return problems.length === before ? result : fallback;
  };
  const object = value as JsonObject;
  switch (name) {
    case 'NodeResourcesFit':
      args.NodeResourcesFit = read(
        () => readNodeResourcesFit(release, object, path, problems),
        defaultPluginArgs.NodeResourcesFit,
      );
      return;
    case 'NodeResourcesBalancedAllocation':
      args.NodeResourcesBalancedAllocation = read(
        () =>
          readBalancedAllocation(
            decodeFields(object, 'NodeResourcesBalancedAllocationArgs', path, problems, release.types),
            path,
            problems,
          ),
        defaultPluginArgs.NodeResourcesBalancedAllocation,
      );
      return;
    case 'NodeAffinity':
      args.NodeAffinity = read(
        () => readNodeAffinity(decodeFields(object, 'NodeAffinityArgs', path, problems, release.types), path, problems),
        defaultPluginArgs.NodeAffinity,
      );
      return;
    case 'InterPodAffinity':
      args.InterPodAffinity = read(
        () =>
          readInterPodAffinity(
            decodeFields(object, 'InterPodAffinityArgs', path, problems, release.types),
            path,
            problems,
          ),
        defaultPluginArgs.InterPodAffinity,
      );
      return;
    case 'PodTopologySpread':
      args.PodTopologySpread = read(
        () => readPodTopologySpread(release, object, path, problems),
        defaultPluginArgs.PodTopologySpread,
      );
      return;
    case 'DefaultPreemption':
      args.DefaultPreemption = read(
        () =>
          readDefaultPreemption(
            decodeFields(object, 'DefaultPreemptionArgs', path, problems, release.types),
            path,
            problems,
          ),
        defaultPluginArgs.DefaultPreemption,
      );
      return;
    case 'VolumeBinding':
      validateVolumeBinding(release, object, path, problems);
      return;
    case 'DynamicResources':
      validateDynamicResources(release, object, path, problems);
      return;
  }
}

/** Source: SetDefaults_NodeResourcesBalancedAllocationArgs, ValidateNodeResourcesBalancedAllocationArgs */
function readBalancedAllocation(
  { resources }: BalancedAllocationFields,
  path: Path,
  problems: FieldError[],
): PluginArgs['NodeResourcesBalancedAllocation'] {
  if (resources === undefined || resources.length === 0) return defaultPluginArgs.NodeResourcesBalancedAllocation;
  const weighted = withWeights(resources);
  for (const [index, { name, weight }] of weighted.entries()) {
    const at = [...path, 'resources', index];
    if (weighted.findIndex((each) => each.name === name) < index) problems.push(duplicate([...at, 'name'], name));
    if (weight !== 1) problems.push(invalid([...at, 'weight'], weight, 'must be 1'));
  }
  return { resources: weighted };
}

function readNodeAffinity(
  { addedAffinity }: NodeAffinityFields,
  path: Path,
  problems: FieldError[],
): PluginArgs['NodeAffinity'] {
  if (addedAffinity === undefined) return {};
  validateNodeAffinity(addedAffinity, [...path, 'addedAffinity'], problems);
  return { addedAffinity };
}

/** Source: SetDefaults_InterPodAffinityArgs, validateHardPodAffinityWeight */
function readInterPodAffinity(
  { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods }: InterPodAffinityFields,
  path: Path,
  problems: FieldError[],
): PluginArgs['InterPodAffinity'] {
  const defaults = defaultPluginArgs.InterPodAffinity;
  const weight = hardPodAffinityWeight ?? defaults.hardPodAffinityWeight;
  if (weight < 0 || weight > 100) {
    problems.push(invalid([...path, 'hardPodAffinityWeight'], weight, 'not in valid range [0, 100]'));
  }
  return {
    ...defaults,
    hardPodAffinityWeight: weight,
    ignorePreferredTermsOfExistingPods,
  };
}

/** Source: SetDefaults_DefaultPreemptionArgs, ValidateDefaultPreemptionArgs */
function readDefaultPreemption(
  fields: DefaultPreemptionFields,
  path: Path,
  problems: FieldError[],
): PluginArgs['DefaultPreemption'] {
  const defaults = defaultPluginArgs.DefaultPreemption;
  const percentage = fields.minCandidateNodesPercentage ?? defaults.minCandidateNodesPercentage;
  const absolute = fields.minCandidateNodesAbsolute ?? defaults.minCandidateNodesAbsolute;
  const percentagePath = [...path, 'minCandidateNodesPercentage'];
  const absolutePath = [...path, 'minCandidateNodesAbsolute'];
  if (percentage < 0 || percentage > 100) {
    problems.push(invalid(percentagePath, percentage, 'not in valid range [0, 100]'));
  }
  if (absolute < 0) problems.push(invalid(absolutePath, absolute, 'not in valid range [0, inf)'));
  if (percentage === 0 && absolute === 0) {
    problems.push(
      invalid(percentagePath, percentage, 'cannot be zero at the same time as minCandidateNodesAbsolute'),
      invalid(absolutePath, absolute, 'cannot be zero at the same time as minCandidateNodesPercentage'),
    );
  }
  return { minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute };
}
