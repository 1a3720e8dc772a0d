/**
 * `npm run texts`: removes translations of texts that are gone, and counts the texts that each language lacks, which
 * are shown in English.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTexts } from './lib/client-texts.mjs';
import { root } from './lib/paths.mjs';
import { texts } from './lib/texts.mjs';

/** @param {string} path @returns {Record<string, unknown>} */
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

const { shared, page, server } = texts();

/** Translations, and the keys of the texts that they translate. */
const catalogs = [
  {
    file: (/** @type {string} */ language) => `package.nls.${language}.json`,
    keys: Object.keys(read('package.nls.json')),
  },
  { file: (/** @type {string} */ language) => `l10n/bundle.l10n.${language}.json`, keys: clientTexts() },
  { file: (/** @type {string} */ language) => `l10n/shared.${language}.json`, keys: [...shared.keys()] },
  { file: (/** @type {string} */ language) => `l10n/page.${language}.json`, keys: [...page.keys()] },
  { file: (/** @type {string} */ language) => `l10n/server.${language}.json`, keys: [...server.keys()] },
];

for (const language of ['ja', 'ru', 'zh-cn']) {
  let lacking = 0;
  let all = 0;
  for (const { file, keys } of catalogs) {
    const path = file(language);
    const known = new Set(keys);
    const before = read(path);
    const kept = Object.fromEntries(Object.entries(before).filter(([key]) => known.has(key)));
    if (Object.keys(kept).length < Object.keys(before).length) {
      writeFileSync(join(root, path), `${JSON.stringify(kept, null, 2)}\n`);
    }
    all += known.size;
    lacking += known.size - Object.keys(kept).length;
  }
  process.stdout.write(`${language.padEnd(6)} ${String(lacking)} of ${String(all)} texts are shown in English\n`);
}
