import { say } from '../../util/say.ts';
import { count, titleOf } from '../../util/words.ts';
import { overlapOf } from './support/overlaps.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

const path = ['spec', 'selector'];

export const budgetOverlap: ObjectRule = {
  code: 'budget-overlap',
  title: 'Two PodDisruptionBudgets select the same pods, so that these can never be evicted',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'PodDisruptionBudget') return;
    const overlap = overlapOf(fact, facts);
    if (overlap === undefined) return;
    const { shared, others, more } = overlap;
    const [first] = others;
    const who =
      others.length + more === 1
        ? say`The budget "${first!.name}" selects`
        : say`The budget "${first!.name}" and ${count(others.length + more - 1, 'other')} select`;
    const what = shared.kind === 'Pod' ? titleOf(shared) : say`pods of ${titleOf(shared)}`;
    const message = say`${who} ${what} too. The eviction API answers 500 for them: This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.`;
    yield findingAt(fact, path, message, {
      related: () => [
        ...others.map((other) => ({ fact: other, path, message: say`budget ${other.name}` })),
        { fact: shared, message: titleOf(shared) },
      ],
    });
  },
};
