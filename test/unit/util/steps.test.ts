import assert from 'node:assert/strict';
import fc from 'fast-check';
import { runToEnd, sortInSteps } from '../../../server/src/util/steps.ts';

describe('sorting in steps', () => {
  it('sorts as at once, equals in the order in which they were', () => {
    const item = fc.record({ rank: fc.integer({ min: 0, max: 5 }), name: fc.string() });
    const byRank = (a: { readonly rank: number }, b: { readonly rank: number }): number => a.rank - b.rank;
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), fc.integer({ min: 1, max: 400 }), (items, times) => {
        const all = Array.from({ length: times }, () => items).flat();
        assert.deepEqual(runToEnd(sortInSteps(all, byRank)), all.toSorted(byRank));
      }),
      { numRuns: 50 },
    );
  });
});
