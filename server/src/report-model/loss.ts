/** Who loses pods, in a row for each namespace, class, workload, pool or zone, or for each value of a label. */
import { type Checked, index, listOf, number, shape, text } from './check.ts';

const loss = shape({
  /** The namespace, the class, …; empty for what has none. */
  name: text,
  /** Pods that ran before anything arrived; of workloads that are evicted after they arrived, those that had a place. */
  ran: index,
  /** The share of them that does not run in the end, 0 to 1. */
  lost: number,
  evicted: index,
  /** Evicted pods whose replacement runs, and those whose replacement waits. */
  again: index,
  waiting: index,
  /** Workloads of which no pod runs in the end, `shop/cart`. */
  down: listOf(text),
  /** Budgets that evictions break, `shop/cart`. */
  broken: listOf(text),
  /** Classes of those that are evicted, with their priorities, and of those for which they are. */
  classes: listOf(text),
  evictedFor: listOf(text),
});
export type Loss = Checked<typeof loss>;

/** What the rows of `losses` are for, or the key of a label; the rows that lose most first. */
export const losses = shape({ by: text, rows: listOf(loss) });
export type Losses = Checked<typeof losses>;

/** What losses can be told by, besides the labels of workloads. */
export const lossKeys = ['namespace', 'class', 'workload', 'pool', 'zone'] as const;
