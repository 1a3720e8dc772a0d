import { count, titleOf } from '../../kit/words.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { Fact, FactsReader } from '../facts.ts';
import { podPriority } from '../priority-classes.ts';
import { outranking, type RankedWorkload, rankedWorkloads } from '../standing.ts';
import { keptBy } from './support/kept.ts';
import { findingAt } from './support/narrow.ts';
import { selectedIn } from './support/selection.ts';
import type { ObjectRule } from './rule.ts';

export const budgetBrokenByPreemption: ObjectRule = {
  code: 'budget-broken-by-preemption',
  title: 'Pods behind a PodDisruptionBudget can be preempted by workloads of higher priority',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'PodDisruptionBudget') return;
    const selected = selectedIn(facts, fact.namespace, (fact.object as PodDisruptionBudget).spec?.selector);
    const threat = threatTo(selected, facts);
    if (threat === undefined) return;
    const { lowest, above, highest } = threat;
    const message = `This budget holds for drains and evictions. Preemption only prefers to keep it: ${count(above, 'workload')} of higher priority, ${titleOf(highest.fact)} (${highest.priority}) first, may evict pods of ${titleOf(lowest.fact)} (${lowest.priority}) all the same.`;
    yield findingAt(fact, ['kind'], message, {
      related: () => [
        { fact: highest.fact, message: `${titleOf(highest.fact)}, priority ${highest.priority}` },
        { fact: lowest.fact, message: `${titleOf(lowest.fact)}, priority ${lowest.priority}` },
      ],
    });
  },
};

/** Who is evicted first of some workloads, and for whom. */
interface Threat {
  readonly lowest: Lowest;
  readonly above: number;
  readonly highest: RankedWorkload;
}

function threatTo(selected: readonly Fact[], facts: FactsReader): Threat | undefined {
  return selected.length === 0 ? undefined : threats(selected, rankedWorkloads(facts), facts);
}

const threats = keptBy((selected: readonly Fact[], _ranked: readonly RankedWorkload[], facts: FactsReader) => {
  const lowest = lowestOf(selected, facts);
  if (lowest === undefined) return undefined;
  const { count: above, highest } = outranking(facts, lowest.priority, selected);
  return highest === undefined ? undefined : { lowest, above, highest };
});

interface Lowest {
  readonly fact: Fact;
  readonly priority: number;
}

/** The workload behind the budget that is evicted first. */
function lowestOf(workloads: readonly Fact[], facts: FactsReader): Lowest | undefined {
  let lowest: Lowest | undefined;
  for (const fact of workloads) {
    const resolved = podPriority(facts, fact);
    if (resolved?.admitted !== true || (lowest !== undefined && lowest.priority <= resolved.priority)) continue;
    lowest = { fact, priority: resolved.priority };
  }
  return lowest;
}
