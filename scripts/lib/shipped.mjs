/**
 * What tests run: the packages as a user has them, unpacked and installed in folders outside the repository. They are
 * made once for each state of the sources.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import JSZip from 'jszip';
import { sourceTime } from './bundled.mjs';
import { npm } from './npm.mjs';
import { pack } from './pack.mjs';
import { root } from './paths.mjs';

/** All that the packages are made of. */
const sources = [
  ...[
    'client',
    'server',
    'docs/rules',
    'icons',
    'integrations',
    'l10n',
    'samples',
    'schemas',
    'syntaxes',
    'scripts/lib',
  ],
  ...['package.nls.json', 'package.nls.ja.json', 'package.nls.ru.json', 'package.nls.zh-cn.json', '.vscodeignore'],
  ...['package.json', 'package-lock.json', 'esbuild.mjs', 'README.md', 'CHANGELOG.md', 'LICENSE'],
];

const home = join(tmpdir(), `podium-shipped-${process.getuid?.() ?? ''}`);
const day = 24 * 60 * 60 * 1000;

/**
 * @typedef {object} Shipped
 * @property {string} folder holds the packages themselves
 * @property {string} vsix
 * @property {string} npm the archive of the command line
 * @property {string} sbom
 * @property {string} extension the unpacked extension
 * @property {string} server of the extension
 * @property {string} installed the folder into which the command line was installed
 * @property {string} podium the script behind `podium` there
 * @property {string} decide answers recorded cases; in no package
 * @property {readonly string[]} command how a user starts it: program and first arguments
 */

/** @type {Promise<Shipped> | undefined} */
let answer;

/** The packages of the sources as they are. Rejects when they cannot be made. */
export function shipped() {
  return (answer ??= make());
}

/** @returns {Promise<Shipped>} */
async function make() {
  const folder = join(home, digest());
  if (!existsSync(join(folder, 'made.json'))) {
    mkdirSync(home, { recursive: true });
    const unfinished = mkdtempSync(join(home, 'unfinished-'));
    const made = await pack(unfinished, { decide: true });
    await unzip(join(unfinished, made.vsix), join(unfinished, 'unpacked'));
    const installed = join(unfinished, 'installed');
    mkdirSync(installed);
    const flags = ['--prefix', installed, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { code, output } = await npm(['install', ...flags, join(unfinished, made.npm)], {
      cwd: installed,
      capture: true,
    });
    if (code !== 0) throw new Error(`The npm package cannot be installed:\n${output}`);
    writeFileSync(join(unfinished, 'made.json'), JSON.stringify(made));
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Somebody else was faster.
      if (!existsSync(join(folder, 'made.json'))) throw error;
      rmSync(unfinished, { recursive: true, force: true });
    }
    forgetOld(folder);
  }
  utimesSync(folder, new Date(), new Date());
  return describe(folder);
}

/** @param {string} archive @param {string} folder */
async function unzip(archive, folder) {
  const { files } = await JSZip.loadAsync(readFileSync(archive));
  for (const file of Object.values(files)) {
    if (file.dir) continue;
    const path = join(folder, file.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await file.async('nodebuffer'));
  }
}

/** @param {string} folder @returns {Shipped} */
function describe(folder) {
  const made = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8'));
  const extension = join(folder, 'unpacked', 'extension');
  const installed = join(folder, 'installed');
  const name = Object.keys(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies)[0] ?? '';
  const podium = join(installed, 'node_modules', name, 'dist', 'podium.mjs');
  return {
    folder,
    vsix: join(folder, made.vsix),
    npm: join(folder, made.npm),
    sbom: join(folder, made.sbom),
    extension,
    server: join(extension, 'dist', 'server.mjs'),
    installed,
    podium,
    decide: join(folder, 'decide.mjs'),
    // What npm puts there for Windows would need a shell.
    command:
      process.platform === 'win32' ? [process.execPath, podium] : [join(installed, 'node_modules', '.bin', 'podium')],
  };
}

function digest() {
  const hash = createHash('sha256');
  const add = (/** @type {string} */ path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  for (const source of sources) {
    if (!statSync(join(root, source)).isDirectory()) {
      add(source);
      continue;
    }
    const files = readdirSync(join(root, source), { withFileTypes: true, recursive: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
      add(path.slice(root.length + 1));
  }
  return hash.update(`${root}\0${sourceTime()}`).digest('hex').slice(0, 24);
}

/** Packages of earlier sources that nobody has used for a day. */
function forgetOld(/** @type {string} */ current) {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    // What another process makes has another name when it is made.
    const made = statSync(path, { throwIfNoEntry: false });
    if (made === undefined || name === basename(current) || Date.now() - made.mtimeMs < day) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
