import { decideBudgetStatus } from '../../server/src/cli/decide/budget-status.ts';
import { decideEvict } from '../../server/src/cli/decide/evict.ts';
import { decidePressure } from '../../server/src/cli/decide/pressure.ts';
import type { Json, JsonObject } from '../../server/src/kubernetes/json.ts';
import { asMultiset, checkAgreement } from './recorded-cases.ts';

describe('agreement with the recorded disruption controller, eviction API and kubelet', () => {
  it('[EVI-6] on what the controller writes into budgets', () => {
    checkAgreement('budget-status', decideBudgetStatus, (decision) => eachBudget(decision, ['disruptedPods', 'unmanagedPods']));
  });

  it('[EVI-2][EVI-3] on evictions', () => {
    checkAgreement('evict', decideEvict, (decision) => eachBudget(decision, ['disruptedPods']));
  });

  it('[EVI-1] on the order of eviction under memory pressure', () => {
    checkAgreement('pressure', decidePressure, (decision) => decision);
  });
});

/** The lists of names in each budget as sets. */
function eachBudget(decision: JsonObject, lists: readonly string[]): Json {
  const budgets = Object.entries((decision['budgets'] ?? {}) as JsonObject).map(([name, budget]) => {
    const sets = lists.map((list) => [list, asMultiset((budget as JsonObject)[list])] as const);
    return [name, { ...(budget as JsonObject), ...Object.fromEntries(sets) }] as const;
  });
  return { ...decision, budgets: Object.fromEntries(budgets) };
}
