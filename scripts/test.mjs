/**
 * `npm test`: installs what is missing and runs every check and every suite, also after a failure: first what is built,
 * then two at a time where there are two processors. The last line counts them; a check counts as one.
 *
 *   node scripts/test.mjs [SUITE…]   only these, by name
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserHint, ensureBrowser, installFromDebian } from './browser.mjs';
import { ensureInstalled } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { run, stopOnSignals } from './lib/processes.mjs';
import { installHost } from './vscode-host.mjs';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {readonly string[]} args for Node
 * @property {readonly Need[]} [needs]
 * @property {boolean} [counted] whether it counts tests; otherwise it counts as one
 * @property {boolean} [optional] whether it runs only when it is named
 * @property {'before' | 'beside'} [order] before everything else; or beside the unit tests and those of the page, one after the other
 * @property {Record<string, string>} [env]
 */
/** @typedef {keyof typeof needs} Need */

const bin = (/** @type {string} */ path) => join(root, 'node_modules', ...path.split('/'));

/** @type {(name: string, ...args: string[]) => Suite} */
const check = (name, ...args) => ({ name, args, order: 'beside' });

/** @type {(suite: Suite) => Suite} */
const before = (suite) => ({ ...suite, order: 'before' });

/** @type {(suite: Suite) => Suite} */
const beside = (suite) => ({ ...suite, order: 'beside' });

/** @type {(name: string, pattern: string, ...needs: Need[]) => Suite} */
const mocha = (name, pattern, ...needs) => ({
  name,
  args: [
    bin('mocha/bin/mocha.js'),
    '--config',
    'test/mocharc.json',
    '--reporter',
    'test/support/counting-reporter.mjs',
    pattern,
  ],
  needs,
  counted: true,
});

/** @type {Suite} */
const podiumLsp = {
  ...mocha('protocol/podium-lsp', 'test/protocol/**/*.test.ts'),
  env: { PODIUM_TEST_SERVER: 'podium-lsp' },
};

/** @type {(name: string) => Suite} */
const insideEditor = (name) => ({
  name: `editor/${name}`,
  args: ['--import', 'tsx', 'test/editor/run.ts', name],
  needs: ['browser', 'oldest'],
  counted: true,
});

/** @type {(name: string) => Suite} */
const insideNewestEditor = (name) => ({
  ...insideEditor(name),
  name: `editor/${name}/newest`,
  needs: ['browser', 'newest'],
  optional: true,
  env: { PODIUM_VSCODE: 'newest' },
});

/** @type {readonly Suite[]} */
const suites = [
  before(check('build', 'esbuild.mjs')),
  before(check('build-tests', 'esbuild.mjs', '--tests')),
  check('types', bin('typescript/bin/tsc'), '--build'),
  check('format', bin('prettier/bin/prettier.cjs'), '--check', '.'),
  check('lint', bin('eslint/bin/eslint.js'), '.'),
  check('unused', bin('knip/bin/knip.js')),
  mocha('unit', 'test/unit/**/*.test.ts'),
  beside(mocha('conformance', 'test/conformance/**/*.test.ts')),
  beside(mocha('protocol', 'test/protocol/**/*.test.ts')),
  beside(podiumLsp),
  beside(mocha('neovim', 'test/neovim/**/*.test.ts', 'neovim')),
  beside(mocha('fuzz', 'test/fuzz/**/*.test.ts')),
  mocha('webview', 'test/webview/**/*.test.ts', 'browser'),
  beside(insideEditor('kubernetes-workspace')),
  beside(insideEditor('plain-workspace')),
  beside(mocha('editor/visible', 'test/editor/visible/**/*.test.ts', 'browser', 'oldest')),
  insideNewestEditor('kubernetes-workspace'),
  insideNewestEditor('plain-workspace'),
];

/** What a suite cannot do without. Each is looked for once; the answer is what is wrong, or empty. */
const needs = {
  browser: once(async () => ((await ensureBrowser()) === null ? browserHint : '')),
  neovim: once(neovim),
  oldest: once(() => vscode('oldest')),
  newest: once(() => vscode('newest')),
};

async function neovim() {
  const isThere = async () => (await run('nvim', ['--version'], { capture: true })).code === 0;
  if ((await isThere()) || ((await installFromDebian('neovim', 'its test')) && (await isThere()))) return '';
  return 'No Neovim on the path to test with.';
}

/** @param {import('./vscode-host.mjs').Release} release */
async function vscode(release) {
  try {
    await installHost(release);
    return '';
  } catch (error) {
    return `No VS Code to test in: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** @param {() => Promise<string>} look */
function once(look) {
  /** @type {Promise<string> | undefined} */
  let answer;
  return () => (answer ??= look());
}

/**
 * @param {Suite} suite
 * @param {boolean} held whether its output is shown when it has ended, so that two do not mix
 */
async function runSuite({ name, args, needs: needed = [], counted = false, env = {} }, held) {
  if (!held) console.log(`\n── ${name}`);
  for (const need of needed) {
    const missing = await needs[need]();
    if (missing !== '') {
      console.log(missing);
      return { passed: 0, failed: 1 };
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'podium-test-'));
  const counts = join(folder, 'counts');
  const began = Date.now();
  const options = { env: { ...env, PODIUM_TEST_COUNTS: counts }, capture: held };
  const { code, output } = await run(process.execPath, args, options);
  if (held) console.log(`\n── ${name}\n${output.trimEnd()}`);
  const lines = counted && existsSync(counts) ? readFileSync(counts, 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true, force: true });
  const total = { passed: counted ? 0 : 1, failed: 0 };
  for (const line of lines) {
    const { passed, failed } = JSON.parse(line);
    total.passed += passed;
    total.failed += failed;
  }
  // A suite that ends badly without a failed test has broken before or between its tests.
  if (code !== 0 && total.failed === 0) {
    total.failed = 1;
    if (!counted) total.passed = 0;
  }
  // One that runs nothing is a suite that was not found.
  if (counted && total.passed + total.failed === 0) total.failed = 1;
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  console.log(`── ${name}: ${total.passed} passed, ${total.failed} failed (${seconds} s)`);
  return total;
}

stopOnSignals();
const total = { passed: 0, failed: 0 };
if (await ensureInstalled()) {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    console.error(`There is no suite '${unknown}'. Suites: ${suites.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const chosen = suites.filter(({ name, optional = false }) => (wanted.length > 0 ? wanted.includes(name) : !optional));
  const inTwo = availableParallelism() > 1;
  /** @param {Suite['order']} order @param {boolean} held */
  const runAll = async (order, held) => {
    for (const suite of chosen.filter((each) => each.order === order)) {
      const { passed, failed } = await runSuite(suite, held);
      total.passed += passed;
      total.failed += failed;
    }
  };
  await runAll('before', false);
  const others = runAll('beside', inTwo);
  if (!inTwo) await others;
  await Promise.all([others, runAll(undefined, false)]);
} else {
  console.log('The packages could not be installed.');
  total.failed = 1;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
