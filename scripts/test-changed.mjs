/**
 * `npm run test:changed`: the unit tests that import, directly or through others, a file that differs from the last
 * commit; with a clean work tree, one that the last commit changed. The server, which the command line loads for
 * `podium lsp`, does not count for the tests of other commands: they would run after every change of the editor's part.
 * Tests of the packed product, and those that take more than ten seconds each, are left to `npm test`; but one of these
 * that has changed itself is run.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
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
  const entries = Object.values(metafile.outputs).map(({ entryPoint = '' }) => entryPoint);
  return entries.map((test) => ({ test, inputs: importsOf(test, metafile.inputs) }));
}

const server = 'server/src/main.ts';
const packing = 'scripts/lib/shipped.mjs';

/** Ten thousand of everything, random edits, and the reading of the real kubectl, which is started for each text. */
const long = [
  'test/unit/language/bounds.test.ts',
  'test/unit/language/after-edits.test.ts',
  'test/unit/manifests/as-kubectl-reads.test.ts',
];

/**
 * A file with everything that it imports.
 *
 * @param {string} test
 * @param {import('esbuild').Metafile['inputs']} inputs
 */
function importsOf(test, inputs) {
  const found = new Set([test]);
  for (const file of found) {
    for (const { path } of inputs[file]?.imports ?? []) if (path !== server) found.add(path);
  }
  return found;
}

/** @returns {Promise<number>} the exit code */
async function main() {
  if (!(await ensureInstalled())) return 1;
  const changed = changedFiles();
  const tests = (await importsOfTests()).filter(
    ({ test, inputs }) =>
      changed.includes(test) ||
      (!inputs.has(packing) && !long.includes(test) && changed.some((path) => inputs.has(path))),
  );
  if (tests.length === 0) {
    console.log('No unit test imports what has changed.');
    return 0;
  }
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const flags = [
    '--config',
    'test/mocharc.json',
    '--parallel',
    '--jobs',
    String(availableParallelism()),
    '--reporter',
    'dot',
  ];
  const { code } = await run(process.execPath, [mocha, ...flags, ...tests.map(({ test }) => test)]);
  return code;
}

stopOnSignals();
process.chdir(root);
process.exit(await main());
