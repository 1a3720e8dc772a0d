import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { root } from '../../../scripts/lib/paths.mjs';
import { schemas } from '../../../scripts/lib/schemas.mjs';
import { takeSnapshot } from '../../../server/src/capture/take-snapshot.ts';
import { KubectlError } from '../../../server/src/capture/kubectl.ts';

const shipped = (name: string): object =>
  JSON.parse(readFileSync(join(root, 'schemas', `${name}.schema.json`), 'utf8')) as object;

const faultsOf = (name: string, value: unknown): string => {
  const ajv = new Ajv({ allErrors: true });
  return ajv.validate(shipped(name), value) ? '' : ajv.errorsText();
};

describe('schemas', () => {
  it('are those that `npm run schemas` writes', () => {
    const names = Object.keys(schemas);
    const files = readdirSync(join(root, 'schemas')).filter((name) => name !== 'answers');
    assert.deepEqual(files.sort(), names.map((name) => `${name}.schema.json`).sort());
    for (const [name, schema] of Object.entries(schemas)) {
      assert.deepEqual(shipped(name), JSON.parse(JSON.stringify(schema)), name);
    }
  });

  it('are named for their files in package.json', () => {
    const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      contributes: Record<'jsonValidation' | 'yamlValidation', { url: string }[]>;
    };
    const { jsonValidation, yamlValidation } = contributes;
    const named = [...new Set([...jsonValidation, ...yamlValidation].map(({ url }) => url))].sort();
    assert.deepEqual(
      named,
      Object.keys(schemas)
        .map((name) => `./schemas/${name}.schema.json`)
        .sort(),
    );
  });

  it('take a snapshot as Podium writes it, and tell what is none', async () => {
    let text = '';
    const get = (_context: string, path: string): Promise<string> => {
      if (path === '/version') return Promise.resolve('{"gitVersion":"v1.35.1"}');
      if (path.includes('poddisruptionbudgets')) return Promise.reject(new KubectlError('no (Forbidden): no'));
      const items = path.includes('/nodes?') ? [{ metadata: { name: 'a' }, spec: {}, status: {} }] : [];
      return Promise.resolve(JSON.stringify({ items }));
    };
    const write = (part: string): Promise<void> => {
      text += part;
      return Promise.resolve();
    };
    const { missing } = await takeSnapshot({ get }, 'one', write, 0);
    assert.equal(missing.length, 1);
    const snapshot = JSON.parse(text) as object;
    assert.equal(faultsOf('snapshot', snapshot), '');
    assert.match(faultsOf('snapshot', { ...snapshot, kind: 'Pod' }), /kind must be equal to constant/);
  });

  it('take a lock as Podium writes it, and tell what is none', () => {
    const entry = { resolved: '6.3.5', sha256: 'a'.repeat(64), file: '', fetchedAt: '2026-11-22T00:00:00.000Z' };
    const lock = { version: 1, entries: { 'chart x': entry }, pins: { x: { sha256: entry.sha256, fetchedAt: '' } } };
    assert.equal(faultsOf('lock', lock), '');
    assert.match(faultsOf('lock', { ...lock, entries: { x: { ...entry, file: '../up' } } }), /must match pattern/);
  });
});
