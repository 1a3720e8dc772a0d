/**
 * How long the packed extension takes to be loaded and activated in a real VS Code: the median of several windows, each a new one. The
 * bar is 50 ms.
 * Run: `node esbuild.mjs --tests; node --import tsx test/bench/activation.bench.ts`.
 */
import { join } from 'node:path';
import { stdout } from 'node:process';
import { pathToFileURL } from 'node:url';
import { cache } from '../../scripts/lib/paths.mjs';
import { installHost } from '../../scripts/vscode-host.mjs';
import { mark } from '../editor/support/mark.ts';
import { type EditorWindow, openWindow } from '../editor/support/window.ts';
import { makeWorkspace } from '../editor/support/workspace.ts';

const windows = 7;
const bar = 50;

export async function benchActivation(): Promise<void> {
  await installHost('oldest');
  const workspace = makeWorkspace('kubernetes-workspace');
  const times: number[] = [];
  while (times.length < windows) times.push(await activate(workspace.folder));
  workspace.remove();
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  stdout.write(`activation: ${median.toFixed(1)} ms (bar ${bar}), ${times.map((time) => time.toFixed(1)).join(' ')}\n`);
}

/** Opens a window and answers how long the activation in it took. */
async function activate(folder: string): Promise<number> {
  let window: EditorWindow | undefined;
  const time = await new Promise<number>((resolve, reject) => {
    openWindow({
      folder,
      tests: join(cache, 'test-editor', 'activation.cjs'),
      prepare: async (page) => {
        // VS Code calls these two in a page that runs tests.
        await page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) => {
          const line = args.map(String).join(' ');
          if (line.startsWith(mark)) resolve(Number(line.slice(mark.length)));
        });
        await page.exposeFunction('codeAutomationExit', () => undefined);
      },
    }).then((opened) => (window = opened), reject);
  });
  await window?.close();
  return time;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await benchActivation();
