import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

describe('docs/maintainers/requirements.md', () => {
  const listed = readFileSync(join(root, 'docs/maintainers/requirements.md'), 'utf8').matchAll(/^\| ([A-Z]+-\d+) \|/gm);
  const ids = [...listed].map(([, id]) => id!);

  it('lists every requirement that a test cites', () => {
    const cited = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:test|bench)\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(join(root, 'test', file), 'utf8').matchAll(/\[([A-Z]{2,4}-\d{1,2})\]/g)])
      .map(([, id]) => id!);
    assert.ok(cited.length > 100);
    assert.deepEqual(
      [...new Set(cited)].filter((id) => !ids.includes(id)),
      [],
    );
  });

  it('lists each once', () => {
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
  });
});
