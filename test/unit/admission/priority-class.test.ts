import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import {
  secondGlobalDefault,
  validatePriorityClass,
  validatePriorityClassUpdate,
} from '../../../server/src/admission/priority/priority-class.ts';
import type { PriorityClass } from '../../../server/src/kubernetes/objects.ts';

function priorityClass(more: Partial<PriorityClass> = {}): PriorityClass {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1000,
    ...more,
  };
}

const texts = (errors: readonly Parameters<typeof fieldErrorText>[0][]): string[] => errors.map(fieldErrorText);

describe('validatePriorityClass', () => {
  it('accepts a class with a description and a negative value', () => {
    assert.deepEqual(validatePriorityClass(priorityClass({ value: -10, description: 'may wait' })), []);
  });

  it('[PRI-2] wants a DNS subdomain for a name', () => {
    const [error] = texts(validatePriorityClass(priorityClass({ metadata: { name: 'High_Priority' } })));
    assert.match(error ?? '', /^metadata\.name: Invalid value: "High_Priority": a lowercase RFC 1123 subdomain must/);
  });

  it('[PRI-2] keeps names that start with system- for the built-in classes', () => {
    const name = (value: string, more: Partial<PriorityClass> = {}): string[] =>
      texts(validatePriorityClass(priorityClass({ metadata: { name: value }, ...more })));
    const reserved =
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: ";
    assert.deepEqual(name('system-db'), [`${reserved}system-db is not a known system priority class`]);
    assert.deepEqual(name('system-node-critical'), [
      `${reserved}value of system-node-critical PriorityClass must be 2000001000`,
    ]);
    assert.deepEqual(name('system-node-critical', { value: 2_000_001_000, globalDefault: true }), [
      `${reserved}globalDefault of system-node-critical PriorityClass must be false`,
    ]);
    assert.deepEqual(name('system-node-critical', { value: 2_000_001_000 }), []);
  });

  it('[PRI-3] keeps values above a thousand million for the system', () => {
    assert.deepEqual(validatePriorityClass(priorityClass({ value: 1_000_000_000 })), []);
    const [error] = validatePriorityClass(priorityClass({ value: 1_000_000_001 }));
    assert.deepEqual(error?.at.path, ['value']);
    assert.equal(error.detail, 'maximum allowed value of a user defined priority is 1000000000');
  });

  it('knows two preemption policies', () => {
    assert.deepEqual(texts(validatePriorityClass(priorityClass({ preemptionPolicy: 'Sometimes' }))), [
      'preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
    ]);
    assert.deepEqual(texts(validatePriorityClass(priorityClass({ preemptionPolicy: '' }))), [
      'preemptionPolicy: Required value',
    ]);
  });

  it('[PRI-1] has no namespace', () => {
    const errors = validatePriorityClass(priorityClass({ metadata: { name: 'high', namespace: 'shop' } }));
    assert.deepEqual(texts(errors), ['metadata.namespace: Forbidden: not allowed on this type']);
  });

  it('misses a name, unless one can be generated', () => {
    assert.deepEqual(texts(validatePriorityClass(priorityClass({ metadata: {} }))), [
      'metadata.name: Required value: name or generateName is required',
    ]);
    const generated = priorityClass({ metadata: { generateName: 'p-' } });
    assert.deepEqual(validatePriorityClass(generated), []);
  });

  it('prints the map of labels, and points at the label', () => {
    const labels = { good: 'x', 'bad key': 'y', team: 'no spaces' };
    const errors = validatePriorityClass(priorityClass({ metadata: { name: 'high', labels } }));
    assert.deepEqual(
      errors.map(({ at: { text: field, path }, value }) => [field, path, value]),
      [
        ['metadata.labels', ['metadata', 'labels', 'bad key'], 'bad key'],
        ['metadata.labels', ['metadata', 'labels', 'team'], 'no spaces'],
      ],
    );
  });
});

describe('validatePriorityClassUpdate', () => {
  it('[PRI-10] lets description and default change, and nothing else', () => {
    const old = priorityClass();
    assert.deepEqual(validatePriorityClassUpdate(priorityClass({ description: 'new', globalDefault: true }), old), []);
    assert.deepEqual(texts(validatePriorityClassUpdate(priorityClass({ value: 1 }), old)), [
      'value: Forbidden: may not be changed in an update.',
    ]);
    assert.deepEqual(texts(validatePriorityClassUpdate(priorityClass({ preemptionPolicy: 'Never' }), old)), [
      'preemptionPolicy: Invalid value: "Never": field is immutable',
    ]);
    assert.deepEqual(texts(validatePriorityClassUpdate(priorityClass({ metadata: { name: 'top' } }), old)), [
      'metadata.name: Invalid value: "top": field is immutable',
    ]);
  });

  it('[PRI-10] takes an absent policy for the default one', () => {
    const explicit = priorityClass({ preemptionPolicy: 'PreemptLowerPriority' });
    assert.deepEqual(validatePriorityClassUpdate(explicit, priorityClass()), []);
    assert.deepEqual(validatePriorityClassUpdate(priorityClass(), explicit), []);
  });
});

describe('secondGlobalDefault', () => {
  const standard = priorityClass({ metadata: { name: 'standard' }, globalDefault: true });

  it('[PRI-6] refuses a second default', () => {
    const second = secondGlobalDefault(priorityClass({ globalDefault: true }), [standard], 'create');
    assert.equal(second?.existing, standard);
    assert.equal(
      second.text,
      'priorityclasses.scheduling.k8s.io "high" is forbidden: PriorityClass standard is already marked as default. Only one default can exist',
    );
  });

  it('[PRI-6] lets the default itself be updated, but not be created again', () => {
    assert.equal(secondGlobalDefault(standard, [standard], 'update'), undefined);
    assert.ok(secondGlobalDefault(standard, [standard], 'create') !== undefined);
    assert.equal(secondGlobalDefault(priorityClass(), [standard], 'create'), undefined);
  });
});
