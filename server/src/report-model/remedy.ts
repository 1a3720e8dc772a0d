/**
 * What would help, run by the engine: operations as `podium simulate --what-if` takes them, with the figures of the run
 * in which they were applied. Nothing here is an estimate.
 */
import { type Checked, index, listOf, nullOr, oneOf, prose, shape, text } from './check.ts';

/**
 * How a run ends, in pods; budgets by name, `down` in workloads. Replacements that wait count as pending; `blocked` are
 * those that a drain cannot evict.
 */
export const figures = shape({
  evicted: index,
  blocked: index,
  budgetsBroken: index,
  pending: index,
  gated: index,
  refused: index,
  down: index,
});
export type Figures = Checked<typeof figures>;

/** `moved` is only in a comparison; `idle` are workloads that make no pods. */
export const groupKind = oneOf(
  'evicted',
  'blocked',
  'failed',
  'races',
  'pending',
  'gated',
  'refused',
  'scheduled',
  'moved',
  'idle',
);

export const remedy = shape({
  /** The group of the answer that it helps. */
  group: groupKind,
  /** The line of that group; null for all of them. */
  line: nullOr(index),
  /** Operations, applied in order; empty where nothing is known to help: then `effect` says why. */
  whatIf: listOf(text),
  /** The operations in a few words with short names, for a button. */
  label: prose,
  /** Null where it was not run, because the runs before it have used up the time for that. */
  figures: nullOr(figures),
  /** `no pod is evicted, 2 pending`; `not run yet`; why nothing helps. */
  effect: prose,
});
export type Remedy = Checked<typeof remedy>;

/** The line that a remedy is for by its name, and by its pods where another has that name, too; empty for all lines. */
export function remedyLine(
  lines: readonly { readonly name: string; readonly count: string }[],
  line: Remedy['line'],
): string {
  const { name, count } = lines[line ?? -1] ?? { name: '', count: '' };
  return lines.filter((each) => each.name === name).length > 1 ? `${name} (${count})` : name;
}

/** Remedies of a group that are shown, the best first. */
export const remedyLimit = 2;
