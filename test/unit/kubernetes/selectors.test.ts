import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileLabelSelector, matchLabelsOnly } from '../../../server/src/kubernetes/labels.ts';
import { isLabelValue, isQualifiedName } from '../../../server/src/kubernetes/label-syntax.ts';
import {
  compileNodeSelector,
  compileNodeSelectorTerm,
  compileRequiredNodeAffinity,
} from '../../../server/src/kubernetes/node-selector.ts';
import type { LabelSelector, NodeSelectorRequirement } from '../../../server/src/kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS, tolerates } from '../../../server/src/kubernetes/taints.ts';

describe('label selectors', () => {
  it('match nothing when absent, everything when empty', () => {
    assert.equal(compileLabelSelector(undefined).matches({ a: 'b' }), false);
    assert.equal(compileLabelSelector(null).isNothing, true);
    const everything = compileLabelSelector({});
    assert.deepEqual(
      [everything.isEmpty, everything.matches(undefined), everything.matches({ a: 'b' })],
      [true, true, true],
    );
  });

  const labels = { app: 'web', tier: '' };
  const facts: readonly (readonly [LabelSelector, boolean])[] = [
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'db' } }, false],
    [{ matchLabels: { tier: '' } }, true],
    [{ matchLabels: { zone: '' } }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] }, true],
    [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, true],
    [{ matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] }, true],
    [{ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
    [{ matchExpressions: [{ key: '__proto__', operator: 'Exists' }] }, false],
    [{ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, false],
  ];
  for (const [selector, expected] of facts) {
    it(`${JSON.stringify(selector)} ${expected ? 'matches' : 'does not match'}`, () => {
      assert.equal(compileLabelSelector(selector).matches(labels), expected);
    });
  }

  const invalid: readonly LabelSelector[] = [
    { matchLabels: { 'not a key': 'x' } },
    { matchLabels: { app: 'not a value' } },
    { matchExpressions: [{ key: 'app', operator: 'Gt', values: ['1'] }] },
    { matchExpressions: [{ key: 'app', operator: 'In' }] },
    { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['x'] }] },
  ];
  for (const selector of invalid) {
    it(`${JSON.stringify(selector)} is invalid and matches nothing`, () => {
      const compiled = compileLabelSelector(selector);
      assert.equal(typeof compiled.invalid, 'string');
      assert.deepEqual([compiled.isNothing, compiled.matches({ app: 'web' })], [true, false]);
    });
  }

  it('sort their requirements by key', () => {
    const compiled = compileLabelSelector({ matchLabels: { z: '1', a: '2' } });
    assert.deepEqual(
      compiled.requirements.map(({ key }) => key),
      ['a', 'z'],
    );
  });

  it('NotIn is the opposite of In, and DoesNotExist of Exists', () => {
    const value = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.option(value), fc.array(value, { minLength: 1 }), (label, values) => {
        const carried = label === null ? {} : { key: label };
        const matches = (operator: string, some?: string[]): boolean =>
          compileLabelSelector({
            matchExpressions: [{ key: 'key', operator, ...(some === undefined ? {} : { values: some }) }],
          }).matches(carried);
        assert.equal(matches('In', values), !matches('NotIn', values));
        assert.equal(matches('Exists'), !matches('DoesNotExist'));
      }),
    );
  });

  it('plain label sets match without being checked', () => {
    assert.equal(matchLabelsOnly(undefined, undefined), true);
    assert.equal(matchLabelsOnly({ 'no key at all!': 'x' }, { 'no key at all!': 'x' }), true);
    assert.equal(matchLabelsOnly({ a: '' }, {}), false);
  });
});

describe('label syntax', () => {
  it('knows label keys and values', () => {
    for (const key of ['app', 'a.b/c', 'kubernetes.io/metadata.name', 'A_b-c']) {
      assert.equal(isQualifiedName(key), true, key);
    }
    for (const key of ['', '/', 'a/', '/a', 'A.b/c', 'a/b/c', '-a', 'a-', 'ä', 'x'.repeat(64)]) {
      assert.equal(isQualifiedName(key), false, key);
    }
    for (const value of ['', 'a', 'v1.2_3-x']) assert.equal(isLabelValue(value), true, value);
    for (const value of ['a b', '-1', 'x/y', 'x'.repeat(64)]) assert.equal(isLabelValue(value), false, value);
  });
});

