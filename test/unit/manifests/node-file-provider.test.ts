import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { URI } from 'vscode-uri';
import { NodeFileProvider } from '../../../server/src/manifests/node-file-provider.ts';

describe('files of the file system', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-files-'));
    for (const path of [
      'a.yaml',
      'b.yml',
      'c.json',
      'd.txt',
      'e f/é.yaml',
      'node_modules/x.yaml',
      '.git/y.yaml',
      '.argocd/z.yaml',
      '.venv/lib/w.yaml',
      'big.yaml',
    ]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), path === 'big.yaml' ? 'x'.repeat(100) : path);
    }
  });
  after(() => rm(folder, { recursive: true }));

  it('are found but for those that are left out', async () => {
    const provider = new NodeFileProvider([folder]);
    const found = (await provider.find()).map((uri) => URI.parse(uri).fsPath.slice(folder.length + 1));
    assert.deepEqual(found, [
      join('.argocd', 'z.yaml'),
      'a.yaml',
      'b.yml',
      'big.yaml',
      'c.json',
      join('e f', 'é.yaml'),
    ]);
    const accepts = (path: string): boolean => provider.accepts(URI.file(join(folder, path)).toString());
    assert.deepEqual(
      [
        'a.yaml',
        'e f/é.yaml',
        'c.json',
        'd.txt',
        '.argocd/z.yaml',
        '.git/y.yaml',
        '.venv/lib/w.yaml',
        'node_modules/x.yaml',
        '../a.yaml',
      ].map(accepts),
      [true, true, true, false, true, false, false, false, false],
    );
  });

  it('are read, but not when they are too large or gone', async () => {
    const provider = new NodeFileProvider([folder], { maxBytes: 50 });
    const read = (path: string): ReturnType<typeof provider.read> =>
      provider.read(URI.file(join(folder, path)).toString());
    assert.deepEqual(await read('e f/é.yaml'), { text: 'e f/é.yaml', size: 11 });
    assert.deepEqual(await read('big.yaml'), { text: null, size: 100, error: 'too large' });
    assert.deepEqual(await read('none.yaml'), { text: null, size: 0, error: 'ENOENT' });
  });

  it('may be named one by one', async () => {
    const file = join(folder, 'd.txt');
    assert.deepEqual(await new NodeFileProvider([file]).find(), [URI.file(file).toString()]);
    const none = join(folder, 'none');
    assert.deepEqual(await new NodeFileProvider([none]).find(), [URI.file(none).toString()]);
  });
});

describe('reading what is no manifest', () => {
  let folder: string;

  const read = async (name: string) => new NodeFileProvider([]).read(URI.file(join(folder, name)).toString());
  const errorOf = async (name: string): Promise<string | undefined> => {
    const { text, error } = await read(name);
    assert.equal(text, null);
    return error;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-odd-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('never waits for a pipe, and names folders, devices and what is missing', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    await symlink('/dev/zero', join(folder, 'zero.yaml'));
    assert.equal(await errorOf('pipe.yaml'), 'is a named pipe');
    assert.equal(await errorOf('zero.yaml'), 'is a device');
    assert.equal(await errorOf('.'), 'is a folder');
    assert.equal(await errorOf('gone.yaml'), 'ENOENT');
  });

  it('reads a pipe that a shell hands over to its end, its limit or its silence, and only where it is asked to', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const uri = URI.file(`/dev/fd/${fd}`).toString();
    const print = (): void => void execFileSync('sh', ['-c', `printf 'kind: Pod' > '${pipe}'`]);
    print();
    assert.deepEqual(await new NodeFileProvider([]).read(uri), { text: null, size: 0, error: 'is a named pipe' });
    assert.equal((await new NodeFileProvider([], { pipePatience: 60_000 }).read(uri)).text, 'kind: Pod');
    print();
    const small = new NodeFileProvider([], { pipePatience: 60_000, maxBytes: 5 });
    assert.equal((await small.read(uri)).error, 'too large');
    // Somebody writes to it who never ends.
    const silent = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const { error } = await new NodeFileProvider([], { pipePatience: 20 }).read(uri);
    assert.equal(error, 'is a pipe that sent nothing for 0.02 seconds');
    closeSync(silent);
    closeSync(fd);
  });

  it('reads UTF-16 with a byte order mark, and names other encodings', async () => {
    const text = 'kind: Pod # ä😀\r\n';
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    await writeFile(join(folder, 'little.yaml'), little);
    await writeFile(join(folder, 'big.yaml'), Buffer.from(little).swap16());
    assert.equal((await read('little.yaml')).text, text);
    assert.equal((await read('big.yaml')).text, text);
    await writeFile(join(folder, 'bare.yaml'), Buffer.from(text, 'utf16le'));
    await writeFile(join(folder, 'latin.yaml'), Buffer.from('# Käse', 'latin1'));
    await writeFile(join(folder, 'wide.yaml'), Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]));
    assert.match((await errorOf('bare.yaml')) ?? '', /^is written in UTF-16LE without a byte order mark/);
    assert.match((await errorOf('latin.yaml')) ?? '', /not UTF-8, such as Windows-1252 \(byte 0xE4 at 3\)/);
    assert.match((await errorOf('wide.yaml')) ?? '', /^is written in UTF-32LE/);
  });
});
