import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DrainReport } from '../../../server/src/simulation/drains/drain-nodes.ts';
import type { Unblockers } from '../../../server/src/simulation/remedies/unblocking/unblock-drain.ts';
import { type Outcome, podium, type Surroundings } from './run-podium.ts';

const shop = 'samples/online-shop';

async function drained(args: readonly string[], stdin = ''): Promise<{ code: number | null; report: DrainReport }> {
  const { code, stdout, stderr } = await podium(['drain', ...args, '--format', 'json'], { stdin });
  assert.ok(stdout.startsWith('{'), stderr);
  return { code, report: JSON.parse(stdout) as DrainReport };
}

/** With what kubectl prints, which is shown where it is asked for. */
const printed = (args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> =>
  podium(['drain', ...args, '--show=transcript'], surroundings);

/** Nodes of 4 cpu, and pods of one ReplicaSet that a budget keeps. */
function pool(minAvailable: number, nodes: number): string {
  const labels = { app: 'web' };
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true };
  const amounts = { cpu: '4', memory: '8Gi', pods: '110' };
  const container = { name: 'c', image: 'x', resources: { requests: { cpu: '1' } } };
  const items = [
    ...Array.from({ length: nodes }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `n${i}`, labels: { pool: i < 2 ? 'old' : 'new' } },
      status: { allocatable: amounts },
    })),
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace: 'default', uid: 'u' },
      spec: {
        replicas: 4,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
      spec: { minAvailable, selector: { matchLabels: labels } },
    },
    ...Array.from({ length: 4 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `web-p${i}`,
        namespace: 'default',
        labels,
        ownerReferences: [owner],
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { nodeName: `n${i % 2}`, priority: 0, terminationGracePeriodSeconds: 10, containers: [container] },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    })),
  ];
  return items.map((item) => JSON.stringify(item)).join('\n---\n');
}

