import assert from 'node:assert/strict';
import { declaredObjects } from '../../../server/src/manifests/declared-objects.ts';
import type { FileContents, FileProvider } from '../../../server/src/manifests/file-provider.ts';
import { type IndexChange, WorkspaceIndex } from '../../../server/src/manifests/workspace-index.ts';
import { pod } from './read.ts';

/** Files in memory; `hold` keeps a read waiting until it is released. */
class MemoryFiles implements FileProvider {
  readonly files = new Map<string, string>();
  readonly reads: string[] = [];
  readonly held = new Map<string, Promise<void>>();

  find(): Promise<readonly string[]> {
    return Promise.resolve([...this.files.keys()]);
  }

  accepts(uri: string): boolean {
    return !uri.includes('/node_modules/');
  }

  async read(uri: string): Promise<FileContents> {
    this.reads.push(uri);
    const text = this.files.get(uri) ?? null;
    await this.held.get(uri);
    return { text, size: text?.length ?? 0 };
  }
}

const uri = (path: string): string => `file:///work/${path}`;
const named = (name: string, namespace = 'shop'): string => pod(`metadata: {name: ${name}, namespace: ${namespace}}`);
const names = (index: WorkspaceIndex): string[] =>
  index
    .files()
    .flatMap(({ documents }) => documents.flatMap(({ document }) => document.objects.map(({ name }) => name)));

async function indexOf(
  files: Readonly<Record<string, string>>,
): Promise<{ index: WorkspaceIndex; provider: MemoryFiles; changes: IndexChange[] }> {
  const provider = new MemoryFiles();
  for (const [path, text] of Object.entries(files)) provider.files.set(uri(path), text);
  const index = new WorkspaceIndex(provider);
  await index.index();
  const changes: IndexChange[] = [];
  index.onDidChange((change) => changes.push(change));
  return { index, provider, changes };
}

