import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Container, Pod } from '../../../server/src/kubernetes/objects.ts';
import {
  podLimits,
  podRequests,
  readResourceList,
  type ResourceAmounts,
} from '../../../server/src/kubernetes/pod-resources.ts';
import { formatQuantity } from '../../../server/src/kubernetes/quantity.ts';

function container(name: string, requests: Record<string, string>, sidecar = false): Container {
  return { name, resources: { requests }, ...(sidecar ? { restartPolicy: 'Always' } : {}) };
}

function text(amounts: ResourceAmounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

describe('pod resources', () => {
  const cpu = (amount: string): Record<string, string> => ({ cpu: amount });

  it('are the sum of the containers', () => {
    const containers = [
      container('a', { cpu: '100m', memory: '1Gi' }),
      container('b', { cpu: '1', 'example.com/gpu': '1' }),
    ];
    assert.deepEqual(text(podRequests({ containers })), { cpu: '1100m', memory: '1Gi', 'example.com/gpu': '1' });
  });

  it('are at least what each init container needs', () => {
    const initContainers = [container('i', { cpu: '2', memory: '1Gi' }), container('j', cpu('500m'))];
    assert.deepEqual(text(podRequests({ containers: [container('a', cpu('1'))], initContainers })), {
      cpu: '2',
      memory: '1Gi',
    });
  });

  it('charge an init container for the sidecars before it, not for those after it', () => {
    const containers = [container('a', cpu('100m'))];
    const [init, sidecar] = [container('i', cpu('2')), container('s', cpu('1'), true)];
    assert.deepEqual(text(podRequests({ containers, initContainers: [init, sidecar] })), cpu('2'));
    assert.deepEqual(text(podRequests({ containers, initContainers: [sidecar, init] })), cpu('3'));
  });

  it('replace the sum by what the pod as a whole requests, then add overhead', () => {
    const spec = {
      containers: [container('a', { cpu: '2', memory: '1Gi' })],
      resources: { requests: { cpu: '500m', 'example.com/gpu': '3' } },
      overhead: { cpu: '250m' },
    };
    assert.deepEqual(text(podRequests(spec)), { cpu: '750m', memory: '1Gi' });
    assert.deepEqual(text(podRequests(spec, { skipPodLevel: true })), { cpu: '2250m', memory: '1Gi' });
  });

  describe('of a pod that runs', () => {
    const spec = {
      containers: [container('a', { cpu: '1', memory: '1Gi' })],
      initContainers: [container('s', cpu('100m'), true), container('i', cpu('1'))],
    };
    const status: NonNullable<Pod['status']> = {
      containerStatuses: [
        {
          name: 'a',
          image: '',
          imageID: '',
          ready: true,
          restartCount: 0,
          resources: { requests: { cpu: '2', memory: '512Mi' } },
          allocatedResources: { memory: '2Gi' },
        },
      ],
      initContainerStatuses: [
        { name: 's', image: '', imageID: '', ready: true, restartCount: 0, resources: { requests: cpu('200m') } },
        { name: 'i', image: '', imageID: '', ready: true, restartCount: 0, resources: { requests: cpu('9') } },
      ],
    };

    it('count the larger of what is asked for and what is granted', () => {
      assert.deepEqual(text(podRequests(spec, { status })), { cpu: '2200m', memory: '2Gi' });
    });

    it('count only what is granted when the resize is infeasible', () => {
      const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
      const large = { containers: [container('a', cpu('8'))] };
      assert.deepEqual(text(podRequests(large, { status: { ...status, conditions } })), { cpu: '2', memory: '2Gi' });
      const deferred = [{ type: 'PodResizePending', status: 'True', reason: 'Deferred' }];
      assert.deepEqual(text(podRequests(large, { status: { ...status, conditions: deferred } })), {
        cpu: '8',
        memory: '2Gi',
      });
    });
  });

  it('stand-ins fill what a container does not request; a request of 0 stays', () => {
    const missing = readResourceList({ cpu: '100m', memory: '200Mi' });
    const containers = [container('a', cpu('0')), container('b', { memory: '1Gi' })];
    assert.deepEqual(text(podRequests({ containers }, { missing })), { memory: '1224Mi', cpu: '100m' });
  });

  it('limits: overhead only where there is a limit', () => {
    const spec = {
      containers: [{ name: 'a', resources: { limits: cpu('1') } }],
      overhead: { cpu: '250m', memory: '1Gi' },
    };
    assert.deepEqual(text(podLimits(spec)), cpu('1250m'));
    assert.deepEqual(text(podLimits({ ...spec, resources: { limits: cpu('4') } })), cpu('4250m'));
  });

  it('leave out what is no quantity, and survive a resource called __proto__', () => {
    const requests = JSON.parse('{"__proto__": "1", "cpu": "much"}') as Record<string, string>;
    assert.deepEqual([...podRequests({ containers: [container('a', requests)] }).keys()], ['__proto__']);
  });

  it('do not depend on the order of the containers', () => {
    const amount = fc.nat(5000).map((milli) => `${milli}m`);
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1 }), (amounts) => {
        const containers = amounts.map((each, index) => container(String(index), cpu(each)));
        assert.deepEqual(
          text(podRequests({ containers })),
          text(podRequests({ containers: [...containers].reverse() })),
        );
      }),
    );
  });
});
