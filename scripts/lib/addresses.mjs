/**
 * Where Podium is to be had. `repository` and `publisher` of package.json are the one place that says it: a maintainer
 * sets them with `npm run addresses -- OWNER/NAME`, which brings every document in line. OWNER stands there until then,
 * and a release is refused.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { root } from './paths.mjs';

/** Under which the command line is published: `podium` belongs to somebody else. */
export const npmName = 'podium-scheduling';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The repository as `OWNER/NAME`. */
export const repository = manifest.repository.url.replace(/^git\+https:\/\/github\.com\/|\.git$/g, '');
export const [owner = '', repositoryName = ''] = repository.split('/');

const extension = `${manifest.publisher}.${manifest.name}`;

export const addresses = {
  repository: `https://github.com/${repository}`,
  issues: `https://github.com/${repository}/issues`,
  site: `https://${owner}.github.io/${repositoryName}/`,
  marketplace: `https://marketplace.visualstudio.com/items?itemName=${extension}`,
  openVsx: `https://open-vsx.org/extension/${manifest.publisher}/${manifest.name}`,
  npm: `https://www.npmjs.com/package/${npmName}`,
  image: `ghcr.io/${repository.toLowerCase()}`,
};

/** Links and pictures of Markdown that name a file of the repository, after what comes before the path. */
const links = /(!?\[[^\]]*\]\(|^\[[^\]]+\]: )(?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?/gm;

/**
 * Markdown with absolute links, for a package, where the files that it names are not beside it. Throws for a link to
 * what is not in the repository.
 *
 * @param {string} text
 * @param {string} folder the place of the text in the repository
 * @param {string} [version] of the tag that links lead to
 */
export function withAbsoluteLinks(text, folder, version = manifest.version) {
  return text.replace(links, (_all, /** @type {string} */ before, /** @type {string} */ path, hash = '') => {
    const place = normalize(join(folder, path)).replaceAll('\\', '/').replace(/\/$/, '');
    if (!existsSync(join(root, place))) throw new Error(`A link leads to ${place}, which is not in the repository.`);
    if (before.startsWith('!')) return `${before}https://raw.githubusercontent.com/${repository}/v${version}/${place}`;
    const kind = statSync(join(root, place)).isDirectory() ? 'tree' : 'blob';
    return `${before}${addresses.repository}/${kind}/v${version}/${place}${hash}`;
  });
}
