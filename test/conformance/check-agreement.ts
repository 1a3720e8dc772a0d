import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { runFile } from './run-file.ts';

/** Decides every case of `data/<name>.jsonl.gz`, prints how many agree, and fails with the first that do not. */
export function checkAgreement(name: string): void {
  const { cases, disagreements } = runFile(fileURLToPath(new URL(`data/${name}.jsonl.gz`, import.meta.url)));
  process.stdout.write(`      ${name}: ${cases - disagreements.length} of ${cases} agree\n`);
  assert.ok(cases > 0, `no cases in ${name}`);
  assert.deepEqual(disagreements.slice(0, 5), []);
}
