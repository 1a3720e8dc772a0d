/** What the bundles contain of other people's work: from esbuild's list of what it read, and the lock file. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} version
 * @property {string} license SPDX expression
 * @property {string} integrity of the archive in the registry, as the lock file has it
 * @property {string} folder
 */

const readJson = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

/**
 * The packages of which something is in the bundles, by name and version. Throws when one is not in the lock file.
 *
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {readonly Package[]}
 */
export function bundledPackages(metafiles) {
  /** @type {Record<string, { version: string, license: string, integrity: string } | undefined>} */
  const locked = readJson('package-lock.json').packages;
  const folders = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs).flatMap((path) => folderOf(path))));
  const packages = [...folders].map((folder) => {
    const entry = locked[folder];
    if (entry === undefined) throw new Error(`${folder} is bundled and not in package-lock.json.`);
    const { version, license, integrity } = entry;
    return { name: folder.slice(folder.lastIndexOf('node_modules/') + 13), version, license, integrity, folder };
  });
  // The same version may lie in several folders.
  const byPurl = new Map(packages.map((each) => [purl(each), each]));
  return [...byPurl.keys()].sort().map((key) => /** @type {Package} */ (byPurl.get(key)));
}

/** The package's key in the lock file, of a path that esbuild read; packages lie in the folders of others. */
function folderOf(/** @type {string} */ path) {
  const from = path.indexOf('node_modules/');
  if (from < 0) return [];
  const found = /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(path.slice(from));
  return found === null ? [] : [found[0].slice(0, -1)];
}

/**
 * The licences of all packages, word for word. Throws when one has none.
 *
 * @param {readonly Package[]} packages
 */
export function thirdPartyNotices(packages) {
  const line = '='.repeat(80);
  const sections = packages.map(({ name, version, license, folder }) => {
    const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    if (files.length === 0) throw new Error(`${folder} has no licence text.`);
    const texts = files.sort().map((file) => readFileSync(join(root, folder, file), 'utf8').replaceAll('\r\n', '\n'));
    return `${line}\n${name} ${version} (${license})\n${line}\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
  });
  return `Podium contains software of others, under these licences.\n\n${sections.join('\n')}`;
}

/**
 * A software bill of materials (CycloneDX 1.6) of what is shipped. Nothing in it depends on where or when it is made:
 * its time is the commit's, its serial number comes from its content.
 *
 * @param {readonly Package[]} packages
 */
export function billOfMaterials(packages) {
  const { name, version, description, license } = readJson('package.json');
  const components = packages.map((each) => ({
    type: 'library',
    'bom-ref': purl(each),
    name: each.name,
    version: each.version,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(each.integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: [/\s/.test(each.license) ? { expression: each.license } : { license: { id: each.license } }],
    purl: purl(each),
  }));
  const self = `${name}@${version}`;
  const content = {
    metadata: {
      timestamp: new Date(sourceTime() * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': self,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map((each) => each['bom-ref']) }],
  };
  return { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialNumber(content), version: 1, ...content };
}

/** Source: the purl specification, type npm; the `@` of a scope is written `%40`. */
function purl(/** @type {Package} */ { name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A UUID of version 8 (RFC 9562): the bits are ours to choose, but for those that say so. */
function serialNumber(/** @type {unknown} */ content) {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * When what is built was written, in seconds since 1970: `SOURCE_DATE_EPOCH` (reproducible-builds.org), else the time
 * of the last commit, else the first one that an archive can tell.
 */
export function sourceTime() {
  const given = Number(process.env['SOURCE_DATE_EPOCH']);
  if (Number.isInteger(given) && given > 0) return given;
  try {
    const time = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(time.toString());
  } catch {
    return 315_532_800;
  }
}
