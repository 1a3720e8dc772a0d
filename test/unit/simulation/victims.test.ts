import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  ladder,
  node,
  placeOf,
  pod,
  podOf,
  podSpec,
  priorityClass,
  running,
  headlineOf,
  simulated,
  stepsOf,
  workload,
} from './cluster-builder.ts';

describe('simulate: victims and their controllers', () => {
  const objects = [
    ...ladder,
    node('a', 4),
    node('b', 2),
    workload('Deployment', 'batch', 2, podSpec(2, { priorityClassName: 'low' })),
    running('batch-5d-x1', 2, 'a', 10, {
      owner: 'ReplicaSet/batch-5d',
      labels: { app: 'batch' },
      startTime: '2026-01-01T00:00:00Z',
    }),
    running('batch-5d-x2', 2, 'a', 10, {
      owner: 'ReplicaSet/batch-5d',
      labels: { app: 'batch' },
      startTime: '2026-01-02T00:00:00Z',
    }),
    pod('urgent', 2, { priorityClassName: 'high', nodeSelector: { 'kubernetes.io/hostname': 'a' } }),
  ];

  it('lets running pods stand for their workload', () => {
    const report = simulated(objects.slice(0, -1));
    assert.equal(report.steps.length, 0);
    assert.equal(report.workloads.find(({ name }) => name === 'batch')?.replicas, 2);
    assert.equal(headlineOf(report), 'All 2 pods run; none are new.');
  });

  it('counts the pods of a ReplicaSet once, also when what owns it is not declared', () => {
    const owner = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'batch', uid: 'r', controller: true };
    const set = workload('Deployment', 'batch-5d', 2, podSpec(2, { priorityClassName: 'low' }), { app: 'batch' });
    const owned = {
      ...set,
      kind: 'ReplicaSet',
      metadata: { name: 'batch-5d', namespace: 'default', ownerReferences: [owner] },
    };
    const report = simulated([...ladder, node('a', 8), owned, ...objects.slice(-3, -1)]);
    assert.equal(report.steps.length, 0);
    assert.equal(report.pods.length, 2);
  });

  it('recreates an evicted pod and says where the replacement goes', () => {
    const report = simulated(objects);
    assert.deepEqual(stepsOf(report), [
      '0 nominated urgent on a [batch-5d-x2]',
      '0 scheduled batch-5d-0 on b',
      '30 gone batch-5d-x2 [batch-5d-x2]',
      '30 scheduled urgent on a',
    ]);
    const [victim] = report.victims;
    assert.equal(victim?.fate, 'moves');
    assert.equal(victim.newNode, 1);
    assert.deepEqual(victim.remaining, { running: 1, before: 2 });
    assert.equal(report.pods[victim.replacement ?? -1]?.name, 'batch-5d-0');
  });

  it('[PRI-9] cannot recreate a pod whose class was deleted, although the pod itself kept running', () => {
    const report = simulated(objects.filter((object) => object !== ladder[1]));
    assert.equal(report.victims[0]?.fate, 'gone');
    assert.equal(placeOf(report, 'batch-5d-0'), 'rejected');
    assert.equal(placeOf(report, 'batch-5d-x1'), 'running on a');
    assert.equal(podOf(report, 'batch-5d-x1').priority, 10);
    const decision = report.decisions[podOf(report, 'batch-5d-0').decision ?? -1];
    assert.equal(decision?.message, 'pods "batch-5d-0" is forbidden: no PriorityClass with name low was found');
  });

  it('recreates a StatefulSet pod under its own name, when the old one is gone', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      node('b', 2),
      workload('StatefulSet', 'db', 1, podSpec(2, { priorityClassName: 'low' })),
      running('db-0', 2, 'a', 10, { owner: 'StatefulSet/db', labels: { app: 'db' } }),
      pod('urgent', 4, { priorityClassName: 'high' }),
    ]);
    assert.deepEqual(stepsOf(report), [
      '0 nominated urgent on a [db-0]',
      '30 gone db-0 [db-0]',
      '30 scheduled urgent on a',
      '30 scheduled db-0 on b',
    ]);
  });
});

describe('simulate: priorities of pods that run', () => {
  it('[PRI-8] counts a running pod without a priority as 0, whatever the global default is', () => {
    const old = running('old', 3, 'a', 0);
    const report = simulated([
      priorityClass('standard', 100, { globalDefault: true }),
      node('a', 4),
      { ...old, spec: podSpec(3, { nodeName: 'a' }) },
      pod('new', 2),
    ]);
    assert.equal(podOf(report, 'old').priority, 0);
    assert.equal(podOf(report, 'new').priority, 100);
    assert.equal(podOf(report, 'new').className, 'standard');
    assert.equal(placeOf(report, 'old'), 'evicted on a');
  });

  it('[PRI-4] reports a pod of an unknown class as rejected, in the words of the API server', () => {
    const report = simulated([node('a', 4), pod('new', 1, { priorityClassName: 'gold' })]);
    assert.equal(placeOf(report, 'new'), 'rejected');
    assert.equal(report.steps[0]?.note, 'pods "new" is forbidden: no PriorityClass with name gold was found');
    assert.equal(headlineOf(report), 'new is refused: no PriorityClass with name gold was found.');
  });
});
