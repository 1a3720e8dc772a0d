/**
 * What is shipped: the extension, the command line as an npm package, and the bill of materials of both. They are made
 * in a folder of their own from nothing but the sources, so that the same commit gives the same bytes everywhere.
 */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import { gzipAsync } from '@gfx/zopfli';
import JSZip from 'jszip';
import { npmName, withAbsoluteLinks } from './addresses.mjs';
import { sourceTime } from './bundled.mjs';
import { manualPage } from './manual.mjs';
import { npm } from './npm.mjs';
import { root } from './paths.mjs';
import { run } from './processes.mjs';

/** Of the command line; its changes are in the repository. */
const documents = ['README.md', 'LICENSE'];

/**
 * Makes the packages in a folder. Rejects with what the failing program printed.
 *
 * @param {string} folder
 * @param {{ decide?: boolean }} [kept] what is built for tests and not shipped
 * @returns {Promise<{ vsix: string, npm: string, sbom: string }>} their names in the folder
 */
export async function pack(folder, { decide = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const made = {
    vsix: `${name}-${version}.vsix`,
    npm: `${npmName}-${version}.tgz`,
    sbom: `${name}-${version}.cdx.json`,
  };
  const stage = mkdtempSync(join(tmpdir(), 'podium-pack-'));
  try {
    const extension = join(stage, 'extension');
    const dist = join(extension, 'dist');
    await must('The build', run(process.execPath, [join(root, 'esbuild.mjs'), `--out=${dist}`], { capture: true }));
    numberChunks(dist);
    renameSync(join(dist, 'sbom.cdx.json'), join(stage, made.sbom));
    renameSync(join(dist, 'decide.mjs'), join(decide ? folder : stage, 'decide.mjs'));
    renameSync(join(dist, 'THIRD-PARTY-NOTICES'), join(extension, 'THIRD-PARTY-NOTICES'));
    for (const path of ['.vscodeignore', ...shippedSources()]) {
      cpSync(join(root, path), join(extension, path), { recursive: true });
    }
    for (const path of ['README.md', 'CHANGELOG.md', ...rulePages()]) {
      const text = readFileSync(join(root, path), 'utf8');
      writeFileSync(join(extension, path), withAbsoluteLinks(text, dirname(path)));
    }
    const commandLine = join(stage, 'npm');
    const isForNode = (/** @type {string} */ path) => !basename(path).startsWith('serve-web-');
    for (const path of [
      ...documents,
      'THIRD-PARTY-NOTICES',
      'dist/podium.mjs',
      'dist/server.mjs',
      'dist/mcp.mjs',
      'dist/chunks',
      'dist/texts',
      // The page of the report, for a file of its own.
      'dist/webview',
    ]) {
      cpSync(join(extension, path), join(commandLine, path), { recursive: true, filter: isForNode });
    }
    // What SARIF says about rules, in one file, with § for the name of the rule: gzip does not make them as small.
    const pages = rulePages().map((path) => {
      const rule = basename(path, '.md');
      return [rule, readFileSync(join(extension, path), 'utf8').replaceAll(rule, '§')];
    });
    mkdirSync(join(commandLine, 'docs'));
    writeFileSync(join(commandLine, 'docs/rules.json'), JSON.stringify(Object.fromEntries(pages)));
    // The command line alone reads these, and gzip makes them a sixth larger.
    for (const path of ['docs/rules.json', 'dist/webview/main.js', 'dist/webview/main.css']) {
      const file = join(commandLine, path);
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
      rmSync(file);
    }
    await pressTexts(join(commandLine, 'dist/texts'));
    // The GitHub Action runs its own from the repository (action.yml).
    cpSync(join(root, 'integrations'), join(commandLine, 'integrations'), {
      recursive: true,
      filter: (path) => basename(path) !== 'github-action.mjs',
    });
    const manifest = npmManifest();
    writeFileSync(join(commandLine, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    writeFileSync(join(commandLine, 'podium.1'), manualPage(join(commandLine, 'dist/podium.mjs'), manifest.version));
    sameModes(stage);

    const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
    // Everything is bundled, so no packages go in; links are absolute by now.
    const flags = ['--no-dependencies', '--no-rewrite-relative-links'];
    // Archives have the time of the place where they are made.
    const env = { SOURCE_DATE_EPOCH: String(sourceTime()), TZ: 'UTC' };
    const vsix = [vsce, 'package', ...flags, '--out', join(stage, made.vsix)];
    await must('vsce', run(process.execPath, vsix, { cwd: extension, env, capture: true }));
    await pressHarder(join(stage, made.vsix));
    const archive = ['pack', '--ignore-scripts', '--pack-destination', stage];
    await must('npm pack', npm(archive, { cwd: commandLine, capture: true }));
    await gzipHarder(join(stage, made.npm));
    for (const file of Object.values(made)) cpSync(join(stage, file), join(folder, file));
    return made;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Their hashes stand in thousands of imports, and no compression makes them small. */
function numberChunks(/** @type {string} */ dist) {
  const hashed = /(?:chunk-)?([\w-]*)([A-Z0-9]{8})\.mjs/g;
  const chunks = readdirSync(join(dist, 'chunks')).sort();
  const numbered = new Map(
    chunks.map((name, index) => [name, name.replace(hashed, (_, stem) => `${stem}${index.toString(36)}.mjs`)]),
  );
  for (const folder of ['.', 'chunks', 'web']) {
    for (const name of readdirSync(join(dist, folder)).filter((each) => each.endsWith('.mjs'))) {
      const file = join(dist, folder, name);
      const text = readFileSync(file, 'utf8').replace(hashed, (found) => numbered.get(found) ?? found);
      writeFileSync(file, text);
      renameSync(file, join(dist, folder, numbered.get(name) ?? name));
    }
  }
}

/** The texts of the server in other languages, as lists that only Node reads; their keys stay where all have them. */
async function pressTexts(/** @type {string} */ folder) {
  for (const name of readdirSync(folder).filter((each) => each.startsWith('server.'))) {
    const file = join(folder, name);
    const [, keysFile = ''] = /from"(\.\/chunk-\w+\.mjs)"/.exec(readFileSync(file, 'utf8')) ?? [];
    /** @type {{ readonly a: string }} */
    const { a: keys } = await import(pathToFileURL(join(folder, keysFile)).href);
    /** @type {{ readonly default: Readonly<Record<string, unknown>> }} */
    const { default: texts } = await import(pathToFileURL(file).href);
    const list = keys.split(' ').map((key) => texts[key] ?? null);
    writeFileSync(`${file}.br`, brotliCompressSync(JSON.stringify(list)));
    const lines = [
      `import{a as keys}from${JSON.stringify(keysFile)};`,
      'import{readFileSync}from"node:fs";import{brotliDecompressSync}from"node:zlib";',
      `const list=JSON.parse(brotliDecompressSync(readFileSync(new URL(${JSON.stringify(`${name}.br`)},import.meta.url))));`,
      'export default Object.fromEntries(keys.split(" ").map((key,at)=>[key,list[at]]).filter(([,text])=>text!==null));',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
  }
}

/** Everybody who installs the archive loads it; vsce packs it faster than it could be packed well. */
async function pressHarder(/** @type {string} */ archive) {
  const zip = await JSZip.loadAsync(readFileSync(archive));
  const bytes = await zip.generateAsync({
    type: 'nodebuffer',
    compression: 'DEFLATE',
    compressionOptions: { level: 9 },
    platform: 'UNIX',
  });
  writeFileSync(archive, bytes);
}

/** As above, of the npm package, in as many blocks as make it smaller. */
async function gzipHarder(/** @type {string} */ archive) {
  const tar = inOrderOfSize(gunzipSync(readFileSync(archive)));
  writeFileSync(archive, await gzipAsync(tar, { numiterations: 15, blocksplittingmax: 0 }));
}

/** The files of each folder by size: what gzip looks back at is short, and small parts are alike. */
function inOrderOfSize(/** @type {Buffer} */ tar) {
  const block = 512;
  /** @type {{ folder: string, size: number, bytes: Buffer }[]} */
  const files = [];
  let at = 0;
  while (tar[at] !== 0) {
    const [name = ''] = tar.toString('utf8', at, at + 100).split('\0', 1);
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8);
    const end = at + block + Math.ceil(size / block) * block;
    files.push({ folder: dirname(name), size, bytes: tar.subarray(at, end) });
    at = end;
  }
  files.sort((one, other) =>
    one.folder === other.folder ? one.size - other.size : one.folder < other.folder ? -1 : 1,
  );
  return Buffer.concat([...files.map(({ bytes }) => bytes), tar.subarray(at)]);
}

/** What of the sources `.vscodeignore` lets into the extension, by the file or the folder at the top that holds it. */
function shippedSources() {
  const allowed = readFileSync(join(root, '.vscodeignore'), 'utf8').matchAll(/^!([^/\n]+)/gm);
  const names = [...allowed].map(
    ([, name = '']) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  );
  return readdirSync(root).filter((entry) => entry !== 'dist' && names.some((name) => name.test(entry)));
}

function rulePages() {
  return readdirSync(join(root, 'docs/rules')).map((name) => `docs/rules/${name}`);
}

/** The manifest of the npm package: what the command line needs of ours, under a name that is free. */
function npmManifest() {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { version, license, repository, bugs, homepage, keywords, type, engines } = read('package.json');
  const { description } = read('package.nls.json');
  // Only here: pre-commit installs the repository beside the package, and two packages cannot have one command.
  const bin = { podium: './dist/podium.mjs' };
  const about = { description, license, repository, bugs, homepage, keywords };
  return { name: npmName, version, ...about, type, bin, man: './podium.1', engines: { node: engines.node } };
}

/** Archives keep the modes of files, which depend on who checked them out. */
function sameModes(/** @type {string} */ folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), entry.name === 'podium.mjs' ? 0o755 : 0o644);
  }
}

/** @param {string} what @param {Promise<{ code: number, output: string }>} running */
async function must(what, running) {
  const { code, output } = await running;
  if (code !== 0) throw new Error(`${what} failed:\n${output.trimEnd()}`);
}
