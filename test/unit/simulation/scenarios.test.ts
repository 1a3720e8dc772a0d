import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { UnknownScenarioError } from '../../../server/src/simulation/index.ts';
import { ladder, node, podOf, podSpec, running, headlineOf, simulated, workload } from './cluster-builder.ts';

describe('simulate: scenarios', () => {
  const objects = [
    ...ladder,
    node('a', 4),
    workload('Deployment', 'first', 1, podSpec(3, { priorityClassName: 'low' })),
    workload('Deployment', 'second', 1, podSpec(3, { priorityClassName: 'high' })),
  ];

  it('places the other workloads first when one workload arrives', () => {
    const report = simulated(objects, {
      kind: 'workload',
      workloadKind: 'Deployment',
      namespace: 'default',
      name: 'second',
    });
    assert.deepEqual(
      report.steps.map(({ kind }) => kind),
      ['nominated', 'pending', 'gone', 'scheduled'],
    );
    assert.equal(report.victims.length, 1);
    assert.equal(headlineOf(report), 'second evicts first (down); 1 pod stays pending.');
    assert.ok(
      report.assumptions.some(({ text }) => text === '0 running pods as declared, 1 more placed by simulation'),
    );
  });

  it('does not tell of pods that waited before as if the arrival had caused it', () => {
    const report = simulated(objects, {
      kind: 'workload',
      workloadKind: 'Deployment',
      namespace: 'default',
      name: 'first',
    });
    assert.equal(
      headlineOf(report),
      'first stays pending: it asks for 3 cpu; at most 1 cpu free, on a, the only node it may use.',
    );
  });

  it('says that a workload runs already', () => {
    const report = simulated(
      [
        node('a', 4),
        workload('Deployment', 'web', 1, podSpec(1)),
        running('web-1-x', 1, 'a', 0, { owner: 'ReplicaSet/web-1' }),
      ],
      { kind: 'workload', workloadKind: 'Deployment', namespace: 'default', name: 'web' },
    );
    assert.equal(headlineOf(report), 'web runs already, on a.');
  });

  it('refuses a workload that is not declared', () => {
    assert.throws(
      () => simulated(objects, { kind: 'workload', workloadKind: 'Deployment', namespace: 'default', name: 'third' }),
      (error) => error instanceof UnknownScenarioError && error.message === 'no Deployment default/third is declared',
    );
  });
});

describe('simulate: threats', () => {
  it('names for a running pod the workloads that outrank it and would fit by evicting it', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('batch', 3, 'a', 10),
      workload('Deployment', 'urgent', 0, podSpec(2, { priorityClassName: 'high' })),
    ]);
    assert.deepEqual(podOf(report, 'batch').threats, []);
    const scaled = simulated([
      ...ladder,
      node('a', 4),
      running('batch', 3, 'a', 10),
      running('urgent-1-x', 1, 'a', 1000, { owner: 'ReplicaSet/urgent-1' }),
      workload('Deployment', 'urgent', 1, podSpec(1, { priorityClassName: 'high' })),
    ]);
    assert.deepEqual(
      podOf(scaled, 'batch').threats.map((index) => scaled.workloads[index]?.name),
      ['urgent'],
    );
  });
});
