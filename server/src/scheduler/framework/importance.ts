import type { PodInfo } from './pod-info.ts';
import { goSort, maxInsertion } from './go-sort.ts';

/**
 * Whether `a` is more important than `b`: higher priority, then earlier start. A pod that has not started counts as
 * started now, and upstream asks for the time at each comparison: of two such pods the first one asked about is older.
 * Source: pkg/scheduler/util/utils.go (MoreImportantPod, GetPodStartTime)
 */
function moreImportant(a: PodInfo, b: PodInfo): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  if (b.startedAt === null) return true;
  return a.startedAt !== null && a.startedAt < b.startedAt;
}

/** Sorts in place, most important first, exactly as upstream's sort leaves them. */
export function sortByImportance(pods: PodInfo[]): void {
  if (pods.length > maxInsertion) {
    goSort(pods, moreImportant);
    return;
  }
  // The same steps, without the calls between: a first decision does this for thousands of nodes before it is compiled.
  for (let i = 1; i < pods.length; i++) {
    const pod = pods[i]!;
    let j = i;
    for (; j > 0 && moreImportant(pod, pods[j - 1]!); j--) pods[j] = pods[j - 1]!;
    if (j < i) pods[j] = pod;
  }
}
