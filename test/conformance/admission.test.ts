import assert from 'node:assert/strict';
import { decideAdmit } from '../../server/src/cli/decide/admit.ts';
import { decideQuota } from '../../server/src/cli/decide/quota.ts';
import { decideValidate } from '../../server/src/cli/decide/validate.ts';
import { decideValidateBudget } from '../../server/src/cli/decide/validate-budget.ts';
import { decideValidateClass } from '../../server/src/cli/decide/validate-class.ts';
import type { Json, JsonObject } from '../../server/src/kubernetes/json.ts';
import { isQuantityError, parseQuantity } from '../../server/src/kubernetes/quantity.ts';
import { asFieldErrors, checkAgreement } from './recorded-cases.ts';

describe('agreement with the recorded API server', () => {
  it('[GATE-2][GATE-4][GATE-5][GATE-6][GATE-7][PLA-9] on pods that are created and updated', () => {
    checkAgreement('validate-pods', decideValidate, withFieldErrors);
  });

  it('[PRI-4][PRI-5][PRI-6][PRI-7] on the priority of new pods', () => {
    checkAgreement('admit', decideAdmit, (decision) => decision);
  });

  it('[PRI-2][PRI-3][PRI-6][PRI-10] on PriorityClasses', () => {
    checkAgreement('validate-class', decideValidateClass, withFieldErrors);
  });

  it('[EVI-6] on PodDisruptionBudgets', () => {
    checkAgreement('validate-budget', decideValidateBudget, withFieldErrors);
  });

  it('[PRI-12][PRI-13] on quotas by PriorityClass', () => {
    checkAgreement('quota', decideQuota, comparableQuota);
  });
});

function withFieldErrors(decision: JsonObject): Json {
  return {
    ...decision,
    create: asFieldErrors(decision['create']),
    update: asFieldErrors(decision['update']),
  };
}

/** Quantities by value, field errors as multisets, texts exactly. */
function comparableQuota(decision: JsonObject): Json {
  const quotas = (decision['quotas'] as readonly JsonObject[]).map((quota) => ({
    ...quota,
    ...(quota['invalid'] === undefined ? {} : { invalid: asFieldErrors(quota['invalid']) }),
    ...(quota['charged'] === undefined ? {} : { charged: byValue(quota['charged']) }),
  }));
  const used = Object.entries((decision['used'] ?? {}) as JsonObject).map(([name, amounts]) => [name, byValue(amounts)]);
  return { ...decision, quotas, usage: byValue(decision['usage']!), used: Object.fromEntries(used) as JsonObject };
}

function byValue(amounts: Json): Json {
  const values = Object.entries(amounts as Readonly<Record<string, string>>).map(([name, text]) => {
    const quantity = parseQuantity(text);
    assert.ok(!isQuantityError(quantity), `${name}: ${text}`);
    return [name, quantity.nanos.toString()];
  });
  return Object.fromEntries(values) as JsonObject;
}
