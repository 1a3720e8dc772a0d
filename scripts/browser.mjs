/** The browser that the tests drive: one that is installed, or Debian's package. */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './lib/processes.mjs';

/** Said once, where a test needs a browser and there is none. */
export const browserHint = 'No browser: set CHROME_PATH, or install Chrome, Chromium or Edge.';

/**
 * The path of an installed browser of the Chromium family, or null. `CHROME_PATH` wins.
 *
 * @returns {string | null}
 */
export function findBrowser() {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : null;
  return places().find(isExecutable) ?? null;
}

/** @returns {readonly string[]} */
function places() {
  if (process.platform === 'darwin') {
    const homes = ['/Applications', join(process.env['HOME'] ?? '', 'Applications')];
    const names = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return homes.flatMap((home) => names.map((name) => join(home, `${name}.app`, 'Contents', 'MacOS', name)));
  }
  if (process.platform === 'win32') {
    const homes = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => process.env[name] ?? []);
    const names = [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ];
    return homes.flatMap((home) => names.map((name) => join(home, name)));
  }
  // First the engine without the window around it: the same pages in half the processor time.
  const names = [
    'chromium-headless-shell',
    'google-chrome',
    'google-chrome-stable',
    'chromium',
    'chromium-browser',
    'microsoft-edge',
    'microsoft-edge-stable',
  ];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * As `findBrowser`, but installs one of Debian's first when there is none and we may.
 *
 * @returns {Promise<string | null>}
 */
export async function ensureBrowser() {
  const found = findBrowser();
  if (found !== null || process.env['CHROME_PATH']) return found;
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (await installFromDebian(name, 'the browser tests')) return findBrowser();
  }
  return null;
}

/**
 * Installs a package where that is possible and allowed: as root on Debian. One after the other, and after whatever
 * else installs at the time: a second `apt-get` fails at once where the first holds the lock.
 *
 * @param {string} name @param {string} purpose
 * @param {boolean} [allowed] for tests
 * @returns {Promise<boolean>}
 */
export function installFromDebian(name, purpose, allowed = mayInstall()) {
  if (!allowed) return Promise.resolve(false);
  const installed = lastInstall.then(() => install(name, purpose));
  lastInstall = installed;
  return installed;
}

/** @type {Promise<unknown>} */
let lastInstall = Promise.resolve();

function mayInstall() {
  return process.platform === 'linux' && existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

/** @param {string} name @param {string} purpose */
async function install(name, purpose) {
  console.log(`Installing Debian’s ${name} for ${purpose} …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const patience = ['-o', 'DPkg::Lock::Timeout=600'];
  const apt = (/** @type {string[]} */ ...args) =>
    run('apt-get', ['-qq', ...patience, ...args], { env, capture: true });
  await apt('update');
  const { code, output } = await apt('install', '--yes', '--no-install-recommends', name);
  if (code !== 0) console.error(output.trimEnd());
  return code === 0;
}
