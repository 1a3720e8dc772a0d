import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CancellationTokenSource,
  type Diagnostic,
  type DocumentDiagnosticReport,
  ResponseError,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import { TestClient, type TestClientOptions } from './test-client.ts';

const className = (name: string): string => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: ${name} }
value: 100
`;

const pod = (priorityClassName: string, name = 'web'): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  priorityClassName: ${priorityClassName}
  containers: [{ name: app, image: app }]
`;

const files = { 'classes.yaml': className('high'), 'apps/web.yaml': pod('high'), 'apps/api.yaml': pod('high', 'api') };

const codesOf = (diagnostics: readonly Diagnostic[]): unknown[] => diagnostics.map(({ code }) => code);
const isUnknown = (diagnostics: readonly Diagnostic[]): boolean =>
  codesOf(diagnostics).includes('unknown-priority-class');

describe('problems of files that are not open, of which an editor is told', () => {
  let client: TestClient;

  const start = async (options: TestClientOptions): Promise<void> => {
    client = await TestClient.start(options);
  };

  afterEach(async () => {
    assert.equal(await client.stop(), 0);
  });

  it('[ED-6] come when a class is renamed in an editor, and go when it is back', async () => {
    await start({ files });
    assert.equal(client.initialized.capabilities.diagnosticProvider, undefined);
    const uri = await client.open('classes.yaml', className('highest'));
    for (const path of ['apps/web.yaml', 'apps/api.yaml']) {
      const [found] = await client.diagnostics(client.uri(path), isUnknown);
      assert.match(JSON.stringify(found!.message), /high/);
    }
    await client.change(uri, className('high'));
    for (const path of ['apps/web.yaml', 'apps/api.yaml']) {
      await client.diagnostics(client.uri(path), (shown) => shown.length === 0);
    }
  });

  it('are those of the text on disk when an editor is closed, and go with their file', async () => {
    await start({ files: { ...files, 'apps/web.yaml': pod('nobody') } });
    const web = client.uri('apps/web.yaml');
    await client.diagnostics(web, isUnknown);
    await client.open('apps/web.yaml', pod('high'));
    await client.diagnostics(web, (shown) => shown.length === 0);
    await client.close(web);
    await client.diagnostics(web, (shown, version) => isUnknown(shown) && version === undefined);
    await rm(join(client.folder, 'apps/web.yaml'));
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: web, type: 3 }] });
    await client.diagnostics(web, (shown) => shown.length === 0);
  });

  it('are none of files that are excluded, or of nobody here', async () => {
    const broken = pod('nobody');
    await start({
      files: {
        'apps/web.yaml': broken,
        'old/web.yaml': broken,
        'vendor/web.yaml': broken,
        'node_modules/web.yaml': broken,
      },
      settings: { exclude: ['old/**'] },
    });
    await client.diagnostics(client.uri('apps/web.yaml'), isUnknown);
    assert.deepEqual([...new Set(client.published.map(({ uri }) => uri))], [client.uri('apps/web.yaml')]);
  });

  it('are not told with podium.diagnostics.scope at open', async () => {
    await start({ files: { ...files, 'apps/web.yaml': pod('nobody') }, settings: { diagnostics: { scope: 'open' } } });
    const uri = await client.open('apps/api.yaml', pod('nobody', 'api'));
    await client.diagnostics(uri, isUnknown);
    // The answer to the next change comes after everything that the first could have led to.
    await client.change(uri, pod('high', 'api'));
    await client.diagnostics(uri);
    assert.deepEqual([...new Set(client.published.map((params) => params.uri))], [uri]);
    await client.close(uri);
    await client.diagnostics(uri, (shown, shownVersion) => shown.length === 0 && shownVersion === undefined);
  });
});

