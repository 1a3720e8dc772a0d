import assert from 'node:assert/strict';
import type { ThreatsReport } from '../../../server/src/simulation/scenario/threats-to-pod.ts';
import { podium } from './run-podium.ts';

const shop = 'samples/online-shop';

async function threats(pod: string): Promise<{ code: number | null; pods: readonly ThreatsReport[] }> {
  const { code, stdout, stderr } = await podium(['threats', pod, shop, '--format', 'json']);
  assert.ok(stdout.startsWith('{'), stderr);
  return { code, pods: (JSON.parse(stdout) as { pods: ThreatsReport[] }).pods };
}

describe('podium threats', () => {
  it('names the workloads that would evict a pod, the budget that this breaks, and what would make it safe', async () => {
    const { code, pods } = await threats('shop/storefront');
    assert.equal(code, 1);
    assert.equal(pods.length, 2);
    const threatened = pods.find(({ pod }) => pod.endsWith('vz4rd'));
    assert.deepEqual(
      threatened?.workloads.map(({ name, priority, isNext, breaks }) => [name, priority, isNext, breaks]),
      [['checkout', 100_000, true, ['shop/storefront']]],
    );
    assert.equal(threatened.safeAt, 100_000);
    assert.deepEqual(threatened.budgets, [{ name: 'shop/storefront', disruptionsAllowed: 0 }]);
    const safe = pods.find(({ pod }) => pod.endsWith('jm7wq'));
    assert.deepEqual([safe?.workloads, safe?.safeAt], [[], null]);
  });

  it('[#34] tells those that are evicted when all is deployed from those that one more pod would evict', async () => {
    const amounts = { cpu: '2', memory: '8Gi', pods: '110' };
    const template = (app: string, priority: string): object => ({
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          ...(priority === '' ? {} : { priorityClassName: priority }),
          containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1' } } }],
        },
      },
    });
    const deployment = (name: string, replicas: number, priority: string): object => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: { replicas, ...template(name, priority) },
    });
    const pod = (name: string): object => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'default',
        labels: { app: 'low' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'low', uid: 'u', controller: true }],
      },
      spec: {
        nodeName: 'n',
        priority: 0,
        containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1' } } }],
      },
      status: { phase: 'Running' },
    });
    const objects = [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { capacity: amounts, allocatable: amounts } },
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 100 },
      deployment('low', 2, ''),
      deployment('high', 1, 'high'),
      pod('low-a'),
      pod('low-b'),
    ];
    const stdin = objects.map((each) => JSON.stringify(each)).join('\n---\n');
    const { stdout } = await podium(['threats', 'deployment/default/low', '-'], { stdin, columns: 1000 });
    assert.equal(
      stdout.split('\n')[0],
      'Deploying Deployment default/high evicts default/low-a; one more pod of Deployment default/high would then evict default/low-b.',
    );
  });

  it('[SCA-4] counts the nodes that pools make for what is declared (#39)', async () => {
    const requirements = '[{ key: node.kubernetes.io/instance-type, operator: In, values: [m6i.xlarge] }]';
    const stdin = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: general }
spec: { template: { spec: { nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }, requirements: ${requirements} } } }
---
apiVersion: v1
kind: Pod
metadata: { name: web, namespace: shop }
spec: { containers: [{ name: web, image: web, resources: { requests: { cpu: 1 } } }] }
`;
    const { stdout } = await podium(['threats', 'shop/web', '-'], { stdin });
    assert.match(stdout, /^shop\/web \(priority 0\): running, general\+1$/m);
  });

  it('tells classes that may evict from those of policy Never, and those that exist undeclared', async () => {
    const [storefront] = (await threats('deployment/shop/storefront')).pods;
    const above = storefront?.classes.map(({ name }) => name) ?? [];
    assert.deepEqual(above.slice(0, 2), ['system-node-critical', 'system-cluster-critical']);
    assert.ok(storefront?.classes.every(({ value }) => value > 10_000));
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'x' }] },
      status: { phase: 'Running' },
    };
    const never = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'polite' },
      value: 10,
      preemptionPolicy: 'Never',
    };
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n' },
      status: { allocatable: { cpu: '1', memory: '1Gi', pods: '10' } },
    };
    const { stdout, code } = await podium(['threats', 'pod/p', '-'], {
      stdin: [pod, never, node].map((each) => JSON.stringify(each)).join('\n---\n'),
    });
    assert.equal(code, 0);
    assert.match(stdout, /Classes above it that evict no pod: polite/);
    assert.match(stdout, /No pod of priority 0 or lower can evict it/);
    assert.match(stdout, /No declared workload would evict it now/);
    assert.match(stdout, /No PodDisruptionBudget selects it/);
  });

  it('[PLA-20] says who evicts a pod in the run, of a pod that waits that there is nothing to evict, and what is near', async () => {
    const waiting = await podium(['threats', 'shop-batch/thumbnailer', shop]);
    assert.equal(waiting.code, 1);
    assert.match(waiting.stdout, /r2hmc \(batch-low 100\): evicted, general-a\n {2}− Deployment shop\/checkout/);
    assert.match(waiting.stdout, /-0 \(batch-low 100\): pending\n {2}It is pending, so there is nothing to evict/);
    assert.equal((await podium(['threats', 'thumbnailer', shop])).stdout, waiting.stdout);
    const unknown = await podium(['threats', 'shop/storefrnt', shop]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /there is no pod shop\/storefrnt; did you mean shop\/storefront/);
  });

  it('[#34] says once what is so of several pods', async () => {
    const objects = [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { allocatable: { cpu: '1', pods: '10' } } },
      ...['a', 'b'].map((name) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', labels: { app: 'web' } },
        spec: { nodeName: 'n', containers: [{ name: 'c', image: 'x' }] },
        status: { phase: 'Running' },
      })),
    ];
    const { stdout } = await podium(['threats', '-l', 'app=web', '-'], {
      stdin: objects.map((each) => JSON.stringify(each)).join('\n---\n'),
    });
    assert.match(stdout, /^default\/a and default\/b \(priority 0\): running, n$/m);
    assert.equal(stdout.match(/No PodDisruptionBudget/g)?.length, 1);
    assert.match(stdout, /No pod of priority 0 or lower can evict any of them\./);
  });

  it('says first which workload evicts which pod, for a pod or for labels', async () => {
    const { stdout, code } = await podium(['threats', '-l', 'app=storefront', shop], { columns: 200 });
    assert.equal(code, 1);
    assert.equal(
      stdout.split('\n')[0],
      'One more pod of Deployment shop/checkout would evict shop/storefront-6f5b8c7d9-vz4rd, and break budget shop/storefront.',
    );
    assert.equal((await podium(['threats', 'shop/storefront', shop], { columns: 200 })).stdout, stdout);
  });
});
