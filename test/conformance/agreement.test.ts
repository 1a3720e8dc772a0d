import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { recordedFiles } from './recorded-files.ts';
import { type FileResult, runFile } from './run-file.ts';
import { tableOf } from './table.ts';

const page = join(import.meta.dirname, '../../docs/maintainers/conformance.md');

/** What the files of a kind prove, by the beginning of their names. */
const requirements: readonly (readonly [string, string])[] = [
  ['validate-pods', '[GATE-2][GATE-4][GATE-5][GATE-6][GATE-7][PLA-9]'],
  ['admit', '[PRI-4][PRI-5][PRI-6][PRI-7]'],
  ['validate-class', '[PRI-2][PRI-3][PRI-6][PRI-10]'],
  ['validate-budget', '[EVI-6]'],
  ['quota', '[PRI-12][PRI-13]'],
  ['devices', '[PLA-21]'],
  ['budget-status', '[EVI-6]'],
  ['evict', '[EVI-2][EVI-3]'],
  ['pressure', '[EVI-1]'],
  ['karpenter-consolidation', '[SCA-3]'],
  ['karpenter', '[SCA-1]'],
  ['cluster-autoscaler', '[SCA-2]'],
];

describe('agreement with the recorded decisions of Kubernetes', () => {
  const results = new Map<string, FileResult>();

  for (const name of recordedFiles()) {
    const proves = requirements.find(([beginning]) => name.split('/').at(-1)!.startsWith(beginning))?.[1];
    it(`${proves === undefined ? '' : `${proves} `}decides every case of ${name} as recorded`, async () => {
      const result = await runFile(name);
      results.set(name, result);
      const { cases, disagreements } = result;
      process.stdout.write(`    ${name} ${cases - disagreements.length}/${cases}\n`);
      const first = disagreements
        .slice(0, 5)
        .map(({ id, differences }) => `${id}\n    ${differences.slice(0, 3).join('\n    ')}`);
      assert.equal(disagreements.length, 0, `${name}:\n  ${first.join('\n  ')}`);
      assert.notEqual(cases, 0, `${name} has no cases`);
    });
  }

  it('gives the table of docs/maintainers/conformance.md (UPDATE_GOLDEN=1 rewrites it)', () => {
    assert.equal(results.size, recordedFiles().length);
    const table = tableOf(results);
    process.stdout.write(`${table}\n`);
    const [before, , after] = readFileSync(page, 'utf8').split(
      /(?<=<!-- agreement -->\n\n)([^]*?)(?=\n<!-- \/agreement -->)/,
    );
    const expected = `${before}${table}${after}`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, expected);
    assert.equal(readFileSync(page, 'utf8'), expected);
  });
});
