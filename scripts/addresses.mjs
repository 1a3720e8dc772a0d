/**
 * `npm run addresses -- OWNER/NAME`: sets the repository in package.json, and its address in every document and template
 * that names it. Without an argument it fails where one of them names another.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { owner, repository, repositoryName } from './lib/addresses.mjs';
import { root } from './lib/paths.mjs';

const wanted = process.argv[2];
if (wanted === undefined) {
  console.log(`The repository is ${repository}. To set it: npm run addresses -- OWNER/NAME`);
  process.exit(owner === 'OWNER' ? 1 : 0);
}
if (!/^[\w.-]+\/[\w.-]+$/.test(wanted)) {
  console.error(`A repository is named OWNER/NAME, not ${wanted}.`);
  process.exit(2);
}
const [newOwner = '', newName = ''] = wanted.split('/');
const site = (/** @type {string} */ first, /** @type {string} */ second) => `${first}.github.io/${second}`;
const tracked = execFileSync('git', ['ls-files', '*.md', '*.yml', '*.json', 'Dockerfile', '.github/CODEOWNERS'], {
  cwd: root,
  encoding: 'utf8',
});
for (const path of tracked.trim().split('\n')) {
  if (path.startsWith('test/')) continue;
  const text = readFileSync(join(root, path), 'utf8');
  const changed = text
    .replaceAll(site(owner, repositoryName), site(newOwner, newName))
    .replaceAll(`ghcr.io/${repository.toLowerCase()}`, `ghcr.io/${wanted.toLowerCase()}`)
    .replaceAll(`github.com/${repository}`, `github.com/${wanted}`)
    .replaceAll(`uses: ${repository}@`, `uses: ${wanted}@`)
    .replaceAll(`--repo ${repository}`, `--repo ${wanted}`)
    .replaceAll(`@${owner}/`, `@${newOwner}/`);
  if (changed === text) continue;
  writeFileSync(join(root, path), changed);
  console.log(path);
}
