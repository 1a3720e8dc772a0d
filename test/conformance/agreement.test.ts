import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runFile } from './run-file.ts';

const folder = join(import.meta.dirname, 'data');
/** A file of 120 cases takes a second or two; a shared machine may be many times slower. */
const fileTimeout = 120_000;

/** What recorded files prove besides the engine as a whole. */
const proves: Readonly<Record<string, string>> = {
  'validate-pods': '[GATE-2][GATE-4][GATE-5][GATE-6][GATE-7][PLA-9] ',
  admit: '[PRI-4][PRI-5][PRI-6][PRI-7] ',
  'validate-class': '[PRI-2][PRI-3][PRI-6][PRI-10] ',
  'validate-budget': '[EVI-6] ',
  quota: '[PRI-12][PRI-13] ',
  'budget-status': '[EVI-6] ',
  evict: '[EVI-2][EVI-3] ',
  pressure: '[EVI-1] ',
};

describe('agreement with kube-scheduler and the API server v1.34', () => {
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl.gz'))
    .sort()) {
    const title = name.replace('.jsonl.gz', '');
    it(`${proves[title] ?? ''}decides every case of ${title} as recorded`, function () {
      this.timeout(fileTimeout);
      const { cases, disagreements } = runFile(join(folder, name));
      process.stdout.write(`    ${title} ${cases - disagreements.length}/${cases}\n`);
      const first = disagreements
        .slice(0, 5)
        .map(({ id, differences }) => `${id}\n    ${differences.slice(0, 3).join('\n    ')}`);
      assert.equal(disagreements.length, 0, `${title}:\n  ${first.join('\n  ')}`);
      assert.notEqual(cases, 0, `${title} has no cases`);
    });
  }
});
