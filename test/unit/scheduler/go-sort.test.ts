import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { goSort } from '../../../server/src/scheduler/framework/go-sort.ts';

function sorted(length: number, less: (a: number, b: number) => boolean): number[] {
  const items = Array.from({ length }, (_, i) => i);
  goSort(items, less);
  return items;
}

describe("Go's sort.Slice", () => {
  it('reverses up to 12 items when each is less than every other', () => {
    assert.deepEqual(
      sorted(12, () => true),
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    );
  });

  it('leaves the order that Go leaves for more than 12 of them', () => {
    // As measured with Go, and in victims of the real scheduler.
    assert.deepEqual(sorted(14, () => true).slice(-3), [12, 0, 6]);
    assert.deepEqual(sorted(30, () => true).slice(-5), [23, 22, 18, 19, 14]);
  });

  it('sorts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 300 }), (numbers) => {
        const items = [...numbers];
        goSort(items, (a, b) => a < b);
        assert.deepEqual(
          items,
          [...numbers].sort((a, b) => a - b),
        );
      }),
    );
  });

  it('loses no item, whatever the comparison says', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 200 }), fc.func(fc.boolean()), (numbers, less) => {
        const items = [...numbers];
        goSort(items, less);
        assert.deepEqual(items.sort(), [...numbers].sort());
      }),
    );
  });
});
