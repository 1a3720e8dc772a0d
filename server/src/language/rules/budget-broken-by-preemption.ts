import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { count } from '../markdown.ts';
import { rankedWorkloads } from '../standing.ts';
import { narrowRange } from './support/narrow.ts';
import { nameOf, selectedIn } from './support/selection.ts';
import type { ObjectRule } from './rule.ts';

export const budgetBrokenByPreemption: ObjectRule = {
  code: 'budget-broken-by-preemption',
  title: 'Pods behind a PodDisruptionBudget can be preempted by workloads of higher priority',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'PodDisruptionBudget') return;
    const selected = new Set(selectedIn(facts, fact.namespace, (fact.object as PodDisruptionBudget).spec?.selector));
    if (selected.size === 0) return;
    const ranked = rankedWorkloads(facts);
    const lowest = ranked.findLast((workload) => selected.has(workload.fact));
    if (lowest === undefined) return;
    const above = ranked.filter((other) => other.preempts && other.priority > lowest.priority && !selected.has(other.fact));
    const [highest] = above;
    if (highest === undefined) return;
    yield {
      range: narrowRange(fact, ['kind']),
      message: `This budget holds for drains and evictions. Preemption only prefers to keep it: ${count(above.length, 'workload')} of higher priority, ${nameOf(highest.fact)} (${highest.priority}) first, may evict pods of ${nameOf(lowest.fact)} (${lowest.priority}) all the same.`,
      related: [
        { fact: highest.fact, message: `${nameOf(highest.fact)}, priority ${highest.priority}` },
        { fact: lowest.fact, message: `${nameOf(lowest.fact)}, priority ${lowest.priority}` },
      ],
      fact,
    };
  },
};
