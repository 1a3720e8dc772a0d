import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CodeAction, Diagnostic, Location } from 'vscode-languageserver/node';
import type { Report } from '../../server/src/report-model/report.ts';
import type { ClusterStatus, Confirmation } from '../../server/src/protocol.ts';
import { writeLargeSnapshot } from '../support/large-snapshots.ts';
import { uselessSnapshots } from '../support/useless-snapshots.ts';
import { TestClient } from './test-client.ts';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: main, image: app}]}\n';
const nodes = (amount: number, padding = ''): string =>
  Array.from(
    { length: amount },
    (_, index) =>
      `apiVersion: v1\nkind: Node\nmetadata: {name: n${index}, annotations: {about: "${padding}"}}\nstatus: {allocatable: {cpu: "4", pods: "10"}}\n`,
  ).join('---\n');

const textOf = ({ message }: Diagnostic): string => (typeof message === 'string' ? message : message.value);

/** An editor that answers for files, which nobody should ask for those on disk. */
const editor = {
  initializationOptions: { files: true },
  answers: {
    'podium/findFiles': () => [],
    'podium/readFile': () => ({ bytes: null, size: 0 }),
  },
};

describe('a snapshot in an editor', function () {
  let folder: string;
  let client: TestClient;
  let states: ClusterStatus[];

  const start = async (snapshot: string): Promise<void> => {
    states = [];
    client = await TestClient.start({ folder, settings: { cluster: { snapshot } }, early: true, ...editor });
    client.connection.onNotification('podium/clusterStatus', (status: ClusterStatus) => {
      states.push(status);
      client.notify();
    });
    await client.open('pod.yaml', pod);
  };
  const simulate = () => client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });
  const status = async (wanted: (state: ClusterStatus) => boolean): Promise<ClusterStatus> => {
    const last = (): ClusterStatus | undefined => states.at(-1);
    await client.until(
      () => last() !== undefined && wanted(last()!),
      () => `a status; the last was ${JSON.stringify(last())}`,
    );
    return last()!;
  };
  const rewrite = async (text: string | Buffer): Promise<string> => {
    writeFileSync(join(folder, 'cluster.yaml'), text);
    const uri = client.uri('cluster.yaml');
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    return uri;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-snapshot-'));
  });

  afterEach(async () => {
    await client.stop({ keepsFolder: true });
    await rm(folder, { recursive: true });
  });

  it('[PLA-1] is found where none is named (#36)', async () => {
    const node = (name: string): object => ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, status: {} });
    const list = { apiVersion: 'v1', kind: 'List', items: [node('a'), node('b')] };
    writeFileSync(join(folder, 'cluster.podium.json'), JSON.stringify(list));
    await start('');
    assert.deepEqual(
      (await simulate()).nodes.map(({ name }) => name),
      ['a', 'b'],
    );
  });

  it('[PLA-1] is not found by a link, which may lead to any file of the user (#31)', async () => {
    writeFileSync(join(folder, 'private'), nodes(2));
    symlinkSync('private', join(folder, 'cluster.podium.json'));
    await start('');
    assert.ok((await simulate()).nodes.every(({ name }) => name.startsWith('assumed')));
  });

  it('is a problem, a red line of the report and an error of the status when no answer can rest on it', async () => {
    writeFileSync(join(folder, 'cluster.yaml'), nodes(2));
    await start('cluster.yaml');
    assert.equal((await status(({ source }) => source === 'snapshot')).isSnapshotUnusable, false);
    for (const [name, { text, why }] of Object.entries(uselessSnapshots)) {
      const uri = await rewrite(text);
      const shown = await client.diagnostics(uri, ([first]) => first !== undefined && why.test(textOf(first)));
      assert.deepEqual(
        shown.map(({ code, severity }) => [code, severity]),
        [['unusable-snapshot', 1]],
        name,
      );
      const { detail, source } = await status(({ detail: said }) => why.test(said));
      assert.match(detail, /^The cluster snapshot cluster\.yaml is not used: it .* assumed/s, name);
      assert.equal(source, 'assumed');
      assert.deepEqual(
        await client.request('podium/simulate', { scenario: { kind: 'workspace' }, asks: ['snapshot'] }),
        {
          about: 'snapshot',
          doubt: detail.slice(0, detail.indexOf(' It is not used.') + ' It is not used.'.length),
          origin: { uri, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } },
        },
      );
      const { assumptions } = await simulate();
      const line = assumptions.find(({ text: said }) => said === 'the cluster snapshot cluster.yaml is not used');
      assert.equal(line?.mark, '!', name);
      assert.match(line.detail, why, name);
    }
    const broken = await rewrite(`${nodes(3)}  : [\n`);
    const [problem] = await client.diagnostics(
      broken,
      ([first]) => first !== undefined && textOf(first).includes('at line'),
    );
    const doubt = await client.request<Confirmation>('podium/simulate', {
      scenario: { kind: 'workspace' },
      asks: ['snapshot'],
    });
    assert.match(doubt.doubt, new RegExp(`cannot be read at line ${(doubt.origin?.range.start.line ?? 0) + 1}: `));
    assert.ok((doubt.origin?.range.start.line ?? 0) > 3);
    await client.open('cluster.yaml', `${nodes(3)}  : [\n`);
    const [action] = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: broken },
      range: problem!.range,
      context: { diagnostics: [problem], only: ['quickfix'] },
    });
    assert.deepEqual(
      [action?.title, action?.command?.command, action?.command?.arguments],
      ['Run the simulation without the snapshot', 'podium.simulate', ['without-snapshot']],
    );
    const uri = await rewrite(nodes(3));
    await client.diagnostics(uri, (shown) => shown.length === 0);
    const { detail } = await status(({ source }) => source === 'snapshot');
    assert.match(detail, /^3 nodes from the cluster snapshot/);
    assert.ok((await simulate()).assumptions.every(({ mark }) => mark !== '!'));
  });

  it('is asked about before a run over more than 5,000 nodes, for the report and for what is tried', async () => {
    writeFileSync(join(folder, 'cluster.yaml'), nodes(5001));
    await start('cluster.yaml');
    await status(({ source }) => source === 'snapshot');
    const params = { scenario: { kind: 'workspace' }, asks: ['large'], whatIf: ['cordon node/n1'] };
    assert.deepEqual(await client.request('podium/simulate', params), {
      about: 'large',
      doubt: '5,001 nodes and 1 new pod: a run may take 1 s.',
      origin: null,
    });
    await assert.rejects(client.request('podium/effects', params), { code: -32800 });
    assert.equal((await simulate()).nodes.length, 5001);
  });

  it('is read beyond the limit of an editor, and in its encoding', async () => {
    writeFileSync(join(folder, 'cluster.yaml'), nodes(20, 'x'.repeat(1024 * 1024)));
    await start('cluster.yaml');
    assert.match((await status(({ source }) => source === 'snapshot')).detail, /^20 nodes from/);
    await rewrite(Buffer.from(`\ufeff${nodes(1)}`, 'utf16le'));
    await status(({ detail }) => detail.startsWith('1 node from'));
    const uri = await rewrite(Buffer.from(`${nodes(1)}# Käse\n`, 'latin1'));
    const [problem] = await client.diagnostics(uri, (shown) => shown.length === 1);
    assert.match(textOf(problem!), /an encoding that is not UTF-8, such as Windows-1252/);
  });

  it('that cannot be used is no matter of a scenario that names another, and is one of a scenario that names none', async () => {
    writeFileSync(join(folder, 'cluster.yaml'), 'error: not found\n');
    await start('cluster.yaml');
    await client.open('own.yaml', nodes(2));
    await client.open('own.podium.yaml', 'cluster: {snapshot: own.yaml}\nevents: [cordon node/n0]\n');
    await client.open('other.podium.yaml', 'events: []\n');
    await status(({ detail }) => detail.includes('is not used'));
    const run = (name: string) =>
      client.request<Report & Confirmation>('podium/simulate', {
        scenario: { kind: 'file', uri: client.uri(name) },
        asks: ['snapshot'],
      });
    const report = await run('own.podium.yaml');
    assert.equal(report.nodes.length, 2);
    assert.deepEqual(
      report.assumptions.filter(({ text }) => text.includes('is not used')),
      [],
    );
    assert.equal((await run('other.podium.yaml')).about, 'snapshot');
  });

  it('is given up while it is read when it is another by then', async () => {
    writeFileSync(join(folder, 'cluster.yaml'), nodes(2));
    await start('cluster.yaml');
    await status(({ source }) => source === 'snapshot');
    const before = states.length;
    writeLargeSnapshot(join(folder, 'cluster.yaml'), 'json', { nodes: 40, pods: 8_000 });
    const uri = client.uri('cluster.yaml');
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    // The first request is answered while the snapshot is read.
    await client.request('textDocument/documentSymbol', { textDocument: { uri: client.uri('pod.yaml') } });
    await rewrite(nodes(3));
    await status(({ detail }) => detail.startsWith('3 nodes from'));
    assert.ok(states.slice(before).every(({ detail }) => !detail.startsWith('40 nodes')));
  });

  const classes = {
    'in YAML': {
      text: 'apiVersion: v1\nitems:\n- apiVersion: scheduling.k8s.io/v1\n  kind: PriorityClass\n  metadata:\n    name: high\n  value: 7\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a, uid: u}\n  spec:\n    priorityClassName: high\n    containers: [{name: main, image: app}]\nkind: List\n',
      declared: { start: { line: 5, character: 10 }, end: { line: 5, character: 14 } },
      named: { start: { line: 11, character: 23 }, end: { line: 11, character: 27 } },
    },
    'in JSON': {
      text: '{"apiVersion":"v1","kind":"List","items":[\n{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"high"},"value":7},\n{"apiVersion":"v1","kind":"Pod","metadata":{"name":"ä","uid":"u"},\n"spec":{"priorityClassName":"high","containers":[{"name":"main","image":"app"}]}}]}\n',
      declared: { start: { line: 1, character: 79 }, end: { line: 1, character: 85 } },
      named: { start: { line: 3, character: 28 }, end: { line: 3, character: 34 } },
    },
  };
  for (const [form, { text, declared, named }] of Object.entries(classes)) {
    it(`[ED-4] leads to what it declares, and to who names it, ${form}`, async () => {
      writeFileSync(join(folder, 'cluster.yaml'), text);
      await start('cluster.yaml');
      await status(({ detail }) => detail.includes('cluster.yaml') || detail.includes('assumed'));
      const manifest = pod.replace('{containers', '{priorityClassName: high, containers');
      await client.open('user.yaml', manifest);
      const params = {
        textDocument: { uri: client.uri('user.yaml') },
        position: { line: 3, character: manifest.split('\n')[3]!.indexOf('high') + 1 },
      };
      const uri = client.uri('cluster.yaml');
      assert.deepEqual(await client.request('textDocument/definition', params), [{ uri, range: declared }]);
      const context = { includeDeclaration: false };
      const found = await client.request<Location[]>('textDocument/references', { ...params, context });
      assert.deepEqual(
        found.filter((each) => each.uri === uri),
        [{ uri, range: named }],
      );
    });
  }

  const places: Readonly<Record<string, RegExp>> = {
    pipe: /It cannot be read \(is a named pipe\)/,
    zero: /It cannot be read \(is a device\)/,
    folder: /It cannot be read \(is a folder\)/,
    gone: /It cannot be read \(ENOENT\)/,
    '//server/share/cluster.yaml': /It is on another computer/,
    '\\\\server\\share\\cluster.yaml': /It is on another computer/,
  };
  for (const [place, why] of Object.entries(places)) {
    it(`is told of, and stops nothing, when the setting names ${place}`, async () => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      symlinkSync('/dev/zero', join(folder, 'zero'));
      mkdirSync(join(folder, 'folder'));
      await start(place);
      await status(({ isSnapshotUnusable }) => isSnapshotUnusable);
      const line = (await simulate()).assumptions.find(({ mark }) => mark === '!');
      assert.match(line?.detail ?? '', why);
      await client.until(
        () => client.published.some(({ diagnostics }) => diagnostics.some((one) => why.test(textOf(one)))),
        () => 'the problem',
      );
      const { uri } = client.published.find(({ diagnostics: [first] }) => first?.code === 'unusable-snapshot')!;
      // Whoever shows the problem must not look for the file on another computer either.
      assert.equal(uri.startsWith('podium-snapshot:/server/share/'), place.includes('server'));
      rmSync(join(folder, 'pipe'));
    });
  }
});
