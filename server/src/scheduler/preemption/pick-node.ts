import type { NodeName, PreemptionChoice, PreemptionCriterion } from '../decision.ts';
import type { NodeSet } from '../framework/node-set.ts';
import { pickNode, sortedNames } from '../framework/pick.ts';
import type { VictimFigures } from '../framework/victim-band.ts';
import type { Candidates } from './candidates.ts';

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
  figuresOf: (node: number) => Readonly<VictimFigures>,
): PreemptionChoice {
  return new Choice(candidates, pickNode(candidates.best, nodes, seed, pod), nodes, figuresOf);
}

/** Lists of names are made when they are first read. */
class Choice implements PreemptionChoice {
  readonly node: NodeName;
  readonly #candidates: Candidates;
  readonly #nodes: NodeSet;
  readonly #figuresOf: (node: number) => Readonly<VictimFigures>;
  #survived: readonly Survivors[] | undefined;
  #named: PreemptionChoice['survivors'] | undefined;

  constructor(
    candidates: Candidates,
    node: NodeName,
    nodes: NodeSet,
    figuresOf: (node: number) => Readonly<VictimFigures>,
  ) {
    this.node = node;
    this.#candidates = candidates;
    this.#nodes = nodes;
    this.#figuresOf = figuresOf;
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
    const nodeSet = this.#nodes;
    return (this.#named ??= this.#survivors.map(({ criterion, nodes }) => {
      let names: readonly NodeName[] | undefined;
      return {
        criterion,
        get nodes() {
          return (names ??= sortedNames(nodes, nodeSet));
        },
      };
    }));
  }

  get #survivors(): readonly Survivors[] {
    if (this.#survived !== undefined) return this.#survived;
    const survivors: Survivors[] = [];
    const { nodes } = this.#candidates;
    // A row for each criterion: there may be thousands of candidates, in each of a thousand choices.
    const rows = criteria.map(() => new Float64Array(nodes.length));
    for (const [at, node] of nodes.entries()) {
      const figures = this.#figuresOf(node);
      for (const [row, [, figure, sign]] of criteria.entries()) rows[row]![at] = sign * figures[figure];
    }
    let left = Array.from(nodes, (_node, at) => at);
    for (const [row, [criterion]] of criteria.entries()) {
      if (left.length === 1) break;
      const figures = rows[row]!;
      let least = Infinity;
      for (const at of left) least = Math.min(least, figures[at]!);
      left = left.filter((at) => figures[at] === least);
      survivors.push({ criterion, nodes: left.map((at) => nodes[at]!) });
    }
    return (this.#survived = survivors);
  }
}
