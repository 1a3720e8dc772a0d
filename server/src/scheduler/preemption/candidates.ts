import { noFigures, priorityOffset, type VictimFigures } from '../framework/victim-band.ts';
import type { Victims } from './dry-run.ts';

/** Source of the start: pkg/scheduler/util/utils.go (GetEarliestPodStartTime) */
export function figuresOf({ pods, pdbViolations }: Victims): Readonly<VictimFigures> {
  const highestPriority = pods[0]!.priority;
  let prioritySum = 0;
  let earliestStart = Infinity;
  for (const { priority, startedAt } of pods) {
    prioritySum += priority + priorityOffset;
    if (priority === highestPriority && startedAt !== null && startedAt < earliestStart) earliestStart = startedAt;
  }
  return { pdbViolations, highestPriority, prioritySum, count: pods.length, earliestStart };
}

/**
 * The candidates of one preemption. Compared as they come: there may be thousands, of which only the best matter; how
 * the others fare is worked out when it is read.
 */
export class Candidates {
  readonly #nodes: Int32Array;
  #size = 0;
  #least = Infinity;
  readonly #best = noFigures();
  #bestNodes: number[] = [];

  /** @param capacity the most candidates that there can be */
  constructor(capacity: number) {
    this.#nodes = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** Indexes of the nodes, in the order in which they were added. */
  get nodes(): Int32Array {
    return this.#nodes.subarray(0, this.#size);
  }

  /** The least of the highest priorities of victims; Infinity without a candidate. */
  get leastImportant(): number {
    return this.#least;
  }

  /** Indexes of the nodes than which none is better, in the order in which they were added. */
  get best(): readonly number[] {
    return this.#bestNodes;
  }

  add(node: number, figures: Readonly<VictimFigures>): void {
    const { pdbViolations, highestPriority, prioritySum, count, earliestStart } = figures;
    this.#nodes[this.#size++] = node;
    if (highestPriority < this.#least) this.#least = highestPriority;
    const best = this.#best;
    let order = -1;
    if (this.#size > 1) {
      order = pdbViolations - best.pdbViolations;
      if (order === 0) order = highestPriority - best.highestPriority;
      if (order === 0) order = prioritySum - best.prioritySum;
      if (order === 0) order = count - best.count;
      // Infinity less Infinity is no number.
      if (order === 0 && earliestStart !== best.earliestStart) order = best.earliestStart - earliestStart;
    }
    if (order > 0) return;
    if (order === 0) {
      this.#bestNodes.push(node);
    } else {
      // A copy: who hands them in uses them again.
      best.pdbViolations = pdbViolations;
      best.highestPriority = highestPriority;
      best.prioritySum = prioritySum;
      best.count = count;
      best.earliestStart = earliestStart;
      // The first nearly always is alone: then nothing is made anew.
      if (this.#bestNodes.length === 1) this.#bestNodes[0] = node;
      else this.#bestNodes = [node];
    }
  }
}
