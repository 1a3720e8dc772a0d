import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { podium, projectFolder } from './run-podium.ts';
import { withoutCommands } from '../../support/without-commands.ts';

const limit = 20_000;

interface Structured {
  readonly verdict?: string;
  readonly version?: number;
  readonly headline?: string;
  readonly pods?: readonly object[];
  readonly groups?: readonly { readonly kind: string; readonly pods: number }[];
  readonly losses?: { readonly by: string };
}

interface Answer {
  readonly structuredContent: Structured | undefined;
  readonly text: string;
  readonly isError: boolean;
}

describe('podium mcp', () => {
  let folder: string;
  let client: Client;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-mcp-'));
    await symlink(join(projectFolder, 'README.md'), join(folder, 'out.yaml'));
    // The API server refuses each but one.
    const pods = Array.from(
      { length: 10_000 },
      (_, at) =>
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-${at}"},"spec":{"nodeSelector":{"n${at}":"x"},"containers":[{"name":"main","image":"app","resources":{"requests":{"cpu":"${at === 1 ? 1 : -1}"}}}]}}`,
    );
    await writeFile(join(folder, 'many.json'), `{"apiVersion":"v1","kind":"List","items":[${pods.join(',')}]}`);
    await writeFile(
      join(folder, 'hostile.yaml'),
      'apiVersion: v1\nkind: Pod\nmetadata: {name: "a\\u001b[31m\\u202e"}\nspec: &a [*a]\n',
    );
    const { command } = await shipped();
    const [program = '', ...args] = command;
    client = new Client({ name: 'test', version: '1' });
    const served = [join(projectFolder, 'samples/online-shop'), folder];
    await client.connect(
      new StdioClientTransport({ command: program, args: [...args, 'mcp', ...served], cwd: folder }),
    );
  });

  after(async () => {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = async (name: string, input: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
    const { content, isError, structuredContent } = (await client.callTool({ name, arguments: { ...input } })) as {
      content: { text: string }[];
      isError?: boolean;
      structuredContent?: Structured;
    };
    const [{ text } = { text: '' }] = content;
    assert.ok(Buffer.byteLength(text) <= limit, `${name}: ${text.length}`);
    return { text, isError: isError === true, structuredContent };
  };

  it('[EVI-5] names what holds an upgrade among budgets that look stricter, and only what would let it go', async () => {
    const path = join(folder, 'upgrade.yaml');
    await writeFile(path, upgradeWithDecoys());
    const pool = { path, selector: 'pool=old' };
    const { text, structuredContent } = await call('drain', pool);
    assert.match(
      structuredContent?.verdict ?? '',
      /^Draining 2 nodes hangs at old-b behind budget shop\/api, with 1 pod/,
    );
    assert.match(text, /Any of these alone would unblock it\n {2}add 1 node like old-b: drained after 60 s\n/);
    for (const whatIf of ['budget pdb/shop/ledger maxUnavailable=1', 'budget pdb/shop/web minAvailable=1']) {
      const tried = await call('drain', { ...pool, whatIf });
      assert.equal(tried.structuredContent?.verdict, structuredContent?.verdict, whatIf);
    }
    const grown = await call('drain', { ...pool, whatIf: 'add 1 node like old-b' });
    assert.match(grown.structuredContent?.verdict ?? '', /^2 nodes are drained after 60 s/);
  });

  it('lists its tools, each read-only and described', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['simulate', 'check', 'explain_pending', 'threats', 'drain', 'fit'],
    );
    for (const { description, annotations, inputSchema } of tools) {
      assert.ok((description ?? '').length > 40);
      assert.equal(annotations?.readOnlyHint, true);
      assert.equal(inputSchema.type, 'object');
    }
  });

  it('are those that VS Code is told of, as `npm run settings` writes them', async () => {
    const { contributes } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as {
      contributes: { languageModelTools: { name: string; modelDescription: string; inputSchema: object }[] };
    };
    const { tools } = await client.listTools();
    assert.deepEqual(
      contributes.languageModelTools.map(({ name, inputSchema }) => [name, inputSchema]),
      tools.map(({ name, inputSchema }) => [
        `podium_${name}`,
        Object.fromEntries(Object.entries(inputSchema).filter(([key]) => key !== '$schema')),
      ]),
    );
    for (const [index, { description = '' }] of tools.entries()) {
      assert.ok(contributes.languageModelTools[index]!.modelDescription.startsWith(description), 'npm run settings');
    }
  });

  it('answers each tool on the sample, in the words of the terminal', async () => {
    const terminal = await podium(['simulate', 'samples/online-shop'], { columns: 100 });
    const simulated = (await call('simulate')).text;
    assert.equal(withoutCommands(simulated), withoutCommands(terminal.stdout));
    assert.match(simulated, /^ {6}whatIf: add 1 node like general-a$/m);
    assert.doesNotMatch(simulated, /--what-if/);
    const operations = ['add 1 node like general-a', 'scale deployment/shop/checkout 1'];
    const args = operations.flatMap((each) => ['--what-if', each]);
    const tried = await podium(['simulate', '.', ...args], {
      cwd: join(projectFolder, 'samples/online-shop'),
      columns: 100,
    });
    const asked = (await call('simulate', { whatIf: operations.join('\n') })).text;
    assert.equal(withoutCommands(asked), withoutCommands(tried.stdout));
    assert.match((await call('simulate', { whatIf: '--output=/tmp/x' })).text, /unknown operation '--output=\/tmp\/x'/);
    assert.match((await call('check', { path: 'apps' })).text, /\d+ (files?|problems?|warnings?)|information|warning/);
    const pending = await call('explain_pending', { pod: 'shop-batch/order-history-export' });
    assert.match(pending.text, /0\/4 nodes are available: .*Insufficient memory/);
    assert.match(pending.text, /^ {2}whatIf: add 2 nodes like general-a 4:32Gi: no pod is evicted, no pod pending$/m);
    const misspelt = await call('explain_pending', { pod: 'shop-batch/loyalty-migratin' });
    assert.match(misspelt.text, /^There is no pod .*; the nearest is shop-batch\/loyalty-migration\.$/m);
    const all = await call('explain_pending');
    assert.match(all.text, /^shop-batch\/recommender-training-0: pending$/m);
    assert.match(all.text, /^shop-batch\/loyalty-migration: gated$/m);
    assert.equal(all.structuredContent?.pods?.length, 6);
    assert.equal(all.structuredContent.headline, all.text.split('\n').at(-1));
    const { structuredContent } = await call('simulate', { by: 'namespace' });
    assert.deepEqual(
      structuredContent?.groups?.map(({ kind, pods }) => [kind, pods]),
      [
        ['evicted', 3],
        ['pending', 5],
        ['gated', 1],
        ['scheduled', 3],
      ],
    );
    assert.equal(structuredContent.losses?.by, 'namespace');
    // No words of the command line where there is none.
    assert.doesNotMatch(simulated, /--show|--by|podium /);
    const evicts = await call('threats', { pod: 'shop-batch/thumbnailer' });
    assert.match(evicts.text, /evicted for shop\/checkout-\S+ \(shop-critical 100000\)/);
    const drain = await podium(['drain', 'general-c', 'samples/online-shop', '--ignore-daemonsets'], { columns: 100 });
    const drained = await call('drain', { node: 'general-c', flags: '--ignore-daemonsets' });
    const typed = /^ {4}podium drain .*\n/m;
    assert.match(drain.stdout, typed);
    assert.equal(`${drained.text.trim()}\nMore: --show transcript`, drain.stdout.replace(typed, '').trim());
    assert.match(String(drained.structuredContent?.verdict), /^Draining general-c hangs behind budget/);
    assert.match(
      (
        await call('drain', {
          node: 'general-c',
          flags: '--ignore-daemonsets',
          whatIf: 'budget pdb/shop/storefront maxUnavailable=1',
        })
      ).text,
      /^general-c is drained after 30 s/,
    );
    assert.match(
      (await call('drain', { selector: 'topology.kubernetes.io/zone=eu-west-1a' })).text,
      /^Draining 2 nodes/,
    );
    assert.match((await call('drain', {})).text, /either a node or a selector/);
    assert.equal((await call('check')).structuredContent?.version, 1);
    const fit = await podium(['fit', 'shop/checkout', 'samples/online-shop', '--like', 'general-a'], { columns: 100 });
    assert.equal((await call('fit', { workload: 'shop/checkout', like: 'general-a' })).text.trim(), fit.stdout.trim());
  });

  it('reads nothing outside of its folders, not through links either', async () => {
    for (const path of ['/etc/passwd', '../..', join(folder, 'out.yaml'), '../../README.md']) {
      const { text, isError } = await call('simulate', { path });
      assert.equal(isError, true, path);
      assert.match(text, /is outside of the folders that may be read/);
    }
    assert.match((await call('check', { path: 'no/such' })).text, /There is no file or folder no\/such/);
  });

  it('[#37] refuses a parameter that a tool does not have, and names those that it has', async () => {
    const { text, isError } = await call('check', { commit: 'HEAD' });
    assert.deepEqual([isError, text], [true, 'The tool check has no parameter commit. It has path, since.']);
    const drain = await call('drain', { node: 'general-a', flag: '--force', dryRun: true });
    assert.deepEqual(
      [drain.isError, drain.text],
      [true, 'The tool drain has no parameters flag, dryRun. It has node, selector, flags, path, whatIf.'],
    );
  });

  it('[#37] says which problems a change brings, and which were there before', async () => {
    const repository = join(folder, 'repository');
    const pod = (name: string, className: string): string =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"},"spec":{"priorityClassName":"${className}","containers":[{"name":"main","image":"app"}]}}`;
    const git = (...args: readonly string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=t@podium.example', ...args], { cwd: repository });
    await mkdir(repository);
    await writeFile(join(repository, 'old.yaml'), pod('old', 'no-such-class'));
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '--message=Start');
    await writeFile(join(repository, 'new.yaml'), pod('new', 'nor-this-class'));
    const { text, isError } = await call('check', { path: repository, since: 'HEAD' });
    assert.equal(isError, false);
    const cli = await podium(['check', 'repository', '--since', 'HEAD'], { cwd: folder });
    assert.equal(text.trim(), cli.stdout.trim());
    assert.match(text, /nor-this-class/);
    assert.match(
      (await call('check', { path: repository, since: '--output=/tmp/x' })).text,
      /names no commit|no such commit/,
    );
  });

  it('takes nothing for an option', async () => {
    const { text, isError } = await call('simulate', { since: '--output=/tmp/x' });
    assert.equal(isError, true);
    assert.match(text, /no such commit|not a git repository/);
    const node = await call('drain', { node: '--snapshot=/etc/passwd' });
    assert.deepEqual([node.isError, node.text.includes('nodes "--snapshot=/etc/passwd" not found')], [true, true]);
    for (const flags of ['--snapshot=/etc/passwd', '-', 'general-a']) {
      assert.match((await call('drain', { node: 'general-a', flags })).text, /is no option of kubectl drain/);
    }
    assert.match((await call('fit', { workload: '--snapshot=x' })).text, /there is no workload --snapshot=x/);
  });

  it('answers ten thousand pods with an answer that is cut, and hostile manifests with an error or a finding', async () => {
    const { text } = await call('check', { path: join(folder, 'many.json') });
    assert.match(text, /\d+ more lines are left out|more findings of this rule/);
    const hostile = await call('check', { path: join(folder, 'hostile.yaml') });
    for (const character of ['\u001b', '\u202e']) assert.ok(!hostile.text.includes(character));
    const fit = await call('fit', { workload: 'default/pod-1', path: join(folder, 'many.json') });
    assert.match(fit.text, /more pods of Pod default\/pod-1 fit/);
  });

  it('says what is wrong with a question', async () => {
    assert.match((await call('threats', {})).text, /pod/);
    assert.match((await call('threats', { pod: 'no/body' })).text, /There is no pod and no workload no\/body/);
    assert.match((await call('rm_rf')).text, /There is no tool rm_rf/);
  });

  it('runs no tool over kustomizations when it is told not to', async () => {
    const [program = '', ...args] = (await shipped()).command;
    const other = new Client({ name: 'test', version: '1' });
    await writeFile(join(folder, 'kustomization.yaml'), 'resources: [many.json]\nnamePrefix: x-\n');
    await other.connect(
      new StdioClientTransport({ command: program, args: [...args, 'mcp', '--no-render', folder], cwd: folder }),
    );
    const { content } = (await other.callTool({ name: 'check', arguments: {} })) as { content: { text: string }[] };
    await other.close();
    await rm(join(folder, 'kustomization.yaml'));
    assert.match(content[0]?.text ?? '', /Not (?:seen|checked): .*not rendered/);
  });

  it('is loaded by no other command', async () => {
    const dist = dirname((await shipped()).podium);
    const files = [
      'podium.mjs',
      'server.mjs',
      ...(await readdir(join(dist, 'chunks'))).map((name) => `chunks/${name}`),
    ];
    for (const file of files) assert.ok(!(await readFile(join(dist, file), 'utf8')).includes('tools/list'), file);
    assert.ok((await readFile(join(dist, 'mcp.mjs'), 'utf8')).includes('tools/list'));
  });
});

