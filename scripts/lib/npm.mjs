import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './processes.mjs';

/** The arguments for `process.execPath` that run npm: its script, not `npm.cmd`, which would need a shell. */
function npmScript() {
  const ours = process.env['npm_execpath'];
  const bin = dirname(process.execPath);
  return [
    ours !== undefined && /npm-cli\.c?js$/.test(ours) ? ours : '',
    join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    // Debian's package.
    '/usr/share/nodejs/npm/bin/npm-cli.js',
  ].find((path) => path !== '' && existsSync(path));
}

/**
 * Runs npm. Resolves to its exit code and output.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string, capture?: boolean }} [options]
 */
export function npm(args, options) {
  const script = npmScript();
  return script === undefined ? run('npm', args, options) : run(process.execPath, [script, ...args], options);
}

/**
 * What `node_modules` lacks of the lock file, by comparing it with the record npm keeps of what it installed.
 *
 * @returns {boolean} true when everything is there
 */
function isInstalled() {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return false;
  const wanted = readPackages(join(root, 'package-lock.json')) ?? {};
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const present = installed[path];
    // Optional packages are those of other platforms; npm records only what it installed.
    return present === undefined ? entry.optional === true : present.version === entry.version;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Installs the project's packages when they are missing or the lock file has changed. False when that fails. */
export async function ensureInstalled() {
  if (isInstalled()) return true;
  console.log('Installing the packages of package-lock.json …');
  // No package of ours needs its install script, and one of them would try to compile.
  const { code } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  return code === 0;
}
