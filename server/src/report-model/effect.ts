/** What operations that are tried do, one after the other: the chips of the page, and what stands in each of them. */
import { type Checked, nullOr, prose, shape, text } from './check.ts';
import { figures } from './remedy.ts';

export const effect = shape({
  /** As `podium simulate --what-if` takes it. */
  whatIf: text,
  /** In a few words. */
  label: prose,
  /** The end of the run with this operation and all before it; null where there is a problem. */
  figures: nullOr(figures),
  /** Those figures against the run without any operation: `no pod is evicted, 2 pending`, `no effect`. */
  effect: prose,
  /** Why it cannot be applied; empty where it can. */
  problem: prose,
});
export type Effect = Checked<typeof effect>;
