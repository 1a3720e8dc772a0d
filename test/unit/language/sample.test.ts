import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestWorkspace } from './test-workspace.ts';

const sample = fileURLToPath(new URL('../../../samples/online-shop', import.meta.url));

describe('the sample workspace', () => {
  it('shows the problems that its README tells of, and no others', async () => {
    const paths = readdirSync(sample, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
    const workspace = await TestWorkspace.of(
      Object.fromEntries(paths.map((path) => [path, readFileSync(join(sample, path), 'utf8')])),
    );
    const found = paths.flatMap((path) => workspace.diagnostics(path).map(({ code }) => `${path}: ${String(code)}`));
    assert.deepEqual([...new Set(found)].sort(), [
      'batch/order-history-export.yaml: exceeds-every-node',
      'budgets.yaml: budget-blocks-evictions',
      'platform/ingress-nginx.yaml: budget-broken-by-preemption',
    ]);
    const readme = readFileSync(join(sample, 'README.md'), 'utf8');
    for (const code of ['exceeds-every-node', 'budget-blocks-evictions', 'budget-broken-by-preemption']) {
      assert.ok(readme.includes(code));
    }
  });
});
