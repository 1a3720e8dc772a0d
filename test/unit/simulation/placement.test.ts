import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { node, placeOf, pod, podOf, podSpec, running, simulated, workload } from './cluster-builder.ts';

describe('simulate: placement', () => {
  it('[PLA-11] rejects a pod with nodeName that does not fit, as the kubelet does', () => {
    const report = simulated([
      node('a', 4),
      running('there', 3, 'a', 0),
      pod('forced', 2, { nodeName: 'a' }),
      pod('lost', 1, { nodeName: 'nowhere' }),
      pod('fine', 1, { nodeName: 'a' }),
    ]);
    const messageOf = (name: string) => report.decisions[podOf(report, name).decision ?? -1]?.message ?? '';
    assert.equal(placeOf(report, 'forced'), 'rejected');
    assert.equal(
      messageOf('forced'),
      "OutOfcpu: Pod was rejected: Node didn't have enough resource: cpu, requested: 2000, used: 4000, capacity: 4000",
    );
    assert.equal(
      messageOf('lost'),
      'spec.nodeName names nowhere, which does not exist: nothing will ever run this pod.',
    );
    assert.equal(placeOf(report, 'fine'), 'running on a');
  });

  it('[PLA-15] puts three caches on three nodes, and one web server beside each', () => {
    const cache = podSpec(1, {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'store' } } },
          ],
        },
      },
    });
    const web = podSpec(1, {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web-store' } } },
          ],
        },
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'store' } } },
          ],
        },
      },
    });
    const report = simulated([
      node('node-1', 4),
      node('node-2', 4),
      node('node-3', 4),
      workload('Deployment', 'redis-cache', 3, cache, { app: 'store' }),
      workload('Deployment', 'web-server', 3, web, { app: 'web-store' }),
    ]);
    for (const name of ['redis-cache', 'web-server']) {
      const index = report.workloads.findIndex((each) => each.name === name);
      const nodes = report.pods.filter(({ workload: own }) => own === index).map(({ after }) => after.node);
      assert.deepEqual(nodes.sort(), [0, 1, 2], name);
    }
  });

  it('[GATE-1, GATE-8] does not look at a gated pod and counts it as gated', () => {
    const report = simulated([node('a', 4), pod('held', 1, { schedulingGates: [{ name: 'example.com/wait' }] })]);
    assert.equal(placeOf(report, 'held'), 'gated');
    assert.deepEqual(
      report.steps.map(({ kind, queues }) => [kind, queues.gated]),
      [['gated', 1]],
    );
    assert.equal(report.totals.gated, 1);
    assert.deepEqual(report.decisions[0]?.wouldHelp, ['once example.com/wait is removed, a would take it']);
  });

  it('[GATE-3] schedules the pod once its gates are gone', () => {
    const report = simulated([node('a', 4), pod('held', 1, { schedulingGates: [] })]);
    assert.equal(placeOf(report, 'held'), 'running on a');
  });

  it('assumes three nodes in three zones when nothing names any, and marks it', () => {
    const report = simulated([pod('web', 1)]);
    assert.deepEqual(
      report.nodes.map(({ zone, assumed }) => [zone, assumed]),
      [
        ['zone-a', true],
        ['zone-b', true],
        ['zone-c', true],
      ],
    );
    assert.ok(report.assumptions.some(({ mark, text }) => mark === '?' && text === '3 assumed nodes'));
  });

  it('fills in what a LimitRange says', () => {
    const limits = {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'defaults', namespace: 'default' },
      spec: { limits: [{ type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '500m' } }] },
    };
    const bare = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'bare', namespace: 'default' },
      spec: { containers: [{ name: 'main', image: 'app' }] },
    };
    const report = simulated([limits, node('a', 4), bare]);
    assert.equal(podOf(report, 'bare').requests['cpu'], 500);
  });
});

describe('devices', () => {
  it('are nothing that priority preempts for, and the report says so', () => {
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'gpu' }];
    const claim = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'gpu', namespace: 'default' },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gone' } }] } },
    };
    const report = simulated([node('a', 4), claim, pod('web', 1, { resourceClaims })]);
    assert.equal(placeOf(report, 'web'), 'pending');
    assert.match(JSON.stringify(report.answer), /there is no DeviceClass gone; priority never preempts for devices/);
  });
});
