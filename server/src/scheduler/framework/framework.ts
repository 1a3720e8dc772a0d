import { maxNodeScore } from './normalize.ts';
import { compareBytewise } from './order.ts';
import { type Cycle, type Plugin, skip } from './plugin.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { Profile } from './profile.ts';
import { stateMissingText } from './missing-state.ts';
import { Status, unresolvable } from './status.ts';

/** A plugin with what it worked out in PreFilter. */
export interface ActivePlugin {
  readonly plugin: Plugin;
  readonly state: unknown;
}

/** What PreFilter leaves behind. */
export interface PreFilterResult {
  /** Set when a plugin turned the pod down. */
  readonly rejected: Status | null;
  /** Whether DynamicResources was reached; its PostFilter fails without. */
  readonly reachedDynamicResources: boolean;
  /** Names of the only nodes to look at; null for all. */
  readonly nodes: ReadonlySet<string> | null;
  /** Plugins that narrowed the nodes down, sorted. */
  readonly narrowedBy: readonly string[];
  /** Plugins whose Filter takes part in this cycle, in order. */
  readonly filters: readonly ActivePlugin[];
  /** Of those, the plugins that want to know of pods that come and go in dry runs. */
  readonly hooks: readonly ActivePlugin[];
}

/**
 * A profile with its plugins: runs the extension points as upstream's framework does.
 * Source: pkg/scheduler/framework/runtime/framework.go
 */
export class Framework {
  readonly profile: Profile;
  /** Whether a filter of the profile ends every attempt with an error. */
  readonly canFail: boolean;
  readonly #preFilter: readonly Plugin[];
  readonly #filter: readonly Plugin[];
  readonly scorers: readonly { readonly plugin: Plugin; readonly weight: number }[];
  /** Whether no weighted score of a node, nor their sum, goes beyond 32 bits. */
  readonly areScoresSmall: boolean;

  /** `plugins`: by name; names in the profile that are not there have no part. */
  constructor(profile: Profile, plugins: ReadonlyMap<string, Plugin>) {
    this.profile = profile;
    const enabled = (names: readonly string[]): Plugin[] =>
      names.map((name) => plugins.get(name)).filter((plugin) => plugin !== undefined);
    const { failing } = profile;
    this.canFail = failing.filter.length > 0;
    this.#preFilter = enabled(profile.enabled.preFilter).filter(
      (plugin) => plugin.preFilter !== undefined && !failing.filter.includes(plugin.name),
    );
    this.#filter = enabled(profile.enabled.filter)
      .filter((plugin) => plugin.filter !== undefined)
      .map((plugin) => (failing.filter.includes(plugin.name) ? failingFilter(plugin.name) : plugin));
    this.scorers = enabled(profile.enabled.score)
      .filter((plugin) => plugin.score !== undefined || plugin.scoreNodes !== undefined)
      .map((plugin) => ({ plugin, weight: profile.weights.get(plugin.name) ?? 1 }));
    const most = this.scorers.reduce((sum, { weight }) => sum + Math.abs(weight) * maxNodeScore, 0);
    this.areScoresSmall = most < 2 ** 31;
  }

  isEnabled(point: keyof Profile['enabled'], plugin: string): boolean {
    return this.profile.enabled[point].includes(plugin);
  }

  /** The pod of the cycle is about to be bound to `node`. */
  reserve(cycle: Cycle, node: NodeInfo): void {
    for (const plugin of this.#filter) plugin.reserve?.(cycle, node);
  }

  /** Source: RunPreFilterPlugins */
  preFilter(cycle: Cycle): PreFilterResult {
    const states = new Map<Plugin, unknown>();
    const skipped = new Set<Plugin>();
    const narrowedBy: string[] = [];
    let nodes: ReadonlySet<string> | null = null;
    let rejected: Status | null = null;
    let reachedDynamicResources = false;
    for (const plugin of this.#preFilter) {
      if (plugin.name === 'DynamicResources') reachedDynamicResources = true;
      const answer = plugin.preFilter!(cycle);
      if (answer === skip) {
        skipped.add(plugin);
        continue;
      }
      if ('rejected' in answer) {
        rejected = answer.rejected;
        if (rejected.code !== 'Unschedulable') break;
        continue;
      }
      states.set(plugin, answer.state);
      if (answer.nodes === undefined) continue;
      narrowedBy.push(plugin.name);
      nodes = nodes === null ? answer.nodes : intersection(nodes, answer.nodes);
      if (nodes.size === 0) {
        rejected = unresolvable('', emptyIntersection(narrowedBy));
        break;
      }
    }
    const filters = this.#filter
      .filter((plugin) => !skipped.has(plugin))
      .map((plugin) => ({ plugin, state: states.get(plugin) }));
    return {
      rejected,
      reachedDynamicResources,
      nodes,
      narrowedBy: narrowedBy.sort(compareBytewise),
      filters,
      hooks: filters.filter(({ plugin }) => plugin.addPod !== undefined || plugin.removePod !== undefined),
    };
  }

  /** As `preFilter`, but goes on after a plugin that turns the pod down, and narrows nothing: what all of them say. */
  everyPreFilter(cycle: Cycle): {
    readonly rejections: readonly Status[];
    readonly filters: readonly ActivePlugin[];
  } {
    const states = new Map<Plugin, unknown>();
    const silent = new Set<Plugin>();
    const rejections: Status[] = [];
    for (const plugin of this.#preFilter) {
      const answer = plugin.preFilter!(cycle);
      if (answer === skip) {
        silent.add(plugin);
      } else if ('rejected' in answer) {
        rejections.push(answer.rejected);
        silent.add(plugin);
      } else {
        states.set(plugin, answer.state);
      }
    }
    const filters = this.#filter.filter((plugin) => !silent.has(plugin));
    return { rejections, filters: filters.map((plugin) => ({ plugin, state: states.get(plugin) })) };
  }
}

/** A filter that never had what its PreFilter should have left. */
function failingFilter(name: string): Plugin {
  const status = new Status('Error', name, [stateMissingText(name, 'filter') ?? '']);
  return { name, dependsOnPods: false, filter: () => status };
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter((name) => b.has(name)));
}

function emptyIntersection(plugins: readonly string[]): string {
  const names = [...plugins].sort(compareBytewise);
  return names.length === 1
    ? `node(s) didn't satisfy plugin ${names.join()}`
    : `node(s) didn't satisfy plugin(s) [${names.join(' ')}] simultaneously`;
}

/** The first filter that refuses the node, in order; null when all let it pass. Source: RunFilterPlugins */
export function runFilters(cycle: Cycle, filters: readonly ActivePlugin[], node: NodeInfo): Status | null {
  for (const { plugin, state } of filters) {
    const status = plugin.filter!(cycle, state, node);
    if (status !== null) return status;
  }
  return null;
}

/** Tells the plugins that a pod joins a node. */
export function runAddPod(cycle: Cycle, hooks: readonly ActivePlugin[], pod: PodInfo, node: NodeInfo): void {
  for (const { plugin, state } of hooks) plugin.addPod?.(cycle, state, pod, node);
}

/** Tells the plugins that a pod leaves a node. */
export function runRemovePod(cycle: Cycle, hooks: readonly ActivePlugin[], pod: PodInfo, node: NodeInfo): void {
  for (const { plugin, state } of hooks) plugin.removePod?.(cycle, state, pod, node);
}
