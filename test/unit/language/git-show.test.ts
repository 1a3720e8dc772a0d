import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URI } from 'vscode-uri';
import { showCommitted } from '../../../server/src/processes/git-show.ts';

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
  this.timeout(30_000);
  let folder: string;

  const committed = (path: string): Promise<string | null> => showCommitted(URI.file(join(folder, path)).toString());

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
    assert.equal(await showCommitted('untitled:Untitled-1'), null);
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
});
