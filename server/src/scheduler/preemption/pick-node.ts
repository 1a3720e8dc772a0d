import type { NodeName, PreemptionChoice, PreemptionCriterion } from '../decision.ts';
import type { NodeSet } from '../framework/node-set.ts';
import { pickNode, sortedNames } from '../framework/pick.ts';
import type { CandidateTable } from './candidate-table.ts';

interface Survivors {
  readonly criterion: PreemptionCriterion;
  /** Rows of the table. */
  readonly rows: Int32Array;
}

/**
 * Chooses among the candidates, one criterion after the other until one is left; what then still ties, upstream leaves
 * to the order of a Go map.
 * Source: pkg/scheduler/framework/preemption/preemption.go (pickOneNodeForPreemption)
 */
export function pickCandidate(
  table: CandidateTable,
  nodes: NodeSet,
  seed: number | undefined,
  pod: string,
): PreemptionChoice {
  const survivors: Survivors[] = [];
  const candidates = table.nodes.slice(0, table.size);
  let rows = new Int32Array(table.size);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  const keep = (criterion: PreemptionCriterion, column: Float64Array, sign: 1 | -1): void => {
    if (rows.length === 1) return;
    rows = lowest(rows, column, sign);
    survivors.push({ criterion, rows });
  };
  keep('pdbViolations', table.pdbViolations, 1);
  keep('highestPriority', table.highestPriority, 1);
  keep('prioritySum', table.prioritySum, 1);
  keep('victimCount', table.victimCount, 1);
  keep('latestStart', table.earliestStart, -1);
  const left = nodesOf(rows, candidates);
  const decidedBy = left.length > 1 ? 'tie' : (survivors.at(-1)?.criterion ?? null);
  return new Choice(left, pickNode(left, nodes, seed, pod), decidedBy, survivors, candidates, nodes);
}

/** The rows with the lowest value, or with sign -1 the highest. */
function lowest(rows: Int32Array<ArrayBuffer>, column: Float64Array, sign: 1 | -1): Int32Array<ArrayBuffer> {
  let least = Infinity;
  let count = 0;
  // By index, as are all loops over thousands of nodes: until it is compiled, for-of makes an object for each.
  // oxlint-disable-next-line typescript/prefer-for-of -- see above
  for (let i = 0; i < rows.length; i++) {
    const value = sign * column[rows[i]!]!;
    if (value < least) {
      least = value;
      count = 1;
    } else if (value === least) {
      count++;
    }
  }
  if (count === rows.length) return rows;
  const left = new Int32Array(count);
  let kept = 0;
  for (let i = 0; kept < count; i++) {
    const row = rows[i]!;
    const value = sign * column[row]!;
    if (value === least) left[kept++] = row;
  }
  return left;
}

function nodesOf(rows: Int32Array, candidates: Int32Array): number[] {
  const nodes = new Array<number>(rows.length);
  for (let i = 0; i < rows.length; i++) nodes[i] = candidates[rows[i]!]!;
  return nodes;
}

/** Lists of names are made when they are first read. */
class Choice implements PreemptionChoice {
  readonly node: NodeName;
  readonly decidedBy: PreemptionChoice['decidedBy'];
  readonly #left: readonly number[];
  readonly #survivors: readonly Survivors[];
  /** Node indexes, by row of the table. */
  readonly #candidates: Int32Array;
  readonly #nodes: NodeSet;
  #named: PreemptionChoice['survivors'] | undefined;

  constructor(
    left: readonly number[],
    node: NodeName,
    decidedBy: PreemptionChoice['decidedBy'],
    survivors: readonly Survivors[],
    candidates: Int32Array,
    nodes: NodeSet,
  ) {
    this.#left = left;
    this.node = node;
    this.decidedBy = decidedBy;
    this.#survivors = survivors;
    this.#candidates = candidates;
    this.#nodes = nodes;
  }

  get nominated(): readonly NodeName[] {
    return sortedNames(this.#left, this.#nodes);
  }

  get survivors(): PreemptionChoice['survivors'] {
    return (this.#named ??= this.#survivors.map(({ criterion, rows }) => ({
      criterion,
      nodes: sortedNames(nodesOf(rows, this.#candidates), this.#nodes),
    })));
  }
}
