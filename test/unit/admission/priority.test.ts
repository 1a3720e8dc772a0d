import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  globalDefaultClass,
  priorityRefusalText,
  resolvePriority,
  withResolvedPriority,
} from '../../../server/src/admission/priority/priority.ts';
import type { PriorityClass } from '../../../server/src/kubernetes/objects.ts';

function priorityClass(name: string, value: number, more: Partial<PriorityClass> = {}): PriorityClass {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...more };
}

const classes = [priorityClass('high', 1000), priorityClass('patient', 500, { preemptionPolicy: 'Never' })];

describe('resolvePriority', () => {
  it('[PRI-1][PRI-7] takes number and policy from the class that a pod names', () => {
    const resolved = resolvePriority({ priorityClassName: 'patient' }, classes);
    assert.deepEqual(resolved, {
      admitted: true,
      priority: 500,
      className: 'patient',
      preemptionPolicy: 'Never',
      source: 'class',
      priorityClass: classes[1],
    });
  });

  it('[PRI-4] refuses a pod whose class does not exist', () => {
    const refusal = resolvePriority({ priorityClassName: 'hgih' }, classes);
    assert.ok(!refusal.admitted);
    assert.equal(refusal.reason, 'unknown-class');
    assert.equal(refusal.field, 'priorityClassName');
    const text = priorityRefusalText({ metadata: { name: 'web-0' } }, refusal);
    assert.equal(text, 'pods "web-0" is forbidden: no PriorityClass with name hgih was found');
  });

  it('[PRI-4] names a pod that has no name yet by what its name will start with', () => {
    const refusal = resolvePriority({ priorityClassName: 'hgih' }, classes);
    assert.ok(!refusal.admitted);
    const generated = priorityRefusalText({ metadata: { generateName: 'web-' } }, refusal);
    assert.match(generated, /^pods "web-" is forbidden/);
    assert.match(priorityRefusalText({}, refusal), /^pods "Unknown" is forbidden/);
  });

  it('[PRI-5] knows the system classes without being told', () => {
    for (const [name, priority] of [
      ['system-cluster-critical', 2_000_000_000],
      ['system-node-critical', 2_000_001_000],
    ] as const) {
      const resolved = resolvePriority({ priorityClassName: name }, []);
      assert.ok(resolved.admitted);
      assert.equal(resolved.priority, priority);
      assert.equal(resolved.source, 'system');
    }
  });

  it('[PRI-6] writes the default class into a pod without one', () => {
    const resolved = resolvePriority({}, [...classes, priorityClass('standard', 10, { globalDefault: true })]);
    assert.ok(resolved.admitted);
    assert.deepEqual([resolved.className, resolved.priority, resolved.source], ['standard', 10, 'global-default']);
  });

  it('[PRI-6] gives 0 where there is no default, to an empty class name too', () => {
    for (const spec of [{}, { priorityClassName: '' }]) {
      const resolved = resolvePriority(spec, classes);
      assert.ok(resolved.admitted);
      assert.deepEqual([resolved.className, resolved.priority, resolved.source], ['', 0, 'none']);
    }
  });

  it('[PRI-6] picks the lowest of several defaults, whatever their order', () => {
    const low = priorityClass('low', -5, { globalDefault: true });
    const high = priorityClass('top', 900, { globalDefault: true });
    assert.equal(globalDefaultClass([high, low]), low);
    assert.equal(globalDefaultClass([low, high]), low);
    assert.equal(globalDefaultClass(classes), undefined);
  });

  it('[PRI-7] refuses a number that disagrees, 0 included, and accepts one that agrees', () => {
    const refusal = resolvePriority({ priorityClassName: 'high', priority: 0 }, classes);
    assert.ok(!refusal.admitted);
    assert.equal(refusal.field, 'priority');
    assert.equal(
      refusal.detail,
      'the integer value of priority (0) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
    );
    assert.equal(refusal.computed?.priority, 1000);
    assert.ok(resolvePriority({ priorityClassName: 'high', priority: 1000 }, classes).admitted);
  });

  it('[PRI-7] refuses `preemptionPolicy: Never` unless the class says so', () => {
    const refusal = resolvePriority({ preemptionPolicy: 'Never' }, classes);
    assert.ok(!refusal.admitted);
    assert.equal(refusal.reason, 'policy-mismatch');
    assert.equal(
      refusal.detail,
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    );
    assert.ok(resolvePriority({ priorityClassName: 'patient', preemptionPolicy: 'Never' }, classes).admitted);
  });

  it('[PRI-8][PRI-9] leaves stored pods alone: what was resolved is written into them', () => {
    const pod = { metadata: { name: 'web-0' }, spec: { containers: [], priorityClassName: 'high' } };
    const resolved = resolvePriority(pod.spec, classes);
    assert.ok(resolved.admitted);
    const stored = withResolvedPriority(pod, resolved);
    assert.deepEqual(stored.spec, {
      containers: [],
      priorityClassName: 'high',
      priority: 1000,
      preemptionPolicy: 'PreemptLowerPriority',
    });
    assert.deepEqual(pod.spec, { containers: [], priorityClassName: 'high' });
    assert.ok(!resolvePriority(pod.spec, []).admitted);
  });
});
