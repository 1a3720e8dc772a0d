import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'mocha';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import type { Report } from '../../server/src/report-model/report.ts';
import type { CaptureResult, ContextsResult, FetchResult, RemotesResult } from '../../server/src/protocol.ts';
import { packedChart, type Servers, startServers, writeRelease } from '../support/chart-servers.ts';
import { describeWithTools, toolFolder } from '../support/kubernetes-tools.ts';
import { startStubServer, type StubServer } from '../support/stub-api-server.ts';
import { TestClient } from './test-client.ts';

const template = `apiVersion: v1
kind: Pod
metadata: { name: of-the-chart }
spec: { containers: [{ name: a, image: a }] }
`;

const node = {
  metadata: { name: 'node-of-the-cluster', labels: {} },
  status: { allocatable: { cpu: '8', memory: '32Gi', pods: '110' }, nodeInfo: { kubeletVersion: 'v1.35.1' } },
};

describeWithTools('what reaches beyond this machine, in an editor', () => {
  let folder: string;
  let storage: string;
  let servers: Servers;
  let cluster: StubServer;
  let client: TestClient | undefined;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-beyond-')));
    storage = mkdtempSync(join(tmpdir(), 'podium-storage-'));
    servers = await startServers();
    cluster = await startStubServer({ lists: { '/api/v1/nodes': [node], '/api/v1/pods': [] } });
    servers.addChart('podinfo', '6.3.5', packedChart('podinfo', '6.3.5', { 'templates/pod.yaml': template }));
    writeRelease(folder, `${servers.url}/charts`);
  });
  afterEach(async () => {
    await client?.stop({ keepsFolder: true });
    client = undefined;
    await servers.close();
    await cluster.close();
    for (const each of [folder, storage]) rmSync(each, { recursive: true });
  });

  async function start(workspaceTrusted: boolean, PATH = toolFolder('v34'), snapshot = ''): Promise<TestClient> {
    client = await TestClient.start({
      folder,
      env: { PATH: `${PATH}:${process.env['PATH'] ?? ''}`, KUBECONFIG: cluster.kubeconfig },
      initializationOptions: { workspaceTrusted, storage },
      settings: { cluster: { snapshot } },
    });
    return client;
  }
  const simulate = (): Promise<Report> =>
    client!.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });

  it('lists what is remote without fetching it, fetches what is agreed to, and renders that', async () => {
    await start(true);
    assert.equal((await simulate()).pods.length, 0);
    const { remotes } = await client!.request<RemotesResult>('podium/remotes', {});
    assert.deepEqual(servers.requests, []);
    const [{ key, ...remote } = { key: '' }] = remotes;
    assert.deepEqual(remote, { kind: 'chart', name: 'podinfo 6.3.5', address: `${servers.url}/charts`, isHere: false });
    const none = await client!.request<FetchResult>('podium/fetch', { keys: ['git ext::sh -c x'], mayChange: false });
    assert.deepEqual(none.outcomes, []);
    const { outcomes } = await client!.request<FetchResult>('podium/fetch', { keys: [key], mayChange: false });
    assert.deepEqual(
      outcomes.map(({ failure }) => failure),
      [''],
    );
    const { pods } = await simulate();
    assert.deepEqual(
      pods.map(({ namespace, name }) => `${namespace}/${name}`),
      ['apps/of-the-chart'],
    );
    assert.deepEqual((await client!.request<RemotesResult>('podium/remotes', {})).remotes, []);
  });

  it('stops a fetch that is cancelled, says so, and keeps nothing of it', async () => {
    const hanging = new Promise<void>((resolve) => {
      servers.answer('/charts/podinfo-6.3.5.tgz', (response) => {
        response.write('0');
        resolve();
      });
    });
    await start(true);
    const { remotes } = await client!.request<RemotesResult>('podium/remotes', {});
    const params = { keys: remotes.map(({ key }) => key), mayChange: false };
    const cancellation = new CancellationTokenSource();
    const answer = client!.connection.sendRequest<FetchResult>('podium/fetch', params, cancellation.token);
    await hanging;
    cancellation.cancel();
    const { outcomes } = await answer;
    assert.deepEqual(
      outcomes.map(({ failure }) => failure),
      ['cancelled'],
    );
    assert.deepEqual(readdirSync(storage), []);
  });

  it('tells the contexts without asking a cluster, and asks the one that is chosen', async () => {
    const path = join(folder, 'cluster.json');
    await start(true, toolFolder('v34'), path);
    const contexts = await client!.request<ContextsResult>('podium/contexts', {});
    assert.deepEqual(contexts, {
      path: join(toolFolder('v34'), 'kubectl'),
      contexts: ['stub/one', 'stub/two'],
      current: 'stub/one',
      snapshot: null,
    });
    await assert.rejects(
      client!.request('podium/capture', { context: 'stub/three', path }),
      /there is no context 'stub\/three'/,
    );
    assert.deepEqual(cluster.requests, []);
    const result = await client!.request<CaptureResult>('podium/capture', { context: 'stub/two', path });
    assert.deepEqual(result, {
      summary: `Wrote ${path}: 1 object of stub/two, Kubernetes v1.35.1: 1 node, 0 pods`,
      missing: [],
    });
    assert.match(readFileSync(path, 'utf8'), /"ClusterSnapshot"/);
    const { snapshot } = await client!.request<ContextsResult>('podium/contexts', {});
    assert.deepEqual(snapshot, { path, context: 'stub/two' });
    const { assumptions } = await simulate();
    assert.ok(assumptions.some(({ text }) => text === 'the cluster snapshot of stub/two is less than a minute old'));
  });

  it('leaves what was written where it asks in vain', async () => {
    const path = join(folder, 'cluster.json');
    writeFileSync(path, 'before');
    await cluster.close();
    cluster = await startStubServer({ lists: {}, forbidden: ['nodes'] });
    await start(true);
    await assert.rejects(client!.request('podium/capture', { context: 'stub/one', path }), /nodes cannot be read/);
    assert.equal(readFileSync(path, 'utf8'), 'before');
    assert.deepEqual(readdirSync(folder).sort(), ['cluster.json', 'release.yaml']);
  });

  it('runs and asks nothing in a workspace that is not trusted, and no program of one that is', async () => {
    const mark = join(storage, 'mark');
    for (const program of ['kubectl', 'helm', 'git']) {
      writeFileSync(join(folder, program), `#!/bin/sh\ntouch ${mark}\n`);
      chmodSync(join(folder, program), 0o755);
    }
    const requests = [
      ['podium/remotes', {}],
      ['podium/fetch', { keys: [], mayChange: false }],
      ['podium/contexts', {}],
      ['podium/capture', { context: 'stub/one', path: join(folder, 'cluster.json') }],
    ] as const;
    await start(false, `.:${folder}:${toolFolder('v34')}`);
    for (const [method, params] of requests) {
      await assert.rejects(client!.request(method, params), /In a workspace that is not trusted/);
    }
    await client!.stop({ keepsFolder: true });
    await start(true, `.:${folder}:${toolFolder('v34')}`);
    for (const [method, params] of requests) await client!.request(method, params);
    assert.equal(existsSync(mark), false);
    assert.deepEqual(servers.requests, []);
  });
});
