/**
 * `npm test`: installs what is missing and runs every check and every suite, also after a failure: first what is built,
 * then several at a time where there are several processors. At the end there is a line for each suite, with its time by
 * the clock and the time that processors worked for it, and what failed; the last line counts the tests, where a check
 * counts as one.
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
 * @property {boolean} [first] whether everything else waits for it
 * @property {Record<string, string>} [env]
 */
/** @typedef {keyof typeof needs} Need */

const bin = (/** @type {string} */ path) => join(root, 'node_modules', ...path.split('/'));

/** @type {(name: string, ...args: string[]) => Suite} */
const check = (name, ...args) => ({ name, args });

/** @type {(suite: Suite) => Suite} */
const first = (suite) => ({ ...suite, first: true });

/** @type {(name: string, pattern: string | readonly string[], ...needs: Need[]) => Suite} */
const mocha = (name, pattern, ...needs) => ({
  name,
  args: [
    bin('mocha/bin/mocha.js'),
    '--config',
    'test/mocharc.json',
    '--reporter',
    'test/support/counting-reporter.mjs',
    ...[pattern].flat(),
  ],
  needs,
  counted: true,
});

/**
 * The server of the command line is the same code in other chunks: what loads each of them shows that all are there.
 *
 * @type {Suite}
 */
const podiumLsp = {
  ...mocha(
    'protocol/podium-lsp',
    [
      'answers',
      'completion',
      'language-table',
      'languages',
      'plain-clients',
      'scenarios',
      'server',
      'snapshots',
      'sources',
    ].map((name) => `test/protocol/${name}.test.ts`),
    'packages',
  ),
  env: { PODIUM_TEST_SERVER: 'podium-lsp' },
};

/** @type {(name: string) => Suite} */
const insideEditor = (name) => ({
  name: `editor/${name}`,
  args: ['--import', 'tsx', 'test/editor/run.ts', name],
  needs: ['browser', 'oldest', 'packages'],
  counted: true,
});

/** @type {(name: string) => Suite} */
const insideNewestEditor = (name) => ({
  ...insideEditor(name),
  name: `editor/${name}/newest`,
  needs: ['browser', 'newest', 'packages'],
  optional: true,
  env: { PODIUM_VSCODE: 'newest' },
});

/**
 * Windows whose extensions run in Node: what code-server publishes of the newest starts none in a worker of a browser.
 *
 * @type {Suite}
 */
const visibleInNewest = {
  ...mocha(
    'editor/visible/newest',
    [
      'beyond',
      'editor',
      'indent',
      'keystrokes',
      'lenses',
      'overview',
      'report',
      'scenarios',
      'server-ends',
      'sources',
      'typing',
      'without-helm',
    ].map((name) => `test/editor/visible/${name}.test.ts`),
    'browser',
    'newest',
    'packages',
  ),
  optional: true,
  env: { PODIUM_VSCODE: 'newest' },
};

const commandLine = 'test/unit/cli/**/*.test.ts';
const documented = 'test/unit/cli/documented.test.ts';

/**
 * What takes longest comes first, so that none is left over at the end: what is free takes the next that has all it needs.
 *
 * @type {readonly Suite[]}
 */
const suites = [
  first(check('build', 'esbuild.mjs')),
  first(check('build-tests', 'esbuild.mjs', '--tests')),
  mocha('unit', ['test/unit/**/*.test.ts', '--ignore', commandLine], 'packages'),
  mocha('protocol', 'test/protocol/**/*.test.ts', 'packages'),
  mocha('editor/visible', 'test/editor/visible/**/*.test.ts', 'browser', 'oldest', 'packages'),
  podiumLsp,
  mocha('webview', 'test/webview/**/*.test.ts', 'browser', 'packages'),
  mocha('unit/command-line', [commandLine, '--ignore', documented], 'packages'),
  mocha('conformance', 'test/conformance/**/*.test.ts', 'packages'),
  insideEditor('kubernetes-workspace'),
  mocha('unit/documented', documented, 'packages'),
  mocha('fuzz', 'test/fuzz/**/*.test.ts'),
  check('format', bin('prettier/bin/prettier.cjs'), '--check', '.'),
  insideEditor('plain-workspace'),
  check('lint', bin('oxlint/bin/oxlint'), '--config', 'oxlint.config.mjs', '.'),
  check('unused', bin('knip/bin/knip.js')),
  mocha('neovim', 'test/neovim/**/*.test.ts', 'neovim', 'packages'),
  insideNewestEditor('kubernetes-workspace'),
  insideNewestEditor('plain-workspace'),
  visibleInNewest,
];