describe('the workspace index', () => {
  it('keeps the files that have manifests or templates of objects, in their order', async () => {
    const { index } = await indexOf({
      'b.yaml': `${named('b1')}---\n${named('b2')}`,
      'a.json':
        '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}]}',
      'values.yaml': 'replicas: 3\n',
      'chart.yaml': pod('spec: {{ .Values.spec }}'),
      'values.gotmpl.yaml': 'replicas: {{ .Values.replicas }}\n',
    });
    assert.deepEqual(names(index), ['a', 'b1', 'b2']);
    assert.deepEqual(
      index.files().map((file) => file.uri),
      [uri('a.json'), uri('b.yaml'), uri('chart.yaml')],
    );
  });

  it('does not read what a later search has not found any more', async () => {
    const { index, provider } = await indexOf({ 'a.yaml': named('a') });
    provider.files.set(uri('b.yaml'), named('b'));
    let find = (): void => undefined;
    const found = new Promise<void>((resolve) => (find = resolve));
    const later = provider.find.bind(provider);
    provider.find = async () => {
      const uris = await later();
      await found;
      return uris;
    };
    const earlier = index.index();
    provider.find = later;
    // As where a folder is taken out of the workspace: its files are still on disk.
    const text = provider.files.get(uri('b.yaml'))!;
    provider.files.delete(uri('b.yaml'));
    await index.index();
    provider.files.set(uri('b.yaml'), text);
    find();
    await earlier;
    assert.deepEqual(names(index), ['a']);
  });

  it('does not count a file that has gone before it was read among those that were found', async () => {
    const { index } = await indexOf({ 'a.yaml': named('a') });
    await index.changed(uri('gone.yaml'));
    assert.deepEqual([...index.uris()], [uri('a.yaml')]);
  });

  it('tells progress, and one change for all that was read', async () => {
    const provider = new MemoryFiles();
    for (let i = 0; i < 20; i++) provider.files.set(uri(`${i}.yaml`), named(`pod-${i}`));
    const index = new WorkspaceIndex(provider);
    const changes: IndexChange[] = [];
    index.onDidChange((change) => changes.push(change));
    const progress: number[] = [];
    const indexing = index.index({ onProgress: ({ done, total }) => progress.push(done / total) });
    assert.equal(index.isIndexing, true);
    await indexing;
    assert.equal(index.isIndexing, false);
    assert.deepEqual(
      progress,
      Array.from({ length: 21 }, (_, i) => i / 20),
    );
    assert.equal(changes.flatMap(({ files }) => files).length, 20);
    assert.deepEqual([...changes.at(-1)!.kinds], ['Pod']);
    assert.equal(changes.at(-1)!.version, index.version);
  });

  it('stops when it is cancelled and keeps what it has', async () => {
    const provider = new MemoryFiles();
    for (let i = 0; i < 50; i++) provider.files.set(uri(`${i}.yaml`), named(`pod-${i}`));
    const cancel = new AbortController();
    const index = new WorkspaceIndex(provider);
    await index.index({
      signal: cancel.signal,
      onProgress: ({ done }) => {
        if (done === 10) cancel.abort();
      },
    });
    assert.ok(provider.reads.length < 30);
    assert.equal(names(index).length, provider.reads.length);
  });

  it('outlives a provider that fails', async () => {
    const index = new WorkspaceIndex({
      find: () => Promise.resolve([uri('a.yaml')]),
      read: () => Promise.reject(new Error('gone')),
    });
    await index.index();
    assert.deepEqual(index.files(), []);
    await new WorkspaceIndex({
      find: () => Promise.reject(new Error('no')),
      read: () => Promise.reject(new Error('no')),
    }).index();
  });

  it('lets open editors win over the disk until they are closed', async () => {
    const { index, provider } = await indexOf({ 'a.yaml': named('disk') });
    index.change(uri('a.yaml'), named('editor'), 1);
    assert.deepEqual(names(index), ['editor']);
    assert.equal(index.file(uri('a.yaml'))?.version, 1);
    provider.files.set(uri('a.yaml'), named('saved'));
    await index.changed(uri('a.yaml'));
    assert.deepEqual(names(index), ['editor']);
    index.change(uri('a.yaml'), named('edited'), 2);
    assert.deepEqual(names(index), ['edited']);
    index.close(uri('a.yaml'));
    assert.deepEqual(names(index), ['saved']);
    assert.equal(index.file(uri('a.yaml'))?.version, null);
  });

  it('knows a file by any spelling of its URI', async () => {
    const { index } = await indexOf({ 'a%20(1).yaml': named('disk') });
    index.change('file:///work/a%20%281%29.yaml', named('editor'), 1);
    assert.deepEqual(names(index), ['editor']);
  });

  it('says which documents changed, not which moved', async () => {
    const { index, changes } = await indexOf({ 'a.yaml': `${named('one')}---\n${named('two')}` });
    index.change(uri('a.yaml'), `${named('one')}# more\n---\n${named('two')}`, 1);
    assert.equal(changes.length, 1);
    const change = changes[0]!.files[0]!;
    assert.deepEqual(
      change.added.map(({ index: at }) => at),
      [0],
    );
    assert.deepEqual(
      change.removed.map(({ index: at }) => at),
      [0],
    );
    assert.deepEqual(
      change.after?.documents.map(({ line }) => line),
      [0, 4],
    );
  });

  it('follows files and folders that appear, change, move and disappear', async () => {
    const { index, provider, changes } = await indexOf({
      'a/1.yaml': named('a1'),
      'a/2.yaml': named('a2'),
      'ab.yaml': named('ab'),
    });
    provider.files.set(uri('c.yaml'), named('c'));
    await index.changed(uri('c.yaml'));
    assert.deepEqual(names(index), ['a1', 'a2', 'ab', 'c']);
    provider.files.set(uri('c.yaml'), 'no: manifest\n');
    await index.changed(uri('c.yaml'));
    assert.deepEqual(names(index), ['a1', 'a2', 'ab']);
    provider.files.set(uri('d.yaml'), named('a1'));
    index.deleted(uri('a/1.yaml'));
    await index.changed(uri('d.yaml'));
    assert.deepEqual(names(index), ['a2', 'ab', 'a1']);
    const version = index.version;
    index.deleted(uri('a'));
    assert.deepEqual(names(index), ['ab', 'a1']);
    assert.ok(index.version > version);
    assert.ok(changes.every((change, i) => i === 0 || change.version > changes[i - 1]!.version));
    await index.changed(uri('node_modules/x.yaml'));
    assert.ok(!provider.reads.includes(uri('node_modules/x.yaml')));
  });

  it('drops what an old read brings after a newer event', async () => {
    const { index, provider } = await indexOf({ 'a.yaml': named('old') });
    let release = (): void => undefined;
    provider.held.set(uri('a.yaml'), new Promise((resolve) => (release = resolve)));
    const slow = index.changed(uri('a.yaml'));
    provider.held.delete(uri('a.yaml'));
    provider.files.set(uri('a.yaml'), named('new'));
    await index.changed(uri('a.yaml'));
    index.deleted(uri('a.yaml'));
    release();
    await slow;
    assert.deepEqual(names(index), []);
  });

  it('forgets files that are gone when it is built again', async () => {
    const { index, provider } = await indexOf({ 'a.yaml': named('a'), 'b.yaml': named('b') });
    provider.files.delete(uri('a.yaml'));
    await index.index();
    assert.deepEqual(names(index), ['b']);
  });

  it('does not tell those who stopped listening', async () => {
    const { index } = await indexOf({ 'a.yaml': named('a') });
    let reported = 0;
    const stop = index.onDidChange(() => reported++);
    index.change(uri('a.yaml'), named('b'), 1);
    stop();
    index.close(uri('a.yaml'));
    assert.equal(reported, 1);
  });
});

describe('decoded objects', () => {
  it('know where their name is written, and are decoded once', async () => {
    const { index } = await indexOf({
      'a.yaml': `# head\n---\n${pod('metadata:', '  name: "😀"', 'spec:', '  priority: 5')}`,
    });
    const file = index.file(uri('a.yaml'))!;
    const [declared] = declaredObjects(file);
    assert.equal(declared?.object.metadata?.name, '😀');
    assert.deepEqual(declared.origin, {
      uri: uri('a.yaml'),
      range: { start: { line: 5, character: 8 }, end: { line: 5, character: 12 } },
    });
    assert.equal(declared.object, file.documents[0]!.document.objects[0]!.decoded.object);
  });
});
