/**
 * `npm run test:changed`: the unit tests that import, directly or through others, a file that differs from the last
 * commit; with a clean work tree, one that the last commit changed.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { ensureInstalled } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { run, stopOnSignals } from './lib/processes.mjs';

/** @param {readonly string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

/** Paths from the project's folder, with slashes, as git and esbuild write them. */
function changedFiles() {
  const now = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  return now.length > 0 ? now : git('diff', '--name-only', 'HEAD~1', 'HEAD');
}

/** Each test file with everything that it imports. */
async function importsOfTests() {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/unit/**/*.test.ts', 'test/webview/model.test.ts', 'test/webview/session.test.ts'],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'nowhere',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  return Object.values(metafile.outputs).map(({ entryPoint = '', inputs }) => ({ test: entryPoint, inputs }));
}

/** @returns {Promise<number>} the exit code */
async function main() {
  if (!(await ensureInstalled())) return 1;
  const changed = changedFiles();
  const tests = (await importsOfTests()).filter(({ inputs }) => changed.some((path) => path in inputs));
  if (tests.length === 0) {
    console.log('No unit test imports what has changed.');
    return 0;
  }
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const flags = ['--config', 'test/mocharc.json', '--parallel', '--reporter', 'dot'];
  const { code } = await run(process.execPath, [mocha, ...flags, ...tests.map(({ test }) => test)]);
  return code;
}

stopOnSignals();
process.chdir(root);
process.exit(await main());
