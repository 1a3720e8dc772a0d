import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decideAdmit } from '../../../server/src/cli/decide/admit.ts';
import { decideBudgetStatus } from '../../../server/src/cli/decide/budget-status.ts';
import { decideEvict } from '../../../server/src/cli/decide/evict.ts';
import { decidePressure } from '../../../server/src/cli/decide/pressure.ts';
import { decideQuota } from '../../../server/src/cli/decide/quota.ts';
import { decideValidate } from '../../../server/src/cli/decide/validate.ts';
import { decideValidateBudget } from '../../../server/src/cli/decide/validate-budget.ts';
import { decideValidateClass } from '../../../server/src/cli/decide/validate-class.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { readCases } from '../../conformance/recorded-cases.ts';

const modes: readonly (readonly [string, (input: JsonObject) => JsonObject])[] = [
  ['validate-pods', decideValidate],
  ['admit', decideAdmit],
  ['validate-class', decideValidateClass],
  ['validate-budget', decideValidateBudget],
  ['quota', decideQuota],
  ['budget-status', decideBudgetStatus],
  ['evict', decideEvict],
  ['pressure', decidePressure],
];

const junk = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1.5, 2 ** 53, '', '__proto__', '10E', '1e400', 'constructor', '😀', [], {}),
  fc.jsonValue({ maxDepth: 2 }),
) as fc.Arbitrary<unknown>;

/** A copy of a value in which what stands at the n-th place, counted over all places, is something else. */
function withJunkAt(value: unknown, counter: { left: number }, replacement: unknown): unknown {
  if (counter.left-- === 0) return replacement;
  if (Array.isArray(value)) return value.map((item) => withJunkAt(item, counter, replacement));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withJunkAt(item, counter, replacement)]));
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}

describe('hostile objects', () => {
  for (const [name, decide] of modes) {
    it(`never make ${name} throw, and are never changed`, () => {
      const cases = readCases(name);
      fc.assert(
        fc.property(fc.nat(cases.length - 1), fc.nat(120), junk, (index, place, replacement) => {
          const input = withJunkAt(cases[index], { left: place + 1 }, replacement);
          freeze(input);
          const first = decide(input as JsonObject);
          assert.deepEqual(decide(input as JsonObject), first);
          JSON.stringify(first);
        }),
        { numRuns: 250 },
      );
    });
  }
});
