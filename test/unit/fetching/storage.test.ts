import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Fetched } from '../../../server/src/sources/files/fetched.ts';
import { remoteFile } from '../../../server/src/sources/files/remote.ts';
import { root } from '../../../scripts/lib/paths.mjs';

/** A process that takes some files into a storage, one after the other. */
const taker = `
const [storage, from, to] = process.argv.slice(1);
const { mkdir, writeFile } = await import('node:fs/promises');
const { join } = await import('node:path');
const { Storage } = await import(${JSON.stringify(join(root, 'server/src/fetching/storage.ts'))});
const { remoteFile } = await import(${JSON.stringify(join(root, 'server/src/sources/files/remote.ts'))});
const kept = await Storage.open(storage, []);
for (let at = Number(from); at < Number(to); at++) {
  await kept.withFolder(async (folder) => {
    const base = join(folder, 'file');
    await mkdir(base);
    await writeFile(join(base, 'a.yaml'), String(at));
    const url = 'https://podium.example/' + at;
    const content = { folder: base, file: 'a.yaml', sha256: String(at).padStart(64, '0'), resolved: '', pin: 'file ' + url };
    await kept.take(remoteFile(url), content, false, '2026-01-01T00:00:00Z');
  });
}
`;

describe('the storage of what is fetched', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-storage-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const take = (from: number, to: number): Promise<unknown> =>
    promisify(execFile)(
      process.execPath,
      [...['--import', 'tsx', '--input-type=module', '-e', taker], ...[folder, String(from), String(to)]],
      { cwd: root },
    );

  it('loses nothing of two processes that fetch at once', async () => {
    await Promise.all([take(0, 15), take(15, 30)]);
    const lock = JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8')) as { entries: object; pins: object };
    assert.equal(Object.keys(lock.entries).length, 30);
    assert.equal(Object.keys(lock.pins).length, 30);
  });

  it('goes on after a process that ended while it held the lock', async () => {
    await writeFile(join(folder, 'lock.json.held'), '2147483646');
    await take(0, 1);
    await assert.rejects(readFile(join(folder, 'lock.json.held')));
  });

  it('gives out nothing that was changed after it was fetched, and takes it anew', async () => {
    await take(7, 8);
    const remote = remoteFile('https://podium.example/7');
    const path = await (await Fetched.read(folder, [])).path(remote);
    assert.equal(await readFile(path!, 'utf8'), '7');
    await writeFile(path!, 'forged');
    assert.equal(await (await Fetched.read(folder, [])).path(remote), null);
    await take(7, 8);
    assert.equal(await readFile((await (await Fetched.read(folder, [])).path(remote))!, 'utf8'), '7');
    await writeFile(join(path!, '../more.yaml'), 'a: b');
    assert.equal(await (await Fetched.read(folder, [])).path(remote), null);
  });
});
