/**
 * Runs a suite inside the extension host of a served VS Code: `node --import tsx test/editor/run.ts SUITE`. What the
 * suite prints is printed; the exit code is the suite's.
 */
import { join } from 'node:path';
import { argv, env, exit, stderr, stdout } from 'node:process';
import { cache } from '../../scripts/lib/paths.mjs';
import { stopAll, stopOnSignals } from '../../scripts/lib/processes.mjs';
import { openWindow } from './support/window.ts';
import { makeWorkspace, workspaceNames } from './support/workspace.ts';

const deadline = 180_000;

const name = workspaceNames.find((candidate) => candidate === argv[2]);
if (name === undefined) {
  stderr.write(`Which suite? One of: ${workspaceNames.join(', ')}\n`);
  exit(2);
}

stopOnSignals();
const workspace = makeWorkspace(name);
const code = await new Promise<number>((resolve, reject) => {
  setTimeout(() => {
    stderr.write(`The suite did not end within ${deadline / 1000} s.\n`);
    resolve(1);
  }, deadline).unref();
  openWindow({
    folder: workspace.folder,
    tests: join(cache, 'test-editor', `${name}.cjs`),
    env: { PODIUM_TEST_COUNTS: env['PODIUM_TEST_COUNTS'] ?? '' },
    prepare: async (page) => {
      // VS Code calls these two in a page that runs tests.
      await page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) => {
        stdout.write(`${args.map(String).join(' ')}\n`);
      });
      await page.exposeFunction('codeAutomationExit', resolve);
    },
  }).catch(reject);
}).finally(async () => {
  await stopAll();
  workspace.remove();
});
exit(code);
