import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium, type Outcome } from './run-podium.ts';
import { container, node, workload } from './small-cluster.ts';

const shop = 'samples/online-shop';

const asked = (operations: readonly string[], ...args: string[]): Promise<Outcome> =>
  podium(['simulate', shop, ...args, ...operations.flatMap((each) => ['--what-if', each])]);

async function reported(...operations: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await asked(operations, '--format', 'json');
  assert.equal(stderr, '');
  assert.equal(code, 0);
  return JSON.parse(stdout) as Report;
}

/** `3 evicted, 1 broken, 5 pending` */
function outcome({ answer: { balance } }: Report): string {
  const waiting = balance.pending + balance.stillPending;
  return `${balance.evicted} evicted, ${balance.budgetsBroken} broken, ${waiting} pending`;
}

describe('podium simulate --what-if', () => {
  const tree = temporaryTree();

  it('[#33] helps against what the change does, and not against what was so before', async () => {
    const pod = (name: string, spec: object, status: object = {}): object => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default' },
      spec,
      status,
    });
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const old = pod('old', { nodeName: 'n1', containers: [container('3')] }, ready);
    const urgent = pod('urgent', { priorityClassName: 'gold', containers: [container('2')] });
    const gold = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'gold' },
      value: 10,
    };
    tree.write({
      'all.json': JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [node('n1'), old, gold, urgent, workload('Deployment', 'web', 1, '100m')],
      }),
    });
    const path = join(tree.root, 'all.json');
    const { stdout } = await podium(['simulate', path, '--what-if', 'scale deployment/web 2']);
    assert.match(stdout, /1 evicted \(=\)/);
    assert.doesNotMatch(stdout, /What would help/);
    const { stdout: alone } = await podium([
      'simulate',
      path,
      '--what-if',
      'scale deployment/web 2',
      '--show',
      'answer',
    ]);
    assert.match(alone, /--what-if 'add 1 node like n1'/);
  });

  for (const [operation, expected] of [
    ['add 1 node like general-a', '0 evicted, 0 broken, 2 pending'],
    ['add 2 nodes like general-a', '0 evicted, 0 broken, 1 pending'],
    ['remove pdb/shop-batch/search-indexer', '3 evicted, 0 broken, 5 pending'],
    ['scale deployment/shop/checkout 1', '2 evicted, 0 broken, 3 pending'],
    ['ungate pod/shop-batch/loyalty-migration', '3 evicted, 1 broken, 6 pending'],
    ['cordon node/general-a', '4 evicted, 2 broken, 5 pending'],
  ] as const) {
    it(`tells of ${operation}: ${expected}`, async () => {
      const report = await reported(operation);
      assert.equal(outcome(report), expected);
      const { evicted, budgetsBroken, pending } = report.comparison!.before;
      assert.deepEqual([evicted, budgetsBroken, pending], [3, 1, 5]);
    });
  }

  it('applies each operation to what the one before made', async () => {
    const report = await reported('add 2 nodes like general-a', 'add 1 node 4:32Gi');
    assert.equal(outcome(report), '0 evicted, 0 broken, 0 pending');
    assert.equal(outcome(await reported('add 1 node like general-a', 'remove node/general-a+1')), await baseline());
  });

  const baseline = async (): Promise<string> => {
    const { stdout } = await podium(['simulate', shop, '--format', 'json']);
    return outcome(JSON.parse(stdout) as Report);
  };

  it('[EVI-6] drains: who leaves, who is blocked and what would help, and what kubectl refuses', async () => {
    const report = await reported('drain node/general-c --ignore-daemonsets');
    const namesOf = (kind: string): string[] =>
      report.answer.groups.filter((group) => group.kind === kind).flatMap(({ lines }) => lines.map(({ name }) => name));
    const [drain] = report.drains;
    assert.deepEqual(drain!.evicted.map(({ pod }) => report.pods[pod]!.name.split('-')[0]).sort(), [
      'catalog',
      'coredns',
      'fraud',
      'recommender',
    ]);
    assert.deepEqual(namesOf('blocked'), ['storefront']);
    assert.deepEqual(namesOf('refused'), []);
    assert.equal(drain!.blocked.length, 2);
    const sentence = report.comparison!.sentence.map(({ text }) => text).join('');
    assert.match(sentence, /^Draining general-c evicts 6 more pods/);
    assert.equal(drain!.drainedAt, null);
    const { evicted, again, stillPending, stillGated, stillRefused, notReplaced } = report.answer.balance;
    assert.equal(evicted, again + stillPending + stillGated + stillRefused + notReplaced);
    assert.match(report.answer.headline, /^Draining general-c evicts 4 pods and hangs on storefront; /);

    const other = await reported('drain node/general-a --ignore-daemonsets');
    assert.deepEqual([other.drains[0]!.evicted.length, other.drains[0]!.blocked.length], [8, 0]);
    assert.ok(other.drains[0]!.drainedAt !== null);

    const refused = await asked(['drain node/general-c']);
    assert.match(refused.stdout, /^kubectl refuses to drain general-c\.\n/);
    assert.match(refused.stdout, /Blocked 1\n {2}× general-c {2}1 pod {2}cannot delete DaemonSet-managed Pods/);
  });

  it('says when a drain does not ask the budgets', async () => {
    const asks = await reported('drain node/general-c --ignore-daemonsets');
    const deletes = await reported('drain node/general-c --ignore-daemonsets --disable-eviction');
    const details = ({ answer: { groups } }: Report, name: string): readonly string[] =>
      groups[0]!.lines.findLast((line) => line.name === name)!.details;
    assert.ok(details(asks, 'catalog').includes('within its budget'));
    assert.ok(details(deletes, 'storefront').includes('budgets are not asked'));
    assert.deepEqual(deletes.drains[0]!.blocked, []);
  });

  it('exits with 1 when a drain is blocked and that is asked for', async () => {
    const failing = (operation: string) => asked([operation], '--fail-on', 'blocked');
    assert.equal((await failing('drain node/general-c --ignore-daemonsets')).code, 1);
    assert.equal((await failing('drain node/general-c')).code, 1);
    assert.equal((await failing('drain node/general-a --ignore-daemonsets')).code, 0);
  });

  it('hides no victim of a drain, and little else has room beside them', async () => {
    const { stdout } = await asked(['drain node/general-c --ignore-daemonsets']);
    const lines = stdout.trimEnd().split('\n');
    const evicted = lines.filter((line) => /^ {2}[−~] .* evicted/.test(line));
    assert.equal(evicted.length, 6, stdout);
    assert.ok(lines.includes('  Evicted before and after: thumbnailer'), stdout);
    assert.ok(lines.length <= 65, `${lines.length} lines`);
  });

  it('says what it is compared with, in the table, in Markdown and in the summary', async () => {
    const { stdout } = await asked(['cordon node/general-a']);
    assert.match(stdout, /^Cordoning general-a .*\n(?:.*\n){0,2}After it: 4 evicted \(\+1\), 2 budgets broken \(\+1\)/);
    assert.match(stdout, /^ +the run without the what-if +cordon general-a$/m);
    assert.match(
      (await asked(['cordon node/general-a'], '--format', 'markdown')).stdout,
      /the run without the what-if/,
    );
    const summary = await asked(['cordon node/general-a'], '--summary');
    assert.equal(summary.code, 0);
    assert.ok(summary.stdout.split('\n').length < stdout.split('\n').length);
  });

  it('fails only on what is new', async () => {
    assert.equal((await asked(['remove pdb/shop-batch/search-indexer'], '--fail-on', 'evicted,budget')).code, 0);
    assert.equal((await asked(['cordon node/general-a'], '--fail-on', 'budget')).code, 1);
  });

  it('says so when an operation changes nothing', async () => {
    for (const operation of [
      'uncordon node/general-a',
      'scale deployment/shop/checkout 2',
      'ungate deployment/shop/checkout',
      'label node/general-a nothing-',
      'taint node/general-a nothing:NoSchedule-',
    ]) {
      const { code, stderr, stdout } = await asked([operation], '--format', 'json');
      assert.equal(code, 0);
      assert.equal(stderr, `podium: --what-if '${operation}': no effect\n`);
      assert.deepEqual((JSON.parse(stdout) as Report).comparison!.pods, []);
    }
  });

  for (const [operation, expected] of [
    ['explode node/a', /unknown operation 'explode'; known are .*cordon/],
    ['cordon', /'cordon' is not understood; write cordon node\/NAME/],
    ['', /no operation is named/],
    ['cordon node/general-x', /there is no Node general-x; did you mean general-., general-., [a-z-]+\?/],
    [
      'priority deployment/shop/cart shop-criticl',
      /there is no PriorityClass shop-criticl; did you mean shop-critical, /,
    ],
    ['class batch-standard value=1000000001', /NUMBER is from -2147483648 to 1000000000/],
    ['scale pod/shop/checkout 3', /write scale KIND\/NAMESPACE\/NAME REPLICAS/],
    ['request deployment/shop/cart cpu=much', /write request/],
    ['add 1 node much:32Gi', /write add COUNT nodes/],
  ] as const) {
    it(`refuses '${operation}'`, async () => {
      const { code, stdout, stderr } = await asked([operation]);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, expected);
    });
  }

  it('asks what arrives once', async () => {
    const { code, stderr } = await asked(['cordon node/general-a'], '--file', 'a.yaml', '--workload', 'Pod/a/b');
    assert.equal(code, 2);
    assert.match(stderr, /--file and --workload exclude each other/);
  });

  it('still says that nodes are assumed when it changes them, and assumes none for those it removes', async () => {
    const pod =
      'apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: { name: a }\nspec: { selector: { matchLabels: { app: a } }, template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: a, image: a }] } } }\n';
    const run = async (...operations: readonly string[]): Promise<Report> => {
      const args = operations.flatMap((each) => ['--what-if', each]);
      const { stdout } = await podium(['simulate', '-', '--format', 'json', ...args], { stdin: pod });
      return JSON.parse(stdout) as Report;
    };
    const cordoned = await run('cordon node/assumed-a');
    assert.deepEqual(
      cordoned.nodes.map(({ assumed }) => assumed),
      [true, true, true],
    );
    assert.ok(cordoned.assumptions.some(({ text }) => text === '3 assumed nodes'));
    const empty = await run('remove node/assumed-a', 'remove node/assumed-b', 'remove node/assumed-c');
    assert.equal(empty.nodes.length, 0);
    assert.equal(empty.answer.balance.pending, 1);
  });
});