/** What a suite cannot do without. Each is looked for once; the answer is what is wrong, or empty. */
const needs = {
  packages: once(packages),
  browser: once(async () => ((await ensureBrowser()) === null ? browserHint : '')),
  neovim: once(neovim),
  oldest: once(() => vscode('oldest')),
  newest: once(() => vscode('newest')),
};

/** Made once, before several suites ask for them at the same time. */
async function packages() {
  try {
    const { shipped } = await import('./lib/shipped.mjs');
    await shipped();
    return '';
  } catch (error) {
    return `The packages cannot be made: ${error instanceof Error ? error.message : String(error)}`;
  }
}

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

/** Needs whose answer is there. @type {Set<Need>} */
const known = new Set();

/** Looks for all that is needed, at the same time. @param {readonly Suite[]} suites */
function lookFor(suites) {
  for (const need of new Set(suites.flatMap(({ needs: needed = [] }) => needed))) {
    void needs[need]().then(() => known.add(need));
  }
}

/** Takes the first suite that waits for nothing, or else the first. @param {Suite[]} queue */
function takeNext(queue) {
  const ready = queue.findIndex(({ needs: needed = [] }) => needed.every((need) => known.has(need)));
  return queue.splice(Math.max(ready, 0), 1)[0];
}

/** What each suite has done and taken, as it has ended: texts of a table. @type {(readonly string[])[]} */
const lines = [['suite', '', '', 'clock', 'processors']];

const inSeconds = (/** @type {number} */ seconds) => `${seconds.toFixed(1)} s`;

/** @returns {string} the lines, each text as wide as the widest of its column */
function table() {
  const widths = lines[0]?.map((_text, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  return lines
    .map((line) => line.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))))
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
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
      console.log(`${name}: ${missing}`);
      return { passed: 0, failed: [`${name}: ${missing}`] };
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'podium-test-'));
  const counts = join(folder, 'counts');
  const began = Date.now();
  const options = { env: { ...env, PODIUM_TEST_COUNTS: counts }, capture: held };
  const { code, output, cpu } = await run(process.execPath, args, options);
  if (held) console.log(`\n── ${name}\n${output.trimEnd()}`);
  const reported = counted && existsSync(counts) ? readFileSync(counts, 'utf8').trim().split('\n') : [];
  rmSync(folder, { recursive: true, force: true });
  let passed = !counted && code === 0 ? 1 : 0;
  /** @type {string[]} */
  const failed = [];
  for (const line of reported) {
    const counts = JSON.parse(line);
    passed += counts.passed;
    failed.push(...counts.failed.map((/** @type {string} */ each) => `${name}: ${each}`));
  }
  // A suite that ends badly without a failed test has broken before or between its tests.
  if (code !== 0 && failed.length === 0) failed.push(`${name}: ended with ${code}`);
  // One that runs nothing is a suite that was not found.
  if (passed + failed.length === 0) failed.push(`${name}: ran nothing`);
  const seconds = (Date.now() - began) / 1000;
  lines.push([
    name,
    `${passed} passed`,
    `${failed.length} failed`,
    inSeconds(seconds),
    cpu === 0 ? '' : inSeconds(cpu),
  ]);
  console.log(`── ${name}: ${passed} passed, ${failed.length} failed`);
  return { passed, failed };
}

stopOnSignals();
/** @type {{ passed: number, failed: string[] }} */
const total = { passed: 0, failed: [] };
if (await ensureInstalled()) {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    console.error(`There is no suite '${unknown}'. Suites: ${suites.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const chosen = suites.filter(({ name, optional = false }) => (wanted.length > 0 ? wanted.includes(name) : !optional));
  // One more than processors: those that speak to a server or an editor wait more than they work. With more of them
  // nothing ends earlier, as processors are busy all the time, and an editor answers as late as none does elsewhere.
  const processors = availableParallelism();
  const lanes = processors > 1 ? processors + 1 : 1;
  /** @param {Suite[]} queue @param {boolean} held */
  const runAll = async (queue, held) => {
    for (let suite; (suite = takeNext(queue)) !== undefined;) {
      const { passed, failed } = await runSuite(suite, held);
      total.passed += passed;
      total.failed.push(...failed);
    }
  };
  await runAll(
    chosen.filter((suite) => suite.first),
    false,
  );
  const rest = chosen.filter((suite) => !suite.first);
  lookFor(rest);
  const atOnce = Math.min(lanes, rest.length);
  await Promise.all(Array.from({ length: atOnce }, () => runAll(rest, atOnce > 1)));
} else {
  console.log('The packages could not be installed.');
  total.failed.push('packages: could not be installed');
}
console.log(`\n${table()}`);
if (total.failed.length > 0) console.log(`\nFailed:\n${total.failed.map((each) => `  ${each}`).join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed.length} failed`);
process.exit(total.failed.length === 0 ? 0 : 1);
