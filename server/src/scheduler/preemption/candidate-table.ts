import type { Victims } from './dry-run.ts';

/** What upstream adds to each priority, so that none is negative (MaxInt32+1). Source: preemption.go (pickOneNodeForPreemption) */
export const priorityOffset = 2 ** 31;

/** The candidates of one preemption, by the criteria they are compared by. One column each, since there may be thousands. */
export class CandidateTable {
  #size = 0;
  /** Node indexes. */
  readonly nodes: Int32Array;
  readonly pdbViolations: Float64Array;
  readonly highestPriority: Float64Array;
  readonly prioritySum: Float64Array;
  readonly victimCount: Float64Array;
  /** Milliseconds since 1970 of the earliest start among the victims of the highest priority; Infinity for "now". */
  readonly earliestStart: Float64Array;

  /** Takes up to `capacity` candidates. */
  constructor(capacity: number) {
    this.nodes = new Int32Array(capacity);
    this.pdbViolations = new Float64Array(capacity);
    this.highestPriority = new Float64Array(capacity);
    this.prioritySum = new Float64Array(capacity);
    this.victimCount = new Float64Array(capacity);
    this.earliestStart = new Float64Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The row of a node; -1 when it is no candidate. */
  rowOf(node: number | undefined): number {
    const row = node === undefined ? -1 : this.nodes.indexOf(node);
    return row < this.#size ? row : -1;
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
    this.nodes[row] = node;
    this.pdbViolations[row] = pdbViolations;
    this.highestPriority[row] = highestPriority;
    this.prioritySum[row] = prioritySum;
    this.victimCount[row] = victimCount;
    this.earliestStart[row] = earliestStart;
  }

  /** Source of the start: pkg/scheduler/util/utils.go (GetEarliestPodStartTime) */
  addVictims(node: number, { pods, pdbViolations }: Victims): void {
    const highest = pods[0]!.priority;
    let sum = 0;
    let earliest = Infinity;
    for (const { priority, startedAt } of pods) {
      sum += priority + priorityOffset;
      if (priority === highest && startedAt !== null && startedAt < earliest) earliest = startedAt;
    }
    this.add(node, pdbViolations, highest, sum, pods.length, earliest);
  }
}
