/**
 * Prints the agreement of every `.jsonl.gz` file of a folder, and the first differences of each case that disagrees:
 * `npx tsx test/conformance/agreement.ts [folder] [name part]`
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runFile } from './run-file.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, 'data');
const part = process.argv[3] ?? '';
const shownDifferences = 3;
let disagreed = false;
for (const name of readdirSync(folder).sort()) {
  if (!name.endsWith('.jsonl.gz') || !name.includes(part)) continue;
  const { cases, disagreements } = runFile(join(folder, name));
  process.stdout.write(`${name.replace('.jsonl.gz', '')} ${cases - disagreements.length}/${cases}\n`);
  for (const { id, differences } of disagreements) {
    disagreed = true;
    process.stdout.write(`  ${id}\n`);
    for (const difference of differences.slice(0, shownDifferences)) process.stdout.write(`    ${difference}\n`);
  }
}
process.exitCode = disagreed ? 1 : 0;
