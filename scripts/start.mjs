/**
 * `npm start`: installs what is missing, builds, prints the simulation of the sample workspace, and opens VS Code with
 * Podium on it. Ctrl+C ends everything.
 *
 *   --no-open   stop after the simulation
 */
import { join } from 'node:path';
import { findDesktop, openDesktop } from './lib/desktop.mjs';
import { ensureInstalled } from './lib/npm.mjs';
import { cache, dist, root, sample } from './lib/paths.mjs';
import { run, stopAll, stopOnSignals } from './lib/processes.mjs';
import { installHost, startHost, windowUrl } from './vscode-host.mjs';

const window = { folder: sample, open: join(sample, 'apps', 'checkout.yaml') };

/** @returns {Promise<number>} the exit code */
async function main() {
  if (!(await ensureInstalled())) return fail('The packages could not be installed.');
  const built = await run(process.execPath, [join(root, 'esbuild.mjs')], { capture: true });
  if (built.code !== 0) return fail(`${built.output}The build failed.`);
  const simulated = await run(process.execPath, [join(dist, 'podium.mjs'), 'simulate', sample]);
  if (simulated.code !== 0) return fail('The simulation failed.');
  if (process.argv.includes('--no-open')) return 0;
  console.log();
  const desktop = findDesktop();
  return desktop === null ? serve() : openOn(desktop);
}

/** @param {string} reason */
function fail(reason) {
  console.error(reason);
  return 1;
}

/** @param {string} desktop */
async function openOn(desktop) {
  const opened = openDesktop(desktop, window);
  console.log('VS Code opens on samples/online-shop. Close its window or press Ctrl+C to end.');
  await opened.ended;
  return 0;
}

async function serve() {
  let host;
  try {
    await installHost();
    host = await startHost({ data: join(cache, 'served'), installed: { 'podium.podium': root } });
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0];
    console.log(`VS Code was not opened: there is no desktop one here, and none could be served (${reason}).`);
    return 0;
  }
  console.log(
    `VS Code ${host.vscode} with Podium on samples/online-shop:\n\n  ${windowUrl(host, { folder: window.folder })}\n`,
  );
  console.log('Press Ctrl+C to end.');
  await host.ended;
  return 0;
}

stopOnSignals();
const code = await main();
await stopAll();
process.exit(code);
