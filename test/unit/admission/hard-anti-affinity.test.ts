import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { farAntiAffinity } from '../../../server/src/admission/pods/hard-anti-affinity.ts';
import { podOf } from './judged.ts';

describe('farAntiAffinity', () => {
  it('[PLA-9] finds a required term beyond the node, where a cluster forbids it', () => {
    const terms = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({ topologyKey }));
    const spec = podOf({
      affinity: {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'rack' }] },
      },
    }).spec;
    assert.deepEqual(farAntiAffinity(spec!), {
      path: ['affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 1, 'topologyKey'],
      topologyKey: 'topology.kubernetes.io/zone',
      detail:
        'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey topology.kubernetes.io/zone but only key kubernetes.io/hostname is allowed',
    });
    assert.equal(farAntiAffinity({ containers: [] }), undefined);
  });
});
