import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver';
import { bounded, mostFiles, mostProblems } from '../../../server/src/language/diagnostics/bounded.ts';

const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } };
const problem = (severity: 1 | 3): Diagnostic => ({ range, severity, message: 'wrong' });
const many = (amount: number, of: readonly Diagnostic[]): [string, readonly Diagnostic[]][] =>
  Array.from({ length: amount }, (_, index) => [`file:///${String(index).padStart(5, '0')}.yaml`, of]);

const isOpen = (uri: string): boolean => uri.includes('open');

describe('problems of files that are not open', () => {
  it('are told all while somebody may read them', () => {
    const found = new Map(many(mostFiles, [problem(3)]));
    assert.equal(bounded(found, isOpen), found);
  });

  it('are the gravest of more files, and the last says how many more there are', () => {
    const found = new Map([
      ...many(mostFiles + 10, [problem(3)]),
      ['file:///z.yaml', [problem(1)]] as const,
      ['file:///open.yaml', [problem(3)]] as const,
    ]);
    const told = [...bounded(found, isOpen)];
    assert.equal(told.length, mostFiles + 1);
    assert.equal(told[0]![0], 'file:///open.yaml');
    assert.equal(told[1]![0], 'file:///z.yaml');
    const [own, last] = told.at(-1)![1];
    assert.equal(own, found.get('file:///00000.yaml')![0]);
    assert.equal(
      last!.message,
      'Podium shows 2,000 problems of files that are not open. There are 11 more in 11 other files. A file that is opened is shown in full, and `podium check` lists all.',
    );
    assert.deepEqual([last!.severity, last!.source, last!.code], [3, 'podium', undefined]);
    assert.equal(told.flatMap(([, shown]) => shown).filter(({ message }) => message !== 'wrong').length, 1);
  });

  it('are the gravest of one file with more', () => {
    const found = new Map([
      ['file:///a.yaml', [...Array.from({ length: mostProblems }, () => problem(3)), problem(1)]],
    ]);
    const [[, shown]] = [...bounded(found, isOpen)] as [[string, readonly Diagnostic[]]];
    assert.equal(shown.length, mostProblems + 1);
    assert.equal(shown[0]!.severity, 1);
    assert.match(shown.at(-1)!.message as string, /There is 1 more in these files/);
  });

  it('are told all of files that are open', () => {
    const found = new Map(many(mostFiles + 10, [problem(3)]));
    assert.equal(bounded(found, () => true).size, mostFiles + 10);
  });
});
