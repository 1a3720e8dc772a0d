/**
 * A real VS Code that needs no display: the server build that code-server publishes on npm, without code-server around
 * it. It serves the workbench to a browser and runs extensions in Node, as a remote window does.
 */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm } from './lib/npm.mjs';
import { cache } from './lib/paths.mjs';
import { run, start } from './lib/processes.mjs';

/**
 * VS Code versions that can be had.
 * `oldest` is the oldest that package.json says we support, and runs on the Node we are built with.
 */
const releases = {
  oldest: { vscode: '1.100.3', codeServer: '4.100.3', node: 20, ripgrep: '1.18.0', flags: [] },
  // Without the flag this one ignores the page's payload, and with it the extension under development.
  newest: { vscode: '1.139.1', codeServer: '4.139.1', node: 24, ripgrep: null, flags: ['--enable-smoke-test-driver'] },
};

/** @typedef {keyof typeof releases} Release */

/** @param {Release} release */
function places(release) {
  const { vscode } = releases[release];
  const home = join(cache, 'vscode', vscode);
  return { home, code: join(home, 'lib', 'vscode'), server: join(home, 'lib', 'vscode', 'out', 'server-main.js') };
}

/** @param {Release} [release] */
export function isHostInstalled(release = 'oldest') {
  return existsSync(places(release).server);
}

/**
 * Downloads VS Code from the npm registry into `.cache`, once. Rejects with the reason when that fails.
 *
 * @param {Release} [release]
 */
export async function installHost(release = 'oldest') {
  if (isHostInstalled(release)) return;
  const { vscode, codeServer, node, ripgrep } = releases[release];
  const { home } = places(release);
  const unfinished = `${home}.${process.pid}`;
  console.log(`Downloading VS Code ${vscode} (code-server ${codeServer} of the npm registry) …`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const must = async (/** @type {string} */ what, /** @type {Promise<{ code: number, output: string }>} */ running) => {
    const { code, output } = await running;
    if (code !== 0) throw new Error(`${what} failed: ${output.trim().split('\n').at(-1)}`);
  };
  const install = (/** @type {string} */ cwd, /** @type {string[]} */ ...packages) =>
    must(
      'npm install',
      npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
        cwd,
        capture: true,
      }),
    );
  try {
    const archive = `code-server-${codeServer}.tgz`;
    await must('npm pack', npm(['pack', '--silent', `code-server@${codeServer}`], { cwd: unfinished, capture: true }));
    const unpack = ['xzf', archive, '--strip-components=1', 'package/lib/vscode'];
    await must('tar', run('tar', unpack, { cwd: unfinished, capture: true }));
    rmSync(join(unfinished, archive));
    await install(join(unfinished, 'lib', 'vscode'));
    // Programs that the server needs beside its own packages live in a folder of their own.
    writeFileSync(join(unfinished, 'package.json'), '{ "private": true }\n');
    const { platform, arch } = process;
    if (ripgrep !== null) {
      await install(unfinished, `@vscode/ripgrep-${platform}-${arch}@${ripgrep}`);
      const bin = join(unfinished, 'lib', 'vscode', 'node_modules', '@vscode', 'ripgrep', 'bin');
      rmSync(bin, { recursive: true, force: true });
      renameSync(join(unfinished, 'node_modules', '@vscode', `ripgrep-${platform}-${arch}`, 'bin'), bin);
    }
    if (needsOwnNode(node)) await install(unfinished, `${nodePackage()}@${node}`);
    rmSync(home, { recursive: true, force: true });
    renameSync(unfinished, home);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

const needsOwnNode = (/** @type {number} */ major) => Number(process.versions.node.split('.')[0]) < major;
const nodePackage = () => `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** @param {Release} release */
function runtime(release) {
  if (!needsOwnNode(releases[release].node)) return process.execPath;
  const folder = join(places(release).home, 'node_modules', nodePackage(), 'bin');
  return join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Settings of a window that nobody has used before and nobody should be distracted in. */
const quietSettings = {
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'readme',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  // In a browser VS Code saves by itself, which would change the sample.
  'files.autoSave': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.openRepositoryInParentFolders': 'always',
};

/**
 * @typedef {object} HostOptions
 * @property {Release} [release]
 * @property {string} data folder for user data
 * @property {Record<string, unknown>} [settings] those of a first start with that folder
 * @property {Record<string, string>} [installed] folders of extensions that are installed in every window, by their names
 * @property {Record<string, string>} [env]
 */

/**
 * Starts the server on a free port of 127.0.0.1 and waits until it listens. Rejects when it does not within 30 s.
 *
 * @param {HostOptions} options
 */
export async function startHost({ release = 'oldest', data, settings = {}, installed = {}, env = {} }) {
  const { code, server } = places(release);
  const user = join(data, 'data', 'User');
  mkdirSync(user, { recursive: true });
  const settingsFile = join(user, 'settings.json');
  if (!existsSync(settingsFile))
    writeFileSync(settingsFile, `${JSON.stringify({ ...quietSettings, ...settings }, null, 2)}\n`);
  const extensions = join(data, 'extensions');
  rmSync(extensions, { recursive: true, force: true });
  mkdirSync(extensions);
  // A junction needs no rights on Windows; elsewhere it is a plain link.
  for (const [name, folder] of Object.entries(installed)) symlinkSync(folder, join(extensions, name), 'junction');
  const args = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'];
  args.push('--telemetry-level', 'off', '--server-data-dir', data, ...releases[release].flags);
  const group = start(runtime(release), [server, ...args], { cwd: code, env });
  const port = await new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`VS Code did not start within 30 s:\n${output}`)), 30_000);
    const listen = (/** @type {Buffer} */ bytes) => {
      if (output.length > 100_000) return;
      output += bytes.toString();
      const found = /Extension host agent listening on (\d+)/.exec(output);
      if (found === null) return;
      clearTimeout(timer);
      resolve(Number(found[1]));
    };
    group.child.stdout?.on('data', listen);
    group.child.stderr?.on('data', listen);
    void group.ended.then(() => {
      clearTimeout(timer);
      reject(new Error(`VS Code ended while starting:\n${output}`));
    });
  }).catch(async (error) => {
    await group.stop();
    throw error;
  });
  const { child, ended, stop } = group;
  return { authority: `127.0.0.1:${port}`, vscode: releases[release].vscode, pid: child.pid ?? 0, ended, stop };
}

/**
 * The address of a window.
 *
 * @param {{ authority: string }} host
 * @param {{ folder?: string, development?: { extension: string, tests: string }, open?: string }} window absolute paths:
 *   the workspace folder if there is one, an extension under development and the bundle of a suite that tests it, a file to open
 */
export function windowUrl({ authority }, { folder, development, open }) {
  const remote = (/** @type {string} */ path) => `vscode-remote://${authority}${pathToFileURL(path).pathname}`;
  const payload = [];
  if (development !== undefined) {
    const { extension, tests } = development;
    payload.push(['extensionDevelopmentPath', remote(extension)], ['extensionTestsPath', remote(tests)]);
  }
  if (open !== undefined) payload.push(['openFile', remote(open)]);
  const url = new URL(`http://${authority}/`);
  if (folder === undefined) url.searchParams.set('ew', 'true');
  else url.searchParams.set('folder', decodeURIComponent(pathToFileURL(folder).pathname));
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  // Readable, where that is unambiguous.
  return url.href.replaceAll('%2F', '/').replaceAll('%3A', ':');
}
