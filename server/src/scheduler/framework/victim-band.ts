import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import { sortByImportance } from './importance.ts';

/**
 * The pods of a node that a preemptor may evict, for every priority between two neighbours on that node. The last few
 * are remembered on the node until its pods change: pods of several priorities are tried in turn.
 */
export interface VictimBand {
  /** Preemptors above this priority … */
  readonly above: number;
  /** … and up to this one have these potential victims. */
  readonly upTo: number;
  /** Most important first. */
  readonly pods: readonly PodInfo[];
  /** Their sums. */
  readonly milliCpu: number;
  readonly memory: number;
  readonly ephemeralStorage: number;
  /** What the last dry run asked for, NaN before the first, and what it found. */
  askedMilliCpu: number;
  askedMemory: number;
  askedStorage: number;
  /** Whether the pod fits with all of them gone; if not, `found` says nothing. */
  fits: boolean;
  readonly found: VictimFigures;
  /** The one that was asked for before. */
  next: VictimBand | null;
}

/** What candidates for a preemption are compared by, in this order. */
export interface VictimFigures {
  pdbViolations: number;
  highestPriority: number;
  /** Each priority with `priorityOffset` added. */
  prioritySum: number;
  count: number;
  /** Milliseconds since 1970 of the earliest start among the victims of the highest priority; Infinity for "now". */
  earliestStart: number;
}

/** What upstream adds to each priority, so that none is negative (MaxInt32+1). Source: preemption.go (pickOneNodeForPreemption) */
export const priorityOffset = 2 ** 31;

/** With a double where there may be one: V8 would make each of thousands of objects anew when the first is written. */
export function noFigures(): VictimFigures {
  return { pdbViolations: 0, highestPriority: -1, prioritySum: NaN, count: 0, earliestStart: NaN };
}

/** The pods on `node` of strictly lower priority. */
export function victimBand(node: NodeInfo, priority: number): VictimBand {
  const last = node.memo as VictimBand | null;
  for (let known = last; known !== null; known = known.next) {
    if (priority > known.above && priority <= known.upTo) return known;
  }
  const all = node.pods;
  let above = -Infinity;
  let upTo = Infinity;
  let lower = 0;
  let milliCpu = 0;
  let memory = 0;
  let ephemeralStorage = 0;
  // By index, and once: a first decision does this for thousands of nodes before it is compiled.
  // oxlint-disable-next-line typescript/prefer-for-of -- see above
  for (let i = 0; i < all.length; i++) {
    const { priority: own, requests } = all[i]!;
    if (own < priority) {
      lower++;
      if (own > above) above = own;
      milliCpu += requests.milliCpu;
      memory += requests.memory;
      ephemeralStorage += requests.ephemeralStorage;
    } else if (own < upTo) {
      upTo = own;
    }
  }
  const pods = lower === all.length ? all.slice() : all.filter((pod) => pod.priority < priority);
  if (lower > 1) sortByImportance(pods);
  const band: VictimBand = {
    above,
    upTo,
    pods,
    milliCpu,
    memory,
    ephemeralStorage,
    askedMilliCpu: NaN,
    askedMemory: NaN,
    askedStorage: NaN,
    fits: false,
    found: noFigures(),
    next: last,
  };
  // Three at most.
  if (last?.next != null) last.next.next = null;
  node.memo = band;
  return band;
}
