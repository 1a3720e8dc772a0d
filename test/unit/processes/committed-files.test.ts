import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { committedFiles } from '../../../server/src/processes/committed-files.ts';

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'pipe' });
}

/** A repository with one manifest of a given text. */
function repository(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  writeFileSync(join(folder, 'pod.yaml'), text);
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
}

describe('[ED-3] the committed text of a file', function () {
  // Git runs many times, on machines that may be busy.
  let folder: string;

  async function committed(path: string): Promise<string | null> {
    const { contents, unknown } = await committedFiles([join(folder, path)]);
    assert.deepEqual(unknown, []);
    return contents.get(join(folder, path))?.toString() ?? null;
  }

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-repositories-')));
    repository(join(folder, 'one'), 'one\n');
    repository(join(folder, 'two'), 'two\n');
    // Of a repository within another, ignored by that one.
    repository(join(folder, 'one/vendored'), 'vendored\n');
    git(join(folder, 'two'), 'submodule', 'add', '-q', join(folder, 'one'), 'module');
    git(join(folder, 'two'), 'commit', '-q', '-m', 'module');
    git(join(folder, 'one'), 'branch', 'other');
    git(join(folder, 'one'), 'worktree', 'add', '-q', join(folder, 'tree'), 'other');
    writeFileSync(join(folder, 'tree/pod.yaml'), 'tree\n');
    git(join(folder, 'tree'), 'commit', '-q', '-a', '-m', 'in the tree');
    for (const path of ['one', 'two', 'one/vendored', 'two/module', 'tree']) {
      writeFileSync(join(folder, path, 'pod.yaml'), 'edited\n');
    }
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('comes from the repository that the file is in, of several', async () => {
    assert.equal(await committed('one/pod.yaml'), 'one\n');
    assert.equal(await committed('two/pod.yaml'), 'two\n');
  });

  it('comes from the innermost repository', async () => {
    assert.equal(await committed('one/vendored/pod.yaml'), 'vendored\n');
    assert.equal(await committed('two/module/pod.yaml'), 'one\n');
  });

  it('is that of the branch of the work tree that the file is in', async () => {
    assert.equal(await committed('tree/pod.yaml'), 'tree\n');
  });

  it('is none where nothing was committed', async () => {
    writeFileSync(join(folder, 'one/new.yaml'), 'new\n');
    writeFileSync(join(folder, 'loose.yaml'), 'loose\n');
    assert.equal(await committed('one/new.yaml'), null);
    assert.equal(await committed('loose.yaml'), null);
  });

  it('is that of the file also where git itself runs the program, as in a hook', async () => {
    const outside = process.env;
    const two = join(folder, 'two');
    process.env = { ...outside, GIT_DIR: join(two, '.git'), GIT_WORK_TREE: two, GIT_INDEX_FILE: '.git/index' };
    try {
      assert.equal(await committed('one/pod.yaml'), 'one\n');
    } finally {
      process.env = outside;
    }
  });

  it('is told with one process for each repository, in whatever order files are asked for', async () => {
    const count = join(folder, 'count');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho >> '${count}'\nexec '${git}' "$@"\n`, { mode: 0o755 });
    for (let index = 0; index < 300; index++) writeFileSync(join(folder, `two/${index}.yaml`), `${index}\n`);
    const outside = process.env;
    process.env = { ...outside, PATH: `${bin}:${outside['PATH']}` };
    try {
      const numbered = Array.from({ length: 300 }, (_, index) => join(folder, `two/${index}.yaml`));
      const { contents } = await committedFiles([
        ...numbered,
        join(folder, 'one/pod.yaml'),
        join(folder, 'two/pod.yaml'),
      ]);
      assert.equal(contents.size, 302);
      assert.equal(contents.get(join(folder, 'two/7.yaml')), null);
      assert.equal(String(contents.get(join(folder, 'two/pod.yaml'))), 'two\n');
      assert.equal(readFileSync(count, 'utf8'), '\n\n');
    } finally {
      process.env = outside;
    }
  });

  it('is not known, and the answer says why, when git takes longer than it may', async () => {
    const started = join(folder, 'started');
    const bin = join(folder, 'slow');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho > '${started}'\nexec sleep 1000\n`, { mode: 0o755 });
    const outside = process.env;
    process.env = { ...outside, PATH: `${bin}:${outside['PATH']}` };
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const path = join(folder, 'one/pod.yaml');
      const asked = committedFiles([path]);
      while (!existsSync(started)) await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(60_000);
      const { contents, unknown } = await asked;
      assert.deepEqual([contents.has(path), unknown], [false, ['git: it does not answer within 60 s']]);
    } finally {
      mock.timers.reset();
      process.env = outside;
    }
  });

  it('is that of the file to which a link leads', async () => {
    symlinkSync(join(folder, 'two/pod.yaml'), join(folder, 'one/link.yaml'));
    assert.equal(await committed('one/link.yaml'), 'two\n');
  });
});
