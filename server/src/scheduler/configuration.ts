import type { FieldError } from '../kubernetes/field-error.ts';
import type { JsonObject } from '../kubernetes/json.ts';
import type { Release } from '../kubernetes/release.ts';
import { readExtenders } from './configuration/extenders.ts';
import type { ConfigurationFields, ProfileFields } from './configuration/fields.ts';
import { type NotModelled, Place } from './configuration/place.ts';
import { readPluginArgs } from './configuration/plugin-args.ts';
import { resolvePlugins } from './configuration/plugin-sets.ts';
import { validateProcess } from './configuration/process-settings.ts';
import { defaultProfileOf, defaultSchedulerName, type Profile } from './framework/profile.ts';

export { isUnknownField } from './configuration/place.ts';

/** What a KubeSchedulerConfiguration makes of the scheduler. */
export interface SchedulerConfiguration {
  /** At least one, each with a scheduler name of its own. */
  readonly profiles: readonly Profile[];
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  /** What upstream refuses; its scheduler would not start. Where a value is refused, the default stands. */
  readonly problems: readonly FieldError[];
  /** Plugins and extenders that Podium does not model, everywhere they are named: decisions may differ for their pods. */
  readonly notModelled: readonly NotModelled[];
}

/** Source: pkg/scheduler/apis/config/v1/defaults.go */
const defaultBackoff = { podInitialBackoffSeconds: 1, podMaxBackoffSeconds: 10 };

/**
 * Reads a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) with a release's defaults and checks. Never throws.
 * What concerns the process and not its decisions (leader election, connections, parallelism) has no effect.
 * Source: pkg/scheduler/apis/config
 */
export function readConfiguration(value: JsonObject, release: Release): SchedulerConfiguration {
  const top = new Place(release);
  const fields = top.decode(value, 'KubeSchedulerConfiguration');
  const percentage = readPercentage(fields, top) ?? 0;
  const backoff = readBackoff(fields, top);
  validateProcess(fields, top);
  const notModelled: NotModelled[] = [];
  const profiles = readProfiles(fields.profiles ?? [], percentage, top.at('profiles'), notModelled);
  notModelled.push(...readExtenders(fields.extenders ?? [], top.at('extenders')));
  return { profiles, ...backoff, problems: top.problems, notModelled };
}

function readBackoff(fields: ConfigurationFields, at: Place): typeof defaultBackoff {
  const initial = fields.podInitialBackoffSeconds ?? defaultBackoff.podInitialBackoffSeconds;
  const max = fields.podMaxBackoffSeconds ?? defaultBackoff.podMaxBackoffSeconds;
  if (initial <= 0) at.at('podInitialBackoffSeconds').invalid(initial, 'must be greater than 0');
  if (max < initial) {
    at.at('podMaxBackoffSeconds').invalid(max, 'must be greater than or equal to PodInitialBackoffSeconds');
  }
  const isRefused = initial <= 0 || max < initial;
  return isRefused ? defaultBackoff : { podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max };
}

/** Source: validatePercentageOfNodesToScore */
function readPercentage(
  { percentageOfNodesToScore: value }: ConfigurationFields | ProfileFields,
  at: Place,
): number | undefined {
  if (value === undefined || (value >= 0 && value <= 100)) return value;
  at.at('percentageOfNodesToScore').invalid(value, 'not in valid range [0-100]');
  return undefined;
}

/** Source: SetDefaults_KubeSchedulerConfiguration, ValidateKubeSchedulerConfiguration */
function readProfiles(
  written: readonly ProfileFields[],
  percentageOfNodesToScore: number,
  place: Place,
  notModelled: NotModelled[],
): readonly Profile[] {
  if (written.length === 0) return [{ ...defaultProfileOf(place.release), percentageOfNodesToScore }];
  const profiles = new Map<string, Profile>();
  for (const [index, fields] of written.entries()) {
    const at = place.at(index);
    // Only a single profile may go without a name.
    const schedulerName = fields.schedulerName ?? (written.length === 1 ? defaultSchedulerName : '');
    if (schedulerName === '') at.at('schedulerName').required();
    const profile = readProfile(fields, schedulerName, percentageOfNodesToScore, at, notModelled);
    if (profiles.has(schedulerName)) at.at('schedulerName').duplicate(schedulerName);
    else profiles.set(schedulerName, profile);
  }
  validateCommonQueueSort(written, place);
  return [...profiles.values()];
}

function readProfile(
  fields: ProfileFields,
  schedulerName: string,
  percentage: number,
  at: Place,
  notModelled: NotModelled[],
): Profile {
  const plugins = resolvePlugins(fields.plugins, schedulerName, at.at('plugins'));
  const { notModelled: unknown, ...resolved } = plugins;
  const ignored: NotModelled[] = [];
  const args = readPluginArgs(fields.pluginConfig ?? [], at.at('pluginConfig'), ignored);
  const own = readPercentage(fields, at);
  const named = new Set(unknown.map(({ name }) => name));
  notModelled.push(...unknown, ...ignored.filter(({ name }) => !named.has(name)));
  return { schedulerName, percentageOfNodesToScore: own ?? percentage, ...resolved, args };
}

/** All profiles share one queue. Source: validateCommonQueueSort */
function validateCommonQueueSort(profiles: readonly ProfileFields[], place: Place): void {
  const textOf = (profile: ProfileFields | undefined): string => {
    const { enabled = [], disabled = [] } = profile?.plugins?.queueSort ?? {};
    return JSON.stringify([enabled.map(({ name }) => name), disabled.map(({ name }) => name)]);
  };
  const first = textOf(profiles[0]);
  const sorters = profiles[0]?.plugins?.queueSort?.enabled?.length ?? 0;
  if (sorters > 1) {
    place.at(0, 'plugins', 'queueSort', 'enabled').invalid(sorters, 'only one queue sort plugin can be enabled');
  }
  for (const [index, profile] of profiles.entries()) {
    if (textOf(profile) === first) continue;
    const at = place.at(index, 'plugins', 'queueSort');
    at.invalid(profile.plugins?.queueSort ?? {}, 'must be the same for all profiles');
  }
}
