import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  isQuantityError,
  maxQuantity,
  milliQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  roundUpToMilli,
  subtractQuantities,
  type Quantity,
} from '../../../server/src/kubernetes/quantity.ts';

function read(text: string | number): Quantity {
  const result = parseQuantity(text);
  if (isQuantityError(result)) assert.fail(`${text}: ${result.message}`);
  return result;
}

function problem(text: string): string | undefined {
  const result = parseQuantity(text);
  return isQuantityError(result) ? result.problem : undefined;
}

describe('quantity', () => {
  // Measured with k8s.io/apimachinery: text, Value(), MilliValue().
  const measured: readonly (readonly [string, bigint, bigint])[] = [
    ['0.1', 1n, 100n],
    ['.5', 1n, 500n],
    ['5.', 5n, 5000n],
    ['.', 0n, 0n],
    ['1.5Gi', 1610612736n, 1610612736000n],
    ['1e3', 1000n, 1000000n],
    ['1E3', 1000n, 1000000n],
    ['1E', 10n ** 18n, 0n],
    ['1n', 1n, 1n],
    ['0.5n', 1n, 1n],
    ['100u', 1n, 1n],
    ['1.0001', 2n, 1001n],
    ['-1', -1n, -1000n],
    ['8Ei', 2n ** 63n - 1n, -1000n],
    ['9Ei', 2n ** 63n - 1n, -1000n],
    ['10E', 0n, 0n],
    ['1e19', 0n, 0n],
    ['0.0001Ki', 1n, 103n],
    ['0.5Ki', 512n, 512000n],
    ['+', 0n, 0n],
    ['Ki', 0n, 0n],
    ['1.G', 10n ** 9n, 10n ** 12n],
    ['1e2000000000', 0n, 0n],
    ['1e-2000000000', 1n, 1n],
  ];
  for (const [text, value, milli] of measured) {
    it(`reads ${text} as Go does`, () => {
      assert.equal(quantityValue(read(text)), value);
      assert.equal(quantityMilliValue(read(text)), milli);
    });
  }

  const refused: readonly (readonly [string, string])[] = [
    ['', 'format'],
    ['1MB', 'format'],
    ['0x10', 'format'],
    [' 1', 'format'],
    ['1,5', 'format'],
    ['1_000', 'format'],
    ['1.2.3', 'format'],
    ['one', 'format'],
    ['1e', 'suffix'],
    ['1K', 'suffix'],
    ['1ki', 'suffix'],
    ['1mi', 'suffix'],
    ['1e9999999999999999999', 'suffix'],
    ['Ei', 'number'],
    ['e-10', 'number'],
  ];
  for (const [text, expected] of refused) {
    it(`refuses '${text}'`, () => {
      assert.equal(problem(text), expected);
    });
  }

  it('has the messages of the API server', () => {
    const messages = ['', 'Ei', '1K'].map((text) => {
      const result = parseQuantity(text);
      return isQuantityError(result) ? result.message : '';
    });
    assert.deepEqual(messages, [
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      'unable to parse numeric part of quantity',
      "unable to parse quantity's suffix",
    ]);
  });

  const printed: readonly (readonly [string | number, string])[] = [
    ['1500m', '1500m'],
    ['1.5', '1500m'],
    ['1000m', '1'],
    ['1.5Gi', '1536Mi'],
    ['1024Mi', '1Gi'],
    ['1024', '1024'],
    ['300Mi', '300Mi'],
    ['512', '512'],
    ['0.5Ki', '512'],
    ['.03125Ki', '32'],
    ['0.000000000001Ki', '2n'],
    ['1e6', '1e6'],
    ['1000e3', '1e6'],
    ['1.2e5', '120e3'],
    ['1.2e4', '1.2e4'],
    ['0Mi', '0'],
    ['-0', '0'],
    ['0', '0'],
    ['3.001n', '4n'],
    ['9Ei', '9223372036854775807'],
    ['1000k', '1M'],
    ['1.500', '1.500'],
    [2, '2'],
    [0.25, '250m'],
    [1e21, '1e+21'],
  ];
  for (const [text, expected] of printed) {
    it(`prints ${text} as ${expected}`, () => {
      assert.equal(formatQuantity(read(text)), expected);
    });
  }

  it('keeps the text as written, and gives a computed quantity its canonical text', () => {
    assert.equal(read('1000m').text, '1000m');
    assert.equal(addQuantities(read('1.5Gi'), read('512Mi')).text, '2Gi');
  });

  it('adds in the format of the first summand that is not zero', () => {
    assert.equal(formatQuantity(addQuantities(read('0'), read('1Gi'))), '1Gi');
    assert.equal(formatQuantity(addQuantities(read('1Gi'), read('0'))), '1Gi');
    assert.equal(formatQuantity(addQuantities(read('1k'), read('1Ki'))), '2024');
    assert.equal(formatQuantity(subtractQuantities(read('1Gi'), read('1536Mi'))), '-512Mi');
  });

  it('lets sums overflow as Go does', () => {
    assert.equal(quantityValue(addQuantities(read('5E'), read('5E'))), 0n);
    assert.equal(quantityValue(addQuantities(read('9Ei'), read('1'))), -(2n ** 63n));
  });

  it('rounds to thousandths away from zero', () => {
    assert.equal(formatQuantity(roundUpToMilli(read('0.1m'))), '1m');
    assert.equal(formatQuantity(roundUpToMilli(read('-1.0001'))), '-1001m');
    const whole = read('3');
    assert.equal(roundUpToMilli(whole), whole);
  });

  it('makes quantities of integers', () => {
    assert.equal(formatQuantity(integerQuantity(110)), '110');
    assert.equal(formatQuantity(milliQuantity(2500n)), '2500m');
    assert.equal(formatQuantity(integerQuantity(2n ** 30n, 'BinarySI')), '1Gi');
  });

  const suffixes = ['', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'e3', 'E-2'];
  const written = fc
    .tuple(fc.constantFrom('', '-', '+'), fc.nat(999_999), fc.option(fc.nat(9999)), fc.constantFrom(...suffixes))
    .map(([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${suffix}`);

  it('prints what reads back as the same amount', () => {
    fc.assert(
      fc.property(written, (text) => {
        const quantity = read(text);
        fc.pre(quantity.nanos < 10n ** 27n && quantity.nanos > -(10n ** 27n));
        assert.equal(read(formatQuantity(quantity)).nanos, quantity.nanos);
      }),
    );
  });

  it('adds exactly, and orders as the amounts do', () => {
    fc.assert(
      fc.property(written, written, (one, other) => {
        const [left, right] = [read(one), read(other)];
        assert.equal(addQuantities(left, right).nanos, left.nanos + right.nanos);
        assert.equal(subtractQuantities(addQuantities(left, right), right).nanos, left.nanos);
        assert.equal(compareQuantities(left, right), -compareQuantities(right, left) + 0);
        assert.equal(compareQuantities(maxQuantity(left, right), left) >= 0, true);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+.0-9eEinumkKMGTP]{0,12}$/)), (text) => {
        const result = parseQuantity(text);
        if (!isQuantityError(result)) {
          formatQuantity(result);
          quantityMilliValue(result);
        }
      }),
    );
  });
});
