/**
 * `node scripts/release-notes.mjs vVERSION`: prints the section of the changelog. Fails when the tag, package.json and
 * the changelog disagree.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';

/**
 * The text of a version's section. Throws with the reason when it must not be released.
 *
 * @param {string} tag
 * @param {string} version of package.json
 * @param {string} changelog
 */
export function releaseNotes(tag, version, changelog) {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and package.json says ${version}.`);
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}] - `));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section [${version}] with a date.`);
  const body = section.slice(section.indexOf('\n')).trim();
  if (body === '') throw new Error(`The section [${version}] of CHANGELOG.md is empty.`);
  return `${body}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  try {
    process.stdout.write(
      releaseNotes(process.argv[2] ?? '', version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8')),
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
