import assert from 'node:assert/strict';
import { greatest, least } from '../../../server/src/util/extremes.ts';

describe('the least and the greatest of numbers', () => {
  it('are those of more than a call takes, and of none', () => {
    const many = Array.from({ length: 300_000 }, (_, at) => at - 5);
    assert.throws(() => Math.max(...many), RangeError);
    assert.deepEqual([least(many), greatest(many)], [-5, 299_994]);
    assert.deepEqual([least([]), greatest([])], [Infinity, -Infinity]);
  });
});
