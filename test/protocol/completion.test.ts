import assert from 'node:assert/strict';
import type { CompletionItem, CompletionList, TextEdit } from 'vscode-languageserver/node';
import { TestClient } from './test-client.ts';

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: high
value: 100000
`;
const nodes = ['a', 'b']
  .map(
    (name) =>
      `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { topology.kubernetes.io/zone: z1, disk: ssd } }\n`,
  )
  .join('---\n');

const head = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n';

const withSnippets = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };

describe('completion', () => {
  let client: TestClient;

  afterEach(() => client.stop());

  /** What is offered at the end of a text, which may be followed by more. */
  async function at(uri: string, before: string, after = ''): Promise<readonly CompletionItem[]> {
    await client.change(uri, before + after);
    const lines = before.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)!.length };
    const answer = await client.request<CompletionItem[] | CompletionList | null>('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    assert.ok(answer !== null);
    return Array.isArray(answer) ? answer : answer.items;
  }

  const labels = (items: readonly CompletionItem[]): string[] => items.map(({ label }) => label);

  it('goes from an empty file to a whole manifest', async () => {
    client = await TestClient.start({ files: { 'c.yaml': classes, 'n.yaml': nodes }, capabilities: withSnippets });
    const uri = await client.open('web.yaml', '');
    const empty = await at(uri, '');
    assert.deepEqual(labels(empty).slice(0, 5), ['apiVersion', 'kind', 'metadata', 'spec', 'Deployment']);
    const [snippet] = empty.filter(({ label }) => label === 'PriorityClass');
    assert.match((snippet!.textEdit as TextEdit).newText, /name: \$\{1:high-priority\}\n/);
    assert.ok(labels(await at(uri, 'apiVersion: apps/v1\nkind: De')).includes('Deployment'));
    assert.equal(labels(await at(uri, 'apiVersion: apps/v1\nkind: Deployment\nspec:\n  se'))[0], 'selector');
    const [key] = (await at(uri, `${head}  pri`, '\n  containers: []\n')).filter(
      ({ label }) => label === 'priorityClassName',
    );
    assert.equal(key!.detail, 'text');
    assert.match(JSON.stringify(key!.documentation), /which pods come first in the queue/);
    assert.deepEqual(key!.textEdit, {
      range: { start: { line: 5, character: 2 }, end: { line: 5, character: 5 } },
      newText: 'priorityClassName: $0',
    });
    assert.ok(labels(await at(uri, `${head}  priorityClassName: `)).includes('high'));
    const zones = await at(uri, `${head}  topologySpreadConstraints:\n    - topologyKey: `);
    assert.equal(zones.find(({ label }) => label === 'topology.kubernetes.io/zone')!.detail, 'on 2 nodes, 1 domain');
  });

  it('follows labels that are typed in another file', async () => {
    client = await TestClient.start({ files: { 'n.yaml': nodes } });
    const uri = await client.open('web.yaml', head);
    const other = await client.open('n.yaml', nodes);
    assert.deepEqual(labels(await at(uri, `${head}  nodeSelector:\n    disk: `)), ['ssd']);
    await client.change(other, nodes.replaceAll('ssd', 'nvme'));
    assert.deepEqual(labels(await at(uri, `${head}  nodeSelector:\n    disk: `)), ['nvme']);
  });

  it('takes the fields of the Kubernetes that the settings choose', async () => {
    client = await TestClient.start({ settings: { kubernetes: { version: '1.34' } } });
    const uri = await client.open('web.yaml', head);
    const fields = labels(await at(uri, `${head}  `));
    assert.ok(fields.includes('priorityClassName') && !fields.includes('schedulingGroup'));
  });

  it('leaves keys to a YAML server where that has a schema, unless the settings say otherwise', async () => {
    const keys = async (uri: string, before = head): Promise<boolean> =>
      labels(await at(uri, `${before}  `)).includes('priorityClassName');
    client = await TestClient.start({ files: { 'c.yaml': classes }, initializationOptions: { yamlServer: true } });
    const uri = await client.open('web.yaml', head);
    // By itself it has no schema of Kubernetes.
    assert.equal(await keys(uri), true);
    assert.equal(await keys(uri, `# yaml-language-server: $schema=https://example.com/pod.json\n${head}`), false);
    const changed = (now: object) => client.connection.sendNotification('podium/yamlServerChanged', now);
    await changed({ yamlServer: true, yamlSchemas: { kubernetes: ['other/*.yaml'] } });
    assert.equal(await keys(uri), true);
    await changed({ yamlServer: true, yamlSchemas: { kubernetes: ['*.yaml'] } });
    assert.equal(await keys(uri), false);
    assert.ok(labels(await at(uri, `${head}  priorityClassName: `)).includes('high'));
    assert.ok(labels(await at(await client.open('a.json', ''), '{"apiVersion":"v1","kind":"Pod","spec":{')).length > 0);
    await changed({ yamlServer: true, kubernetesSchemas: true });
    assert.equal(await keys(uri), false);
    await changed({ yamlServer: false });
    assert.equal(await keys(uri), true);
    await client.stop();
    client = await TestClient.start({
      initializationOptions: { yamlServer: true, kubernetesSchemas: true },
      settings: { completion: { keys: 'on' } },
    });
    assert.equal(await keys(await client.open('web.yaml', head)), true);
    await client.stop();
    client = await TestClient.start({ settings: { completion: { keys: 'off' } } });
    assert.equal(await keys(await client.open('web.yaml', head)), false);
  });

  it('[ED-7] tells a value that is typed to its end from one that is asked about', async () => {
    client = await TestClient.start({ files: { 'c.yaml': classes } });
    const uri = await client.open('web.yaml', `${head}  priorityClassName: high`);
    const ask = async (triggerKind: number, character: number): Promise<string[]> => {
      const answer = await client.request<CompletionItem[] | CompletionList>('textDocument/completion', {
        textDocument: { uri },
        position: { line: 5, character },
        context: { triggerKind },
      });
      return labels(Array.isArray(answer) ? answer : answer.items);
    };
    const end = '  priorityClassName: high'.length;
    // Nothing was typed yet.
    assert.ok((await ask(1, end)).includes('high'));
    await client.change(uri, `${head}  priorityClassName: hig`);
    assert.ok((await ask(1, end - 1)).includes('high'));
    await client.change(uri, `${head}  priorityClassName: high`);
    assert.deepEqual(await ask(1, end), []);
    // Whoever asks once more wants to see the others.
    assert.ok((await ask(1, end)).includes('high'));
    assert.deepEqual(await ask(3, end), []);
    // A question from before the last letter may arrive with it.
    await client.change(uri, `${head}  priorityClassName: hig`);
    await client.change(uri, `${head}  priorityClassName: high`);
    await ask(1, end - 1);
    assert.deepEqual(await ask(1, end), []);
  });

  it('[ED-7] [#38] is asked for by one letter between a key and its value, so that no list is older than what is typed', async () => {
    client = await TestClient.start();
    assert.deepEqual(client.initialized.capabilities.completionProvider!.triggerCharacters, [' ']);
  });

  it('answers whatever stands there', async () => {
    client = await TestClient.start();
    const uri = await client.open('web.yaml', head);
    const long = `{"apiVersion":"v1","kind":"Pod","spec":{"nodeName":"${'a'.repeat(1_000_000)}","`;
    assert.deepEqual(await at(uri, long), []);
    assert.deepEqual(await at(uri, `${head}  nodeName: {{ .Values.node }}\n  `), []);
    const many = Array.from({ length: 10_000 }, (_each, index) => `    key-${index}: a\n`).join('');
    assert.ok(labels(await at(uri, `${head}  nodeSelector:\n${many}    `)).includes('kubernetes.io/os'));
    for (const position of [
      { line: 5, character: 1_000_000 },
      { line: 1_000_000, character: 0 },
      { line: 2_147_483_647, character: 2_147_483_647 },
    ]) {
      await client.change(uri, `${head}  `);
      const answer = await client.request<CompletionItem[]>('textDocument/completion', {
        textDocument: { uri },
        position,
      });
      assert.ok(labels(answer).includes('priorityClassName'));
    }
  });
});
