import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { podium } from './run-podium.ts';

interface Ranking {
  readonly pods: readonly {
    readonly rank: number;
    readonly name: string;
    readonly usage: string | null;
    readonly critical: boolean;
  }[];
  readonly unknown: readonly string[];
}

const pod = (name: string, priority: number, memory: string, more = ''): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop}
spec:
  nodeName: node-a
  priority: ${priority}
  containers: [{name: main, image: app, resources: {requests: {memory: ${memory}}}}]
${more}`;

const manifests = [
  pod('within', 0, '1Gi'),
  pod('over-low', 100, '100Mi'),
  pod('over-high', 1000, '100Mi'),
  pod('far-over', 1000, '100Mi'),
  pod('critical', 2000000000, '100Mi'),
  pod('silent', 1000, '100Mi'),
  pod('done', 0, '1Gi', 'status: {phase: Succeeded}\n'),
  pod('elsewhere', 0, '1Gi').replace('node-a', 'node-b'),
].join('---\n');

const top = `NAMESPACE   NAME        CPU(cores)   MEMORY(bytes)
shop        within      1m           900Mi
shop        over-low    250m         110Mi
shop        over-high   3m           200Mi
shop        far-over    3m           300Mi
shop        critical    3m           500Mi
shop        elsewhere   3m           500Mi
shop        stranger    3m           5Mi
`;

describe('podium pressure', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-pressure-'));
    await writeFile(join(folder, 'pods.yaml'), manifests);
    await writeFile(join(folder, 'top.txt'), top);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const pressure = (...args: string[]) =>
    podium(['pressure', 'node-a', 'pods.yaml', ...args], { cwd: folder, stdin: top });

  it('[EVI-1, EVI-7] ranks as the kubelet does, from the output of kubectl top pod -A', async () => {
    const { code, stdout, stderr } = await pressure('--usage', 'top.txt');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.equal(
      stdout,
      `Under memory pressure on node-a shop/silent goes first, of 6 pods.
  #  pod                  priority     uses  requests
  1  shop/silent             1,000  unknown     100Mi  no statistics
  2  shop/over-low             100    110Mi     100Mi  over its request
  3  shop/far-over           1,000    300Mi     100Mi  over its request
  4  shop/over-high          1,000    200Mi     100Mi  over its request
  5  shop/critical   2,000,000,000    500Mi     100Mi  critical, passed over
  6  shop/within                 0    900Mi       1Gi  within its request: after those over theirs
  What 1 pod uses is not known: as pods without statistics, they go first
  Usage of pods that are not declared: shop/stranger
`,
    );
    const narrow = await podium(['pressure', 'node-a', 'pods.yaml', '--usage', 'top.txt'], {
      cwd: folder,
      columns: 60,
    });
    assert.match(
      narrow.stdout,
      /^ {2}2 shop\/over-low: priority 100, uses 110Mi, requests 100Mi,\n {2}over its request$/m,
    );
  });

  it('[#34] ranks no pod that a taint of the node evicts, and says which', async () => {
    const node = `apiVersion: v1
kind: Node
metadata: {name: node-a}
spec: {taints: [{key: maintenance, effect: NoExecute}]}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
`;
    const stays = '  tolerations: [{key: maintenance, operator: Exists}]\n';
    const stdin = [
      node,
      pod('goes', 0, '1Gi', 'status: {phase: Running}\n'),
      pod('stays', 0, '1Gi', stays),
      // The kubelet takes none that does not tolerate the taint.
      pod('refused', 0, '1Gi'),
    ].join('---\n');
    const { code, stdout } = await podium(['pressure', 'node-a', '-', '--usage', 'shop/goes=2Gi'], { stdin });
    assert.equal(code, 0);
    assert.match(stdout, /on node-a shop\/stays goes first, of 1 pod\./);
    assert.match(stdout, /The taint of node-a evicts shop\/goes first/);
    assert.doesNotMatch(stdout, /not declared/);
  });

  it('[EVI-1] gives equals the same rank', async () => {
    const { stdout } = await pressure(
      '--usage',
      'shop/over-high=150Mi',
      '--usage',
      'shop/far-over=150Mi',
      '--format',
      'json',
    );
    const { pods } = JSON.parse(stdout) as Ranking;
    const ranks = new Map(pods.map(({ name, rank }) => [name, rank]));
    assert.equal(ranks.get('over-high'), ranks.get('far-over'));
    assert.deepEqual(
      pods.filter(({ critical }) => critical).map(({ name }) => name),
      ['critical'],
    );
  });

  it('reads standard input, and single pods win over it', async () => {
    const { stdout } = await pressure('--usage', '-', '--usage', 'shop/within=2Gi', '--format', 'json');
    const { pods, unknown } = JSON.parse(stdout) as Ranking;
    assert.equal(pods.find(({ name }) => name === 'within')?.usage, '2Gi');
    assert.equal(pods.find(({ name }) => name === 'over-low')?.usage, '110Mi');
    assert.equal(pods.find(({ name }) => name === 'silent')?.usage, null);
    assert.deepEqual(unknown, ['shop/stranger']);
  });

  it('adds up the containers of kubectl top pod -A --containers', async () => {
    await writeFile(
      join(folder, 'containers.txt'),
      'NAMESPACE POD NAME CPU(cores) MEMORY(bytes)\nshop within main 1m 700Mi\nshop within sidecar 1m 100Mi\n',
    );
    const { stdout } = await pressure('--usage', 'containers.txt', '--format', 'json');
    assert.equal((JSON.parse(stdout) as Ranking).pods.find(({ name }) => name === 'within')?.usage, '800Mi');
  });

  it('ends with 2 when it could not run', async () => {
    await writeFile(join(folder, 'nonsense.txt'), 'shop within\n');
    for (const [args, pattern] of [
      [[], /say what pods use/],
      [['--usage', 'nowhere.txt'], /no such file or folder: nowhere\.txt/],
      [['--usage', 'nonsense.txt'], /nonsense\.txt:1: not a line of kubectl top pod -A: 'shop within'/],
      [['--usage', 'shop/within=lots'], /'lots' is not a quantity/],
      [['--usage', 'within=5Mi'], /expected NAMESPACE\/POD=QUANTITY/],
    ] as const) {
      const { code, stdout, stderr } = await pressure(...args);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.match(stderr, pattern);
    }
    const { code, stderr } = await podium(['pressure', 'node-z', 'pods.yaml', '--usage', 'top.txt'], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /no node node-z is declared, and no pod runs on it/);
  });

  it('[EVI-1] refuses usage that cannot be, and says whose is not given', async () => {
    for (const [usage, message] of [
      ['-5Mi', /'-5Mi' is less than nothing/],
      ['900m', /'900m' is less than a byte; 900Mi are mebibytes/],
    ] as const) {
      const { code, stderr } = await pressure('--usage', `shop/within=${usage}`);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
    for (const [pod, near] of [
      ['shop/withi', /^podium pressure: --usage: no pod shop\/withi is declared; did you mean 'shop\/within'\?$/m],
      ['shop/over', /no pod shop\/over is declared; did you mean shop\/over-low and shop\/over-high\?$/m],
    ] as const) {
      const { code, stderr } = await pressure('--usage', `${pod}=900Mi`);
      assert.equal(code, 2);
      assert.match(stderr, near);
    }
    const { stdout } = await pressure('--usage', 'shop/within=900Mi');
    assert.match(stdout, /What 5 pods use is not known: as pods without statistics, they go first/);
  });
});
