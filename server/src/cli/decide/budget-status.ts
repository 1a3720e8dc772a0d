import { keyOf } from '../../kubernetes/names.ts';
import { type BudgetStatus, budgetStatus } from '../../disruption/budget-status.ts';
import { indexControllers } from '../../disruption/controllers.ts';
import { customKindsOf, readCustomObject } from '../../disruption/custom-kinds.ts';
import { decodeObject, isKnownKind } from '../../kubernetes/decode/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { decodeKind, objectsAt, textAt } from './case-input.ts';

/** Mode `budget-status`: what the disruption controller writes into each budget. */
export function decideBudgetStatus(input: JsonObject): JsonObject {
  const objects = objectsAt(input, 'objects');
  const definitions = objects.filter((object) => textAt(object, 'kind') === 'CustomResourceDefinition');
  const customKinds = definitions.flatMap(customKindsOf);
  const customObjects = objects.flatMap((object) => readCustomObject(object, customKinds) ?? []);
  const workloads = objects
    .filter((object) => isKnownKind(textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? ''))
    .map((object) => decodeObject(object).object);
  const controllers = indexControllers(workloads, customKinds, customObjects);
  const pods = decodeKind(objects, 'Pod');
  const now = Date.parse(textAt(input, 'now') ?? '');
  const budgets = decodeKind(objects, 'PodDisruptionBudget').map(
    (budget) => [keyOf(budget), printStatus(budgetStatus(budget, pods, controllers, now))] as const,
  );
  return { budgets: Object.fromEntries(budgets) };
}

function printStatus({ disruptedPods, unmanagedPods, condition, ...numbers }: BudgetStatus): JsonObject {
  return {
    ...numbers,
    condition: { ...condition },
    ...(disruptedPods.length === 0 ? {} : { disruptedPods: [...disruptedPods] }),
    ...(unmanagedPods.length === 0 ? {} : { unmanagedPods: [...unmanagedPods] }),
  };
}
