import assert from 'node:assert/strict';
import type { CompletionItem } from 'vscode-languageserver';
import { TestClient } from './test-client.ts';

const node =
  'apiVersion: v1\nkind: Node\nmetadata: {name: general-a}\nstatus: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}\n';
const web =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: x}]}\n';

describe('scenarios in an editor', () => {
  let client: TestClient;

  before(async () => {
    client = await TestClient.start({ files: { 'node.yaml': node, 'web.yaml': web } });
  });

  after(() => client.stop());

  it('says what is wrong in a file *.podium.yaml, where it stands, and nothing once it is right', async () => {
    const text = 'title: x\nevents:\n  - drain node/general-a at noon\n  - fly away\nwhen: now\n';
    const uri = await client.open('upgrade.podium.yaml', text);
    const found = await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
    assert.deepEqual(
      found.map(({ range, code }) => [range.start.line, code]),
      [[4, 'scenario']],
    );
    await client.change(uri, text.replace('when: now\n', ''));
    const events = await client.diagnostics(uri, (diagnostics) => diagnostics.length === 2);
    assert.deepEqual(
      events.map(({ range, message }) => [range.start.line, (message as string).split(';')[0]]),
      [
        [2, "'noon' is no time"],
        [3, "unknown operation 'fly'"],
      ],
    );
    await client.change(uri, 'events:\n  - drain node/general-a at 60s\n');
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
  });

  it('completes keys, operations, and what these are about', async () => {
    const uri = await client.open(
      'other.podium.yaml',
      'ev\nevents:\n  - \n  - drain n\n  - scale \nquestions:\n  - \n  - fit d\n  - drained n\nlasts:\n  j\n',
    );
    const labels = async (line: number, character: number): Promise<readonly string[]> => {
      const items = await client.request<CompletionItem[]>('textDocument/completion', {
        textDocument: { uri },
        position: { line, character },
      });
      return items.map(({ label }) => label);
    };
    assert.deepEqual(await labels(0, 2), [
      'title',
      'cluster',
      'workload',
      'questions',
      'start',
      'until',
      'lasts',
      'events',
    ]);
    assert.ok((await labels(2, 4)).includes('arrive'));
    assert.deepEqual(await labels(3, 11), ['node/general-a']);
    assert.deepEqual(await labels(4, 10), ['deployment/shop/web']);
    assert.deepEqual(await labels(6, 4), ['evicted', 'pending', 'running', 'drained', 'fit', 'threats']);
    assert.deepEqual(await labels(7, 9), ['deployment/shop/web']);
    assert.deepEqual(await labels(8, 13), ['node/general-a']);
    assert.deepEqual(await labels(10, 3), []);
  });

  it('takes it for no manifest', async () => {
    const uri = await client.open('odd.podium.yaml', 'events: []\n');
    await client.diagnostics(uri, (diagnostics) => diagnostics.length === 0);
    const lenses = await client.request<unknown[]>('textDocument/codeLens', { textDocument: { uri } });
    assert.deepEqual(lenses, []);
  });
});
