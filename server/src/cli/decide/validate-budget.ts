import { validateDisruptionBudget } from '../../admission/workloads/disruption-budget.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { decodeAs, objectAt, printErrors } from './case-input.ts';

/** Mode `validate-budget`: a PodDisruptionBudget is created. */
export function decideValidateBudget(input: JsonObject): JsonObject {
  const errors = validateDisruptionBudget(decodeAs(objectAt(input, 'new'), 'PodDisruptionBudget'));
  return errors.length === 0 ? {} : { create: printErrors(errors) };
}
