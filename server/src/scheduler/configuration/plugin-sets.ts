import type { ExtensionPoint, Release } from '../../kubernetes/release.ts';
import { defaultPluginsOf, type Profile } from '../framework/profile.ts';
import type { PluginFields, PluginsFields, PluginSetFields } from './fields.ts';
import { stateMissingText } from '../framework/missing-state.ts';
import { implementsPoint, interfaceNames, isKnownPlugin, removedPlugins } from './known-plugins.ts';
import type { NotModelled, Place } from './place.ts';

/** The plugins of a profile after defaults and expansion. */
export interface ResolvedPlugins extends Pick<Profile, 'enabled' | 'failing'> {
  readonly weights: ReadonlyMap<string, number>;
  /** Enabled plugins that Podium does not know, everywhere they are named. */
  readonly notModelled: readonly NotModelled[];
}

type PluginLists = Readonly<Record<ExtensionPoint, readonly string[]>>;

const allPoints: readonly ExtensionPoint[] = Object.keys(interfaceNames) as ExtensionPoint[];

/**
 * What runs where, from the `plugins` of a profile.
 * Source: mergePlugins in pkg/scheduler/apis/config/v1/default_plugins.go; NewFramework and expandMultiPointPlugins in
 * pkg/scheduler/framework/runtime/framework.go
 */
export function resolvePlugins(plugins: PluginsFields = {}, schedulerName: string, at: Place): ResolvedPlugins {
  const { release } = at;
  const multiPoint = mergeSet(defaultPluginsOf(release), plugins.multiPoint);
  validateMultiPoint(plugins.multiPoint?.enabled ?? [], at.at('multiPoint', 'enabled'));
  const expanded = {} as Record<ExtensionPoint, readonly string[]>;
  for (const point of allPoints) {
    const own = mergeSet([], plugins[point]);
    validateSet(own, point, at.at(point, 'enabled'));
    const disabled = new Set(plugins[point]?.disabled?.map(({ name }) => name));
    expanded[point] = expand(namesAt(release, point, own), namesAt(release, point, multiPoint), disabled);
  }
  const weights = new Map<string, number>();
  for (const { name, weight } of [...mergeSet([], plugins.score), ...multiPoint]) {
    // The weight at the extension point itself comes first; 0 stands for 1. Source: getScoreWeights
    if (!weights.has(name)) weights.set(name, weight === undefined || weight === 0 ? 1 : weight);
  }
  const unknown = unknownPlugins(plugins, at);
  // A plugin that Podium does not know may be the one that sorts or binds.
  if (unknown.length === 0) validateCounts(expanded, schedulerName, at);
  const notModelled = unknown.filter(({ name }) => !removedPlugins.has(name));
  return { ...enabledOf(expanded, at), weights, notModelled };
}

function unknownPlugins(plugins: PluginsFields, at: Place): readonly NotModelled[] {
  return ([...allPoints, 'multiPoint'] as const).flatMap((point) =>
    (plugins[point]?.enabled ?? []).flatMap(({ name }, index) =>
      isKnownPlugin(at.release, name) ? [] : [{ name, path: at.at(point, 'enabled', index, 'name').path }],
    ),
  );
}

/** Defaults keep their place; a plugin that is written again is written over. Source: mergePluginSet */
function mergeSet(defaults: readonly PluginFields[], custom: PluginSetFields | undefined): readonly PluginFields[] {
  const disabled = new Set(custom?.disabled?.map(({ name }) => name));
  const written = custom?.enabled ?? [];
  // Of two entries with one name the later one replaces the default.
  const last = new Map(written.map((plugin, index) => [plugin.name, index]));
  const replaced = new Set<number>();
  const merged: PluginFields[] = [];
  for (const plugin of disabled.has('*') ? [] : defaults) {
    if (disabled.has(plugin.name)) continue;
    const index = last.get(plugin.name);
    if (index !== undefined) replaced.add(index);
    merged.push(index === undefined ? plugin : written[index]!);
  }
  return [...merged, ...written.filter((_, index) => !replaced.has(index))];
}

/** The names of those plugins that take part at a point, each once. */
function namesAt(release: Release, point: ExtensionPoint, plugins: readonly PluginFields[]): readonly string[] {
  return [...new Set(plugins.map(({ name }) => name))].filter((name) => implementsPoint(release, name, point));
}

/**
 * The plugins of one extension point: those written for it that MultiPoint has too, then the rest of MultiPoint, then
 * the others written for it. Source: expandMultiPointPlugins
 */
