import { isSchedulerConfiguration } from '../../../kubernetes/decode/index.ts';
import type { NodeSelector, PodSpec } from '../../../kubernetes/objects.ts';
import type { Release } from '../../../kubernetes/release.ts';
import { readConfiguration, type SchedulerConfiguration } from '../../../scheduler/configuration.ts';
import { defaultProfileOf, defaultSchedulerName, type Profile } from '../../../scheduler/framework/profile.ts';
import type { ManifestObject } from '../../../manifests/manifest.ts';
import { getOrInsert } from '../../../util/maps.ts';
import type { Fact, FactsReader } from '../../index/fact.ts';
import { keptBy } from './kept.ts';

const read = new WeakMap<Release, WeakMap<ManifestObject, SchedulerConfiguration>>();

/**
 * What a KubeSchedulerConfiguration makes of the scheduler; undefined for objects of other kinds, and of versions that
 * kube-scheduler does not read.
 */
export function schedulerConfigurationOf(
  { kind, manifest }: Fact,
  release: Release,
): SchedulerConfiguration | undefined {
  if (kind !== 'KubeSchedulerConfiguration' || !isSchedulerConfiguration(manifest.apiVersion, kind)) return undefined;
  const configurations = getOrInsert(read, release, () => new WeakMap());
  return getOrInsert(configurations, manifest, () => readConfiguration(manifest.value, release));
}

/**
 * The profile of the scheduler that pods name, as simulations take it: of two for one name the first counts. Undefined
 * for a scheduler that nobody declares.
 */
export function profileFor(facts: FactsReader, schedulerName: string, release: Release): Profile | undefined {
  const name = schedulerName === '' ? defaultSchedulerName : schedulerName;
  const declared = facts.ofKind('KubeSchedulerConfiguration');
  const profile = declaredProfiles(declared, release).get(name);
  return profile ?? (name === defaultSchedulerName ? defaultProfileOf(release) : undefined);
}

/** The names that profiles answer to. */
export function schedulerNames(facts: FactsReader, release: Release): readonly string[] {
  const declared = declaredProfiles(facts.ofKind('KubeSchedulerConfiguration'), release);
  return [...new Set([defaultSchedulerName, ...declared.keys()])];
}

/** What the profile of a scheduler requires of the nodes of all its pods. */
export function addedAffinityOf(facts: FactsReader, spec: PodSpec, release: Release): NodeSelector | undefined {
  const profile = profileFor(facts, spec.schedulerName ?? '', release);
  if (profile?.enabled.filter.includes('NodeAffinity') !== true) return undefined;
  return profile.args.NodeAffinity.addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
}

const declaredProfiles = keptBy((declared: readonly Fact[], release: Release): ReadonlyMap<string, Profile> => {
  const byName = new Map<string, Profile>();
  for (const fact of declared) {
    for (const profile of schedulerConfigurationOf(fact, release)?.profiles ?? []) {
      if (!byName.has(profile.schedulerName)) byName.set(profile.schedulerName, profile);
    }
  }
  return byName;
});
