import type { NodeName, PreemptionChoice, PreemptionCriterion } from '../decision.ts';
import type { NodeSet } from '../framework/node-set.ts';
import { pickNode, sortedNames } from '../framework/pick.ts';
import type { VictimFigures } from '../framework/victim-band.ts';
import { type Candidates, figuresOf } from './candidates.ts';
import type { Victims } from './dry-run.ts';

/** In the order in which candidates are compared: by a figure, and whether the least of it is the best. */
const criteria = [
  ['pdbViolations', 'pdbViolations', 1],
  ['highestPriority', 'highestPriority', 1],
  ['prioritySum', 'prioritySum', 1],
  ['victimCount', 'count', 1],
  ['latestStart', 'earliestStart', -1],
] as const satisfies readonly (readonly [PreemptionCriterion, keyof VictimFigures, 1 | -1])[];

interface Survivors {
  readonly criterion: PreemptionCriterion;
  /** Indexes of nodes. */
  readonly nodes: readonly number[];
}

/**
 * Chooses among the candidates, one criterion after the other until one is left; what then still ties, upstream leaves
 * to the order of a Go map. They have been compared as they came: who survives which criterion is worked out when it is
 * read.
 * Source: pkg/scheduler/framework/preemption/preemption.go (pickOneNodeForPreemption)
 */
export function pickCandidate(
  candidates: Candidates,
  nodes: NodeSet,
  seed: number | undefined,
  pod: string,
  victimsOf: (node: number) => Victims,
): PreemptionChoice {
  return new Choice(candidates, pickNode(candidates.best, nodes, seed, pod), nodes, victimsOf);
}

/** Lists of names are made when they are first read. */
class Choice implements PreemptionChoice {
  readonly node: NodeName;
  readonly #candidates: Candidates;
  readonly #nodes: NodeSet;
  readonly #victimsOf: (node: number) => Victims;
  #survived: readonly Survivors[] | undefined;
  #named: PreemptionChoice['survivors'] | undefined;

  constructor(candidates: Candidates, node: NodeName, nodes: NodeSet, victimsOf: (node: number) => Victims) {
    this.node = node;
    this.#candidates = candidates;
    this.#nodes = nodes;
    this.#victimsOf = victimsOf;
  }

  get isTie(): boolean {
    return this.#candidates.best.length > 1;
  }

  get decidedBy(): PreemptionChoice['decidedBy'] {
    return this.isTie ? 'tie' : (this.#survivors.at(-1)?.criterion ?? null);
  }

  get nominated(): readonly NodeName[] {
    return sortedNames(this.#candidates.best, this.#nodes);
  }

  get survivors(): PreemptionChoice['survivors'] {
    return (this.#named ??= this.#survivors.map(({ criterion, nodes }) => ({
      criterion,
      nodes: sortedNames(nodes, this.#nodes),
    })));
  }

  get #survivors(): readonly Survivors[] {
    if (this.#survived !== undefined) return this.#survived;
    const survivors: Survivors[] = [];
    let left = Array.from(this.#candidates.nodes, (node) => ({ node, figures: figuresOf(this.#victimsOf(node)) }));
    for (const [criterion, figure, sign] of criteria) {
      if (left.length === 1) break;
      let least = Infinity;
      for (const { figures } of left) least = Math.min(least, sign * figures[figure]);
      left = left.filter(({ figures }) => sign * figures[figure] === least);
      survivors.push({ criterion, nodes: left.map(({ node }) => node) });
    }
    return (this.#survived = survivors);
  }
}
