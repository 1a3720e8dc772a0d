import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { narrowRange } from './support/narrow.ts';
import { nameOf, selectedIn, selects } from './support/selection.ts';
import type { ObjectRule } from './rule.ts';

const path = ['spec', 'selector'];

export const budgetOverlap: ObjectRule = {
  code: 'budget-overlap',
  title: 'Two PodDisruptionBudgets select the same pods, so that these can never be evicted',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'PodDisruptionBudget') return;
    const selected = selectedIn(facts, fact.namespace, (fact.object as PodDisruptionBudget).spec?.selector);
    for (const other of facts.ofKind('PodDisruptionBudget')) {
      // Two declarations of one budget, as environments have them, are one budget in each cluster.
      if (other === fact || other.namespace !== fact.namespace || other.name === fact.name) continue;
      const { selector } = (other.object as PodDisruptionBudget).spec ?? {};
      const shared = selected.find((workload) => selects(selector, workload));
      if (shared === undefined) continue;
      yield {
        range: narrowRange(fact, path),
        message: `The budget "${other.name}" selects pods of ${nameOf(shared)} too. The eviction API answers 500 for them: This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.`,
        related: [
          { fact: other, path, message: `budget ${other.name}` },
          { fact: shared, message: nameOf(shared) },
        ],
        fact,
        path,
      };
    }
  },
};
