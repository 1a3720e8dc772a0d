import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { browserHint, findBrowser } from '../../../scripts/browser.mjs';
import { cache } from '../../../scripts/lib/paths.mjs';
import { shipped } from '../../../scripts/lib/shipped.mjs';
import { type Release, startHost, windowUrl } from '../../../scripts/vscode-host.mjs';
import { patience } from '../../support/patience.ts';

export interface WindowOptions {
  /** Without one the window is empty. */
  readonly folder?: string;
  /** Bundle of a suite that runs in the extension host. Without one the packed extension is installed as for a user. */
  readonly tests?: string;
  /** File to open at the start. */
  readonly open?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Folders of other extensions, by their names. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Called before the page is loaded. */
  prepare?(page: Page): Promise<void>;
}

/** A VS Code window in a browser that nobody sees. */
export interface EditorWindow {
  readonly page: Page;
  /** The process of VS Code, from which all others of it come. */
  readonly pid: number;
  /** Ends the browser and the server, and forgets the user data. */
  close(): Promise<void>;
}

/** The VS Code that `PODIUM_VSCODE` chooses: `oldest` that we support (the default), or `newest`. */
const release: Release = process.env['PODIUM_VSCODE'] === 'newest' ? 'newest' : 'oldest';

/** A window that looks the same everywhere. */
const forPictures = {
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.iconTheme': 'vs-seti',
  'workbench.startupEditor': 'none',
  'window.autoDetectColorScheme': false,
  'window.title': '${rootName}',
  'editor.minimap.enabled': false,
  'breadcrumbs.enabled': false,
  'git.blame.statusBarItem.enabled': false,
};

/** Windows that are open now. */
const openPages = new Set<Page>();

/** Takes pictures of what is on the screen when a test has failed, and says where they are, or why there is none. */
export async function pictureOpenWindows(test: string): Promise<readonly string[]> {
  const folder = join(cache, 'failed');
  mkdirSync(folder, { recursive: true });
  const name = test.replaceAll(/\W+/g, '-').slice(0, 100);
  const paths = [...openPages].map((page, index) => ({ page, path: join(folder, `${name}-${index}.png`) }));
  // One that hangs has no picture.
  const taken = await Promise.allSettled(paths.map(({ page, path }) => page.screenshot({ path, timeout: patience })));
  return paths.map(({ path }, index) => {
    const outcome = taken[index]!;
    return outcome.status === 'fulfilled' ? path : `no picture: ${String(outcome.reason)}`;
  });
}

export async function openWindow(options: WindowOptions): Promise<EditorWindow> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error(browserHint);
  const data = mkdtempSync(join(tmpdir(), 'podium-vscode-'));
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const settings = { ...forPictures, ...options.settings };
    const { tests, env = {}, beside = {} } = options;
    const { extension } = await shipped();
    const installed = tests === undefined ? { 'podium.podium': extension, ...beside } : beside;
    const host = await startHost({ release, data, settings, env, installed });
    closers.push(host.stop);
    // Chromium refuses its sandbox to root; the only pages it sees are ours.
    const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
    closers.push(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
    page.setDefaultTimeout(patience);
    openPages.add(page);
    closers.push(() => Promise.resolve(void openPages.delete(page)));
    await options.prepare?.(page);
    const { folder, open } = options;
    const development = tests === undefined ? {} : { development: { extension, tests } };
    await page.goto(
      windowUrl(host, {
        ...(folder === undefined ? {} : { folder }),
        ...development,
        ...(open === undefined ? {} : { open }),
      }),
    );
    return { page, pid: host.pid, close };
  } catch (error) {
    await close();
    throw error;
  }
}
