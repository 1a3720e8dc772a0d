import type { FieldError } from '../kubernetes/field-error.ts';
import type { JsonObject, Path } from '../kubernetes/json.ts';
import type { Release } from '../kubernetes/release.ts';
import { decodeFields } from './configuration/decode.ts';
import type { ConfigurationFields, ProfileFields } from './configuration/fields.ts';
import { readPluginArgs } from './configuration/plugin-args.ts';
import { resolvePlugins } from './configuration/plugin-sets.ts';
import { readExtenders } from './configuration/extenders.ts';
import { duplicate, invalid, type NotModelled, required } from './configuration/problems.ts';
import { validateProcess } from './configuration/process-settings.ts';
import { defaultProfileOf, defaultSchedulerName, type Profile } from './framework/profile.ts';

export { isUnknownField } from './configuration/problems.ts';

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
const defaultInitialBackoffSeconds = 1;
const defaultMaxBackoffSeconds = 10;

/**
 * Reads a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) with a release's defaults and checks. Never throws.
 * What concerns the process and not its decisions (leader election, connections, parallelism) has no effect.
 * Source: pkg/scheduler/apis/config
 */
export function readConfiguration(value: JsonObject, release: Release): SchedulerConfiguration {
  const problems: FieldError[] = [];
  const fields = decodeFields(value, 'KubeSchedulerConfiguration', [], problems, release.types);
  const global = readPercentage(fields.percentageOfNodesToScore, ['percentageOfNodesToScore'], problems) ?? 0;
  const { initial, max } = readBackoff(fields, problems);
  validateProcess(fields, problems);
  const notModelled: NotModelled[] = [];
  const profiles = readProfiles(release, fields.profiles ?? [], global, problems, notModelled);
  notModelled.push(...readExtenders(fields.extenders ?? [], problems));
  return { profiles, podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max, problems, notModelled };
}

function readBackoff(
  { podInitialBackoffSeconds, podMaxBackoffSeconds }: ConfigurationFields,
  problems: FieldError[],
): { readonly initial: number; readonly max: number } {
  const initial = podInitialBackoffSeconds ?? defaultInitialBackoffSeconds;
  const max = podMaxBackoffSeconds ?? defaultMaxBackoffSeconds;
  if (initial <= 0) problems.push(invalid(['podInitialBackoffSeconds'], initial, 'must be greater than 0'));
  if (max < initial) {
    problems.push(invalid(['podMaxBackoffSeconds'], max, 'must be greater than or equal to PodInitialBackoffSeconds'));
  }
  if (initial <= 0 || max < initial) return { initial: defaultInitialBackoffSeconds, max: defaultMaxBackoffSeconds };
  return { initial, max };
}

/** Source: validatePercentageOfNodesToScore */
function readPercentage(value: number | undefined, path: Path, problems: FieldError[]): number | undefined {
  if (value === undefined || (value >= 0 && value <= 100)) return value;
  problems.push(invalid(path, value, 'not in valid range [0-100]'));
  return undefined;
}

/** Source: SetDefaults_KubeSchedulerConfiguration, ValidateKubeSchedulerConfiguration */
function readProfiles(
  release: Release,
  written: readonly ProfileFields[],
  percentage: number,
  problems: FieldError[],
  notModelled: NotModelled[],
): readonly Profile[] {
  if (written.length === 0) return [{ ...defaultProfileOf(release), percentageOfNodesToScore: percentage }];
  const profiles = new Map<string, Profile>();
  for (const [index, fields] of written.entries()) {
    const path: Path = ['profiles', index];
    // Only a single profile may go without a name.
    const schedulerName = fields.schedulerName ?? (written.length === 1 ? defaultSchedulerName : '');
    if (schedulerName === '') problems.push(required([...path, 'schedulerName']));
    const profile = readProfile(release, fields, schedulerName, percentage, path, problems, notModelled);
    if (profiles.has(schedulerName)) problems.push(duplicate([...path, 'schedulerName'], schedulerName));
    else profiles.set(schedulerName, profile);
  }
  validateCommonQueueSort(written, problems);
  return [...profiles.values()];
}

function readProfile(
  release: Release,
  fields: ProfileFields,
  schedulerName: string,
  percentage: number,
  path: Path,
  problems: FieldError[],
  notModelled: NotModelled[],
): Profile {
  const plugins = resolvePlugins(fields.plugins, release, schedulerName, [...path, 'plugins'], problems);
  const ignored: NotModelled[] = [];
  const args = readPluginArgs(release, fields.pluginConfig ?? [], [...path, 'pluginConfig'], problems, ignored);
  const own = readPercentage(fields.percentageOfNodesToScore, [...path, 'percentageOfNodesToScore'], problems);
  const enabled = new Set(plugins.notModelled.map(({ name }) => name));
  notModelled.push(...plugins.notModelled, ...ignored.filter(({ name }) => !enabled.has(name)));
  return {
    schedulerName,
    percentageOfNodesToScore: own ?? percentage,
    enabled: plugins.enabled,
    weights: plugins.weights,
    args,
  };
}

/** All profiles share one queue. Source: validateCommonQueueSort */
function validateCommonQueueSort(profiles: readonly ProfileFields[], problems: FieldError[]): void {
  const textOf = (profile: ProfileFields | undefined): string => {
    const { enabled = [], disabled = [] } = profile?.plugins?.queueSort ?? {};
    return JSON.stringify([enabled.map(({ name }) => name), disabled.map(({ name }) => name)]);
  };
  const first = textOf(profiles[0]);
  const sorters = profiles[0]?.plugins?.queueSort?.enabled?.length ?? 0;
  if (sorters > 1) {
    const path: Path = ['profiles', 0, 'plugins', 'queueSort', 'enabled'];
    problems.push(invalid(path, sorters, 'only one queue sort plugin can be enabled'));
  }
  for (const [index, profile] of profiles.entries()) {
    if (textOf(profile) === first) continue;
    const path: Path = ['profiles', index, 'plugins', 'queueSort'];
    problems.push(invalid(path, profile.plugins?.queueSort ?? {}, 'must be the same for all profiles'));
  }
}
