import assert from 'node:assert/strict';
import type { Hover, Location } from 'vscode-languageserver/node';
import type { ClusterStatus } from '../../server/src/protocol.ts';
import { TestClient } from './test-client.ts';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: high
value: 100000
`;

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  name: web
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      priorityClassName: high
      containers: [{ name: app, image: web }]
`;
const className = { line: 10, character: 27 };

/** An editor that takes its time to find the files of the workspace. */
function slowFiles(): { readonly answers: Record<string, () => unknown>; readonly finish: () => void } {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    finish,
    answers: {
      'podium/findFiles': () => finished.then(() => ['memory:/classes.yaml']),
      'podium/readFile': () => ({ bytes: Buffer.from(classes).toString('base64'), size: classes.length }),
      'podium/committedText': () => ({ text: null }),
    },
  };
}

describe('while the workspace is being read', () => {
  let client: TestClient;
  let finish: () => void;

  beforeEach(async () => {
    const { answers, finish: end } = slowFiles();
    finish = end;
    client = await TestClient.start({ early: true, initializationOptions: { files: true, git: true }, answers });
  });

  afterEach(async () => {
    finish();
    assert.equal(await client.stop(), 0);
  });

  it('[ED-6] shows what is wrong with a text at once, and nothing that other files could refute', async () => {
    const uri = await client.open('web.yaml', deployment);
    await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
    // A second round of problems, made while files are still being read.
    await client.change(uri, `${deployment}# more\n`);
    await client.diagnostics(uri);
    finish();
    const position = className;
    await client.request('textDocument/definition', { textDocument: { uri }, position });
    await client.change(uri, deployment);
    await client.diagnostics(uri);
    const codes = client.published.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    assert.deepEqual([...new Set(codes)], ['yaml-duplicate-key']);
  });

  it('[PRI-4] shows what other files do not refute once they are read', async () => {
    const uri = await client.open('web.yaml', deployment.replace('priorityClassName: high', 'priorityClassName: nope'));
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 1);
    finish();
    await client.diagnostics(uri, (diagnostics) => diagnostics.some(({ code }) => code === 'unknown-priority-class'));
  });

  it('[ED-1] says in a hover that more may be declared than is known', async () => {
    const uri = await client.open('web.yaml', deployment);
    const ask = async (): Promise<string> =>
      JSON.stringify(await client.request<Hover>('textDocument/hover', { textDocument: { uri }, position: className }));
    assert.match(await ask(), /still reading the workspace/);
    finish();
    await client.request('textDocument/definition', { textDocument: { uri }, position: className });
    assert.doesNotMatch(await ask(), /still reading the workspace/);
    assert.match(await ask(), /Priority 100000/);
  });

  it('[PRI-4] counts all workloads in a hover once its progress has ended', async () => {
    let hasEnded = false;
    client.connection.onNotification('$/progress', ({ value }: { readonly value: { readonly kind: string } }) => {
      hasEnded ||= value.kind === 'end';
      client.notify();
    });
    const uri = await client.open('web.yaml', deployment);
    const other = deployment.replaceAll('web', 'other').replace('priorityClassName: high\n', '');
    await client.open('other.yaml', other);
    const ask = async (): Promise<string> =>
      JSON.stringify(await client.request<Hover>('textDocument/hover', { textDocument: { uri }, position: className }));
    assert.match(await ask(), /still reading the workspace/);
    finish();
    await client.until(
      () => hasEnded,
      () => 'the end of the progress',
    );
    const answer = await ask();
    assert.match(answer, /Can preempt 1 workload: .*other/);
    assert.doesNotMatch(answer, /still reading/);
  });

  it('[ED-6] goes to a declaration as soon as it has been read', async () => {
    const uri = await client.open('web.yaml', deployment);
    const found = client.request<Location[]>('textDocument/definition', { textDocument: { uri }, position: className });
    const references = client.request<Location[]>('textDocument/references', {
      textDocument: { uri },
      position: className,
      context: { includeDeclaration: true },
    });
    finish();
    assert.deepEqual(
      (await found).map((location) => location.uri),
      ['memory:/classes.yaml'],
    );
    assert.deepEqual(
      (await references).map((location) => location.uri),
      ['memory:/classes.yaml', uri],
    );
  });

  it('[ED-6] names no cluster before it knows', async () => {
    const states: ClusterStatus[] = [];
    client.connection.onNotification('podium/clusterStatus', (status: ClusterStatus) => {
      states.push(status);
      client.notify();
    });
    await client.open('web.yaml', deployment);
    await client.until(
      () => states.length > 0,
      () => 'a status',
    );
    assert.deepEqual(
      states.map(({ indexing }) => indexing),
      [true],
    );
    assert.match(states[0]!.detail, /Reading/);
    finish();
    await client.until(
      () => states.at(-1)?.indexing === false,
      () => JSON.stringify(states),
    );
    assert.match(states.at(-1)!.detail, /assumed/);
  });
});

it('[ED-6] says of a workspace whether anything is declared in it', async () => {
  const client = await TestClient.start({ early: true });
  let last: ClusterStatus | undefined;
  client.connection.onNotification('podium/clusterStatus', (status: ClusterStatus) => {
    last = status;
    client.notify();
  });
  const isEmpty = (wanted: boolean) =>
    client.until(
      () => last?.indexing === false && last.isEmpty === wanted,
      () => JSON.stringify(last),
    );
  const uri = await client.open('values.yaml', 'replicas: 1\n');
  await isEmpty(true);
  await client.change(uri, deployment);
  await isEmpty(false);
  assert.equal(await client.stop(), 0);
});

describe('files that only the editor can read', () => {
  let client: TestClient;

  afterEach(async () => {
    assert.equal(await client.stop(), 0);
  });

  it('are decoded as those on disk: UTF-16 is read, and another encoding is a problem that names it', async () => {
    const files: Readonly<Record<string, Buffer>> = {
      'memory:/classes.yaml': Buffer.from(`\ufeff${classes}`, 'utf16le'),
      'memory:/latin.yaml': Buffer.from('# K\u00e4se\n', 'latin1'),
    };
    client = await TestClient.start({
      initializationOptions: { files: true, git: true },
      answers: {
        'podium/findFiles': () => Object.keys(files),
        'podium/readFile': ({ uri }) => ({ bytes: files[uri]!.toString('base64'), size: files[uri]!.length }),
        'podium/committedText': () => ({ text: null }),
      },
    });
    const [problem] = await client.diagnostics('memory:/latin.yaml', (shown) => shown.length === 1);
    assert.equal(problem?.code, 'unreadable-file');
    assert.match(JSON.stringify(problem.message), /not UTF-8, such as Windows-1252 \(byte 0xE4 at 3\)/);
    const uri = await client.open('web.yaml', deployment);
    const found = await client.request<Location[]>('textDocument/definition', {
      textDocument: { uri },
      position: className,
    });
    assert.deepEqual(
      found.map((location) => location.uri),
      ['memory:/classes.yaml'],
    );
  });
});
