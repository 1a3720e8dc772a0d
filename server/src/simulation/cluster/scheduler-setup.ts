import type { Release } from '../../kubernetes/release.ts';
import { defaultProfileOf, defaultSchedulerName, readConfiguration, type Profile } from '../../scheduler/index.ts';
import type { Inventory } from './inventory.ts';

/** The schedulers of the cluster, as far as they are declared. */
export interface SchedulerSetup {
  /** One for each scheduler name; always one for the default scheduler. */
  readonly profiles: readonly Profile[];
  /** Seconds; undefined for the default. */
  readonly podInitialBackoffSeconds: number | undefined;
  readonly podMaxBackoffSeconds: number | undefined;
  /** How many configurations are declared. */
  readonly configurations: number;
  /** Plugins and extenders in them that are not modelled. */
  readonly notModelled: readonly string[];
  /** Plugins of the profiles that fail whenever they run. */
  readonly failing: readonly string[];
  /** How many mistakes are in them; a scheduler with one would not start. */
  readonly problems: number;
}

/**
 * Reads the declared KubeSchedulerConfiguration objects. Of two profiles for one scheduler name the first counts. The
 * default scheduler is there even when only others are declared: those run beside it.
 */
export function readSchedulerSetup(inventory: Inventory, release: Release): SchedulerSetup {
  const configurations = inventory
    .objects('KubeSchedulerConfiguration')
    .map((each) => readConfiguration(each, release));
  const profiles = new Map<string, Profile>();
  for (const profile of configurations.flatMap((each) => each.profiles)) {
    if (!profiles.has(profile.schedulerName)) profiles.set(profile.schedulerName, profile);
  }
  if (!profiles.has(defaultSchedulerName)) profiles.set(defaultSchedulerName, defaultProfileOf(release));
  const failing = [...profiles.values()].flatMap((profile) => [...profile.failing.filter, ...profile.failing.score]);
  return {
    profiles: [...profiles.values()],
    failing: [...new Set(failing)],
    // Back-off is the process's, not a profile's: of several configurations the first counts, as for profiles.
    podInitialBackoffSeconds: configurations[0]?.podInitialBackoffSeconds,
    podMaxBackoffSeconds: configurations[0]?.podMaxBackoffSeconds,
    configurations: configurations.length,
    notModelled: [...new Set(configurations.flatMap((each) => each.notModelled.map(({ name }) => name)))],
    problems: configurations.reduce((sum, each) => sum + each.problems.length, 0),
  };
}
