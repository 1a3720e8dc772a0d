/**
 * `npm run package`: makes podium-VERSION.vsix, the npm package of the command line, and their bill of materials.
 * Fails when one of them outgrows its limit.
 *
 *   --out=DIR   where; the project's folder when left out
 */
import { resolve } from 'node:path';
import { statSync } from 'node:fs';
import { ensureInstalled } from './lib/npm.mjs';
import { pack } from './lib/pack.mjs';
import { root } from './lib/paths.mjs';

const limits = { vsix: 2_200_000, npm: 1_250_000 };

/** @returns {Promise<number>} the exit code */
async function main() {
  if (!(await ensureInstalled())) return 1;
  const out = process.argv.find((flag) => flag.startsWith('--out='))?.slice('--out='.length) ?? root;
  const made = await pack(resolve(out));
  const size = (/** @type {string} */ name) => statSync(resolve(out, name)).size;
  for (const name of Object.values(made)) console.log(`${name}: ${(size(name) / 1000).toFixed(0)} kB`);
  const over = Object.entries(limits).filter(
    ([kind, limit]) => size(made[/** @type {'vsix' | 'npm'} */ (kind)]) >= limit,
  );
  for (const [kind, limit] of over) console.error(`The limit of the ${kind} package is ${limit / 1000} kB.`);
  return over.length === 0 ? 0 : 1;
}

process.exit(await main());
