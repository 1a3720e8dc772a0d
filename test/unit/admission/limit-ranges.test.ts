import assert from 'node:assert/strict';
import { applyLimitRanges } from '../../../server/src/admission/request/limit-ranger.ts';
import type { LimitRange, Pod } from '../../../server/src/kubernetes/objects.ts';

const pod: Pod = {
  metadata: { name: 'a', namespace: 'shop' },
  spec: { containers: [{ name: 'a', image: 'a', resources: { requests: { memory: '1Gi' } } }] },
};

function range(namespace: string, given: Readonly<Record<string, string>>): LimitRange {
  return {
    metadata: { name: 'a', namespace },
    spec: { limits: [{ type: 'Container', default: given }] },
  };
}

describe('What ranges of limits fill in', () => {
  it('is what the pod says, then the first range of its namespace that says it', () => {
    const ranges = [
      range('elsewhere', { cpu: '9' }),
      range('shop', { cpu: '1' }),
      range('shop', { cpu: '2', memory: '2Gi', 'example.com/gpu': '1' }),
    ];
    assert.deepEqual(applyLimitRanges(pod, ranges).spec?.containers[0]?.resources, {
      requests: { cpu: '1', memory: '1Gi', 'example.com/gpu': '1' },
      limits: { cpu: '1', memory: '2Gi', 'example.com/gpu': '1' },
    });
  });

  it('is nothing where the namespace has none', () => {
    assert.equal(applyLimitRanges(pod, [range('elsewhere', { cpu: '9' })]), pod);
  });

  it('is put together once for all pods, however many ranges there are', () => {
    let looks = 0;
    const counted = range('shop', { cpu: '1' });
    const { spec } = counted;
    Object.defineProperty(counted, 'spec', { get: () => ((looks += 1), spec) });
    const ranges = [counted];
    for (let made = 0; made < 100; made += 1) applyLimitRanges(pod, ranges);
    assert.equal(looks, 1);
  });
});