describe('podium drain', () => {
  it('[EVI-2] [#33] replaces pods of a workload whose number only the cluster knows, as an autoscaler has set it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-drain-'));
    const stored = pool(1, 3);
    const written = stored.split('\n---\n').find((text) => text.includes('"ReplicaSet","metadata"'))!;
    await writeFile(join(folder, 'web.json'), written.replace('"replicas":4,', ''));
    await writeFile(join(folder, 'cluster.yaml'), stored);
    const args = ['n0', join(folder, 'web.json'), '--snapshot', join(folder, 'cluster.yaml')];
    const { report } = await drained(args);
    await rm(folder, { recursive: true });
    assert.deepEqual(
      report.pods.filter(({ replacement }) => replacement === null).map(({ pod }) => pod),
      [],
    );
  });

  it('[EVI-1] [EVI-2] says what leaves, what is blocked and what stays, as podium evict does', async () => {
    const blocked = await drained(['general-c', shop, '--ignore-daemonsets']);
    assert.equal(blocked.code, 1);
    assert.deepEqual(
      blocked.report.nodes.map(({ state }) => state),
      ['hangs'],
    );
    const left = blocked.report.pods.filter(({ goneAt }) => goneAt !== null);
    const kept = blocked.report.pods.filter(({ goneAt }) => goneAt === null);
    assert.deepEqual([left.length, kept.length], [4, 2]);
    for (const { pod, answer } of kept) {
      assert.ok(!answer.allowed && answer.code === 429);
      const evicted = await podium(['evict', pod, shop, '--format', 'json']);
      assert.equal((JSON.parse(evicted.stdout) as { code: number }).code, 429);
    }
    const free = await drained(['general-a', shop, '--ignore-daemonsets']);
    assert.equal(free.code, 0);
    // One of the eight that are there has been evicted for pods that arrive before.
    assert.equal(free.report.pods.filter(({ goneAt }) => goneAt !== null).length, 7);
    assert.deepEqual(free.report.before, { placed: 3, waiting: 5, evicted: 3, tainted: 0 });
  });

  it('takes a node as kubectl does, also as node/NAME', async () => {
    const args = ['samples/online-shop', '--ignore-daemonsets'];
    const named = await podium(['drain', 'general-c', ...args]);
    const { code, stdout } = await podium(['drain', 'node/general-c', ...args]);
    assert.equal(code, named.code);
    assert.equal(stdout.replace('podium drain node/', 'podium drain '), named.stdout);
    const usage = ['samples/online-shop', '--usage', 'shop/cart-7b6d4f9c58-lw4nq=900Mi'];
    assert.deepEqual(
      await podium(['pressure', 'node/general-a', ...usage]),
      await podium(['pressure', 'general-a', ...usage]),
    );
  });

  it('[EVI-2] drains a node that a pool would add, and says whether it could be removed (#39)', async () => {
    const requirements = '[{ key: node.kubernetes.io/instance-type, operator: In, values: [m6i.xlarge] }]';
    const stdin = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: general }
spec: { template: { spec: { nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }, requirements: ${requirements} } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web, resources: { requests: { cpu: 1 } } }] }
`;
    const { stdout } = await podium(['drain', 'general+1', '-'], { stdin });
    assert.match(
      stdout,
      /^general\+1 is drained after 30 s: 2 pods evicted; 2 pods come back once 1 new node of NodePool/,
    );
    const removable = await podium(['drain', 'general+1', '-', '--removable'], { stdin });
    assert.match(removable.stdout, /^Karpenter would (?:not )?remove general\+1\./);
  });

  it('finds by running it which change would unblock a drain that hangs', async () => {
    const { report } = await drained(['--selector', 'pool=old', '-'], pool(4, 3));
    const { unblockers } = report as DrainReport & { readonly unblockers: Unblockers };
    assert.deepEqual(
      unblockers.found.map(({ whatIf }) => whatIf),
      [['scale replicaset/default/web 5'], ['budget pdb/default/web minAvailable=3']],
    );
    assert.equal(unblockers.budgetsTogether, null, 'one budget, however it is changed, is not several');
    assert.ok(unblockers.tried.some(([whatIf]) => whatIf === 'add 1 node like n0'));
    const { stdout } = await printed(['general-c', shop, '--ignore-daemonsets']);
    assert.match(
      stdout,
      /Any of these alone would unblock it\n(?: {2,4}\S.*\n)* {2}budget pdb\/shop\/storefront maxUnavailable=1: drained after 30 s, and 5 pods stay pending\n {4}podium drain general-c .* --what-if 'budget pdb\/shop\/storefront maxUnavailable=1'\n/,
    );
  });

  it('#34 uncordons the node that a missing pod of the budget waits for, where no budget helps', async () => {
    const stdin = pool(4, 3)
      .replace('"replicas":4', '"replicas":5')
      .replace('"spec":{"containers"', '"spec":{"nodeSelector":{"pool":"new"},"containers"')
      .replace('"name":"n2","labels":{"pool":"new"}}', '$&,"spec":{"unschedulable":true}');
    const { report } = await drained(['n0', '-'], stdin);
    const { unblockers } = report as DrainReport & { readonly unblockers: Unblockers };
    assert.deepEqual(
      unblockers.found.map(({ whatIf }) => whatIf),
      [['uncordon node/n2']],
    );
  });

  it('[#34] gives a command for all budgets that block a pool, those too that only the next node finds', async () => {
    const metadata = (name: string): object => ({ name, namespace: 'default', labels: { app: name } });
    const container = { name: 'c', image: 'x' };
    const written = ['web', 'db'].flatMap((app, i) => [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: `n${i}`, labels: { pool: 'old' } } },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          ...metadata(app),
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: app, uid: app, controller: true }],
        },
        spec: { nodeName: `n${i}`, containers: [container] },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      },
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: metadata(app),
        spec: {
          replicas: 1,
          selector: { matchLabels: { app } },
          template: { metadata: { labels: { app } }, spec: { containers: [container] } },
        },
      },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: metadata(app),
        spec: { maxUnavailable: 0, selector: { matchLabels: { app } } },
      },
    ]);
    const amounts = { cpu: '4', memory: '8Gi', pods: '110' };
    const free = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n2' }, status: { allocatable: amounts } };
    const stdin = [...written, free].map((item) => JSON.stringify(item)).join('\n---\n');
    const { stdout } = await printed(['--selector', 'pool=old', '-'], { stdin });
    const [web, db] = ['web', 'db'].map((app) => `budget pdb/default/${app} maxUnavailable=1`);
    assert.match(
      stdout,
      new RegExp(`This as a whole would unblock it\n.*\n.*\n +podium drain .* --what-if '${web}' --what-if '${db}'\n`),
    );
  });

  it('lets the cluster settle before, as every other answer does: what is only written down is drained too', async () => {
    const container = { name: 'c', image: 'x', resources: { requests: { cpu: '3' } } };
    const labels = { app: 'api' };
    const written = [
      ...['n0', 'n1'].map((name) => ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name },
        status: { allocatable: { cpu: name === 'n0' ? '4' : '2', memory: '8Gi', pods: '110' } },
      })),
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'api', namespace: 'default' },
        spec: {
          replicas: 2,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'api', namespace: 'default' },
        spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
      },
    ]
      .map((item) => JSON.stringify(item))
      .join('\n---\n');
    const { code, report } = await drained(['n0', '-'], written);
    assert.deepEqual(report.before, { placed: 1, waiting: 1, evicted: 0, tainted: 0 });
    assert.deepEqual(
      report.pods.map(({ answer }) => answer.allowed),
      [false],
      'one of two is pending, so that the other may not go',
    );
    assert.deepEqual([code, report.nodes.map(({ state }) => state)], [1, ['hangs']]);
    const { stdout } = await printed(['n0', '-'], { stdin: written, columns: 1000 });
    assert.match(
      stdout,
      /^ {2}Assumed: the cluster has settled before, with 1 pod placed, which had been pending or only written down, 1 without a node\.$/m,
    );
    const settled = await printed(['n0', '-'], { stdin: pool(2, 3) });
    assert.doesNotMatch(settled.stdout, /Assumed/);
  });

  it('prints what kubectl prints, and leaves the node cordoned when a filter stops it', async () => {
    const { code, stdout } = await printed(['general-a', shop]);
    assert.equal(code, 1);
    assert.match(stdout.replaceAll('\n', ' '), /^Draining general-a stops before any .*; it stays cordoned\. /);
    const lines = stdout.slice(stdout.indexOf('\n\n') + 2).split('\n');
    assert.deepEqual(lines.slice(0, 2), [
      'node/general-a cordoned',
      'error: unable to drain node "general-a" due to error: cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): platform/log-agent-4kq2d, continuing command...',
    ]);
    assert.deepEqual(lines.slice(2, 5), [
      'There are pending nodes to be drained:',
      ' general-a',
      'error: cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): platform/log-agent-4kq2d',
    ]);
    const pool = await printed(['--selector', 'topology.kubernetes.io/zone', shop]);
    assert.deepEqual(
      pool.stdout.split('\n').filter((line) => line.startsWith('cannot delete')).length,
      pool.stdout.split('\n').filter((line) => /^ \S/.test(line)).length,
      'several errors are a bare list, one for each node',
    );
    const ignoring = await printed(['general-a', shop, '--ignore-daemonsets']);
    assert.match(ignoring.stdout, /^Warning: ignoring DaemonSet-managed Pods: platform\/log-agent-4kq2d$/m);
  });

  it('says everything for which kubectl stops, not the first alone', async () => {
    const pod = (name: string, more: string): string =>
      `---\napiVersion: v1\nkind: Pod\nmetadata: { name: ${name}${more} }\nspec:\n  nodeName: n1\n  containers: [{ name: a, image: a }]\n`;
    const stdin = [
      '---\napiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus: { allocatable: { cpu: 4, memory: 8Gi, pods: 10 } }\n',
      '---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: logs }\nspec:\n  selector: { matchLabels: { app: logs } }\n  template: { metadata: { labels: { app: logs } }, spec: { containers: [{ name: a, image: a }] } }\n',
      pod('debug', ''),
      `${pod('cache', ', ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: cache, uid: u, controller: true }]')}  volumes: [{ name: e, emptyDir: {} }]\n`,
    ].join('');
    const { code, stdout } = await podium(['drain', 'n1', '-'], { stdin, columns: 200 });
    assert.equal(code, 1);
    assert.match(stdout, /stops before any of its pods is evicted: 3 reasons; it stays cordoned/);
    for (const flag of ['--ignore-daemonsets', '--delete-emptydir-data', '--force']) {
      assert.ok(stdout.includes(flag), flag);
    }
  });

  it('says of a drained node what is back on it', async () => {
    const object = (text: string): string => `---\n${text}\n`;
    const named = (name: string): string =>
      object(
        `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\nstatus: { allocatable: { cpu: 4, memory: 8Gi, pods: 2 } }`,
      );
    const stdin = [
      named('n1'),
      object(
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: sticky }\nspec:\n  replicas: 1\n  selector: { matchLabels: { app: sticky } }\n  template: { metadata: { labels: { app: sticky } }, spec: { tolerations: [{ operator: Exists }], containers: [{ name: a, image: a }] } }',
      ),
    ].join('');
    const { stdout } = await podium(['drain', 'n1', '-'], { stdin, columns: 200 });
    assert.match(
      stdout,
      /^n1 is drained .*; 1 replacement is back on it, as it tolerates the taint of cordoned nodes\./,
    );
  });

  it('drains a pool node by node while replacements become ready and the budget recovers', async () => {
    const { code, report } = await drained(['--selector', 'pool=old', '-'], pool(3, 4));
    assert.equal(code, 0);
    assert.deepEqual(
      report.nodes.map(({ name, state }) => `${name} ${state}`),
      ['n0 drained', 'n1 drained'],
    );
    assert.deepEqual(
      report.races.map(({ budget, evicted, pods }) => [budget, evicted, pods.length]),
      [
        ['default/web', 1, 2],
        ['default/web', 1, 2],
      ],
    );
    for (const { landedOn } of report.pods) assert.match(landedOn ?? '', /^n[23]$/);
  });

  it('says where a roll-out hangs: nothing takes the replacement that the budget waits for', async () => {
    const { code, report } = await drained(['--selector', 'pool=old', '-'], pool(4, 4));
    assert.equal(code, 1);
    assert.deepEqual(
      report.nodes.map(({ name, state }) => `${name} ${state}`),
      ['n0 hangs', 'n1 waits'],
    );
    const { stdout } = await printed(['n0', '-'], { stdin: pool(4, 4) });
    assert.match(stdout, /^Draining n0 hangs behind budget default\/web, with 2 pods on it; it stays cordoned\.$/m);
    assert.match(stdout.replaceAll(/\s+/g, ' '), /Stuck\. PodDisruptionBudget default\/web wants 4 of 4 pods healthy/);
  });

  for (const [what, terminating] of [
    ['its taint evicts', {}],
    ['is terminating already', { deletionTimestamp: '2026-01-02T00:00:00Z', deletionGracePeriodSeconds: 30 }],
  ] as const) {
    it(`hangs on a node of which no kubelet answers, with a pod that ${what} (#34)`, async () => {
      const key = 'node.kubernetes.io/unreachable';
      const container = { name: 'c', image: 'x', resources: { requests: { cpu: '1' } } };
      const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u', controller: true };
      const nodes = ['n1', 'n2'].map((name) => ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name },
        ...(name === 'n1' ? { spec: { taints: ['NoSchedule', 'NoExecute'].map((effect) => ({ key, effect })) } } : {}),
        status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
      }));
      const labels = { app: 'db' };
      const stdin = [
        ...nodes,
        {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { name: 'db', namespace: 'default', uid: 'u' },
          spec: {
            replicas: 1,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [container] } },
          },
        },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'db-0', namespace: 'default', labels, ownerReferences: [owner], ...terminating },
          spec: { nodeName: 'n1', priority: 0, containers: [container] },
          status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
        },
      ]
        .map((item) => JSON.stringify(item))
        .join('\n---\n');
      const { code, stdout } = await podium(['drain', 'n1', '-'], { stdin });
      assert.equal(code, 1);
      assert.match(stdout, /^Draining n1 hangs, with 1 pod on it; it stays cordoned\.$/m);
      assert.match(
        stdout.replaceAll(/\s+/g, ' '),
        /It stays terminating, as no kubelet answers on n1: delete it by force, or taint the node node\.kubernetes\.io\/out-of-service/,
      );
      const simulated = await podium(['simulate', '-'], { stdin });
      assert.match(simulated.stdout, /^The taint of n1 evicts 1 pod\.$/m);
      assert.match(simulated.stdout.replaceAll(/\s+/g, ' '), /its replacement comes once it is gone/);
    });
  }

  it('is not drained where an eviction fails for good, which ends with 1', async () => {
    const twice = `${pool(1, 2)}\n---\n${JSON.stringify({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'again', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    })}`;
    const { code, report } = await drained(['n0', '-'], twice);
    assert.deepEqual([code, report.nodes.map(({ state }) => state)], [1, ['unfinished']]);
    const { stdout } = await printed(['n0', '-'], { stdin: twice });
    assert.match(
      stdout,
      /^error: unable to drain node "n0" due to error: \[error when evicting pods\/"web-p0" -n "default": This pod has more than one PodDisruptionBudget, which the eviction subresource does not support\., error when evicting pods\/"web-p2"/m,
    );
  });

  it('[#34] removes the budget whose pods another one keeps as well, where two of them let no pod go', async () => {
    const other = (name: string, minAvailable: number, selector: object): string =>
      JSON.stringify({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name, namespace: 'default' },
        spec: { minAvailable, selector },
      });
    const foundFor = async (budget: string, nodes = 3): Promise<readonly (readonly string[])[]> => {
      const { report } = await drained(['n0', '-'], `${pool(3, nodes)}\n---\n${budget}`);
      return (report as DrainReport & { readonly unblockers: Unblockers }).unblockers.found.map(({ whatIf }) => whatIf);
    };
    const own = { matchLabels: { app: 'web' } };
    assert.deepEqual(await foundFor(other('again', 1, own)), [['remove pdb/default/again']]);
    assert.deepEqual(await foundFor(other('stricter', 4, own)), [
      ['remove pdb/default/web', 'budget pdb/default/stricter minAvailable=3'],
    ]);
    // The only one that keeps its other pods.
    const wider = `${other('wider', 1, {})}\n---\n${JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'solo', namespace: 'default', labels: { app: 'solo' } },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    })}`;
    assert.deepEqual(await foundFor(wider), []);
    const stdin = `${pool(3, 3)}\n---\n${other('again', 1, own)}`;
    const { stdout } = await podium(['simulate', '-', '--what-if', 'drain node/n0'], { stdin, columns: 200 });
    assert.match(
      stdout,
      /budgets default\/again and default\/web select it: change their selectors so that only one does/,
    );
  });

  it('[#34] lets pods go and gives them room in one command, where neither is enough', async () => {
    const cordoned = pool(4, 2).replace(
      '"metadata":{"name":"n1"',
      '"spec":{"unschedulable":true},"metadata":{"name":"n1"',
    );
    const { report } = await drained(['n0', '-'], cordoned);
    const { found } = (report as DrainReport & { readonly unblockers: Unblockers }).unblockers;
    assert.deepEqual(
      found.map(({ whatIf }) => whatIf),
      [['uncordon node/n1', 'budget pdb/default/web minAvailable=3']],
    );
    const again = await drained(['n0', '-', ...found[0]!.whatIf.flatMap((each) => ['--what-if', each])], cordoned);
    assert.equal(again.code, 0);
  });

  it('[#35] finds as many nodes as it takes beside a budget, tells of whom replacements evict, and pods of one reason once', async () => {
    const args = ['drain', 'general-b', shop, '--ignore-daemonsets'];
    const hangs = await podium(args);
    assert.match(hangs.stdout, /shop-batch\/search-indexer-\S+ is still there/);
    const [, ...changes] = /^ +podium drain .* --what-if '(add 2 nodes [^']+)' --what-if '(budget [^']+)'$/m.exec(
      hangs.stdout,
    )!;
    const helped = await podium([...args, ...changes.flatMap((each) => ['--what-if', each])]);
    assert.equal(helped.code, 0);
    const drained = await podium(['drain', 'general-a', shop, '--ignore-daemonsets'], { columns: 500 });
    assert.match(
      drained.stdout,
      /^general-a is drained after 60 s: 7 pods evicted, and 4 more by preemption for their replacements; 8 replacements stay pending\.$/m,
    );
    assert.match(drained.stdout, /^ +shop\/cart-\S+-0 and shop\/cart-\S+-1: it asks for 0\.25 cpu/m);
  });

  it('[#34] adds as many nodes as the replacements of several nodes need, where one does not do', async () => {
    const full = pool(3, 2).replaceAll('"cpu":"1"', '"cpu":"2"');
    const { report } = await drained(['--selector', 'pool=old', '-'], full);
    const { found } = (report as DrainReport & { readonly unblockers: Unblockers }).unblockers;
    assert.deepEqual(
      found.map(({ whatIf }) => whatIf),
      [['add 2 nodes like n0']],
    );
    const again = await drained(['--selector', 'pool=old', '-', '--what-if', 'add 2 nodes like n0'], full);
    assert.equal(again.code, 0);
    const events = ['n0', 'n1'].flatMap((each) => ['--what-if', `drain node/${each}`]);
    const { stdout } = await podium(['simulate', '-', ...events], { stdin: full });
    assert.match(stdout, /→ both nodes drain, 4 evicted, no pod pending\n.*--what-if 'add 2 nodes like n[01]'/);
  });

  it('[#34] drains a pool whose pods have no other place by uncordoning each node before the next, and no budget is looser', async () => {
    const labels = { app: 'etcd' };
    const topologyKey = 'kubernetes.io/hostname';
    const podAntiAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: labels }, topologyKey }],
    };
    const spec = { containers: [{ name: 'c', image: 'x' }], affinity: { podAntiAffinity } };
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'etcd', uid: 'u', controller: true };
    const names = ['a', 'b', 'c'];
    const objects = [
      ...names.map((name) => ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { pool: 'etcd', [topologyKey]: name } },
        status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
      })),
      {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'etcd', namespace: 'default', uid: 'u' },
        spec: {
          replicas: 3,
          serviceName: 'etcd',
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec },
        },
      },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'etcd', namespace: 'default' },
        spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
      },
      ...names.map((nodeName, index) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `etcd-${index}`, namespace: 'default', labels, ownerReferences: [owner] },
        spec: { ...spec, nodeName },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      })),
    ];
    const stdin = objects.map((each) => JSON.stringify(each)).join('\n---\n');
    const { stdout } = await podium(['drain', '-l', 'pool=etcd', '-'], { stdin, columns: 1000 });
    assert.match(stdout, /^ {2}If you also uncordon each node, .*, all 3 nodes drain within \d+ s\.$/m);
    assert.match(stdout, /^ {2}add 3 nodes like b: drained after \d+ s$/m);
    assert.doesNotMatch(stdout, /--what-if 'budget|add 2 nodes/);
  });

  it('[#34] lets one pod go of a workload of one, whatever its size, and names the autoscaler that keeps it small', async () => {
    const scaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 4 },
    };
    const labels = { app: 'web' };
    const web = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } },
      },
    };
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    };
    const node = (name: string): object => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '9' } },
    });
    const stdin = [node('n0'), node('n1'), web, budget, scaler].map((each) => JSON.stringify(each)).join('\n---\n');
    const { stdout } = await podium(['drain', 'n0', '-'], { stdin });
    assert.match(stdout, / {2}scale deployment\/default\/web 2: .*\n.*HorizontalPodAutoscaler web .*minReplicas/);
    assert.match(stdout, / {2}budget pdb\/default\/web maxUnavailable=1: drained/);
    assert.doesNotMatch(stdout, /minAvailable=0/);
  });

  it('waits in vain for a pod that a finalizer holds, whose room is free when it has ended', async () => {
    const held = pool(2, 3).replaceAll('"name":"web-p0"', '"name":"web-p0","finalizers":["example.com/backup"]');
    const { code, report } = await drained(['n0', '-'], held);
    assert.equal(code, 1);
    assert.equal(report.nodes[0]!.state, 'hangs');
    const [kept, other] = report.pods;
    assert.deepEqual([kept!.pod, kept!.answer.allowed, kept!.goneAt], ['default/web-p0', true, null]);
    assert.notEqual(kept!.landedOn, null);
    assert.notEqual(other!.goneAt, null);
    const { stdout } = await printed(['n0', '-'], { stdin: held });
    assert.match(
      stdout,
      /default\/web-p0 is still there\. It has ended and stays, terminating: example\.com\/backup holds it/,
    );
    const ended = await drained(['n0', '-', '--timeout', '30s'], held);
    assert.deepEqual(ended.report.nodes[0]!.errors, [
      'error when waiting for pod "web-p0" in namespace "default" to terminate: context deadline exceeded',
    ]);
    const late = await printed(['n0', '-', '--timeout', '30s'], { stdin: held });
    assert.match(
      late.stdout,
      /default\/web-p0 is still there\. It has ended and stays, terminating: example\.com\/backup holds it/,
    );
  });

  it('says how often kubectl prints a refused eviction, which stands here once', async () => {
    const counted = await printed(['n0', '-', '--timeout', '14s'], { stdin: pool(4, 4) });
    assert.match(
      counted.stdout,
      /evicting pod default\/web-p0\n {2}429 .*\n(?: {4}.*\n)*error when evicting .*\n {2}kubectl prints both 3 times\.\n/,
    );
    const { stdout } = await printed(['n0', '-'], { stdin: pool(4, 4) });
    assert.match(stdout, /will retry after 5s.*\n {2}kubectl prints both at each try, without end\.\n/);
  });

  it('gives up with --timeout, at the first try after it, in the words of kubectl', async () => {
    const { code, report } = await drained(['n0', '-', '--timeout', '14s'], pool(4, 4));
    const errors = ['web-p0', 'web-p2'].map(
      (name) => `error when evicting pods/"${name}" -n "default": global timeout reached: 14s`,
    );
    const pendingPods = ['default/web-p0', 'default/web-p2'];
    assert.deepEqual([code, report.nodes], [1, [{ name: 'n0', state: 'unfinished', at: 15, errors, pendingPods }]]);
    const { stdout } = await printed(['n0', '-', '--timeout', '14s'], { stdin: pool(4, 4) });
    assert.match(stdout, /error when evicting pods\/"web-p0" -n "default": global timeout reached: 14s/);
    const waited = await drained(['n0', '-', '--timeout', '5s'], pool(2, 4));
    assert.match(
      waited.report.events.at(-1)?.text ?? '',
      /error when waiting for pod "web-p0" in namespace "default" to terminate: context deadline exceeded/,
    );
    assert.match(
      (await printed(['n0', '-', '--timeout', 'soon'], { stdin: pool(4, 4) })).stderr,
      /--timeout must be a duration/,
    );
  });

  it('changes nothing with --dry-run=client, and says what each eviction would be answered', async () => {
    const { code, stdout } = await printed(['n0', '-', '--dry-run=client'], { stdin: pool(4, 4) });
    assert.equal(code, 0);
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.endsWith('(dry run)')),
      [
        'node/n0 cordoned (dry run)',
        'evicting pod default/web-p0 (dry run)',
        'evicting pod default/web-p2 (dry run)',
        'node/n0 drained (dry run)',
      ],
    );
    assert.match(stdout, /429 TooManyRequests/);
    assert.doesNotMatch(stdout, /Pending|land/);
  });

  it('evicts pods that have succeeded or failed, which no filter keeps and no budget guards', async () => {
    const done = (name: string, phase: string): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'jobs', uid: name },
        spec: { nodeName: 'n0', volumes: [{ name: 'v', emptyDir: {} }], containers: [{ name: 'c', image: 'x' }] },
        status: { phase },
      });
    const objects = [pool(3, 4), done('backup', 'Succeeded'), done('import', 'Failed')].join('\n---\n');
    const { code, report } = await drained(['n0', '-'], objects);
    assert.equal(code, 0);
    assert.deepEqual(
      report.pods.filter(({ isOver }) => isOver).map(({ pod, goneAt, replacement }) => [pod, goneAt, replacement]),
      [
        ['jobs/backup', 0, null],
        ['jobs/import', 0, null],
      ],
    );
    const { stdout } = await printed(['n0', '-'], { stdin: objects });
    assert.match(stdout, /^evicting pod jobs\/backup\n {2}200, gone after 0 s\npod\/backup evicted$/m);
    assert.doesNotMatch(stdout, /Lost/);
    const client = await printed(['n0', '-', '--dry-run=client'], { stdin: objects });
    assert.match(client.stdout, /^evicting pod jobs\/import \(dry run\)$/m);
    const ending = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'jobs', deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
    const kept = await printed(['n0', '-', '--timeout=4s'], { stdin: `${objects}\n---\n${ending}` });
    assert.equal(kept.code, 1);
    assert.match(
      kept.stdout,
      /^error when evicting pod "backup" from terminating namespace "jobs" \(will retry after 5s\)/m,
    );
    assert.match(kept.stdout, /error when evicting pods\/"import" -n "jobs": global timeout reached: 4s/);
    const endless = await drained(['n0', '-'], `${objects}\n---\n${ending}`);
    assert.deepEqual(
      endless.report.nodes.map(({ state }) => state),
      ['hangs'],
    );
  });

  it('asks for each eviction alone with --dry-run=server, and changes and charges nothing', async () => {
    const { code, stdout } = await printed(['n0', '-', '--dry-run=server'], { stdin: pool(3, 4) });
    assert.deepEqual(
      [code, stdout.split('\n')],
      [
        0,
        [
          'n0 would be drained, in a dry run: 2 pods may be evicted.',
          '',
          'node/n0 cordoned (server dry run)',
          'evicting pod default/web-p0 (server dry run)',
          '  200',
          'evicting pod default/web-p2 (server dry run)',
          '  200',
          'node/n0 drained (server dry run)',
          '',
        ],
      ],
      'one disruption is allowed, and both pass',
    );
  });

  it('asks again in a server dry run until --timeout, and without one for ever', async () => {
    const { code, report } = await drained(['n0', '-', '--dry-run=server'], pool(4, 4));
    assert.deepEqual([code, report.nodes.map(({ state }) => state), report.races], [1, ['hangs'], []]);
    const given = await printed(['n0', '-', '--dry-run=server', '--timeout=4s'], { stdin: pool(4, 4) });
    const errors = ['web-p0', 'web-p2'].map(
      (name) => `error when evicting pods/"${name}" -n "default": global timeout reached: 4s`,
    );
    const kubectl = given.stdout
      .slice(given.stdout.indexOf('\n\n') + 2)
      .split('\n')
      .filter((line) => !line.startsWith('  ') && !line.includes('evicting pod default'));
    assert.deepEqual(kubectl.slice(0, 10), [
      'node/n0 cordoned (server dry run)',
      ...['web-p0', 'web-p2'].map(
        (name) =>
          `error when evicting pods/"${name}" -n "default" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.`,
      ),
      `There are pending pods in node "n0" when an error occurred: [${errors.join(', ')}]`,
      'pod/web-p0',
      'pod/web-p2',
      `error: unable to drain node "n0" due to error: [${errors.join(', ')}], continuing command...`,
      'There are pending nodes to be drained:',
      ' n0',
      errors[0],
    ]);
    assert.match(given.stdout, /A dry run leaves everything as it is/);
  });

  it('asks no budget with --disable-eviction, and prints what kubectl does', async () => {
    const { code, report } = await drained(['n0', '-', '--disable-eviction'], pool(4, 4));
    assert.deepEqual([code, report.pods.every(({ goneAt }) => goneAt === 10)], [0, true]);
    const { stdout } = await printed(['n0', '-', '--disable-eviction'], { stdin: pool(4, 4) });
    assert.match(stdout, /^pod\/web-p0 deleted$/m);
    assert.doesNotMatch(stdout, /evicting pod/);
    const late = await printed(['n0', '-', '--disable-eviction', '--timeout=5s'], { stdin: pool(4, 4) });
    assert.match(late.stdout, /^pod\/web-p2\nerror: unable to drain .* context deadline exceeded, continuing command/m);
    assert.doesNotMatch(late.stdout, /deleted/, 'it gives up before they are gone');
  });

  it('waits in vain with --disable-eviction in a server dry run, which deletes nothing', async () => {
    const flags = ['--disable-eviction', '--dry-run=server'];
    const endless = await printed(['n0', '-', ...flags], { stdin: pool(4, 4) });
    assert.equal(endless.code, 1);
    assert.match(
      endless.stdout,
      /^Draining n0 hangs, with 2 pods on it\.\n {2}kubectl waits for pods that a dry run does not delete/,
    );
    const given = await printed(['n0', '-', ...flags, '--timeout=4s'], { stdin: pool(4, 4) });
    assert.match(
      given.stdout,
      /^There are pending pods in node "n0" when an error occurred: context deadline exceeded$/m,
    );
    assert.match(given.stdout, /^error: context deadline exceeded$/m);
    assert.doesNotMatch(given.stdout, /evicting pod|single change/);
  });

  it('ends with 2 and the nearest names for a node that is not there, and for broken options', async () => {
    const unknown = await printed(['general-x', shop]);
    assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
    assert.match(unknown.stderr, /nodes "general-x" not found; the nearest are general-a, general-b, general-c/);
    for (const args of [
      ['general-a', shop, '--pod-selector', 'a b'],
      ['general-a', shop, '--grace-period', 'soon'],
      [],
    ]) {
      assert.equal((await printed(args)).code, 2);
    }
    const both = await printed(['general-a', '--selector', 'disk=ssd', shop]);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /cannot specify both a node name and a --selector option/);
  });

  it('[EVI-5] says of a drain that hangs which replacements have no node, and when those go that are waited for', async () => {
    const whole = await printed(['--selector', 'pool=old', '-'], { stdin: pool(2, 2), columns: 1000 });
    assert.match(
      whole.stdout,
      /are still there\. .*has 2 currently\. Stuck\. Passes only once you make 1 more pod of the budget ready: default\/web-0 is pending and/,
    );
    const solo = await printed(['n0', '-'], { stdin: pool(1, 3).replaceAll('web-p0', 'solo'), columns: 1000 });
    assert.match(solo.stdout, /default\/solo: default\/solo-0 on n2/);
    const patient = pool(2, 3).replaceAll('"terminationGracePeriodSeconds":10', '"terminationGracePeriodSeconds":600');
    const late = await printed(['n0', '-', '--timeout', '60s'], { stdin: patient, columns: 1000 });
    assert.equal(late.code, 1);
    assert.match(late.stdout, /goes after 10 min: give it so long with --timeout, or less with --grace-period\./);
  });

  it('[EVI-2] says first where a pool hangs and that all of it stays cordoned, with what helps together and node by node', async () => {
    const both = `${pool(4, 4)}\n---\n${JSON.stringify({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'solo', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'solo' } } },
    })}`.replaceAll(
      /"name":"web-p3","namespace":"default","labels":\{"app":"web"\},"ownerReferences":\[[^\]]*\]/g,
      '"name":"web-p3","namespace":"default","labels":{"app":"solo"}',
    );
    const outcome = await podium(['drain', '-l', 'pool=old', '-', '--force'], { stdin: both, columns: 1000 });
    const [verdict] = outcome.stdout.split('\n');
    assert.equal(
      verdict,
      'Draining 2 nodes hangs at n0 behind budget default/web, with 2 pods on n0; 1 more node is never reached and both stay cordoned.',
    );
    assert.match(outcome.stdout, /^ {2}If you relax both budgets that block it, both nodes drain within \d+ s\.$/m);
    assert.match(
      outcome.stdout,
      /^ {2}budget pdb\/default\/web minAvailable=3 and budget pdb\/default\/solo minAvailable=0: drained after/m,
    );
    assert.match(
      outcome.stdout,
      /^ {2}If you drain one node at a time, with a command for each, none of 2 nodes drains\.$/m,
    );
    assert.match(outcome.stdout, /\nMore: --show transcript\n$/);
    assert.doesNotMatch(outcome.stdout, /^evicting pod|cordoned$/m);
    const alone = await podium(['drain', '-l', 'pool=old', '-'], { stdin: pool(2, 2), columns: 1000 });
    assert.match(alone.stdout, /^ {2}If you drain one node at a time, .*, 1 of 2 nodes drains and n1 hangs\.$/m);
  });

  it('[#35] finds all budgets that block a pool, also more of them than it changes in turn', async () => {
    const amounts = { cpu: '1', memory: '8Gi', pods: '110' };
    const stdin = Array.from({ length: 8 }, (_, index) => {
      const labels = { app: `solo${index}` };
      const metadata = { name: `solo${index}`, namespace: 'default' };
      const container = { name: 'c', image: 'x', resources: { requests: { cpu: '1' } } };
      return [
        ...['old', 'new'].map((name) => ({
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: `${name}${index}`, labels: { pool: name } },
          status: { allocatable: amounts },
        })),
        {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata,
          spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: {} } },
        },
        {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata,
          spec: { minAvailable: 1, selector: { matchLabels: labels } },
        },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: `solo${index}-0`,
            namespace: 'default',
            labels,
            ownerReferences: [
              { apiVersion: 'apps/v1', kind: 'StatefulSet', name: `solo${index}`, uid: 'u', controller: true },
            ],
          },
          spec: { nodeName: `old${index}`, terminationGracePeriodSeconds: 10, containers: [container] },
          status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
        },
      ];
    }).flat();
    const { stdout } = await podium(['drain', '-l', 'pool=old', '-'], {
      stdin: stdin.map((each) => JSON.stringify(each)).join('\n---\n'),
      columns: 1000,
    });
    assert.match(stdout, /^ {2}If you relax all 8 budgets that block it, all 8 nodes drain within .*\.$/m);
  });

  it('answers after a what-if, as Markdown and as a page', async () => {
    const looser = ['--what-if', 'budget pdb/default/web minAvailable=3'];
    const helped = await podium(['drain', 'n0', '-', ...looser], { stdin: pool(4, 3) });
    assert.deepEqual([helped.code, helped.stdout.split('\n')[0]], [0, 'n0 is drained after 15 s: 2 pods evicted.']);
    const markdown = await podium(['drain', 'n0', '-', '--format', 'markdown'], { stdin: pool(4, 3) });
    assert.match(markdown.stdout, /^### Draining n0 hangs behind budget default\/web, .*\n\n- default\/web-p0 and/);
    assert.match(markdown.stdout, /<details><summary>Transcript<\/summary>\n\n```text\nnode\/n0 cordoned\n/);
    const page = await podium(['drain', 'n0', '-', '--format', 'html'], { stdin: pool(4, 3) });
    assert.match(
      page.stdout,
      /<h1>Draining n0 hangs behind budget default\/web, with 2 pods on it; it stays cordoned\.<\/h1>/,
    );
    // No line breaks a name at its hyphens.
    assert.match(page.stdout, /<b>default\/web-p0<\/b>/);
    assert.match(page.stdout, /evicting pods\/&quot;web-p0&quot; -n/);
    for (const [operation, expected] of [
      ['drain node/n1', /'drain node\/n1' takes its time: use podium simulate --event/],
      ['cordon node/n9', /there is no Node n9; did you mean/],
    ] as const) {
      const refused = await podium(['drain', 'n0', '-', '--what-if', operation], { stdin: pool(4, 3) });
      assert.deepEqual([refused.code, refused.stdout], [2, '']);
      assert.match(refused.stderr, expected);
    }
  });

  it('takes a node or a selector, as kubectl does', async () => {
    const { code, stderr } = await printed(['n0', '--selector', 'pool=old'], { stdin: pool(2, 2) });
    assert.equal(code, 2);
    assert.match(stderr, /cannot specify both a node name and a --selector option/);
  });
});
