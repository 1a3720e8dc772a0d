import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { ExtensionPoint, Release } from '../../kubernetes/release.ts';
import { defaultPluginsOf, type EnginePoint } from '../framework/profile.ts';
import type { PluginFields, PluginsFields, PluginSetFields } from './fields.ts';
import { implementsPoint, interfaceNames, isKnownPlugin, needsState, removedPlugins } from './known-plugins.ts';
import { invalid, markedAt, type NotModelled } from './problems.ts';

/** The plugins of a profile after defaults and expansion. */
export interface ResolvedPlugins {
  readonly enabled: Readonly<Record<EnginePoint, readonly string[]>>;
  readonly weights: ReadonlyMap<string, number>;
  /** Enabled plugins that Podium does not know, everywhere they are named. */
  readonly notModelled: readonly NotModelled[];
}

const allPoints: readonly ExtensionPoint[] = Object.keys(interfaceNames) as ExtensionPoint[];

/**
 * What runs where, from the `plugins` of a profile.
 * Source: mergePlugins in pkg/scheduler/apis/config/v1/default_plugins.go; NewFramework and expandMultiPointPlugins in
 * pkg/scheduler/framework/runtime/framework.go
 */
export function resolvePlugins(
  plugins: PluginsFields | undefined,
  release: Release,
  schedulerName: string,
  path: Path,
  problems: FieldError[],
): ResolvedPlugins {
  const multiPoint = mergeSet(defaultPluginsOf(release), plugins?.multiPoint);
  validateMultiPoint(release, plugins?.multiPoint?.enabled ?? [], [...path, 'multiPoint', 'enabled'], problems);
  const expanded = {} as Record<ExtensionPoint, readonly string[]>;
  for (const point of allPoints) {
    const own = mergeSet([], plugins?.[point]);
    validateSet(release, own, point, [...path, point, 'enabled'], problems);
    expanded[point] = expand(
      release,
      point,
      own,
      new Set(plugins?.[point]?.disabled?.map(({ name }) => name)),
      multiPoint,
    );
  }
  const weights = new Map<string, number>();
  for (const { name, weight } of [...mergeSet([], plugins?.score), ...multiPoint]) {
    // The weight at the extension point itself comes first; 0 stands for 1. Source: getScoreWeights
    if (!weights.has(name)) weights.set(name, weight === undefined || weight === 0 ? 1 : weight);
  }
  const unknown = unknownPlugins(release, plugins, path);
  // A plugin that Podium does not know may be the one that sorts or binds.
  if (unknown.length === 0) validateCounts(expanded, schedulerName, path, problems);
  const notModelled = unknown.filter(({ name }) => !removedPlugins.has(name));
  return { enabled: enabledOf(expanded, path, problems), weights, notModelled };
}

