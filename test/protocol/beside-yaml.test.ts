import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { CompletionItem, CompletionList } from 'vscode-languageserver/node';
import { kubernetesSchema } from '../support/kubernetes-schema.ts';
import { TestClient } from './test-client.ts';

const kinds = [
  ['v1', 'Pod'],
  ['v1', 'Node'],
  ['v1', 'ResourceQuota'],
  ['apps/v1', 'Deployment'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['scheduling.k8s.io/v1', 'PriorityClass'],
] as const;

const files = {
  'schema.json': JSON.stringify(kubernetesSchema(kinds)),
  'classes.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: high\nvalue: 100000\n',
  'node.yaml':
    'apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n  labels: { disk: ssd }\nspec:\n  taints: [{ key: spot, effect: NoSchedule }]\n',
};

const pod = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n';

/** Texts that end where something may be written. */
const places = [
  '',
  'ap',
  'apiVersion: v1\nkind: ',
  'kind: Deployment\napiVersion: ',
  'apiVersion: apps/v1\nkind: Deployment\n',
  'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  ',
  `${pod}spec:\n  `,
  `${pod}spec:\n  pri`,
  `${pod}spec: { `,
  `${pod}spec:\n  preemptionPolicy: `,
  `${pod}spec:\n  hostNetwork: `,
  `${pod}spec:\n  priorityClassName: `,
  `${pod}spec:\n  nodeSelector:\n    `,
  `${pod}spec:\n  nodeSelector:\n    disk: `,
  `${pod}spec:\n  tolerations:\n    - `,
  `${pod}spec:\n  tolerations:\n    - key: `,
  `${pod}spec:\n  tolerations:\n    - key: spot\n      effect: `,
  `${pod}spec:\n  affinity:\n    `,
  `${pod}spec:\n  topologySpreadConstraints:\n    - whenUnsatisfiable: `,
  `${pod}spec:\n  topologySpreadConstraints:\n    - topologyKey: `,
  `${pod}spec:\n  containers:\n    - name: a\n      resources:\n        requests:\n          `,
  'apiVersion: v1\nkind: ResourceQuota\nspec:\n  scopes:\n    - ',
  'apiVersion: v1\nkind: ResourceQuota\nspec:\n  scopeSelector:\n    matchExpressions:\n      - scopeName: ',
  'apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec:\n  selector:\n    matchExpressions:\n      - operator: ',
];

const capabilities = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };

/** The server of the YAML extension of Red Hat. */
async function yamlServer(): Promise<readonly string[]> {
  const manifest = createRequire(import.meta.url).resolve('yaml-language-server/package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: Readonly<Record<string, string>> };
  return [join(dirname(manifest), bin['yaml-language-server']!), '--stdio'];
}

async function offered(client: TestClient, uri: string, text: string): Promise<string[]> {
  await client.change(uri, text);
  const lines = text.split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)!.length };
  const answer = await client.request<CompletionItem[] | CompletionList | null>('textDocument/completion', {
    textDocument: { uri },
    position,
  });
  return (Array.isArray(answer) ? answer : (answer?.items ?? [])).map(({ label }) => label);
}

describe('beside the YAML language server', () => {
  const clients: TestClient[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.stop();
  });

  async function podium(keys: 'auto' | 'on', folder: string): Promise<TestClient> {
    const client = await TestClient.start({
      folder,
      capabilities,
      settings: { completion: { keys } },
      initializationOptions: { yamlServer: true },
    });
    clients.push(client);
    return client;
  }

  it('nothing is offered twice over the same file', async () => {
    const settings = { completion: true, validate: true, schemaStore: { enable: false }, schemas: {} };
    const yaml = await TestClient.start({
      server: await yamlServer(),
      files,
      // It tells no progress.
      early: true,
      capabilities,
      settings: Object.assign(settings, { kubernetesCRDStore: { enable: false } }),
      answers: {
        'workspace/configuration': (params) => {
          Object.assign(settings.schemas, { [yaml.uri('schema.json')]: '*.yaml' });
          return (params as unknown as { items: readonly unknown[] }).items.map(() => settings);
        },
      },
    });
    const [auto, on] = [await podium('auto', yaml.folder), await podium('on', yaml.folder)];
    clients.push(yaml);
    const uri = await yaml.open('web.yaml', `${pod}spec: 5\n`);
    for (const client of [auto, on]) await client.open('web.yaml', pod);
    // It has read the schema when it finds what is wrong by it.
    await yaml.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
    const twice: string[] = [];
    let twiceIfAsked = 0;
    let ours = 0;
    for (const place of places) {
      const theirs = new Set(await offered(yaml, uri, place));
      const labels = await offered(auto, uri, place);
      ours += labels.length;
      twice.push(
        ...labels.filter((label) => theirs.has(label)).map((label) => `${label} after ${JSON.stringify(place)}`),
      );
      twiceIfAsked += (await offered(on, uri, place)).filter((label) => theirs.has(label)).length;
    }
    assert.deepEqual(twice, []);
    assert.ok(ours > 40, `${ours} of Podium`);
    assert.ok(twiceIfAsked > 100, `${twiceIfAsked} twice with all of Podium's`);
    assert.ok((await offered(auto, uri, `${pod}spec:\n  priorityClassName: `)).includes('high'));
  });

  it('no finding is told twice of the same file, and none is lost', async () => {
    const settings = { validate: true, schemaStore: { enable: false }, kubernetesCRDStore: { enable: false } };
    const yaml = await TestClient.start({
      server: await yamlServer(),
      files: { 'closed.yaml': `${pod}spec: { a: b\n` },
      early: true,
      settings,
      answers: {
        'workspace/configuration': (params) =>
          (params as unknown as { items: readonly unknown[] }).items.map(() => settings),
      },
    });
    clients.push(yaml);
    const client = await TestClient.start({
      folder: yaml.folder,
      initializationOptions: { yamlServer: true, yamlValidation: true },
    });
    clients.push(client);
    /** With what only Podium knows: of classes, and of what kubectl reads in another way. */
    const texts = {
      'a key twice': `${pod}  name: again\nspec: { priorityClassName: gone }\n`,
      'brackets that are never closed': `${pod}spec: { a: b\n`,
      'a quote that is never closed': `${pod}spec: { a: "b }\n`,
      'a colon without a blank': `${pod}spec: { a:{b: c} }\n`,
    };
    const uri = await yaml.open('web.yaml', pod);
    await client.open('web.yaml', pod);
    const isOfText = (code: unknown): boolean => code === 'yaml-syntax' || code === 'yaml-duplicate-key';
    for (const [what, text] of Object.entries(texts)) {
      await yaml.change(uri, text);
      await client.change(uri, text);
      const theirs = await yaml.diagnostics(uri, (told) => told.length > 0);
      const ours = (await client.diagnostics(uri)).filter(({ code }) => isOfText(code));
      assert.ok(theirs.length > 0, what);
      assert.deepEqual(
        ours.map(({ message }) => message),
        what === 'a colon without a blank' ? ['kubectl needs a blank between “:” and what follows it.'] : [],
        what,
      );
    }
    // Nobody but Podium tells of files that are not open.
    await client.diagnostics(client.uri('closed.yaml'), (told) => told.some(({ code }) => code === 'yaml-syntax'));
    await client.change(uri, texts['a key twice']);
    await client.diagnostics(uri, (told) => told.some(({ code }) => code === 'unknown-priority-class'));
    await client.connection.sendNotification('podium/yamlServerChanged', { yamlServer: true });
    await client.diagnostics(uri, (told) => told.some(({ code }) => code === 'yaml-duplicate-key'));
  });
});
