/**
 * `npm run test:desktop`: the suites of the extension host in a desktop VS Code. `VSCODE_EXECUTABLE` names an installed
 * one; otherwise one is downloaded, where the network allows it.
 */
import { join } from 'node:path';
import { ensureInstalled } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { run, stopOnSignals } from './lib/processes.mjs';

/** @returns {Promise<number>} the exit code */
async function main() {
  if (!(await ensureInstalled())) return 1;
  for (const args of [
    ['esbuild.mjs'],
    ['esbuild.mjs', '--tests'],
    ['--import', 'tsx', join('test', 'editor', 'run-desktop.ts')],
  ]) {
    const { code } = await run(process.execPath, args);
    if (code !== 0) return code;
  }
  return 0;
}

stopOnSignals();
process.chdir(root);
process.exit(await main());
