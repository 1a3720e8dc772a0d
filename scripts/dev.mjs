/**
 * `npm run dev`: bundles after every change, and runs the unit tests of what has changed. F5 in VS Code opens a window
 * with the result.
 */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { run, start, stopAll, stopOnSignals } from './lib/processes.mjs';

/** How long no file must change before tests run, in milliseconds: an editor saves several at once. */
const pause = 300;

stopOnSignals();
if (!(await ensureInstalled())) process.exit(1);
const bundling = start(process.execPath, [join(root, 'esbuild.mjs'), '--watch'], { stdio: 'inherit' });

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isTesting = false;
let isStale = false;

async function test() {
  if (isTesting) {
    isStale = true;
    return;
  }
  isTesting = true;
  do {
    isStale = false;
    await run(process.execPath, [join(root, 'scripts', 'test-changed.mjs')]);
  } while (isStale);
  isTesting = false;
}

for (const folder of ['client', 'server', 'test', 'scripts']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void test(), pause);
  });
}
await bundling.ended;
await stopAll();
process.exit(1);
