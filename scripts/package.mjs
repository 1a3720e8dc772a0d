/** `npm run package`: builds and makes podium-VERSION.vsix. Fails when it grows over 2 MB. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { run } from './lib/processes.mjs';

const limit = 2_000_000;

/** @returns {Promise<number>} the exit code */
async function main() {
  if (!(await ensureInstalled())) return 1;
  const built = await run(process.execPath, [join(root, 'esbuild.mjs')]);
  if (built.code !== 0) return built.code;
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = `${name}-${version}.vsix`;
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // Everything is bundled, so no packages go in; and there is no public repository to link to.
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  const packed = await run(process.execPath, [vsce, 'package', ...flags, '--out', file]);
  if (packed.code !== 0) return packed.code;
  const { size } = statSync(join(root, file));
  console.log(`${file}: ${(size / 1000).toFixed(0)} kB`);
  if (size < limit) return 0;
  console.error(`The bar is ${limit / 1000} kB.`);
  return 1;
}

process.exit(await main());
