import type { Victims } from './dry-run.ts';

/** What upstream adds to each priority, so that none is negative (MaxInt32+1). Source: preemption.go (pickOneNodeForPreemption) */
export const priorityOffset = 2 ** 31;

/** What candidates are compared by. */
export interface CandidateFigures {
  readonly highestPriority: number;
  readonly prioritySum: number;
  /** Milliseconds since 1970 of the earliest start among the victims of the highest priority; Infinity for "now". */
  readonly earliestStart: number;
}

/** Source of the start: pkg/scheduler/util/utils.go (GetEarliestPodStartTime) */
export function figuresOf({ pods }: Victims): CandidateFigures {
  const highestPriority = pods[0]!.priority;
  let prioritySum = 0;
  let earliestStart = Infinity;
  for (const { priority, startedAt } of pods) {
    prioritySum += priority + priorityOffset;
    if (priority === highestPriority && startedAt !== null && startedAt < earliestStart) earliestStart = startedAt;
  }
  return { highestPriority, prioritySum, earliestStart };
}

/**
 * The candidates of one preemption, by the criteria they are compared by. One column each, since there may be thousands.
 * To be emptied and used again, so that a run of preemptions does not make and drop thousands of columns.
 */
export class CandidateTable {
  #size = 0;
  #capacity = 0;
  #least = Infinity;
  /** Node indexes. */
  nodes = new Int32Array(0);
  pdbViolations = new Float64Array(0);
  highestPriority = new Float64Array(0);
  prioritySum = new Float64Array(0);
  victimCount = new Float64Array(0);
  earliestStart = new Float64Array(0);

  get size(): number {
    return this.#size;
  }

  /** The least of the highest priorities of victims; Infinity without a candidate. */
  get leastImportant(): number {
    return this.#least;
  }

  /** Empties it, to take up to `capacity` candidates. */
  clear(capacity: number): void {
    this.#size = 0;
    this.#least = Infinity;
    if (capacity <= this.#capacity) return;
    this.#capacity = capacity;
    this.nodes = new Int32Array(capacity);
    this.pdbViolations = new Float64Array(capacity);
    this.highestPriority = new Float64Array(capacity);
    this.prioritySum = new Float64Array(capacity);
    this.victimCount = new Float64Array(capacity);
    this.earliestStart = new Float64Array(capacity);
  }

  add(
    node: number,
    pdbViolations: number,
    highestPriority: number,
    prioritySum: number,
    victimCount: number,
    earliestStart: number,
  ): void {
    const row = this.#size++;
    if (highestPriority < this.#least) this.#least = highestPriority;
    this.nodes[row] = node;
    this.pdbViolations[row] = pdbViolations;
    this.highestPriority[row] = highestPriority;
    this.prioritySum[row] = prioritySum;
    this.victimCount[row] = victimCount;
    this.earliestStart[row] = earliestStart;
  }

  addVictims(node: number, victims: Victims): void {
    const { highestPriority, prioritySum, earliestStart } = figuresOf(victims);
    this.add(node, victims.pdbViolations, highestPriority, prioritySum, victims.pods.length, earliestStart);
  }
}
