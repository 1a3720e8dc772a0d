import type { NodeName, PreemptionChoice, PreemptionCriterion } from '../decision.ts';
import type { NodeSet } from '../framework/node-set.ts';
import { pickNode, sortedNames } from '../framework/pick.ts';
import { CandidateTable } from './candidate-table.ts';
import type { Victims } from './dry-run.ts';

/** In the order in which candidates are compared: by a column, and whether the least of it is the best. */
const criteria = [
  ['pdbViolations', 'pdbViolations', 1],
  ['highestPriority', 'highestPriority', 1],
  ['prioritySum', 'prioritySum', 1],
  ['victimCount', 'victimCount', 1],
  ['latestStart', 'earliestStart', -1],
] as const satisfies readonly (readonly [PreemptionCriterion, keyof CandidateTable, 1 | -1])[];

interface Survivors {
  readonly criterion: PreemptionCriterion;
  /** Rows of the table. */
  readonly rows: Int32Array;
}

/**
 * Chooses among the candidates, one criterion after the other until one is left; what then still ties, upstream leaves
 * to the order of a Go map. Here in one look at each: who survives which criterion is worked out when it is read.
 * Source: pkg/scheduler/framework/preemption/preemption.go (pickOneNodeForPreemption)
 */
export function pickCandidate(
  table: CandidateTable,
  nodes: NodeSet,
  seed: number | undefined,
  pod: string,
  victimsOf: (node: number) => Victims,
): PreemptionChoice {
  const { size, pdbViolations, highestPriority, prioritySum, victimCount, earliestStart } = table;
  /** Below 0 where `row` is better. */
  const compare = (row: number, other: number): number => {
    if (pdbViolations[row] !== pdbViolations[other]) return pdbViolations[row]! - pdbViolations[other]!;
    if (highestPriority[row] !== highestPriority[other]) return highestPriority[row]! - highestPriority[other]!;
    if (prioritySum[row] !== prioritySum[other]) return prioritySum[row]! - prioritySum[other]!;
    if (victimCount[row] !== victimCount[other]) return victimCount[row]! - victimCount[other]!;
    return earliestStart[row] === earliestStart[other] ? 0 : earliestStart[other]! - earliestStart[row]!;
  };
  let best = 0;
  let ties = 0;
  for (let row = 1; row < size; row++) {
    const order = compare(row, best);
    if (order === 0) ties++;
    if (order >= 0) continue;
    best = row;
    ties = 0;
  }
  const left: number[] = [table.nodes[best]!];
  for (let row = best + 1; ties > 0; row++) {
    if (compare(row, best) !== 0) continue;
    left.push(table.nodes[row]!);
    ties--;
  }
  // The table is used again.
  return new Choice(left, pickNode(left, nodes, seed, pod), table.nodes.slice(0, size), nodes, victimsOf);
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
  readonly #left: readonly number[];
  /** Node indexes, by row of the table. */
  readonly #candidates: Int32Array;
  readonly #nodes: NodeSet;
  readonly #victimsOf: (node: number) => Victims;
  #survived: readonly Survivors[] | undefined;
  #named: PreemptionChoice['survivors'] | undefined;

  constructor(
    left: readonly number[],
    node: NodeName,
    candidates: Int32Array,
    nodes: NodeSet,
    victimsOf: (node: number) => Victims,
  ) {
    this.#left = left;
    this.node = node;
    this.#candidates = candidates;
    this.#nodes = nodes;
    this.#victimsOf = victimsOf;
  }

  get isTie(): boolean {
    return this.#left.length > 1;
  }

  get decidedBy(): PreemptionChoice['decidedBy'] {
    return this.isTie ? 'tie' : (this.#survivors.at(-1)?.criterion ?? null);
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

  get #survivors(): readonly Survivors[] {
    if (this.#survived !== undefined) return this.#survived;
    const table = new CandidateTable();
    table.clear(this.#candidates.length);
    for (const node of this.#candidates) table.addVictims(node, this.#victimsOf(node));
    const survivors: Survivors[] = [];
    let rows = new Int32Array(this.#candidates.length);
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    for (const [criterion, column, sign] of criteria) {
      if (rows.length === 1) break;
      rows = lowest(rows, table[column], sign);
      survivors.push({ criterion, rows });
    }
    return (this.#survived = survivors);
  }
}
