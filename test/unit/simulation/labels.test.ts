import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { minors } from '../../../server/src/util/minors.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { simulate } from '../../../server/src/simulation/index.ts';
import { input, node, placeOf, pod, priorityClass, running, simulated } from './cluster-builder.ts';

describe('labels of nodes', () => {
  it('[PLA-17] leave a running pod where it is, though its node has other labels by now', () => {
    const spec = { nodeSelector: { disk: 'ssd' } };
    const report = simulated([
      node('a', 4, { labels: { disk: 'hdd' } }),
      running('old', 1, 'a', 0, { spec }),
      pod('new', 1, spec),
    ]);
    assert.equal(placeOf(report, 'old'), 'running on a');
    assert.equal(placeOf(report, 'new'), 'pending');
  });

  it('[PLA-18] count, and not names: the label of the host may say something else', () => {
    const report = simulated([
      node('a', 4, { labels: { 'kubernetes.io/hostname': 'b' } }),
      node('b', 4, { labels: { 'kubernetes.io/hostname': 'a' } }),
      pod('web', 1, { nodeSelector: { 'kubernetes.io/hostname': 'a' } }),
    ]);
    assert.equal(placeOf(report, 'web'), 'running on b');
  });

  it('that say where a node is come to a pod when it is bound, from 1.35 on, and never to one that waits', () => {
    const zone = 'topology.kubernetes.io/zone';
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { [zone]: 'z1' } } };
    const beside = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    const cluster = [node('a', 4, { labels: { [zone]: 'z1' } }), priorityClass('high', 1000)];
    const placed = (first: JsonObject, second = pod('second', 1, beside)): string[] =>
      minors.map((kubernetes) => {
        const given = { ...input([...cluster, first, second]), kubernetes };
        return placeOf(runToEnd(simulate(given, { kind: 'workspace' })), 'second');
      });
    const late = ['pending', 'running on a', 'running on a', 'running on a'];
    assert.deepEqual(placed(pod('first', 1, { priorityClassName: 'high' })), late, 'scheduled');
    assert.deepEqual(placed(pod('first', 1, { nodeName: 'a' })), late, 'bound by hand');
    const lying = pod('first', 1, { priorityClassName: 'high' }, { [zone]: 'z2' });
    assert.deepEqual(placed(lying), late, 'with another label');
    assert.deepEqual(placed(pod('first', 9)), ['pending', 'pending', 'pending', 'pending'], 'waiting');
  });
});
