/**
 * Prints the agreement of every recorded file of a folder and those in it, and the first differences of each case that
 * disagrees: `npx tsx test/conformance/agreement.ts [folder] [name part]`
 */
import { dataFolder, recordedFiles } from './recorded-files.ts';
import { runFile } from './run-file.ts';

const folder = process.argv[2] ?? dataFolder;
const part = process.argv[3] ?? '';
const shownDifferences = 3;
let disagreed = false;
for (const name of recordedFiles(folder)) {
  if (!name.includes(part)) continue;
  const { cases, disagreements } = await runFile(name, folder);
  process.stdout.write(`${name} ${cases - disagreements.length}/${cases}\n`);
  for (const { id, differences } of disagreements) {
    disagreed = true;
    process.stdout.write(`  ${id}\n`);
    for (const difference of differences.slice(0, shownDifferences)) process.stdout.write(`    ${difference}\n`);
  }
}
process.exitCode = disagreed ? 1 : 0;
