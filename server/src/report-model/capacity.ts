/**
 * How many more replicas of a workload there is room for at the end of a run. The engine has placed them, one after the
 * other; nothing here is an estimate.
 */
import { type Checked, flag, index, listOf, nullOr, prose, shape, text } from './check.ts';

const texts = listOf(text);

/** `isExact` is `false` where there may be room for more than were looked for. */
const room = shape({ count: index, isExact: flag });

export const capacity = shape({
  workload: index,
  /** Why it can have no more replicas; empty where it can. */
  refusal: prose,
  /** No pod is evicted. */
  free: room,
  /** Lower priorities are evicted, as long as no budget is broken, as budgets stand. */
  withinBudgets: room,
  /** Budgets are broken where preemption breaks them. */
  evicting: room,
  /** Those that take the replicas for which no pod is evicted, the most first; `moreNodes` counts the others. */
  nodes: listOf(shape({ node: index, count: index })),
  moreNodes: index,
  /** What runs out first without evictions, in a word or two: `cpu`, `host port`; empty where nothing does. */
  runsOut: prose,
  /** What the scheduler says of the next one, word for word; empty where it would be placed. */
  message: text,
  /** Whom the next one evicts; null where it evicts no pod. `moreVictims` counts those past the first ten. */
  evicts: nullOr(shape({ node: index, victims: texts, moreVictims: index, brokenBudgets: texts })),
  /** Gates that its pods have; the answer is what would be without them. */
  gates: texts,
  /** The replicas are taken to share the claims of the first, where each would have its own. */
  sharesClaims: flag,
});
export type Capacity = Checked<typeof capacity>;
