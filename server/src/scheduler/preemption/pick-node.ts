import type { NodeName, PreemptionChoice, PreemptionCriterion } from '../decision.ts';
import type { NodeSet } from '../framework/node-set.ts';
import { pickNode, sortedNames } from '../framework/pick.ts';
import type { CandidateTable } from './candidate-table.ts';

interface Survivors {
  readonly criterion: PreemptionCriterion;
  /** Rows of the table. */
  readonly rows: readonly number[];
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
  let rows: readonly number[] = Array.from({ length: table.size }, (_, row) => row);
  const keepLowest = (criterion: PreemptionCriterion, column: Float64Array): void => {
    if (rows.length === 1) return;
    rows = lowest(rows, column);
    survivors.push({ criterion, rows });
  };
  keepLowest('pdbViolations', table.pdbViolations);
  keepLowest('highestPriority', table.highestPriority);
  keepLowest('prioritySum', table.prioritySum);
  keepLowest('victimCount', table.victimCount);
  keepLowest('latestStart', table.earliestStart.map((start) => -start));
  const left = rows.map((row) => table.nodes[row]!);
  const decidedBy = left.length > 1 ? 'tie' : (survivors.at(-1)?.criterion ?? null);
  return new Choice(left, pickNode(left, nodes, seed, pod), decidedBy, survivors, table, nodes);
}

function lowest(rows: readonly number[], column: Float64Array): readonly number[] {
  let least = Infinity;
  let count = 0;
  for (const row of rows) {
    const value = column[row]!;
    if (value < least) {
      least = value;
      count = 1;
    } else if (value === least) {
      count++;
    }
  }
  return count === rows.length ? rows : rows.filter((row) => column[row] === least);
}

/** Lists of names are made when they are first read. */
class Choice implements PreemptionChoice {
  readonly node: NodeName;
  readonly decidedBy: PreemptionChoice['decidedBy'];
  readonly #left: readonly number[];
  readonly #survivors: readonly Survivors[];
  readonly #table: CandidateTable;
  readonly #nodes: NodeSet;

  constructor(
    left: readonly number[],
    node: NodeName,
    decidedBy: PreemptionChoice['decidedBy'],
    survivors: readonly Survivors[],
    table: CandidateTable,
    nodes: NodeSet,
  ) {
    this.#left = left;
    this.node = node;
    this.decidedBy = decidedBy;
    this.#survivors = survivors;
    this.#table = table;
    this.#nodes = nodes;
  }

  get nominated(): readonly NodeName[] {
    return sortedNames(this.#left, this.#nodes);
  }

  get survivors(): PreemptionChoice['survivors'] {
    return this.#survivors.map(({ criterion, rows }) => ({
      criterion,
      nodes: sortedNames(
        rows.map((row) => this.#table.nodes[row]!),
        this.#nodes,
      ),
    }));
  }
}
