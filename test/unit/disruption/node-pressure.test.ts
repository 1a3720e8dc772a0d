import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isCriticalPod, rankForMemoryPressure } from '../../../server/src/disruption/node-pressure.ts';
import type { Pod } from '../../../server/src/kubernetes/objects.ts';
import { isQuantityError, parseQuantity, type Quantity } from '../../../server/src/kubernetes/quantity.ts';

function pod(name: string, request: string | undefined, priority?: number, more: Partial<Pod['spec']> = {}): Pod {
  const resources = request === undefined ? {} : { requests: { memory: request } };
  return {
    metadata: { name },
    spec: { containers: [{ name: 'main', resources }], ...(priority === undefined ? {} : { priority }), ...more },
  };
}

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  assert.ok(!isQuantityError(parsed));
  return parsed;
}

function order(pods: readonly Pod[], usage: Readonly<Record<string, string>>): string[][] {
  const groups = rankForMemoryPressure(pods, ({ metadata }) => {
    const text = usage[metadata?.name ?? ''];
    return text === undefined ? undefined : quantity(text);
  });
  return groups.map((group) => group.map((entry) => entry.pod.metadata?.name ?? ''));
}

describe('rankForMemoryPressure', () => {
  it('[EVI-1] takes pods above their request first, however important', () => {
    const pods = [pod('modest', '1Gi', -10), pod('greedy', '64Mi', 1000)];
    assert.deepEqual(order(pods, { modest: '1Gi', greedy: '65Mi' }), [['greedy'], ['modest']]);
  });

  it('[EVI-1] then the less important, then those further above their request', () => {
    const pods = [pod('a', '64Mi', 5), pod('b', '64Mi', 1), pod('c', '64Mi', 1), pod('d', undefined)];
    assert.deepEqual(order(pods, { a: '2Gi', b: '100Mi', c: '200Mi', d: '65Mi' }), [['d'], ['c'], ['b'], ['a']]);
  });

  it('[EVI-1] takes pods without statistics before all others, and equals together', () => {
    const pods = [pod('a', '64Mi'), pod('b', '64Mi'), pod('lost', '64Mi', 9), pod('gone', '1Gi', 9)];
    assert.deepEqual(order(pods, { a: '100Mi', b: '100Mi' }), [
      ['lost', 'gone'],
      ['a', 'b'],
    ]);
  });

  it('counts the hungriest init container, and overhead on top', () => {
    const init = pod('init', '64Mi', 0, {
      initContainers: [{ name: 'i', resources: { requests: { memory: '1Gi' } } }],
    });
    const [[ranked] = []] = rankForMemoryPressure([init], () => quantity('512Mi'));
    assert.equal(ranked?.exceedsRequest, false);
    const [[heavy] = []] = rankForMemoryPressure([pod('o', '64Mi', 0, { overhead: { memory: '64Mi' } })], () =>
      quantity('100Mi'),
    );
    assert.equal(heavy?.exceedsRequest, false);
  });
});

describe('what a pod requests under memory pressure', () => {
  const within = (each: Pod, usage: string): boolean | undefined => {
    const [[ranked] = []] = rankForMemoryPressure([each], () => quantity(usage));
    return ranked === undefined ? undefined : !ranked.exceedsRequest;
  };

  it('[EVI-1] is what it requests as a whole, where it does', () => {
    const whole = pod('whole', '64Mi', 0, { resources: { requests: { memory: '1Gi' } } });
    assert.equal(within(whole, '1Gi'), true);
    assert.equal(within(whole, '1025Mi'), false);
  });

  it('[EVI-1] is what its containers and sidecars request together', () => {
    const resources = { requests: { memory: '100Mi' } };
    const sidecar = pod('sidecar', '100Mi', 0, { initContainers: [{ name: 'i', restartPolicy: 'Always', resources }] });
    assert.equal(within(sidecar, '200Mi'), true);
    assert.equal(within(sidecar, '201Mi'), false);
  });
});

describe('isCriticalPod', () => {
  it('[EVI-1] passes over system pods and those of the node itself', () => {
    assert.ok(isCriticalPod(pod('dns', '64Mi', 2_000_000_000)));
    assert.ok(
      isCriticalPod({ ...pod('proxy', '64Mi'), metadata: { annotations: { 'kubernetes.io/config.source': 'file' } } }),
    );
    assert.ok(
      isCriticalPod({ ...pod('proxy', '64Mi'), metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }),
    );
    assert.ok(
      !isCriticalPod({ ...pod('web', '64Mi', 9), metadata: { annotations: { 'kubernetes.io/config.source': 'api' } } }),
    );
  });
});