describe('node selectors', () => {
  const node = { name: 'n1', labels: { zone: 'a', cores: '16', big: '9223372036854775808', half: '1.5' } };
  const matches = (...matchExpressions: NodeSelectorRequirement[]): boolean =>
    compileNodeSelectorTerm({ matchExpressions }).matches(node);

  const facts: readonly (readonly [NodeSelectorRequirement, boolean])[] = [
    [{ key: 'cores', operator: 'Gt', values: ['8'] }, true],
    [{ key: 'cores', operator: 'Gt', values: ['16'] }, false],
    [{ key: 'cores', operator: 'Lt', values: ['017'] }, true],
    [{ key: 'missing', operator: 'Lt', values: ['17'] }, false],
    [{ key: 'half', operator: 'Gt', values: ['1'] }, false],
    [{ key: 'cores', operator: 'Gt', values: ['1.5'] }, false],
    [{ key: 'big', operator: 'Gt', values: ['1'] }, false],
    [{ key: 'cores', operator: 'Gt', values: ['1', '2'] }, false],
    [{ key: 'missing', operator: 'NotIn', values: ['x'] }, true],
    [{ key: 'zone', operator: 'In', values: ['a', 'b'] }, true],
    [{ key: 'zone', operator: 'Near', values: ['a'] }, false],
  ];
  for (const [requirement, expected] of facts) {
    it(`${JSON.stringify(requirement)} ${expected ? 'matches' : 'does not match'}`, () => {
      assert.equal(matches(requirement), expected);
    });
  }

  it('empty terms and empty selectors match nothing', () => {
    assert.equal(compileNodeSelectorTerm({}).matches(node), false);
    assert.equal(compileNodeSelector({ nodeSelectorTerms: [] }).matches(node), false);
  });

  it('an unreadable term does not hide its neighbours', () => {
    const good = { matchExpressions: [{ key: 'zone', operator: 'Exists' }] };
    const bad = { matchExpressions: [{ key: 'zone', operator: 'Near' }] };
    assert.equal(compileNodeSelector({ nodeSelectorTerms: [bad, good] }).matches(node), true);
    assert.equal(typeof compileNodeSelectorTerm(bad).invalid, 'string');
  });

  it('fields know the name only, with exactly one value', () => {
    const field = (operator: string, values: string[], key = 'metadata.name'): boolean =>
      compileNodeSelectorTerm({ matchFields: [{ key, operator, values }] }).matches(node);
    assert.equal(field('In', ['n1']), true);
    assert.equal(field('NotIn', ['n1']), false);
    assert.equal(field('In', ['n1', 'n2']), false);
    assert.equal(field('Exists', []), false);
    assert.equal(field('In', ['x'], 'metadata.namespace'), false);
  });

  it('a pod asks for its nodeSelector and its affinity together', () => {
    const affinity = (zone: string): boolean =>
      compileRequiredNodeAffinity({
        containers: [],
        nodeSelector: { cores: '16' },
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
            },
          },
        },
      }).matches(node);
    assert.deepEqual([affinity('a'), affinity('b')], [true, false]);
    assert.equal(compileRequiredNodeAffinity(undefined).matches(node), true);
  });
});

describe('taints', () => {
  const taint = { key: 'gpu', value: 'a100', effect: 'NoSchedule' };
  it('are tolerated by key, value and effect', () => {
    assert.equal(tolerates({ key: 'gpu', operator: 'Equal', value: 'a100', effect: 'NoSchedule' }, taint), true);
    assert.equal(tolerates({ key: 'gpu', value: 'a100' }, taint), true);
    assert.equal(tolerates({ key: 'gpu', operator: 'Exists' }, { ...taint, effect: 'NoExecute' }), true);
    assert.equal(tolerates({ operator: 'Exists' }, taint), true);
    assert.equal(tolerates({ key: 'gpu' }, taint), false);
    assert.equal(tolerates({ key: 'gpu' }, { key: 'gpu', effect: 'NoSchedule' }), true);
    assert.equal(tolerates({ key: 'gpu', operator: 'Gt', value: 'a100' }, taint), false);
    assert.equal(tolerates({ operator: 'Exists', effect: 'NoExecute' }, taint), false);
  });

  it('are looked at in order, by the effects asked for', () => {
    const soft = { key: 'soft', effect: 'PreferNoSchedule' };
    assert.equal(firstUntolerated([soft, taint], undefined, NO_SCHEDULE_EFFECTS), taint);
    assert.equal(firstUntolerated([soft, taint], [{ operator: 'Exists' }], NO_SCHEDULE_EFFECTS), undefined);
    assert.equal(firstUntolerated(undefined, [], NO_SCHEDULE_EFFECTS), undefined);
  });
});