function expand(
  own: readonly string[],
  multiPoint: readonly string[],
  disabled: ReadonlySet<string>,
): readonly string[] {
  if (disabled.has('*')) return own;
  const shared = multiPoint.filter((name) => !disabled.has(name));
  return [
    ...own.filter((name) => shared.includes(name)),
    ...shared.filter((name) => !own.includes(name)),
    ...own.filter((name) => !shared.includes(name)),
  ];
}

/** Source: validatePluginSetForInvalidPlugins, updatePluginList */
function validateSet(plugins: readonly PluginFields[], point: ExtensionPoint, place: Place): void {
  for (const [index, { name }] of plugins.entries()) {
    const at = place.at(index);
    if (removedPlugins.has(name)) {
      tellRemoved(at, name);
    } else if (isKnownPlugin(at.release, name) && !implementsPoint(at.release, name, point)) {
      const detail = `plugin ${JSON.stringify(name)} does not extend ${interfaceNames[point]} plugin`;
      at.markedAt('name').invalid(name, detail);
    } else if (plugins.findIndex((each) => each.name === name) < index) {
      tellRegisteredTwice(at, name, point);
    }
  }
}

export function tellRemoved(at: Place, name: string): void {
  const version = 'kubescheduler.config.k8s.io/v1';
  // Upstream says "v1": it compares with the version of the core API.
  const detail = `was invalid in version "v1" (KubeSchedulerConfiguration is version ${JSON.stringify(version)})`;
  at.markedAt('name').invalid(name, detail);
}

function tellRegisteredTwice(at: Place, name: string, point: ExtensionPoint): void {
  const detail = `plugin ${JSON.stringify(name)} already registered as ${JSON.stringify(interfaceNames[point])}`;
  at.markedAt('name').invalid(name, detail);
}

/** Source: expandMultiPointPlugins */
function validateMultiPoint(plugins: readonly PluginFields[], place: Place): void {
  const seen = new Set<string>();
  for (const [index, { name }] of plugins.entries()) {
    const at = place.at(index);
    const point = allPoints.find((each) => implementsPoint(at.release, name, each));
    if (removedPlugins.has(name)) at.markedAt('name').invalid(name, `plugin ${JSON.stringify(name)} does not exist`);
    else if (seen.has(name) && point !== undefined) tellRegisteredTwice(at, name, point);
    seen.add(name);
  }
}

/** Source: NewFramework */
function validateCounts({ queueSort, bind }: PluginLists, schedulerName: string, at: Place): void {
  const profile = `for profile with scheduler name ${JSON.stringify(schedulerName)}`;
  if (queueSort.length !== 1) {
    const detail = `only one queue sort plugin required ${profile}, but got ${queueSort.length}`;
    at.at('queueSort').invalid(queueSort.length, detail);
  }
  if (bind.length === 0) at.at('bind').invalid(0, `at least one bind plugin is needed ${profile}`);
}

/**
 * The lists as the engine runs them, and the plugins in them that fail for want of what is prepared. Some of the engine's
 * plugins prepare in PreFilter what upstream works out in Filter; those are added there. A Filter or
 * Score that fails upstream for want of what is prepared is reported: every pod fails.
 */
function enabledOf(expanded: PluginLists, at: Place): Pick<Profile, 'enabled' | 'failing'> {
  const { preEnqueue, queueSort, preFilter, filter, postFilter, preScore, score } = expanded;
  const prepared = filter.filter((name) => !preFilter.includes(name));
  const failing = {
    filter: prepared.filter((name) => stateMissingText(name, 'filter') !== undefined),
    score: score.filter((name) => !preScore.includes(name) && stateMissingText(name, 'score') !== undefined),
  };
  for (const name of failing.filter) {
    const detail = `plugin ${JSON.stringify(name)} is enabled for filter but not for preFilter: its Filter fails without the state of its PreFilter`;
    at.at('preFilter').invalid(name, detail);
  }
  for (const name of failing.score) {
    const detail = `plugin ${JSON.stringify(name)} is enabled for score but not for preScore: its Score fails without the state of its PreScore`;
    at.at('preScore').invalid(name, detail);
  }
  const enabled = {
    preEnqueue,
    queueSort,
    preFilter: [...preFilter, ...prepared],
    filter,
    postFilter,
    preScore,
    score,
  };
  return { enabled, failing };
}