/**
 * Two nodes to be drained, and four budgets. That of ledger lets nobody go, on another node; that of cache wants its one
 * pod, which is not ready and may go; that of web allows what is needed. That of api allows a pod, too, and holds the
 * second node, because what replaces the first pod finds no room.
 */
function upgradeWithDecoys(): string {
  const nodes = [
    ['old-a', 'old', '4'],
    ['old-b', 'old', '4'],
    ['new-a', 'new', '4'],
    ['data-a', 'data', '2'],
  ].map(([name, pool, cpu]) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { pool } },
    status: { allocatable: { cpu, memory: '16Gi', pods: '110' } },
  }));
  const workload = (name: string, cpu: string, on: readonly string[], bound: object, ready = 'True'): object[] => {
    const labels = { app: name };
    const spec = { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu } } }] };
    const selector = { matchLabels: labels };
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: name, controller: true };
    return [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: { name, namespace: 'shop', uid: name },
        spec: { replicas: on.length, selector, template: { metadata: { labels }, spec } },
      },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name, namespace: 'shop' },
        spec: { ...bound, selector },
      },
      ...on.map((nodeName, at) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `${name}-${at}`, namespace: 'shop', labels, ownerReferences: [owner] },
        spec: { ...spec, nodeName },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
      })),
    ];
  };
  const objects = [
    ...nodes,
    ...workload('ledger', '500m', ['data-a', 'data-a'], { maxUnavailable: 0 }),
    ...workload('cache', '500m', ['old-a'], { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' }, 'False'),
    ...workload('web', '500m', ['old-a', 'old-b', 'new-a'], { minAvailable: 2 }),
    ...workload('api', '2', ['old-a', 'old-b', 'new-a'], { maxUnavailable: 1 }),
  ];
  return objects.map((each) => JSON.stringify(each)).join('\n---\n');
}
