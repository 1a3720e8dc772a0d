import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Baseline } from '../../../server/src/language/known/baseline.ts';
import { baselineIn, markKnown } from '../../../server/src/language/known/mark-known.ts';

const folder = 'file:///work';
const identity = (path: string, place = '') => ({ rule: 'budget-overlap', path, object: '', place });
const diagnostic = (message: string) => ({
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  code: 'budget-overlap',
  severity: 2 as const,
  message,
});

describe('the baseline of podium.yaml in an editor', () => {
  it('lies below the folder of the file that names it, however that is written', () => {
    assert.equal(baselineIn(folder, 'podium-baseline.json'), `${folder}/podium-baseline.json`);
    assert.equal(baselineIn(folder, './ci/known problems.json'), `${folder}/ci/known%20problems.json`);
    assert.equal(baselineIn(folder, 'a%2f..%2f..%2fid_rsa'), `${folder}/a%252f..%252f..%252fid_rsa`);
    for (const outside of ['../id_rsa', 'a/../../id_rsa', '/etc/passwd', '//host/a', 'a\\..\\..\\id_rsa', '']) {
      assert.equal(baselineIn(folder, outside), null, outside);
    }
  });

  it('makes a hint of as many problems as it knows, in its own files alone', () => {
    const known = { folder, baseline: new Baseline([identity('a.yaml'), identity('b.yaml')], 'known.json') };
    const found = ['one', 'two'].map(diagnostic);
    const marked = (uri: string) => markKnown(uri, found, known, undefined);
    assert.deepEqual(
      marked(`${folder}/a.yaml`).map(({ severity, message }) => [severity, message]),
      [
        [4, 'one (known: known.json)'],
        [2, 'two'],
      ],
    );
    assert.equal(marked(`${folder}/c.yaml`), found);
    assert.equal(marked('file:///elsewhere/a.yaml'), found);
  });

  it('is asked for the file alone, however many others it knows problems of', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => identity(`${at}.yaml`));
    const baseline = new Baseline([...many, identity('7.yaml', 'spec')]);
    assert.equal(baseline.counts('7.yaml').size, 2);
    assert.equal(baseline.counts().size, 100_001);
  });
});
