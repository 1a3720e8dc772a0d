import type { Fact, FactsReader } from '../../index/fact.ts';
import { classLadder, podPriority } from '../../index/priority-classes.ts';
import { keptBy } from './kept.ts';

/** Workloads whose priority is known, lowest first. */
interface ByPriority {
  readonly facts: readonly Fact[];
  readonly priorities: readonly number[];
}

const byPriority = keptBy((workloads: readonly Fact[], _ladder: object, facts: FactsReader): ByPriority => {
  const known = workloads
    .flatMap((fact) => {
      const resolved = podPriority(facts, fact);
      return resolved?.admitted === true ? [{ fact, priority: resolved.priority }] : [];
    })
    .sort((a, b) => a.priority - b.priority);
  return { facts: known.map(({ fact }) => fact), priorities: known.map(({ priority }) => priority) };
});

/** Those of some workloads that are below a priority. */
export interface LowerWorkloads {
  readonly count: number;
  /** The lowest of them. */
  readonly first: { readonly fact: Fact; readonly priority: number } | undefined;
  readonly all: () => readonly Fact[];
}

export function lowerAmong(workloads: readonly Fact[], priority: number, facts: FactsReader): LowerWorkloads {
  const { facts: sorted, priorities } = byPriority(workloads, classLadder(facts), facts);
  let low = 0;
  let high = priorities.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (priorities[middle]! < priority) low = middle + 1;
    else high = middle;
  }
  return {
    count: low,
    first: low === 0 ? undefined : { fact: sorted[0]!, priority: priorities[0]! },
    all: () => sorted.slice(0, low),
  };
}
