import assert from 'node:assert/strict';
import type { CodeLens, Hover } from 'vscode-languageserver';
import type { Overview } from '../../server/src/report-model/overview.ts';
import type { Report } from '../../server/src/report-model/report.ts';
import { TestClient } from './test-client.ts';

const node = (name: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}}\nstatus: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}\n`;
const pod = (name: string, cpu: number, more = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {${more}containers: [{name: c, image: x, resources: {requests: {cpu: "${cpu}"}}}]}\n`;
const priorityClass = (name: string, value: number): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\nvalue: ${value}\n`;
const budget = (name: string): string =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: ${name}}\nspec: {minAvailable: 1, selector: {matchLabels: {app: ${name}}}}\n`;

describe('what the side bar shows', () => {
  const clients: TestClient[] = [];
  const start = async (options: Parameters<typeof TestClient.start>[0]): Promise<TestClient> => {
    const client = await TestClient.start(options);
    clients.push(client);
    return client;
  };
  const overview = (client: TestClient): Promise<Overview> => client.request<Overview>('podium/overview', {});

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.stop();
  });

  it('has classes, nodes, budgets and what waits, each with its place', async () => {
    const text = [priorityClass('high', 100), node('a'), pod('waits', 9, 'priorityClassName: high, ')].join('---\n');
    const client = await start({ files: { 'all.yaml': text } });
    const { classes, nodes, pending, waiting } = await overview(client);
    const line = ({ origin }: { readonly origin: Overview['nodes']['rows'][number]['origin'] }) =>
      origin?.uri === client.uri('all.yaml') ? origin.range.start.line : null;
    assert.deepEqual(
      classes.rows.map((row) => [row.name, row.workloads, line(row)]),
      [
        ['system-node-critical', 0, null],
        ['system-cluster-critical', 0, null],
        ['high', 1, 2],
      ],
    );
    assert.deepEqual(
      nodes.rows.map((row) => [row.name, row.allocatable['cpu'], row.requested['cpu'], line(row)]),
      [['a', 4000, 0, 7]],
    );
    assert.deepEqual(
      pending.rows.map((row) => [row.name, row.state, row.reason.split(' ', 4).join(' '), line(row)]),
      [['waits', 'pending', 'it asks for 9', 12]],
    );
    assert.deepEqual(waiting, { pending: 1, text: '1 pending' });
  });

  it('[#38] counts for each node to drain the pods that a drain finds there', async () => {
    const client = await start({ files: { 'all.yaml': [node('a'), pod('one', 1), pod('two', 1)].join('---\n') } });
    assert.deepEqual(await client.request('podium/nodes', {}), [{ name: 'a', zone: '', pods: 2 }]);
    const scenario = { kind: 'workspace' };
    const whatIf = ['drain node/a --force'];
    const { answer } = await client.request<Report>('podium/simulate', { scenario, whatIf });
    assert.match(answer.headline, /^Draining a evicts 2 pods/);
  });

  it('[ED-9] does not count what has no file yet, which is judged and may be asked about', async () => {
    const client = await start({ files: { 'node.yaml': node('a') } });
    const uri = 'untitled:Untitled-1';
    const textDocument = { uri, languageId: 'yaml', version: 1, text: pod('large', 9) };
    await client.connection.sendNotification('textDocument/didOpen', { textDocument });
    const [lens] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    assert.equal((await overview(client)).waiting.pending, 0);
    const { command } = await client.request<CodeLens>('codeLens/resolve', lens);
    assert.match(command?.title ?? '', /pending: it asks for 9 cpu/);
    const report = (scenario: object): Promise<Report> => client.request<Report>('podium/simulate', { scenario });
    assert.equal((await report({ kind: 'workspace' })).answer.balance.pending, 0);
    assert.equal((await report({ kind: 'file', uri })).answer.balance.pending, 1);
  });

  it('tells once that it would be another, and counts what is typed', async () => {
    const client = await start({ files: { 'node.yaml': node('a') } });
    let reported = 0;
    client.connection.onNotification('podium/overviewChanged', () => {
      reported += 1;
      changed();
    });
    let changed = (): void => undefined;
    const whenChanged = new Promise<void>((resolve) => {
      changed = resolve;
    });
    assert.equal((await overview(client)).waiting.pending, 0);
    const uri = await client.open('pod.yaml', pod('large', 9));
    await whenChanged;
    assert.equal(reported, 1);
    const lines = async () => (await overview(client)).pending.rows.map(({ origin }) => origin?.range.start.line);
    assert.deepEqual(await lines(), [2]);
    await client.change(uri, `# A remark.\n${pod('large', 9)}`);
    assert.deepEqual(await lines(), [3]);
  });

  it('says of a snapshot what is in it', async () => {
    const client = await start({
      files: { 'cluster.snapshot': `${node('far')}---\n${priorityClass('theirs', 7)}`, 'pod.yaml': pod('ours', 1) },
      settings: { cluster: { snapshot: 'cluster.snapshot' } },
    });
    const { nodes, classes } = await overview(client);
    assert.deepEqual(
      nodes.rows.map(({ name, from }) => [name, from]),
      [['far', 'snapshot']],
    );
    assert.deepEqual(
      classes.rows.filter(({ from }) => from === 'snapshot').map(({ name, origin }) => [name, origin?.uri]),
      [['theirs', client.uri('cluster.snapshot')]],
    );
  });

  it('takes names from anybody as they are', async () => {
    const names = ['__proto__', 'constructor', 'a/b', '$(eye)', '<img src=x>', '\u202eevil', 'a'.repeat(10_000), ''];
    const quoted = (name: string): string => JSON.stringify(name);
    const text = names.flatMap((name, at) => [
      priorityClass(quoted(name), at),
      node(quoted(name)),
      budget(quoted(name)),
    ]);
    const client = await start({ files: { 'hostile.yaml': [...text, pod('"toString"', 1)].join('---\n') } });
    const { classes, budgets, pending } = await overview(client);
    assert.ok(classes.rows.some(({ name }) => name === '__proto__'));
    assert.ok(budgets.rows.some(({ name }) => name === 'a/b'));
    assert.equal(pending.rows.length, 1);
  });

  it('has an end with thousands of everything, and leaves the server free meanwhile', async () => {
    // No file has more than 5000 documents.
    const half = 5000;
    const many = (make: (name: string, at: number) => string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        ['a', 'b'].map((folder, nth) => {
          const made = Array.from({ length: half }, (_, index) => make(`${folder}-${index}`, nth * half + index));
          return [`${folder}/${make.name}.yaml`, made.join('---\n')];
        }),
      );
    const large = (name: string): string => pod(name, 9, 'priorityClassName: a-7, ');
    const client = await start({
      files: { ...many(priorityClass), ...many(node), ...many(budget), ...many(large) },
    });
    const asked = overview(client);
    const hover = await client.request<Hover>('textDocument/hover', at(client.uri('a/node.yaml')));
    assert.match(JSON.stringify(hover.contents), /The group and version of the API/);
    const { classes, nodes, budgets, pending, waiting } = await asked;
    assert.deepEqual(
      [classes, nodes, budgets, pending].map(({ rows, more }) => [rows.length, more]),
      [
        [1000, 2 * half - 998],
        [1000, 2 * half - 1000],
        [1000, 2 * half - 1000],
        [1000, 2 * half - 1000],
      ],
    );
    assert.equal(waiting.pending, 2 * half);
  });

  it('is empty where nothing is declared, and refuses what is no question', async () => {
    const client = await start({ files: { 'values.yaml': 'a: 1\n' } });
    assert.equal((await overview(client)).isEmpty, true);
    await assert.rejects(client.request('podium/overview', 'what'), /not understood/);
  });
});

const at = (uri: string) => ({ textDocument: { uri }, position: { line: 0, character: 0 } });
