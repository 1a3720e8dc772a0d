import assert from 'node:assert/strict';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { describe, it } from 'mocha';
import {
  ladder,
  budget,
  node,
  placeOf,
  pod,
  podOf,
  priorityClass,
  running,
  headlineOf,
  simulated,
  stepsOf,
} from './cluster-builder.ts';

describe('simulate: order and preemption', () => {
  it('[PRE-1] tries pending pods by priority, and a pod that does not fit holds back nobody', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      pod('small', 1, { priorityClassName: 'low' }),
      pod('huge', 64, { priorityClassName: 'high' }),
      pod('middle', 1, { priorityClassName: 'patient' }),
    ]);
    assert.deepEqual(stepsOf(report), ['0 pending huge', '0 scheduled middle on a', '0 scheduled small on a']);
    assert.equal(headlineOf(report), 'middle and small are placed on a; no pod is evicted; 1 pod stays pending.');
  });

  it('[PRE-1] answers pods of manifests that differ only in their names as it answers each alone', () => {
    const scratch = { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } }] };
    const all = [
      ...['one', 'two'].map((name) => pod(name, 64, {}, { app: 'large' })),
      ...['three', 'four'].map((name) => pod(name, 1, scratch, { app: 'large' })),
      pod('five', 64, {}, { app: 'other' }),
    ];
    const cluster = [...ladder, node('a', 4), running('batch', 3, 'a', 10)];
    const answerOf = (report: ReturnType<typeof simulated>, name: string): unknown => {
      const { decision } = podOf(report, name);
      const { pod: _, ...told } = report.decisions[decision ?? -1]!;
      return told;
    };
    const together = simulated([...cluster, ...all]);
    for (const each of all) {
      const { name } = each['metadata'] as { readonly name: string };
      assert.deepEqual(answerOf(together, name), answerOf(simulated([...cluster, each]), name), name);
    }
  });

  it('[PRE-4, PRE-5] nominates the preemptor and schedules it when the grace period of its victims is over', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('batch', 3, 'a', 10, { spec: { terminationGracePeriodSeconds: 45 } }),
      pod('urgent', 2, { priorityClassName: 'high' }),
    ]);
    assert.deepEqual(stepsOf(report), [
      '0 nominated urgent on a [batch]',
      '45 gone batch [batch]',
      '45 scheduled urgent on a',
    ]);
    assert.deepEqual(podOf(report, 'urgent').after, { state: 'running', node: 0 });
    assert.deepEqual(report.steps[0]?.changes, [
      { pod: report.pods.indexOf(podOf(report, 'urgent')), place: { state: 'nominated', node: 0 } },
      { pod: report.pods.indexOf(podOf(report, 'batch')), place: { state: 'terminating', node: 0 } },
    ]);
  });

  it('[PRE-5] gives 30 seconds to a pod that names no grace period', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('batch', 3, 'a', 10),
      pod('urgent', 2, { priorityClassName: 'high' }),
    ]);
    assert.equal(report.steps.at(-1)?.clock, 30);
  });

  it('[PRE-3] lets a pod that never preempts wait, and says that a class that may preempt would help', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('batch', 3, 'a', 10),
      pod('calm', 2, { priorityClassName: 'patient' }),
    ]);
    assert.equal(placeOf(report, 'calm'), 'pending');
    const decision = report.decisions[podOf(report, 'calm').decision ?? -1];
    assert.equal(decision?.ineligible, 'not eligible due to preemptionPolicy=Never.');
    assert.equal(
      decision.message,
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    );
    assert.deepEqual(decision.wouldHelp.slice(0, 2), [
      '1 more cpu free on a',
      'a class that may preempt: it would evict batch on a',
    ]);
  });

  it('[PRE-6, PRE-12, PRE-19] spares a budget although its pods rank lower, and says so, and what priority is enough', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      node('b', 4),
      running('report', 4, 'a', 100),
      running('indexer', 4, 'b', 10),
      budget('indexer', { app: 'indexer' }, { minAvailable: 1 }, { disruptionsAllowed: 0 }),
      pod('urgent', 2, { priorityClassName: 'high' }),
    ]);
    assert.equal(placeOf(report, 'urgent'), 'running on a');
    const decision = report.decisions[report.steps[0]?.decision ?? -1];
    assert.equal(decision?.decidedBy, 'pdbViolations');
    assert.equal(
      decision.why,
      'Decided by fewest budgets violated: a 0, b 1. Victims of lower priority (10 against 100) on b are spared, because evicting them would violate default/indexer. Any priority above 100 would be enough on a.',
    );
    assert.deepEqual(
      decision.candidates.map(({ node: index, chosen, pdbViolations, highestPriority, lostAt }) => [
        index,
        chosen,
        pdbViolations,
        highestPriority,
        lostAt,
      ]),
      [
        [0, true, 0, 100, null],
        [1, false, 1, 10, 'pdbViolations'],
      ],
    );
    assert.deepEqual(
      report.victims.map(({ budget: { state } }) => state),
      ['none'],
    );
  });

  it('places nothing on a node without a name, which no cluster has', () => {
    const report = simulated([{ ...node('a', 4), metadata: {} }, pod('web', 1)]);
    assert.ok(report.nodes.length > 0 && report.nodes.every(({ name }) => name.startsWith('assumed-')));
  });

  it('gives a pod the overhead of its RuntimeClass, and sends it where that says', () => {
    const runtime = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'vm' },
      handler: 'vm',
      overhead: { podFixed: { cpu: '1' } },
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    };
    const taints = [{ key: 'vm', effect: 'NoSchedule' }];
    const vm = { ...node('vm', 4, { spec: { taints } }), metadata: { name: 'vm', labels: { vm: 'yes' } } };
    const web = (name: string, cpu: number, nodeSelector: JsonObject = {}) =>
      pod(name, cpu, { runtimeClassName: 'vm', nodeSelector });
    const report = simulated([
      node('plain', 8),
      vm,
      runtime,
      web('one', 2),
      web('two', 2),
      web('odd', 1, { vm: 'no' }),
    ]);
    assert.equal(placeOf(report, 'one'), 'running on vm');
    assert.equal(placeOf(report, 'two'), 'pending');
    const odd = report.decisions[podOf(report, 'odd').decision ?? -1];
    assert.equal(
      odd?.message,
      'pods "odd" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
    );
  });

  it('[PRE-12] names the nodes of less important pods that would not take it without them either, with the reason', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      node('small', 1),
      node('kept', 4, { spec: { taints: [{ key: 'team', value: 'db', effect: 'NoSchedule' }] } }),
      node('same', 1),
      running('report', 4, 'a', 100),
      running('on-small', 1, 'small', 10),
      running('on-kept', 4, 'kept', 0, { spec: { tolerations: [{ operator: 'Exists' }] } }),
      running('on-same', 1, 'same', 100),
      pod('urgent', 2, { priorityClassName: 'high' }),
    ]);
    assert.equal(
      report.decisions[report.steps[0]?.decision ?? -1]?.why,
      'Only on a does evicting lower-priority pods make room. ' +
        'Pods of lower priority (0 against 100) run on kept, where evicting all of them would not help: node(s) had untolerated taint(s). ' +
        'Pods of lower priority (10 against 100) run on small, where evicting all of them would not help: Insufficient cpu. ' +
        'Any priority above 100 would be enough on a.',
    );
  });

  it('[PRE-6] violates a budget when nothing else makes room, and counts it', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('indexer', 4, 'a', 10),
      budget('indexer', { app: 'indexer' }, { minAvailable: 1 }, { disruptionsAllowed: 0 }),
      pod('urgent', 2, { priorityClassName: 'high' }),
    ]);
    assert.deepEqual(report.victims[0]?.budget, { state: 'violated', names: ['default/indexer'] });
    assert.equal(report.totals.budgetsViolated, 1);
    assert.equal(headlineOf(report), 'urgent evicts indexer (down) and breaks 1 budget.');
  });

  it('[PRE-21, EVI-4] tells of each victim who took its place and where, and counts attempts and victims', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('batch', 3, 'a', 10),
      pod('urgent', 2, { priorityClassName: 'high' }),
    ]);
    assert.equal(report.victims[0]?.event, 'Preempted by pod default/urgent on node a');
    assert.equal(report.victims[0].fate, 'gone');
    assert.equal(placeOf(report, 'batch'), 'evicted on a');
    assert.equal(report.totals.preemptionAttempts, 1);
    assert.equal(report.totals.preemptionVictims, 1);
  });

  it('[PRE-10] evicts no pod of equal priority', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('peer', 4, 'a', 1000),
      pod('urgent', 2, { priorityClassName: 'high' }),
    ]);
    assert.equal(report.victims.length, 0);
    assert.equal(placeOf(report, 'urgent'), 'pending');
  });

  it('[PRE-4, PRE-19, PRE-23, PRE-24] says when the victims are gone and somebody else took the room, in a step of its own', () => {
    const report = simulated([
      ...ladder,
      priorityClass('calm-top', 5000, { preemptionPolicy: 'Never' }),
      node('a', 4),
      running('batch', 4, 'a', 10),
      pod('calm', 4, { priorityClassName: 'calm-top' }),
      pod('urgent', 4, { priorityClassName: 'high' }),
    ]);
    assert.deepEqual(stepsOf(report), [
      '0 pending calm',
      '0 nominated urgent on a [batch]',
      '30 gone batch [batch]',
      '30 scheduled calm on a',
      '30 cleared urgent on a',
      '30 pending urgent',
    ]);
    assert.match(report.steps.at(-2)?.note ?? '', /^Its victims on a are gone, and calm took the room\.$/);
    assert.match(report.steps.at(-1)?.note ?? '', /^0\/1 nodes are available/);
    assert.equal(report.steps[report.steps.at(-2)?.by ?? -1]?.kind, 'scheduled');
    assert.equal(placeOf(report, 'urgent'), 'pending');
  });

  it('[PRE-18] counts the pods in each queue after every step', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('batch', 3, 'a', 10),
      pod('urgent', 2, { priorityClassName: 'high' }),
      pod('huge', 64, { priorityClassName: 'high' }),
      pod('held', 1, { schedulingGates: [{ name: 'example.com/wait' }] }),
    ]);
    assert.deepEqual(
      report.steps.map(({ kind, queues: { active, backoff, unschedulable, gated } }) => [
        kind,
        active,
        backoff,
        unschedulable,
        gated,
      ]),
      [
        ['gated', 0, 0, 0, 1],
        ['pending', 1, 0, 1, 1],
        ['nominated', 0, 0, 2, 1],
        ['gone', 2, 0, 0, 1],
        ['scheduled', 0, 0, 1, 1],
      ],
    );
  });

  it('[PRE-18] looks again after five minutes at a pod that no event helped', () => {
    // That the last pod goes which it wants to be near, and that it could then be the first, wakes nobody.
    const labelSelector = { matchLabels: { app: 'web' } };
    const together = {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector }],
    };
    const old = running('old', 1, 'a', 10, { labels: { app: 'web' } });
    const metadata = { ...(old['metadata'] as JsonObject), deletionTimestamp: '2026-01-01T00:00:00Z' };
    const report = simulated([
      ...ladder,
      node('a', 4, { spec: { unschedulable: true } }),
      node('b', 4),
      { ...old, metadata },
      pod('web', 1, { priorityClassName: 'low', affinity: { podAffinity: together } }),
    ]);
    assert.deepEqual(stepsOf(report), ['0 pending web', '30 gone old [old]', '330 scheduled web on b']);
  });

  it('[PRE-21] counts every attempt to preempt, as the metric does', () => {
    const report = simulated([
      ...ladder,
      node('a', 4),
      running('batch', 3, 'a', 10),
      pod('urgent', 2, { priorityClassName: 'high' }),
      pod('calm', 4, { priorityClassName: 'patient' }),
    ]);
    // Once for the preemptor; the other is tried at first, and when the victim is gone.
    assert.equal(report.totals.preemptionAttempts, 3);
  });
});

describe('simulate: the end', () => {
  const objects = [
    ...ladder,
    node('a', 4),
    running('batch', 3, 'a', 10, { spec: { terminationGracePeriodSeconds: 200_000 } }),
    pod('urgent', 2, { priorityClassName: 'high' }),
  ];

  it('[PRE-5] waits for a grace period of days', () => {
    const report = simulated(objects);
    assert.equal(stepsOf(report).at(-1), '200000 scheduled urgent on a');
    assert.ok(!report.assumptions.some(({ text }) => text.startsWith('ended before')));
  });

  it('says that it ended before everything had settled', () => {
    const report = simulated(objects, { kind: 'workspace' }, { attemptLimit: 1 });
    assert.equal(placeOf(report, 'urgent'), 'nominated on a');
    assert.ok(
      report.assumptions.some(({ mark, text }) => mark === '?' && text === 'ended before everything had settled'),
    );
  });
});
