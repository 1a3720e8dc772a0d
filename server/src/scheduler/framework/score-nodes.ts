import type { NodeName, NodeScores } from '../decision.ts';
import type { Framework } from './framework.ts';
import { stateMissingText } from './missing-state.ts';
import { maxNodeScore } from './normalize.ts';
import type { NodeSet } from './node-set.ts';
import { type Cycle, skip } from './plugin.ts';
import { Status } from './status.ts';

/** Weighted scores of the feasible nodes, one column per plugin. */
export interface Scored {
  readonly plugins: readonly string[];
  /** By plugin, then in the order of the feasible nodes. */
  readonly columns: readonly ArrayLike<number>[];
  /** In that order, without `common`. */
  readonly totals: ArrayLike<number>;
  /** What plugins give to every node alike, all together. */
  readonly common: number;
}

/**
 * Whole numbers. As such where all fit: code that is not compiled yet makes an object of each double that it reads, and
 * a first decision reads tens of thousands.
 */
type Scores = Int32Array | Float64Array;

/**
 * Runs PreScore, Score and Normalize, and applies the weights; a status of code `Error` when that fails.
 * Source: pkg/scheduler/schedule_one.go (prioritizeNodes)
 */
export function scoreNodes(cycle: Cycle, framework: Framework, feasible: Int32Array): Scored | Status {
  const nodes = cycle.cluster.nodes;
  const plugins: string[] = [];
  const columns: Scores[] = [];
  const { length } = feasible;
  const { scorers, areScoresSmall } = framework;
  const Column = areScoresSmall ? Int32Array : Float64Array;
  const totals = new Column(length);
  // Each plugin in turn writes here, and may calculate with what it wrote.
  const scores = new Float64Array(length);
  let common = scorers.length === 0 ? 1 : 0;
  let added = 0;
  let invalid: InvalidScore | null = null;
  for (const { plugin, weight } of scorers) {
    const isFailing = framework.profile.failing.score.includes(plugin.name);
    const state = isFailing ? undefined : plugin.preScore?.(cycle, nodes, feasible);
    if (state === skip) continue;
    if (state instanceof Status) {
      return new Status('Error', plugin.name, [`running PreScore plugin "${plugin.name}": ${state.message}`]);
    }
    if (isFailing) {
      const text = stateMissingText(plugin.name, 'score') ?? '';
      return new Status('Error', plugin.name, [`running Score plugins: plugin "${plugin.name}" failed with: ${text}`]);
    }
    plugins.push(plugin.name);
    const uniform = plugin.uniformScore?.(cycle, state) ?? null;
    if (uniform !== null) {
      columns.push(new Column(length).fill(uniform * weight));
      common += uniform * weight;
      continue;
    }
    if (plugin.scoreNodes !== undefined) {
      scores.fill(0);
      plugin.scoreNodes(cycle, state, nodes, feasible, scores);
    } else {
      for (let i = 0; i < length; i++) scores[i] = plugin.score!(cycle, state, nodes[feasible[i]!]!);
    }
    plugin.normalize?.(cycle, state, nodes, feasible, scores);
    for (let i = 0; i < (invalid?.at ?? length); i++) {
      if (scores[i]! < 0 || scores[i]! > maxNodeScore) invalid = { at: i, plugin: plugin.name, score: scores[i]! };
    }
    const column = new Column(scores);
    columns.push(column);
    if (weight !== 1) for (let i = 0; i < length; i++) column[i]! *= weight;
    if (added++ === 0) totals.set(column);
    else for (let i = 0; i < length; i++) totals[i]! += column[i]!;
  }
  if (invalid !== null) {
    const text = `plugin "${invalid.plugin}" returns an invalid score ${invalid.score}, it should in the range of [0, 100] after normalizing`;
    return new Status('Error', invalid.plugin, [`applying score defaultWeights on Score plugins: ${text}`]);
  }
  return { plugins, columns, totals, common };
}

/** The first node with a score out of 0 to 100, and the first plugin that gave it one. Source: RunScorePlugins */
interface InvalidScore {
  readonly at: number;
  readonly plugin: string;
  readonly score: number;
}

/** The feasible nodes that share the top total. Source: selectHost */
export function topNodes({ totals }: Scored, feasible: Int32Array): number[] {
  let top = -Infinity;
  let best: number[] = [];
  for (let i = 0; i < totals.length; i++) {
    const total = totals[i]!;
    if (total > top) {
      top = total;
      best = [feasible[i]!];
    } else if (total === top) {
      best.push(feasible[i]!);
    }
  }
  return best;
}

/** The scores by node name, made when they are first read. */
export class LazyNodeScores implements NodeScores {
  readonly plugins: readonly string[];
  readonly #scored: Scored;
  readonly #feasible: ArrayLike<number>;
  readonly #nodes: NodeSet;
  #byNode: ReadonlyMap<NodeName, readonly number[]> | undefined;
  #totals: ReadonlyMap<NodeName, number> | undefined;

  constructor(scored: Scored, feasible: ArrayLike<number>, nodes: NodeSet) {
    this.plugins = scored.plugins;
    this.#scored = scored;
    this.#feasible = feasible;
    this.#nodes = nodes;
  }

  get byNode(): ReadonlyMap<NodeName, readonly number[]> {
    this.#byNode ??= this.#map((i) => this.#scored.columns.map((column) => column[i]!));
    return this.#byNode;
  }

  get totals(): ReadonlyMap<NodeName, number> {
    this.#totals ??= this.#map((i) => this.#scored.totals[i]! + this.#scored.common);
    return this.#totals;
  }

  best(most: number): NodeScores {
    const { plugins, columns, totals, common } = this.#scored;
    const rank = this.#nodes.nameRank;
    const isBefore = (one: number, other: number): boolean =>
      totals[one] === totals[other]
        ? rank[this.#feasible[one]!]! < rank[this.#feasible[other]!]!
        : totals[one]! > totals[other]!;
    const best: number[] = [];
    for (let place = 0; place < totals.length; place++) {
      if (best.length === most && !isBefore(place, best[most - 1]!)) continue;
      let at = best.length;
      while (at > 0 && isBefore(place, best[at - 1]!)) at--;
      best.splice(at, 0, place);
      if (best.length > most) best.pop();
    }
    const atBest = (values: ArrayLike<number>): number[] => best.map((place) => values[place]!);
    const scored = { plugins, columns: columns.map(atBest), totals: atBest(totals), common };
    return new LazyNodeScores(scored, atBest(this.#feasible), this.#nodes);
  }

  #map<T>(valueOf: (position: number) => T): ReadonlyMap<NodeName, T> {
    const map = new Map<NodeName, T>();
    for (let i = 0; i < this.#feasible.length; i++) {
      map.set(this.#nodes.facts[this.#feasible[i]!]!.name, valueOf(i));
    }
    return map;
  }
}
