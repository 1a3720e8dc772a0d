import assert from 'node:assert/strict';
import type { FitReport } from '../../../server/src/simulation/capacity/fit.ts';
import type { NodesNeeded } from '../../../server/src/simulation/capacity/nodes-needed.ts';
import { podium } from './run-podium.ts';

const shop = 'samples/online-shop';

interface Answer extends FitReport {
  readonly nodesNeeded: NodesNeeded | null;
}

async function fits(args: readonly string[], stdin = ''): Promise<{ code: number | null; report: Answer }> {
  const { code, stdout, stderr } = await podium(['fit', ...args, '--format', 'json'], { stdin });
  assert.ok(stdout.startsWith('{'), stderr);
  return { code, report: JSON.parse(stdout) as Answer };
}

type Spec = Readonly<Record<string, unknown>>;

function node(name: string, cpu: number, labels: Readonly<Record<string, string>> = {}): object {
  const amounts = { cpu: String(cpu), memory: '64Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    status: { capacity: amounts, allocatable: amounts },
  };
}

function deployment(name: string, replicas: number, cpu: number, spec: Spec = {}): object {
  const labels = { app: name };
  const container = { name: 'c', image: 'x', resources: { requests: { cpu: String(cpu) } } };
  const template = { metadata: { labels }, spec: { containers: [container], ...spec } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

const pool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m6i.xlarge'] }],
      },
    },
  },
};

const manifests = (...objects: readonly object[]): string =>
  objects.map((each) => JSON.stringify(each)).join('\n---\n');

const classes = [
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 },
];

const budget = (app: string, minAvailable: number): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: app },
  spec: { minAvailable, selector: { matchLabels: { app } } },
});

/** What the engine itself places, when the workload simply asks for so many more. */
async function placed(objects: (replicas: number) => string, replicas: number): Promise<number> {
  const { stdout } = await podium(['simulate', '-', '--format', 'json'], { stdin: objects(replicas) });
  const report = JSON.parse(stdout) as {
    workloads: { name: string }[];
    pods: { workload: number; after: { state: string } }[];
  };
  return report.pods.filter(
    ({ workload, after }) => report.workloads[workload]?.name === 'web' && after.state === 'running',
  ).length;
}