describe('podium simulate --what-if in a cluster that runs', () => {
  const tree = temporaryTree();
  const node = (name: string): string =>
    `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\nstatus: { allocatable: { cpu: "4", pods: "10" } }\n`;
  const podSpec = (cpu: number, more = ''): string =>
    `{ ${more}containers: [{ name: c, image: a, resources: { requests: { cpu: "${cpu}" } } }] }`;
  const deployment = (name: string, replicas: number, spec: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop }
spec: { replicas: ${replicas}, selector: { matchLabels: { app: ${name} } }, template: { metadata: { labels: { app: ${name} } }, spec: ${spec} } }
`;
  const budget = (spec: string): string =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }\nspec: ${spec}\n`;
  const quota = (hard: string): string =>
    `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q, namespace: shop }\nspec: { hard: ${hard} }\n`;
  const write = (name: string, ...documents: readonly string[]): void => {
    tree.write({ [name]: documents.join('---\n') });
  };
  const run = async (...args: readonly string[]): Promise<string> =>
    (await podium(['simulate', ...args], { cwd: tree.root })).stdout;
  const first = async (operation: string): Promise<string> =>
    (await run('.', '--summary', '--what-if', operation)).replaceAll('\n', ' ');

  it('[#33] takes a changed template of a CronJob for that of its next run', async () => {
    const report = `apiVersion: batch/v1
kind: CronJob
metadata: { name: report, namespace: shop }
spec: { schedule: 0 3 * * *, jobTemplate: { spec: { template: { spec: ${podSpec(3, 'restartPolicy: Never, ')} } } } }
`;
    write('all.yaml', node('n1'), report);
    for (const [cpu, headline] of [
      ['4', /^Raising report to 4 cpu moves, evicts and blocks no pod\.\n/],
      ['9', /^Raising report to 9 cpu leaves 1 more pod pending \(report\)\.\n/],
    ] as const) {
      const stdout = await run('.', '--what-if', `request cronjob/shop/report cpu=${cpu}`);
      assert.match(stdout, headline);
      assert.doesNotMatch(stdout, /removed/);
    }
  });

  it('[#35] says of a remedy who still waits, be it since before', async () => {
    write('all.yaml', node('n1'), deployment('web', 2, podSpec(1)), deployment('big', 1, podSpec(8)));
    const stdout = await run('.', '--what-if', 'scale deployment/shop/web 5');
    assert.match(stdout, /2 pending \(\+1\)/);
    // Who waited before is no part of the change, so that the group of those who wait is.
    assert.match(stdout, /^Pending 1$/m);
    assert.match(stdout, /→ 1 pending\n.*\n? *podium simulate .*'add 1 node like n1'/);
  });

  it('[#35] does not say that all pods run where some wait since before', async () => {
    write('all.yaml', node('n1'), deployment('web', 2, podSpec(1)), deployment('big', 2, podSpec(8)));
    const report = JSON.parse(await run('.', '--what-if', 'cordon node/n1', '--format', 'json')) as Report;
    assert.equal(report.comparison!.whole, '2 pods run and 2 pods stay pending; none are new.');
  });

  it('[#33] moves nobody for a cordon, a taint or a class, and says what a class means from then on', async () => {
    const gold = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: gold }\nvalue: 1000\n';
    const web = deployment('web', 4, podSpec(1, 'priorityClassName: gold, '));
    write('all.yaml', node('n1'), node('n2'), gold, web);
    for (const [operation, change] of [
      ['cordon node/n1', 'Cordoning n1'],
      ['taint node/n1 spot:NoSchedule', 'Setting spec.taints of Node n1 to spot:NoSchedule'],
      ['add 1 node like n1', 'Adding Node n1+1'],
    ] as const) {
      assert.ok((await first(operation)).startsWith(`${change} moves, evicts and blocks no pod. `), operation);
    }
    assert.match(
      await first('delete priorityclass/gold'),
      /^Removing PriorityClass gold moves, evicts and blocks no pod now: each pod of web that is recreated, as after a drain, is refused: no PriorityClass with name gold was found\. /,
    );
    assert.match(await first('delete deployment/shop/web'), /^Removing Deployment shop\/web removes 4 pods\. /);
    assert.match(await first('remove node/n1'), /^Removing Node n1 moves 2 pods to another node\. /);
    const lines = (await run('.', '--what-if', 'class gold value=5')).replaceAll(/\s+/g, ' ');
    assert.match(
      lines,
      /^Lowering gold to 5 moves, evicts and blocks no pod now: 4 running pods of web have another priority/,
    );
    assert.match(lines, /The API server refuses another value of a class: gold must be deleted and recreated/);
  });

  it('[#33] says what a budget or a quota means from then on', async () => {
    const bounds = [budget('{ maxUnavailable: 1, selector: { matchLabels: { app: web } } }')];
    write('all.yaml', node('n1'), deployment('web', 4, podSpec(1)), ...bounds, quota('{ requests.cpu: "6" }'));
    for (const [operation, later] of [
      [
        'budget pdb/shop/web maxUnavailable=0',
        'budget shop/web lets no pod go: each eviction is refused (429), and drains hang.',
      ],
      ['budget pdb/shop/web maxUnavailable=2', 'budget shop/web lets 2 pods go at a time.'],
      [
        'quota quota/shop/q requests.cpu=3',
        'quota shop/q is used up (4 of 3 requests.cpu): pods that run stay, and none that asks for more of it is created.',
      ],
    ] as const) {
      assert.ok((await first(operation)).includes(` moves, evicts and blocks no pod now: ${later}`), operation);
    }
    assert.match(await first('quota quota/shop/q requests.cpu=9'), /moves, evicts and blocks no pod\. /);
  });

  it('[#33] says what an autoscaler does with other bounds', async () => {
    const autoscaler = (min: number, max: number): string =>
      `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: grow, namespace: shop }
spec:
  { minReplicas: ${min}, maxReplicas: ${max}, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
`;
    write('before.yaml', node('n1'), deployment('web', 2, podSpec(1)), autoscaler(2, 3));
    await run('before.yaml', '--format', 'json').then((report) => {
      write('before.json', report);
    });
    for (const [min, max, then] of [
      [3, 5, ': all 3 pods of web run.'],
      [1, 1, ': 1 of 2 pods of web ends.'],
      [2, 5, ' to 5 moves, evicts and blocks no pod now: autoscaler shop/grow then keeps 2 to 5 pods of web.'],
    ] as const) {
      write('after.yaml', node('n1'), deployment('web', 2, podSpec(1)), autoscaler(min, max));
      const text = (await run('after.yaml', '--against', 'before.json')).replaceAll(/\s+/g, ' ');
      assert.ok(text.includes(`HorizontalPodAutoscaler shop/grow${then}`), text);
    }
    // With the request of before nothing is rolled out, which is no attempt in vain.
    write('before.yaml', node('n1'), deployment('web', 4, podSpec(0.5)), autoscaler(2, 8));
    write('before.json', await run('before.yaml', '--format', 'json'));
    write('after.yaml', node('n1'), deployment('web', 4, podSpec(0.75)), autoscaler(6, 8));
    const both = (await run('after.yaml', '--against', 'before.json')).replaceAll(/\s+/g, ' ');
    assert.match(both, /the roll-out of web stops .*Tried, and does not help: maxSurge/);
    assert.doesNotMatch(both, /does not help: [^.]*requests of/);
  });

  it('[#33] takes a bound that is only written otherwise for the same, and what no pod is counted for for none', async () => {
    const selector = 'selector: { matchLabels: { app: web } }';
    const pod = `apiVersion: v1
kind: Pod
metadata: { name: web-1, namespace: shop, labels: { app: web } }
spec: { nodeName: n1, containers: [{ name: c, image: a, resources: { requests: { cpu: "1" } } }] }
status: { phase: Running, conditions: [{ type: Ready, status: "True" }] }
`;
    const stored = [budget(`{ maxUnavailable: 1, ${selector} }`), quota('{ requests.cpu: "1", services: "0" }')];
    write('cluster.yaml', node('n1'), pod, ...stored);
    write('ws/all.yaml', budget(`{ ${selector}, maxUnavailable: 1 }`), quota('{ services: 0, requests.cpu: 1000m }'));
    assert.doesNotMatch(await run('ws', '--snapshot', 'cluster.yaml'), /budget|quota/);
    write('ws/all.yaml', budget(`{ ${selector}, maxUnavailable: 1 }`), quota('{ pods: "1", requests.cpu: "1" }'));
    assert.match(await run('ws', '--snapshot', 'cluster.yaml'), /quota shop\/q is used up \(1 of 1 pods\)/);
  });
});
