import { validateDisruptionBudget } from '../../admission/workloads/disruption-budget.ts';
import { fieldErrorFinding } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';

export const invalidDisruptionBudget: ObjectRule = {
  code: 'invalid-disruption-budget',
  title: 'A PodDisruptionBudget that the API server refuses',
  severity: 'error',
  scope: 'object',
  *check({ fact }) {
    if (fact.kind !== 'PodDisruptionBudget') return;
    const errors = validateDisruptionBudget(fact.object);
    for (const error of errors) yield fieldErrorFinding(fact, error);
  },
};