describe('podium fit', () => {
  it('[EVI-4] says what must fit beside the old pods to roll out', async () => {
    const cluster = (spec: object): string => {
      const web = deployment('web', 3, 1) as { spec: object };
      return manifests(node('a', 4), { ...web, spec: { ...web.spec, ...spec } });
    };
    const told = async (spec: object): Promise<string> =>
      (await podium(['fit', 'default/web', '-'], { stdin: cluster(spec), columns: 300 })).stdout;
    assert.match(await told({}), /To roll out, 1 pod of 1 cpu must fit beside the old ones: there is room for 1, /);
    assert.match(
      await told({ replicas: 4, strategy: { rollingUpdate: { maxUnavailable: 0 } } }),
      /, and none does: .* would stop at 0/,
    );
    assert.match(await told({ replicas: 4 }), /no pod has to fit beside the old ones: up to 1 old pod ends first/);
    assert.match(await told({ strategy: { type: 'Recreate' } }), /nothing has to fit beside the old pods/);
    const waits = manifests(node('a', 4), deployment('web', 1, 5));
    const { stdout } = await podium(['fit', 'default/web', '-'], { stdin: waits });
    assert.doesNotMatch(stdout, /roll out/, '#34');
    // Those that are pending are not available already.
    assert.match(
      await told({ replicas: 6 }),
      /, and none does: .* would stop at 0\. With maxSurge: 0 and maxUnavailable: 3 an old pod ends first/,
    );
  });

  it('[#34] counts what admission adds to a new pod, and says of what evictions would make room for that a quota lets in none', async () => {
    const runtime = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'kata' },
      handler: 'kata',
      overhead: { podFixed: { cpu: '500m' } },
    };
    const boxed = [node('n', 2), runtime, deployment('web', 2, 1, { runtimeClassName: 'kata' })];
    const stdin = (objects: readonly object[]): string => objects.map((each) => JSON.stringify(each)).join('\n---\n');
    const rolls = await podium(['fit', 'web', '-'], { stdin: stdin(boxed), columns: 1000 });
    assert.match(rolls.stdout, /To roll out, 1 pod of 1\.5 cpu must fit/);
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'default' },
      spec: { hard: { pods: '2' } },
    };
    const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 100 };
    const labels = { app: 'low' };
    const low = ['a', 'b'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels },
      spec: {
        nodeName: 'n',
        priority: 0,
        containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1' } } }],
      },
      status: { phase: 'Running' },
    }));
    const pay = deployment('pay', 1, 1, { priorityClassName: 'high' });
    const refused = await podium(['fit', 'pay', '-'], {
      stdin: stdin([node('n', 2), quota, high, ...low, pay]),
      columns: 1000,
    });
    assert.match(refused.stdout.split('\n')[0]!, /; ResourceQuota default\/q lets in none\.$/);
  });

  it('says how many more fit in the sample, and what stops the next one', async () => {
    const { code, report } = await fits(['shop/gift-cards', shop]);
    assert.equal(code, 0);
    assert.deepEqual(report.free.nodes, [{ node: 'general-c', count: 1 }]);
    assert.match(report.free.message, /^0\/4 nodes are available: .*3 Insufficient cpu/);
    const { code: full, report: checkout } = await fits(['Deployment/shop/checkout', shop]);
    assert.equal(full, 1);
    assert.deepEqual([checkout.free.count, checkout.withinBudgets.count], [0, 0]);
    assert.deepEqual(checkout.free.evicts?.brokenBudgets, ['shop/storefront']);
    const { stdout } = await podium(['fit', 'shop/cart', shop]);
    assert.equal((await podium(['fit', 'cart', shop])).stdout, stdout);
    assert.match(stdout, /0 more fit without evicting a pod/);
    assert.match(stdout, /if lower priorities are evicted and no budget is broken/);
  });

  it('counts what the engine places, with and without eviction', async () => {
    const cluster = (replicas: number): string =>
      manifests(
        node('a', 4),
        node('b', 7),
        ...classes,
        deployment('low', 3, 2),
        deployment('web', replicas, 1, { priorityClassName: 'high' }),
      );
    const { report } = await fits(['default/web', '-'], cluster(1));
    assert.equal(report.free.count, 4);
    assert.equal(await placed(cluster, 30), report.evicting.count + 1);
    assert.equal(report.evicting.count, 10);
    assert.equal(report.withinBudgets.count, 10);
  });

  it('[PRE-6] stops before the first budget that would be broken, and counts on without it', async () => {
    const cluster = manifests(
      node('a', 8),
      ...classes,
      deployment('low', 8, 1),
      budget('low', 5),
      deployment('web', 0, 1, { priorityClassName: 'high' }),
    );
    const { report } = await fits(['default/web', '-'], cluster);
    assert.deepEqual([report.free.count, report.withinBudgets.count, report.evicting.count], [0, 3, 8]);
    assert.deepEqual(report.withinBudgets.evicts?.brokenBudgets, ['default/low']);
  });

  it('decides each replica by itself where they keep apart, spread, or bring claims', async () => {
    const antiAffinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    };
    const nodes = ['a', 'b', 'c'].map((name) => node(name, 8, { zone: name === 'c' ? 'z2' : 'z1' }));
    const apart = await fits(
      ['default/web', '-'],
      manifests(...nodes, deployment('web', 1, 1, { affinity: antiAffinity })),
    );
    assert.deepEqual([apart.report.free.count, apart.report.free.isExact], [2, true]);
    assert.match(apart.report.free.message, /didn't match pod anti-affinity rules/);
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const cluster = (replicas: number): string =>
      manifests(...nodes, deployment('web', replicas, 3, { topologySpreadConstraints: [constraint] }));
    const spread = await fits(['default/web', '-'], cluster(1));
    assert.equal(spread.report.free.count + 1, await placed(cluster, 20));
    const claims = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: {
        replicas: 1,
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: {
          metadata: { labels: { app: 'db' } },
          spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '4' } } }] },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    };
    assert.equal((await fits(['default/db', '-'], manifests(...nodes, claims))).report.free.count, 5);
  });

  it('finds the number of nodes by runs of the engine, and says what no number helps', async () => {
    const cluster = manifests(
      node('a', 3.8),
      deployment('web', 40, 2),
      deployment('gpu', 3, 1, { nodeSelector: { gpu: 'a100' } }),
    );
    const { report } = await fits(['default/web', '-', '--like', 'a'], cluster);
    assert.equal(report.nodesNeeded?.waiting, 42);
    assert.equal(report.nodesNeeded.nodes, 39);
    assert.deepEqual(
      report.nodesNeeded.left.map(({ workload, count }) => [workload.name, count]),
      [['gpu', 3]],
    );
    const { stdout } = await podium(['fit', 'default/web', '-', '--like', 'a'], { stdin: cluster });
    assert.match(stdout, /39 more nodes like a: of 42 39 run/);
    const sized = await fits(['default/web', '-', '--like', '8:16Gi'], cluster);
    assert.equal(sized.report.nodesNeeded?.nodes, 10);
    const none = await podium(['fit', 'default/web', '-', '--like', 'a'], {
      stdin: manifests(node('a', 1), deployment('web', 1, 2)),
    });
    assert.match(none.stdout, /No number of nodes like a helps: 2 were tried/);
  });

  it('says first how many placeholders keep it from evicting, where that is asked', async () => {
    const first = async (workload: string): Promise<string> =>
      (await podium(['fit', workload, shop, '--headroom'], { env: { COLUMNS: '400' } })).stdout.split('\n')[0]!;
    assert.equal(
      await first('shop/checkout'),
      'Deployment shop/checkout evicts no other pods where 2 placeholder pods of 1.6 cpu and 2 Gi each run before it.',
    );
    assert.match(await first('shop/catalog'), /^Deployment shop\/catalog needs no headroom: it evicts no pods/);
  });

  it('[SCA-4] says on which pool the next one gets a new node, and counts those that come for what is declared', async () => {
    const answer = async (stdin: string): Promise<string> =>
      (await podium(['fit', 'web', '-'], { stdin, env: { COLUMNS: '400' } })).stdout;
    const full = await answer(manifests(node('a', 3), deployment('web', 1, 3), pool));
    assert.match(
      full,
      /^No more pod of .* fits without evictions; the next comes on a new node of NodePool general\.$/m,
    );
    assert.match(
      full,
      /The next one: NodePool general would make a node: 1 of 1 instance types? fits? \(m6i\.xlarge\)\./,
    );
    const none = await answer(manifests(deployment('web', 1, 3), pool));
    assert.match(none, /^ {2}Deployment default\/web: 1 pod runs\.$/m);
    assert.match(none, /Counted: 1 node of NodePool general, added for the pods that are declared\./);
    const group = {
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'prod', region: 'eu-west-1' },
      managedNodeGroups: [{ name: 'workers', instanceType: 'm6i.xlarge', minSize: 0, maxSize: 2 }],
    };
    assert.match(
      await answer(manifests(deployment('web', 1, 3), group)),
      /; the next comes on a new node of nodegroup\/workers\.$/m,
    );
    const limited = { ...pool, spec: { ...pool.spec, limits: { cpu: '4' } } };
    assert.match(
      await answer(manifests(deployment('web', 1, 3), limited)),
      /The next one: NodePool general makes no node: all available .* \(NodePool=general\); cpu: 4 of 4 used\./,
    );
  });

  it('#39 counts for headroom whom a workload evicts before a pool makes a node for them', async () => {
    const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 };
    const urgent = deployment('urgent', 1, 3, { priorityClassName: 'high' });
    const stdin = manifests(node('a', 3), deployment('batch', 1, 3), urgent, high, pool);
    const { stdout } = await podium(['fit', 'urgent', '-', '--headroom'], { stdin, env: { COLUMNS: '400' } });
    assert.match(
      stdout,
      /^Deployment default\/urgent evicts no other pods where 1 placeholder pod of 3 cpu .*runs before it\.$/m,
    );
  });

  it('#39 says of headroom whether a pool makes a node for a CapacityBuffer', async () => {
    const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 };
    const urgent = deployment('urgent', 1, 3, { priorityClassName: 'high' });
    const limited = { ...pool, spec: { ...pool.spec, limits: { cpu: '0' } } };
    const said = async (of: typeof pool): Promise<string> => {
      const stdin = manifests(node('a', 3), deployment('batch', 1, 3), urgent, high, of);
      return (await podium(['fit', 'urgent', '-', '--headroom'], { stdin, env: { COLUMNS: '400' } })).stdout;
    };
    assert.match(
      await said(pool),
      /A CapacityBuffer with scalableRef Deployment default\/urgent and replicas: 1 holds as much\./,
    );
    assert.match(
      await said(limited),
      /A run with a CapacityBuffer with scalableRef Deployment default\/urgent and replicas: 1 evicts other pods, too, or leaves some pending\./,
    );
  });

  it('says what it cannot answer', async () => {
    const refused = async (args: readonly string[], stdin = ''): Promise<string> => {
      const { code, stderr } = await podium(['fit', ...args], { stdin });
      assert.equal(code, 2, stderr);
      return stderr;
    };
    assert.match(await refused(['shop/chekout', shop]), /there is no workload shop\/chekout; did you mean .*checkout/);
    assert.match(
      await refused(['DaemonSet/shop-platform/log-agent', shop]),
      /there is no workload|runs one pod on each node/,
    );
    assert.match(await refused(['shop/cart', shop, '--like', 'nowhere']), /there is no Node nowhere; did you mean/);
    assert.match(await refused(['shop/cart', shop, '--like', '4:x']), /--like must be a node/);
    assert.match(await refused([]), /name a workload/);
    const named = (namespace: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: ${namespace}}\nspec: {containers: [{name: a, image: a}]}\n`;
    assert.match(
      await refused(['web', '-'], `${named('a')}---\n${named('b')}`),
      /there is no workload web; did you mean Pod\/a\/web, Pod\/b\/web/,
    );
    const gated = deployment('web', 1, 1, { schedulingGates: [{ name: 'example.com/wait' }] });
    const { stdout } = await podium(['fit', 'default/web', '-'], { stdin: manifests(node('a', 4), gated) });
    assert.match(stdout, /wait for example.com\/wait; the answer is what would be without/);
    assert.match(stdout, /4 more fit/);
  });

  it('says how many more the quotas of the namespace let in, and knows a node that is not there', async () => {
    const quota = (hard: Spec): object => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard },
    });
    const objects = (hard: Spec): string => manifests(node('a', 32), deployment('web', 2, 1), quota(hard));
    const some = await fits(['default/web', '-'], objects({ 'requests.cpu': '5', pods: '100' }));
    assert.deepEqual(some.report.quotas, [{ quota: 'default/q', more: 3, resource: 'requests.cpu', message: '' }]);
    assert.deepEqual([some.code, some.report.free.count], [0, 30]);
    const none = await fits(['default/web', '-'], objects({ pods: '2' }));
    assert.deepEqual([none.code, none.report.quotas[0]?.more], [1, 0]);
    const claims = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };
    const { spec, ...rest } = deployment('web', 2, 1) as { readonly spec: Spec };
    const set = {
      ...rest,
      kind: 'StatefulSet',
      spec: { ...spec, volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claims }] },
    };
    const stored = await fits(
      ['default/web', '-'],
      manifests(node('a', 32), set, quota({ 'requests.storage': '45Gi' })),
    );
    assert.deepEqual(stored.report.quotas, [
      { quota: 'default/q', more: 2, resource: 'requests.storage', message: '' },
    ]);
    const volumes = [{ name: 'tmp', ephemeral: { volumeClaimTemplate: { spec: claims } } }];
    const scratch = deployment('web', 2, 1, { volumes });
    const ephemeral = await fits(
      ['default/web', '-'],
      manifests(node('a', 32), scratch, quota({ persistentvolumeclaims: '5' })),
    );
    assert.deepEqual(ephemeral.report.quotas, [
      { quota: 'default/q', more: 3, resource: 'persistentvolumeclaims', message: '' },
    ]);
    const refused = await fits(['default/web', '-'], objects({ 'limits.cpu': '5' }));
    assert.match(refused.report.quotas[0]?.message ?? '', /must specify limits\.cpu/);
    const { code, stderr } = await podium(['fit', 'default/web', '-', '--like', 'b'], {
      stdin: objects({ pods: '9' }),
    });
    assert.equal(code, 2);
    assert.match(stderr, /there is no Node b; did you mean a\?/);
  });

  it('says first how many fit, for a workload or for labels, as it is or after a what-if', async () => {
    const { stdout, code } = await podium(['fit', 'shop/checkout', shop], { columns: 200 });
    assert.equal(code, 1);
    assert.equal(
      stdout.split('\n')[0],
      'No more pod of Deployment shop/checkout fits without evictions; 2 by evicting lower priorities, which breaks budgets.',
    );
    const more = ['--what-if', 'add 4 nodes like general-a'];
    const helped = await podium(['fit', '-l', 'app in (checkout,cart)', shop, ...more], { columns: 200 });
    assert.deepEqual(
      [helped.code, helped.stdout.split('\n')[0]],
      [0, 'One more pod of each fits of 2 workloads, without evictions.'],
    );
  });
});
