import assert from 'node:assert/strict';
import { isNumber } from '../../../server/src/util/exact-integer.ts';
import { resolvePlainScalar, resolveTaggedScalar } from '../../../server/src/manifests/yaml-scalars.ts';
import { objectOf, plain, pod, problemsOf, readOne } from './read.ts';

describe('unquoted scalars, as kubectl reads them', () => {
  const cases: readonly (readonly [written: string, value: string | number | boolean | null])[] = [
    ['y', true],
    ['Y', true],
    ['yes', true],
    ['Yes', true],
    ['YES', true],
    ['on', true],
    ['On', true],
    ['ON', true],
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['n', false],
    ['N', false],
    ['no', false],
    ['off', false],
    ['OFF', false],
    ['False', false],
    ['yEs', 'yEs'],
    ['oN', 'oN'],
    ['nO', 'nO'],
    ['', null],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['NULL', null],
    ['nUll', 'nUll'],
    ['010', 8],
    ['-010', -8],
    ['0o17', 15],
    ['08', 8],
    ['0x1F', 31],
    ['0X1f', 31],
    ['-0x10', -16],
    ['0b11', 3],
    ['0x17f3786dffc6D47767f4f4954F9fD8bb6AADf095', '0x17f3786dffc6D47767f4f4954F9fD8bb6AADf095'],
    ['-0x8000000000000001', '-0x8000000000000001'],
    ['0xFFFFFFFFFFFFFFFF', 2 ** 64],
    ['1000000000000000000000000000000', 1e30],
    ['0777777777777777777777777', Number('777777777777777777777777')],
    ['1_000', 1000],
    ['0x_1F', 31],
    ['+7', 7],
    ['-0', 0],
    ['0', 0],
    ['1.', 1],
    ['.5', 0.5],
    ['1_000.5', 1000.5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['1e999', '1e999'],
    ['1e', '1e'],
    ['0x', '0x'],
    ['-', '-'],
    ['+', '+'],
    ['.', '.'],
    ['1:30', '1:30'],
    ['2024-01-01', '2024-01-01'],
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
    ['500m', '500m'],
    ['1Gi', '1Gi'],
    ['1.2.3', '1.2.3'],
    ['_1', '_1'],
    ['0b12', '0b12'],
    ['.inf', '.inf'],
    ['9007199254740991', 9007199254740991],
    ['18446744073709551616', 18446744073709552000],
  ];
  for (const [written, value] of cases) {
    it(`reads ${JSON.stringify(written)} as ${JSON.stringify(value)}`, () => {
      assert.equal(resolvePlainScalar(written), value);
    });
  }

  for (const [written, digits] of [
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['0x20000000000001', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
  ] as const) {
    it(`reads ${written} as a number with all its digits`, () => {
      const value = resolvePlainScalar(written);
      assert.ok(isNumber(value));
      assert.equal(String(value), digits);
    });
  }

  it('does not resolve quoted text or block scalars', () => {
    const { value } = objectOf(pod('a: "on"', "b: '010'", 'c: |-', '  yes', 'd: >-', '  1'));
    assert.deepEqual(plain(value), { apiVersion: 'v1', kind: 'Pod', a: 'on', b: '010', c: 'yes', d: '1' });
  });

  it('follows explicit tags', () => {
    const prefix = 'tag:yaml.org,2002:';
    assert.equal(resolveTaggedScalar(`${prefix}str`, '1'), '1');
    assert.equal(resolveTaggedScalar(`${prefix}int`, '0x10'), 16);
    assert.equal(resolveTaggedScalar(`${prefix}int`, 'x'), undefined);
    assert.equal(resolveTaggedScalar(`${prefix}float`, '1'), 1);
    assert.equal(resolveTaggedScalar(`${prefix}bool`, 'on'), true);
    assert.equal(resolveTaggedScalar('!own', '1'), '1');
    assert.deepEqual(plain(objectOf(pod('a: !!str 1', 'b: !!int "7"', 'c: ! 12')).value), {
      apiVersion: 'v1',
      kind: 'Pod',
      a: '1',
      b: 7,
      c: '12',
    });
    assert.deepEqual(problemsOf(readOne(pod('a: !!int x'))), ['error yaml-syntax: x']);
  });

  it('reports numbers that JSON cannot carry', () => {
    assert.deepEqual(problemsOf(readOne(pod('a: .inf', 'b: -.INF', 'c: .nan'))), [
      'error yaml-syntax: .inf',
      'error yaml-syntax: -.INF',
      'error yaml-syntax: .nan',
    ]);
  });

  it('makes text of keys as kubectl does', () => {
    const { value } = objectOf(pod('8080: a', 'on: b', '010: c', '1.5: d', '"yes": e'));
    assert.deepEqual(plain(value), {
      apiVersion: 'v1',
      kind: 'Pod',
      8: 'c',
      8080: 'a',
      true: 'b',
      '1.5': 'd',
      yes: 'e',
    });
  });

  it('keeps hostile keys as plain keys', () => {
    const { value } = objectOf(pod('__proto__: {polluted: true}', 'constructor: 1'));
    assert.deepEqual(Object.keys(value).sort(), ['__proto__', 'apiVersion', 'constructor', 'kind']);
    assert.equal('toString' in value, false);
    assert.equal(Object.isFrozen(Object.getPrototypeOf(value)), true);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });
});
