import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URI } from 'vscode-uri';
import type { Report } from '../../server/src/report-model/report.ts';
import { patience } from '../support/patience.ts';
import { TestClient } from './test-client.ts';

const priorityClass = (name: string, value: number): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: ${name} }\nvalue: ${value}\n`;

/** Names of the objects that the server knows, once they are as expected. */
async function namesBecome(client: TestClient, expected: readonly string[]): Promise<void> {
  let names: readonly string[] = [];
  // Not so many questions: on a fast machine they are asked before a folder that came is looked into.
  const end = performance.now() + patience;
  while (names.join() !== expected.join() && performance.now() < end) {
    const symbols = await client.request<readonly { readonly name: string }[]>('workspace/symbol', { query: '' });
    names = symbols.map(({ name }) => name).sort();
    // What is read in the background goes on meanwhile.
    await client.request('podium/simulate', { scenario: { kind: 'workspace' } }).catch(() => null);
  }
  assert.deepEqual(names, expected);
}

describe('folders of the workspace', () => {
  let other: string;
  beforeEach(async () => {
    other = await mkdtemp(join(tmpdir(), 'podium-other-'));
  });
  afterEach(() => rm(other, { recursive: true, force: true }));

  const change = (client: TestClient, added: readonly string[], removed: readonly string[]): Promise<void> => {
    const named = (folders: readonly string[]) =>
      folders.map((path) => ({ uri: URI.file(path).toString(), name: path }));
    const event = { added: named(added), removed: named(removed) };
    return client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  };

  it('are read also when they come with the message after initialized', async () => {
    await writeFile(join(other, 'other.yaml'), priorityClass('other', 1));
    const client = await TestClient.start({ files: { 'first.yaml': priorityClass('first', 2) }, early: true });
    await change(client, [other], []);
    await namesBecome(client, ['first', 'other']);
    await client.stop();
  });

  it('are read when one with a dot in its name comes', async () => {
    const client = await TestClient.start({ files: { 'first.yaml': priorityClass('first', 2) } });
    await client.write('v1.2/second.yaml', priorityClass('second', 1));
    const changes = [{ uri: client.uri('v1.2'), type: 1 }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await namesBecome(client, ['first', 'second']);
    await client.stop();
  });

  it('[#38] have no more what an editor goes on showing of a file that was moved elsewhere, but what was typed in it', async () => {
    const client = await TestClient.start({ files: { 'old.yaml': priorityClass('moved', 2) } });
    const uri = await client.open('old.yaml', priorityClass('moved', 2));
    await client.write('new.yaml', priorityClass('renamed', 1));
    const changes = [
      { uri, type: 3 },
      { uri: client.uri('new.yaml'), type: 1 },
    ];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await namesBecome(client, ['renamed']);
    await client.change(uri, priorityClass('typed', 2));
    await namesBecome(client, ['renamed', 'typed']);
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 3 }] });
    await client.close(uri);
    await namesBecome(client, ['renamed']);
    await client.stop();
  });

  it('have the text of a file that was the snapshot when it changed, once it is none', async () => {
    const settings = { cluster: { snapshot: 'cluster.yaml' } };
    const files = { 'first.yaml': priorityClass('first', 2), 'cluster.yaml': priorityClass('old', 1) };
    const client = await TestClient.start({ files, settings });
    await client.write('cluster.yaml', priorityClass('new', 1));
    const changes = [{ uri: client.uri('cluster.yaml'), type: 2 }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    settings.cluster.snapshot = '';
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await namesBecome(client, ['first', 'new']);
    await client.stop();
  });

  it('are told in the same order, whatever came first', async () => {
    const fails = 'resources: [missing.yaml]\n';
    const client = await TestClient.start({
      files: { 'first.yaml': priorityClass('first', 2), 'second/kustomization.yaml': fails },
    });
    await client.write('before/kustomization.yaml', fails);
    await client.write('before/class.yaml', priorityClass('before', 1));
    const changes = [{ uri: client.uri('before'), type: 1 }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await namesBecome(client, ['before', 'first']);
    await client.open('between/kustomization.yaml', fails);
    const { unseen } = await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });
    assert.deepEqual(
      unseen.map(({ name }) => name),
      ['before', 'between', 'second'],
    );
    await client.stop();
  });

  for (let round = 0; round < 4; round++) {
    it(`take with them what changed just before they went (${round})`, async () => {
      const path = join(other, 'other.yaml');
      await writeFile(path, priorityClass('other', 1));
      const client = await TestClient.start({ files: { 'first.yaml': priorityClass('first', 2) } });
      await change(client, [other], []);
      await namesBecome(client, ['first', 'other']);
      await writeFile(path, priorityClass('other', 3 + round));
      const changes = [{ uri: URI.file(path).toString(), type: 2 }];
      await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
      await change(client, [], [other]);
      await namesBecome(client, ['first']);
      await client.request('podium/simulate', { scenario: { kind: 'workspace' } });
      await namesBecome(client, ['first']);
      await client.stop();
    });
  }
});
