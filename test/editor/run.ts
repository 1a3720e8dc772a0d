/**
 * Runs a suite inside the extension host of a served VS Code: `node --import tsx test/editor/run.ts SUITE
 * [TEXT]`, where TEXT chooses tests by a part of their title. What the suite prints is printed; the exit code is the
 * suite's.
 */
import { join } from 'node:path';
import { argv, env, exit, stderr, stdout } from 'node:process';
import { cache } from '../../scripts/lib/paths.mjs';
import { stopOnSignals } from '../../scripts/lib/processes.mjs';
import { mark } from './support/mark.ts';
import { type EditorWindow, openWindow } from './support/window.ts';
import { makeWorkspace, workspaceNames } from './support/workspace.ts';

/** When a suite counts as hanging, in milliseconds. */
const deadline = 600_000;

const name = workspaceNames.find((candidate) => candidate === argv[2]);
if (name === undefined) {
  stderr.write(`Which suite? One of: ${workspaceNames.join(', ')}\n`);
  exit(2);
}

stopOnSignals();
const workspace = makeWorkspace(name);
/** What VS Code says: long, and of interest only when the suite does not end. */
const others: string[] = [];
let window: EditorWindow | undefined;
let code = 1;
try {
  code = await new Promise<number>((resolve, reject) => {
    setTimeout(() => {
      stderr.write(`${others.join('\n')}\nThe suite did not end within ${deadline / 1000} s.\n`);
      resolve(1);
    }, deadline).unref();
    openWindow({
      folder: workspace.folder,
      tests: join(cache, 'test-editor', `${name}.cjs`),
      env: { PODIUM_TEST_COUNTS: env['PODIUM_TEST_COUNTS'] ?? '', PODIUM_TEST_GREP: argv[3] ?? '' },
      prepare: async (page) => {
        // VS Code calls these two in a page that runs tests.
        await page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) => {
          const line = args.map(String).join(' ');
          if (line.startsWith(mark)) stdout.write(`${line.slice(mark.length)}\n`);
          else others.push(line);
        });
        await page.exposeFunction('codeAutomationExit', resolve);
      },
    }).then((opened) => (window = opened), reject);
  });
} finally {
  await window?.close();
  workspace.remove();
}
exit(code);
