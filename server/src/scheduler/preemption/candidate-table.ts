import type { PodInfo } from '../framework/pod-info.ts';

/** What upstream adds to each priority, so that none is negative (MaxInt32+1). Source: preemption.go (pickOneNodeForPreemption) */
const priorityOffset = 2 ** 31;

/** The candidates of one preemption, by the criteria they are compared by. One column each, since there may be thousands. */
export class CandidateTable {
  /** Node indexes. */
  readonly nodes: number[] = [];
  readonly pdbViolations: number[] = [];
  readonly highestPriority: number[] = [];
  readonly prioritySum: number[] = [];
  readonly victimCount: number[] = [];
  /** Milliseconds since 1970; Infinity for "now". */
  readonly earliestStart: number[] = [];

  get size(): number {
    return this.nodes.length;
  }

  /** `victims`: most important first. */
  addVictims(node: number, victims: readonly PodInfo[], pdbViolations: number): void {
    let sum = 0;
    for (const victim of victims) sum += victim.priority + priorityOffset;
    this.nodes.push(node);
    this.pdbViolations.push(pdbViolations);
    this.highestPriority.push(victims[0]!.priority);
    this.prioritySum.push(sum);
    this.victimCount.push(victims.length);
    this.earliestStart.push(earliestStart(victims));
  }
}

/**
 * The earliest start among the victims that share the highest priority.
 * Source: pkg/scheduler/util/utils.go (GetEarliestPodStartTime)
 */
function earliestStart(pods: readonly PodInfo[]): number {
  let highest = -Infinity;
  for (const pod of pods) if (pod.priority > highest) highest = pod.priority;
  let earliest = Infinity;
  for (const pod of pods) {
    if (pod.priority === highest && pod.startedAt !== null && pod.startedAt < earliest) earliest = pod.startedAt;
  }
  return earliest;
}
