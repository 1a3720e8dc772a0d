import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inColumns } from '../../../server/src/contract/columns.ts';
import { fromColumns } from '../../../server/src/contract/read-columns.ts';
import { runToEnd } from '../../../server/src/kit/steps.ts';

/** As it comes out at the other side of a border that only JSON crosses. */
function readAgain(value: unknown): unknown {
  return runToEnd(fromColumns(JSON.parse(JSON.stringify(inColumns(value)))));
}

/** As in reports: what repeats and what does not, figures of all sizes, what may be missing, names with common parts. */
const row = fc.record(
  {
    name: fc
      .tuple(fc.constantFrom('cart', 'a-b', 'ip-10-0-', ''), fc.string({ maxLength: 5 }))
      .map((parts) => parts.join('-')),
    kind: fc.constantFrom('running', 'pending'),
    share: fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ noNaN: true, noDefaultInfinity: true })),
    at: fc.option(fc.nat()),
    memory: fc.maxSafeInteger(),
    flag: fc.boolean(),
    text: fc.array(fc.constantFrom('evicts', 'on', 'cart-1,', ''), { maxLength: 8 }).map((words) => words.join(' ')),
    before: fc.record({ state: fc.constantFrom('a', 'b'), node: fc.option(fc.nat(3)) }),
    after: fc.record({ state: fc.constantFrom('a', 'b'), node: fc.option(fc.nat(3)) }),
    requests: fc.dictionary(fc.constantFrom('cpu', 'memory', '__proto__'), fc.nat(5)),
    range: fc.record({
      start: fc.record({ line: fc.nat(), character: fc.nat(80) }),
      end: fc.record({ line: fc.nat(), character: fc.nat(80) }),
    }),
    event: fc.string({ maxLength: 3 }).map((word) => `preempted by pod ${word}`),
    victims: fc.array(fc.nat(9), { maxLength: 3 }),
    value: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
  },
  { requiredKeys: ['name', 'kind'] },
);

describe('a report as columns', () => {
  it('is all there when it is read again', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), fc.integer({ min: 1, max: 300 }), (rows, times) => {
        const report = JSON.parse(
          JSON.stringify({
            version: 2,
            pods: Array.from({ length: times }, () => rows).flat(),
            none: [],
            nothing: null,
          }),
        ) as unknown;
        assert.deepEqual(readAgain(report), report);
      }),
      { numRuns: 60 },
    );
  });

  it('is so of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        const value = JSON.parse(JSON.stringify(any)) as unknown;
        assert.deepEqual(readAgain(value), value);
      }),
      { numRuns: 500 },
    );
  });

  it('says once what rows have in common', () => {
    const pods = Array.from({ length: 10_000 }, (_none, index) => ({
      name: `checkout-5d8f7c9b4d-${(index + 46_656 * 37).toString(36).slice(-5)}`,
      requests: { cpu: 500, memory: 1024 ** 3 },
      before: { state: 'running', node: (index * 37) % 500 },
      after: { state: 'running', node: (index * 37) % 500 },
    }));
    const { length } = JSON.stringify(inColumns({ pods }));
    assert.ok(length < 8 * pods.length, `${length} characters`);
  });

  it('gives nothing of what is none', () => {
    for (const none of [null, 7, 'report', [], ['?'], { pods: [] }, ['{', 3, 4], ['{', ['pods'], [['[', '', 0]]]]) {
      assert.doesNotThrow(() => runToEnd(fromColumns(none)));
    }
  });
});
