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
  /**
   * In the same order, `bandColumns` numbers a pod: CPU, memory, ephemeral storage, priority, start (Infinity for "now").
   * One list, since a preemption runs over those of thousands of nodes. Stale where the node is `exact`.
   */
  readonly figures: readonly number[];
  /** Their sums. */
  readonly milliCpu: number;
  readonly memory: number;
  readonly ephemeralStorage: number;
  /** What a dry run found for a pod that asks for these amounts; null before the first. */
  last: {
    readonly milliCpu: number;
    readonly memory: number;
    readonly ephemeralStorage: number;
    /** Whether the pod fits with all of them gone; if not, the rest says nothing. */
    readonly fits: boolean;
    /** Of those that must go. */
    readonly count: number;
    readonly highest: number;
    readonly sum: number;
    readonly earliest: number;
  } | null;
}

export const bandColumns = 5;

/** The pods on `node` of strictly lower priority. */
export function victimBand(node: NodeInfo, priority: number): VictimBand {
  const known = node.memo as VictimBand | null;
  if (known !== null && priority > known.above && priority <= known.upTo) return known;
  let above = -Infinity;
  let upTo = Infinity;
  let milliCpu = 0;
  let memory = 0;
  let ephemeralStorage = 0;
  const pods: PodInfo[] = [];
  for (const pod of node.pods) {
    if (pod.priority < priority) {
      pods.push(pod);
      if (pod.priority > above) above = pod.priority;
    } else if (pod.priority < upTo) {
      upTo = pod.priority;
    }
  }
  sortByImportance(pods);
  const figures: number[] = [];
  for (const { requests, priority: victimPriority, startedAt } of pods) {
    const { milliCpu: takesMilliCpu, memory: takesMemory, ephemeralStorage: takesStorage } = requests;
    figures.push(takesMilliCpu, takesMemory, takesStorage, victimPriority, startedAt ?? Infinity);
    milliCpu += requests.milliCpu;
    memory += requests.memory;
    ephemeralStorage += requests.ephemeralStorage;
  }
  const band: VictimBand = { above, upTo, pods, figures, milliCpu, memory, ephemeralStorage, last: null };
  node.memo = band;
  return band;
}
