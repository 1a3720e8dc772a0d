import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { URI } from 'vscode-uri';
import { compileGlob } from '../../../server/src/manifests/glob-pattern.ts';
import { NodeFileProvider } from '../../../server/src/manifests/node-file-provider.ts';

describe('globs', () => {
  const cases: readonly (readonly [glob: string, matching: readonly string[], other: readonly string[]])[] = [
    ['**/vendor', ['vendor', 'a/vendor', 'a/vendor/b.yaml'], ['vendors', 'a/vendored/b']],
    ['*.json', ['a.json'], ['a/b.json', 'a.jsonx']],
    ['a/**/*.yaml', ['a/b.yaml', 'a/b/c.yaml'], ['b.yaml', 'a/b.json']],
    ['{dist,out}/**', ['dist/a', 'out/a/b'], ['in/a']],
    ['a?.y[!x]ml', ['ab.yaml'], ['abc.yaml', 'ab.yxml', 'a/.yaml']],
    ['a+(b).yaml', ['a+(b).yaml'], ['aab.yaml']],
    ['[z-a]', [], ['a']],
  ];
  for (const [glob, matching, other] of cases) {
    it(`read ${glob}`, () => {
      const matches = compileGlob(glob);
      for (const path of matching) assert.ok(matches(path), path);
      for (const path of other) assert.ok(!matches(path), path);
    });
  }
});

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
      'skip/z.yaml',
      'big.yaml',
    ]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), path === 'big.yaml' ? 'x'.repeat(100) : path);
    }
  });
  after(() => rm(folder, { recursive: true }));

  it('are found but for those that are left out', async () => {
    const provider = new NodeFileProvider([folder], { exclude: ['skip', 'c.*'] });
    const found = (await provider.find()).map((uri) => URI.parse(uri).fsPath.slice(folder.length + 1));
    assert.deepEqual(found, ['a.yaml', 'b.yml', 'big.yaml', join('e f', 'é.yaml')]);
    const accepts = (path: string): boolean => provider.accepts(URI.file(join(folder, path)).toString());
    assert.deepEqual(
      ['a.yaml', 'e f/é.yaml', 'd.txt', 'c.json', 'skip/z.yaml', 'node_modules/x.yaml', '../a.yaml'].map(accepts),
      [true, true, false, false, false, false, false],
    );
  });

  it('are read, but not when they are too large or gone', async () => {
    const provider = new NodeFileProvider([folder], { maxBytes: 50 });
    const read = (path: string): ReturnType<typeof provider.read> =>
      provider.read(URI.file(join(folder, path)).toString());
    assert.deepEqual(await read('e f/é.yaml'), { text: 'e f/é.yaml', size: 11 });
    assert.deepEqual(await read('big.yaml'), { text: null, size: 100 });
    assert.deepEqual(await read('none.yaml'), { text: null, size: 0 });
  });

  it('may be named one by one', async () => {
    const file = join(folder, 'd.txt');
    assert.deepEqual(await new NodeFileProvider([file]).find(), [URI.file(file).toString()]);
    assert.deepEqual(await new NodeFileProvider([join(folder, 'none')]).find(), []);
  });
});