describe('problems that an editor asks for', () => {
  let client: TestClient;

  const start = async (options: TestClientOptions = {}): Promise<void> => {
    client = await TestClient.start({
      files,
      ...options,
      capabilities: { textDocument: { diagnostic: {} }, ...options.capabilities },
    });
  };
  const ofDocument = (uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport> =>
    client.request('textDocument/diagnostic', {
      textDocument: { uri },
      ...(previousResultId === undefined ? {} : { previousResultId }),
    });
  const ofWorkspace = async (
    known: readonly WorkspaceDocumentDiagnosticReport[] = [],
  ): Promise<readonly WorkspaceDocumentDiagnosticReport[]> => {
    const previousResultIds = known.flatMap(({ uri, resultId }) =>
      resultId === undefined ? [] : [{ uri, value: resultId }],
    );
    const { items } = await client.request<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds });
    return items;
  };
  const shownOf = (items: readonly WorkspaceDocumentDiagnosticReport[]): unknown[] =>
    items.map((item) => [
      item.uri.slice(item.uri.lastIndexOf('/') + 1),
      item.kind === 'full' ? codesOf(item.items) : 'unchanged',
    ]);

  afterEach(async () => {
    // Never both: whoever asks is told of nothing.
    assert.deepEqual(client.published, []);
    assert.equal(await client.stop(), 0);
  });

  it('are announced, and answered for an open file, again only when they have changed', async () => {
    await start();
    assert.deepEqual(client.initialized.capabilities.diagnosticProvider, {
      identifier: 'podium',
      interFileDependencies: true,
      workspaceDiagnostics: true,
    });
    const uri = await client.open('apps/web.yaml', pod('nobody'));
    const first = await ofDocument(uri);
    assert.ok(first.kind === 'full' && isUnknown(first.items) && first.resultId !== undefined);
    assert.deepEqual(await ofDocument(uri, first.resultId), { kind: 'unchanged', resultId: first.resultId });
    await client.change(uri, pod('high'));
    const next = await ofDocument(uri, first.resultId);
    assert.ok(next.kind === 'full' && next.items.length === 0);
  });

  it('are answered for a file that is not open, and for one that is not there', async () => {
    await start({ files: { ...files, 'apps/web.yaml': pod('nobody') } });
    const found = await ofDocument(client.uri('apps/web.yaml'));
    assert.ok(found.kind === 'full' && isUnknown(found.items));
    assert.deepEqual(await ofDocument(client.uri('apps/none.yaml')), { kind: 'full', items: [] });
  });

  it('[ED-6] are answered for the workspace: what is new, what is as it was, and what is gone', async () => {
    await start();
    assert.deepEqual(await ofWorkspace(), []);
    const uri = await client.open('classes.yaml', className('highest'));
    const renamed = await ofWorkspace();
    assert.deepEqual(shownOf(renamed), [
      ['api.yaml', ['unknown-priority-class']],
      ['web.yaml', ['unknown-priority-class']],
    ]);
    assert.deepEqual(shownOf(await ofWorkspace(renamed)), [
      ['api.yaml', 'unchanged'],
      ['web.yaml', 'unchanged'],
    ]);
    await rm(join(client.folder, 'apps/api.yaml'));
    const deleted = { uri: client.uri('apps/api.yaml'), type: 3 };
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [deleted] });
    assert.deepEqual(shownOf(await ofWorkspace(renamed)), [
      ['api.yaml', []],
      ['web.yaml', 'unchanged'],
    ]);
    await client.change(uri, className('high'));
    assert.deepEqual(shownOf(await ofWorkspace(renamed)), [
      ['api.yaml', []],
      ['web.yaml', []],
    ]);
  });

  it('are answered in parts where the editor takes parts', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 450 }, (_, index) => [`pod-${index}.yaml`, pod('nobody', `pod-${index}`)]),
    );
    await start({ files: many });
    const parts: number[] = [];
    client.connection.onNotification(
      '$/progress',
      ({ token, value }: { token: string; value: WorkspaceDiagnosticReport }) => {
        if (token === 'parts') parts.push(value.items.length);
      },
    );
    const params = { previousResultIds: [], partialResultToken: 'parts' };
    assert.deepEqual(await client.request('workspace/diagnostic', params), { items: [] });
    assert.deepEqual(parts, [200, 200, 50]);
  });

  it('are told as they change to an editor that keeps its question open, until it is cancelled', async () => {
    await start({ initializationOptions: { keepsPulling: true } });
    const byKey = new Map<string, readonly Diagnostic[]>();
    client.connection.onNotification(
      '$/progress',
      ({ token, value }: { token: string; value: WorkspaceDiagnosticReport }) => {
        if (token !== 'parts') return;
        for (const item of value.items) if (item.kind === 'full') byKey.set(item.uri, item.items);
        client.notify();
      },
    );
    const source = new CancellationTokenSource();
    const params = { previousResultIds: [], partialResultToken: 'parts' };
    const asked = client.connection.sendRequest('workspace/diagnostic', params, source.token);
    const web = client.uri('apps/web.yaml');
    const until = (condition: (shown: readonly Diagnostic[] | undefined) => boolean): Promise<void> =>
      client.until(
        () => condition(byKey.get(web)),
        () => JSON.stringify([...byKey]),
      );
    const uri = await client.open('classes.yaml', className('highest'));
    await until((shown) => shown !== undefined && isUnknown(shown));
    await client.change(uri, className('high'));
    await until((shown) => shown?.length === 0);
    // What an editor shows of a file that it closes is no answer about the workspace, and is told anew.
    await client.open('apps/web.yaml', pod('nobody'));
    await until((shown) => shown !== undefined && isUnknown(shown));
    byKey.delete(web);
    // As an editor does that hides a file at once: what it asked for about the file does not count any more.
    const hidden = await ofDocument(web);
    assert.ok(hidden.kind === 'full' && isUnknown(hidden.items));
    await until((shown) => shown !== undefined && isUnknown(shown));
    byKey.delete(web);
    await client.close(web);
    await until((shown) => shown?.length === 0);
    source.cancel();
    await assert.rejects(asked, (error) => error instanceof ResponseError && error.code === -32800);
  });

  it('are asked for again when a change concerns another open file', async () => {
    await start({ capabilities: { workspace: { diagnostics: { refreshSupport: true } } } });
    let refreshes = 0;
    client.connection.onRequest('workspace/diagnostic/refresh', () => {
      refreshes += 1;
      client.notify();
      return null;
    });
    const web = await client.open('apps/web.yaml', pod('high'));
    const classes = await client.open('classes.yaml', className('high'));
    const before = await ofDocument(web);
    await ofDocument(classes);
    await client.change(classes, className('highest'));
    await client.until(
      () => refreshes > 0,
      () => 'a refresh of diagnostics',
    );
    const after = await ofDocument(web, before.resultId);
    assert.ok(after.kind === 'full' && isUnknown(after.items));
    assert.equal(refreshes, 1);
  });

  it('are not answered to who does not want to know any more, and to nobody after the end', async () => {
    await start();
    const uri = await client.open('apps/web.yaml', pod('nobody'));
    const source = new CancellationTokenSource();
    const asked = client.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } }, source.token);
    source.cancel();
    await assert.rejects(asked, (error) => error instanceof ResponseError && error.code === -32800);
    await assert.rejects(client.request('workspace/diagnostic', {}), /not understood, at previousResultIds/);
  });
});
