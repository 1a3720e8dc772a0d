import { compareBytewise } from './order.ts';
import type { Status } from './status.ts';

/** How often each status was given. `null` stands for no status. */
export function countStatuses(statuses: readonly (Status | null)[]): ReadonlyMap<Status, number> {
  const counts = new Map<Status, number>();
  let last: Status | null = null;
  let run = 0;
  for (const status of statuses) {
    if (status === last) {
      run++;
      continue;
    }
    if (last !== null) counts.set(last, (counts.get(last) ?? 0) + run);
    last = status;
    run = 1;
  }
  if (last !== null) counts.set(last, (counts.get(last) ?? 0) + run);
  return counts;
}

/**
 * The text of "fits nowhere": the reasons of all nodes, counted and sorted as texts, so that `10 x` comes before `2 x`.
 * Source: pkg/scheduler/framework/types.go (FitError.Error)
 */
export function fitErrorMessage(nodes: number, counts: ReadonlyMap<Status, number>, postFilter: string): string {
  const reasons = new Map<string, number>();
  for (const [status, count] of counts) {
    for (const reason of status.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  let text = `0/${nodes} nodes are available:`;
  if (reasons.size > 0) {
    const entries = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort(compareBytewise);
    text += ` ${entries.join(', ')}.`;
  }
  return postFilter === '' ? text : `${text} ${postFilter}`;
}

/** The same when a PreFilter plugin turned the pod down. */
export function preFilterMessage(nodes: number, status: Status, postFilter: string): string {
  const text = `0/${nodes} nodes are available: ${status.message}.`;
  return postFilter === '' ? text : `${text} ${postFilter}`;
}
