import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { sortByImportance } from './importance.ts';

/**
 * The pods of a node that a preemptor may evict, for every priority between two neighbours on that node. Remembered on
 * the node until its pods change.
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
  /** What the last dry run asked for, -1 before the first, and what it found; in one object, since there are thousands. */
  askedMilliCpu: number;
  askedMemory: number;
  askedStorage: number;
  /** Whether the pod fits with all of them gone; if not, the rest says nothing. */
  fits: boolean;
  /** Of those that must go. */
  count: number;
  highest: number;
  sum: number;
  earliest: number;
}

/** The pods on `node` of strictly lower priority. */
export function victimBand(node: NodeInfo, priority: number): VictimBand {
  const known = node.memo as VictimBand | null;
  if (known !== null && priority > known.above && priority <= known.upTo) return known;
  let above = -Infinity;
  let upTo = Infinity;
  let lower = 0;
  for (const pod of node.pods) {
    if (pod.priority < priority) {
      lower++;
      if (pod.priority > above) above = pod.priority;
    } else if (pod.priority < upTo) {
      upTo = pod.priority;
    }
  }
  const pods = lower === node.pods.length ? node.pods.slice() : node.pods.filter((pod) => pod.priority < priority);
  sortByImportance(pods);
  let milliCpu = 0;
  let memory = 0;
  let ephemeralStorage = 0;
  for (const { requests } of pods) {
    milliCpu += requests.milliCpu;
    memory += requests.memory;
    ephemeralStorage += requests.ephemeralStorage;
  }
  const band: VictimBand = {
    above,
    upTo,
    pods,
    milliCpu,
    memory,
    ephemeralStorage,
    askedMilliCpu: -1,
    askedMemory: -1,
    askedStorage: -1,
    fits: false,
    count: 0,
    highest: 0,
    sum: 0,
    earliest: 0,
  };
  node.memo = band;
  return band;
}
