import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CodeLens } from 'vscode-languageserver/node';
import { TestClient } from './test-client.ts';

const sample = fileURLToPath(new URL('../../samples/online-shop', import.meta.url));

/** When what is under way counts as hanging, in milliseconds. */
const deadline = 60_000;

describe('at rest', () => {
  it('waits for messages and for nothing else: no timer runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-rest-'));
    await cp(sample, folder, { recursive: true });
    const client = await TestClient.start({
      folder,
      probed: true,
      capabilities: { workspace: { codeLens: { refreshSupport: true } } },
    });
    client.connection.onRequest('workspace/codeLens/refresh', () => null);
    // Everything that waits for something: typing, lenses, a report that goes out of date.
    const text = await readFile(join(folder, 'apps/checkout.yaml'), 'utf8');
    const uri = await client.open('apps/checkout.yaml', text);
    const [lens] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    await client.request('codeLens/resolve', lens);
    await client.request('podium/simulate', { scenario: { kind: 'workspace' } });
    await client.change(uri, text.replace('replicas: ', 'replicas: 1'));
    await client.diagnostics(uri);
    const waitingFor = async (): Promise<readonly string[]> =>
      (await client.probe()).resources.filter((name) => name === 'Timeout' || name === 'Immediate');
    const end = Date.now() + deadline;
    while ((await waitingFor()).length > 0) assert.ok(Date.now() < end, 'timers still run');
    assert.equal(await client.stop(), 0);
  });
});
