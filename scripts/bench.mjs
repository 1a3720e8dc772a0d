/** `npm run bench [NAME…]`: builds and runs test/bench/*.bench.ts one after the other, so that they do not disturb each other. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { ensureInstalled } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { run, stopOnSignals } from './lib/processes.mjs';

const suffix = '.bench.ts';

/**
 * Those that call the sources themselves, and not what is built: bundled as that is. What loads them one by one adds a
 * helper to every function, which first calls pay for.
 */
const calling = ['engine'];

/**
 * @param {string} name
 * @returns {Promise<readonly string[]>} what runs it
 */
async function commandOf(name) {
  const source = join(root, 'test', 'bench', `${name}${suffix}`);
  if (!calling.includes(name)) return ['--import', 'tsx', source];
  const outfile = join(root, '.cache', 'bench', `${name}.mjs`);
  await esbuild.build({
    entryPoints: [source],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  return [outfile];
}

/** @returns {Promise<number>} the exit code */
async function main() {
  if (!(await ensureInstalled())) return 1;
  // All is measured as it is shipped.
  for (const args of [[], ['--tests']]) {
    const built = await run(process.execPath, [join(root, 'esbuild.mjs'), ...args]);
    if (built.code !== 0) return built.code;
  }
  const folder = join(root, 'test', 'bench');
  const all = readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    console.error(`There is no benchmark '${unknown}'. Benchmarks: ${all.join(', ')}`);
    return 2;
  }
  let worst = 0;
  for (const name of all) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n── ${name}`);
    const { code } = await run(process.execPath, await commandOf(name));
    worst = Math.max(worst, code);
  }
  return worst;
}

stopOnSignals();
process.exit(await main());
