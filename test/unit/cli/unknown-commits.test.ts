import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { podium } from './run-podium.ts';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: main, image: app}]}\n';

describe('where git does not answer', () => {
  let folder: string;
  let cwd: string;

  /** Runs with a program of the name `git` before all others. */
  const withGit = (script: string, args: readonly string[]) => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return podium(args, { cwd, env: { PATH: `${bin}${delimiter}${process.env['PATH']}` } });
  };

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-commits-')));
    cwd = join(folder, 'repository');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'pod.yaml'), pod);
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    execFileSync('git', ['init', '--quiet'], { cwd });
    execFileSync('git', ['add', '.'], { cwd });
    execFileSync('git', [...author, 'commit', '--quiet', '--message', 'one'], { cwd });
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('names the commit that is nearly called so', async () => {
    const { code, stderr } = await podium(['check', '.', '--since', 'HAED'], { cwd });
    assert.equal(code, 2);
    assert.match(stderr, /no such commit: HAED; did you mean HEAD\?/);
  });

  it('says that the repository is of somebody else, when git refuses it for that', async () => {
    // As git tests this itself. Source: git, compat/mingw.h and git-compat-util.h (is_path_owned_by_current_uid)
    const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const foreign = `GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '${git}' "$@"`;
    const checked = await withGit(foreign, ['check', '.']);
    assert.equal(checked.code, 0);
    assert.match(checked.stderr, /committed versions are not known: .*(?:ownership|safe\.directory)/s);
    const compared = await withGit(foreign, ['simulate', '.', '--since', 'HEAD']);
    assert.deepEqual([compared.code, compared.stdout], [2, '']);
    assert.match(compared.stderr, /cannot compare this folder: .*(?:ownership|safe\.directory)/s);
  });

  it('says that there is no git', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    // What the command itself needs.
    symlinkSync(process.execPath, join(empty, 'node'));
    const checked = await podium(['check', '.'], { cwd, env: { PATH: empty } });
    assert.equal(checked.code, 0);
    assert.match(checked.stderr, /committed versions are not known: .*git/);
    const compared = await podium(['simulate', '.', '--since', 'HEAD'], { cwd, env: { PATH: empty } });
    assert.deepEqual([compared.code, compared.stdout], [2, '']);
    assert.match(compared.stderr, /cannot compare this folder: .*git/);
  });
});
