import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { node, placeOf, pod, running, simulated } from './cluster-builder.ts';

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
});