function unknownPlugins(release: Release, plugins: PluginsFields | undefined, path: Path): readonly NotModelled[] {
  return ([...allPoints, 'multiPoint'] as const).flatMap((point) =>
    (plugins?.[point]?.enabled ?? []).flatMap(({ name }, index) =>
      isKnownPlugin(release, name) ? [] : [{ name, path: [...path, point, 'enabled', index, 'name'] }],
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

/**
 * The plugins of one extension point: those written for it that MultiPoint has too, then the rest of MultiPoint, then
 * the others written for it. Source: expandMultiPointPlugins
 */
function expand(
  release: Release,
  point: ExtensionPoint,
  own: readonly PluginFields[],
  disabled: ReadonlySet<string>,
  multiPoint: readonly PluginFields[],
): readonly string[] {
  const names = [...new Set(own.map(({ name }) => name))].filter((name) => implementsPoint(release, name, point));
  if (disabled.has('*')) return names;
  const written = new Set(names);
  const inMultiPoint = [...new Set(multiPoint.map(({ name }) => name))].filter(
    (name) => implementsPoint(release, name, point) && !disabled.has(name),
  );
  const overridden = new Set(inMultiPoint.filter((name) => written.has(name)));
  return [
    ...names.filter((name) => overridden.has(name)),
    ...inMultiPoint.filter((name) => !written.has(name)),
    ...names.filter((name) => !overridden.has(name)),
  ];
}

/** Source: validatePluginSetForInvalidPlugins, updatePluginList */
function validateSet(
  release: Release,
  plugins: readonly PluginFields[],
  point: ExtensionPoint,
  path: Path,
  problems: FieldError[],
): void {
  for (const [index, { name }] of plugins.entries()) {
    const at = [...path, index];
    if (removedPlugins.has(name)) {
      problems.push(removed(at, name));
    } else if (isKnownPlugin(release, name) && !implementsPoint(release, name, point)) {
      const detail = `plugin ${JSON.stringify(name)} does not extend ${interfaceNames[point]} plugin`;
      problems.push(markedAt(invalid(at, name, detail), [...at, 'name']));
    } else if (plugins.findIndex((each) => each.name === name) < index) {
      problems.push(registeredTwice(at, name, point));
    }
  }
}

export function removed(path: Path, name: string): FieldError {
  const version = 'kubescheduler.config.k8s.io/v1';
  // Upstream says "v1": it compares with the version of the core API.
  const detail = `was invalid in version "v1" (KubeSchedulerConfiguration is version ${JSON.stringify(version)})`;
  return markedAt(invalid(path, name, detail), [...path, 'name']);
}

function registeredTwice(path: Path, name: string, point: ExtensionPoint): FieldError {
  const detail = `plugin ${JSON.stringify(name)} already registered as ${JSON.stringify(interfaceNames[point])}`;
  return markedAt(invalid(path, name, detail), [...path, 'name']);
}

/** Source: expandMultiPointPlugins */
function validateMultiPoint(
  release: Release,
  plugins: readonly PluginFields[],
  path: Path,
  problems: FieldError[],
): void {
  const seen = new Set<string>();
  for (const [index, { name }] of plugins.entries()) {
    const point = allPoints.find((each) => implementsPoint(release, name, each));
    if (removedPlugins.has(name)) {
      const problem = invalid([...path, index], name, `plugin ${JSON.stringify(name)} does not exist`);
      problems.push(markedAt(problem, [...path, index, 'name']));
    } else if (seen.has(name) && point !== undefined) {
      problems.push(registeredTwice([...path, index], name, point));
    }
    seen.add(name);
  }
}

/** Source: NewFramework */
function validateCounts(
  enabled: Readonly<Record<ExtensionPoint, readonly string[]>>,
  schedulerName: string,
  path: Path,
  problems: FieldError[],
): void {
  const { queueSort, bind } = enabled;
  const profile = `for profile with scheduler name ${JSON.stringify(schedulerName)}`;
  if (queueSort.length !== 1) {
    const detail = `only one queue sort plugin required ${profile}, but got ${queueSort.length}`;
    problems.push(invalid([...path, 'queueSort'], queueSort.length, detail));
  }
  if (bind.length === 0) problems.push(invalid([...path, 'bind'], 0, `at least one bind plugin is needed ${profile}`));
}

/**
 * The lists as the engine runs them. Some of its plugins prepare in PreFilter what upstream works out in Filter; those
 * are added there. A Filter or Score that fails upstream for want of what is prepared is reported: every pod would fail.
 */
function enabledOf(
  expanded: Readonly<Record<ExtensionPoint, readonly string[]>>,
  path: Path,
  problems: FieldError[],
): Record<EnginePoint, readonly string[]> {
  const { preEnqueue, queueSort, preFilter, filter, postFilter, preScore, score } = expanded;
  const prepared = filter.filter((name) => !preFilter.includes(name));
  for (const name of prepared) {
    if (!needsState(name, 'filter')) continue;
    const detail = `plugin ${JSON.stringify(name)} is enabled for filter but not for preFilter: its Filter fails without the state of its PreFilter`;
    problems.push(invalid([...path, 'preFilter'], name, detail));
  }
  for (const name of score) {
    if (preScore.includes(name) || !needsState(name, 'score')) continue;
    const detail = `plugin ${JSON.stringify(name)} is enabled for score but not for preScore: its Score fails without the state of its PreScore`;
    problems.push(invalid([...path, 'preScore'], name, detail));
  }
  return { preEnqueue, queueSort, preFilter: [...preFilter, ...prepared], filter, postFilter, preScore, score };
}
