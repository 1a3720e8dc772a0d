import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type {
  CodeLens,
  CompletionItem,
  CompletionList,
  Diagnostic,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Location,
  Position,
  SelectionRange,
} from 'vscode-languageserver/node';
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

const besides = {
  textDocument: {
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    foldingRange: { lineFoldingOnly: true },
  },
};

function textOf(message: Diagnostic['message']): string {
  return typeof message === 'string' ? message : message.value;
}

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

/**
 * What somebody who selects more and more goes through, where several servers answer.
 * Source: provideSelectionRanges in VS Code's src/vs/editor/contrib/smartSelect/browser/smartSelect.ts
 */
function steppedThrough(text: string, answers: readonly SelectionRange[]): readonly string[] {
  const lines = text.split(/(?<=\n)/);
  const offset = ({ line, character }: Position): number => lines.slice(0, line).join('').length + character;
  const ranges: (readonly [start: number, end: number])[] = [];
  for (const answer of answers) {
    for (let each: SelectionRange | undefined = answer; each !== undefined; each = each.parent) {
      ranges.push([offset(each.range.start), offset(each.range.end)]);
    }
  }
  ranges.sort(([start, end], [otherStart, otherEnd]) => otherStart - start || end - otherEnd);
  const steps: (readonly [start: number, end: number])[] = [];
  for (const range of ranges) {
    const last = steps.at(-1);
    const isLarger = last === undefined || (range[0] <= last[0] && range[1] >= last[1] && range.join() !== last.join());
    if (isLarger) steps.push(range);
  }
  return steps.map(([start, end]) => text.slice(start, end));
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
      initializationOptions: { yamlServer: true, yamlSchemas: { 'schema.json': '*.yaml' } },
    });
    clients.push(client);
    return client;
  }

  /** Both over one folder, as an editor runs them. */
  async function sideBySide(settings: object): Promise<readonly [client: TestClient, yaml: TestClient]> {
    const yaml = await TestClient.start({
      server: await yamlServer(),
      files,
      early: true,
      settings,
      capabilities: besides,
    });
    clients.push(yaml);
    const client = await TestClient.start({
      folder: yaml.folder,
      capabilities: besides,
      initializationOptions: { yamlServer: true, yamlValidation: true },
    });
    clients.push(client);
    return [client, yaml];
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
      const theirs = await yaml.diagnostics(uri, (found) => found.length > 0);
      const ours = (await client.diagnostics(uri)).filter(({ code }) => isOfText(code));
      assert.ok(theirs.length > 0, what);
      assert.deepEqual(
        ours.map(({ message }) => message),
        what === 'a colon without a blank' ? ['kubectl needs a space between “:” and what follows it.'] : [],
        what,
      );
    }
    // Nobody but Podium tells of files that are not open.
    await client.diagnostics(client.uri('closed.yaml'), (found) => found.some(({ code }) => code === 'yaml-syntax'));
    await client.change(uri, texts['a key twice']);
    await client.diagnostics(uri, (found) => found.some(({ code }) => code === 'unknown-priority-class'));
    await client.connection.sendNotification('podium/yamlServerChanged', { yamlServer: true });
    await client.diagnostics(uri, (found) => found.some(({ code }) => code === 'yaml-duplicate-key'));
  });

  it('outline, folds, lenses and links are each of one of the two, or the same', async () => {
    const settings = { validate: true, hover: true, schemaStore: { enable: false } };
    const text = [
      `${pod}spec:\n  priorityClassName: high\n  containers:\n    - name: app\n      image: b`,
      files['classes.yaml'].trim(),
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Namespace\n  metadata: &m\n    name: shop\n    labels: { a: b }\n',
    ].join('\n---\n');
    const [client, yaml] = await sideBySide(settings);
    const uri = await yaml.open('all.yaml', text);
    await client.open('all.yaml', text);
    const ask = async <Answer>(
      method: string,
      more: object = {},
    ): Promise<[ours: readonly Answer[], theirs: readonly Answer[]]> => {
      const params = { textDocument: { uri }, ...more };
      const [ours, theirs] = await Promise.all(
        [client, yaml].map((each) => each.request<readonly Answer[] | null>(method, params)),
      );
      return [ours ?? [], theirs ?? []];
    };
    const namesOf = (symbols: readonly DocumentSymbol[]): string[] =>
      symbols.flatMap(({ name, children = [] }) => [name, ...namesOf(children)]);
    const [ours, theirs] = (await ask<DocumentSymbol>('textDocument/documentSymbol')).map(namesOf);
    assert.deepEqual(ours, ['web', 'app', 'high', 'shop']);
    assert.deepEqual(
      ours.filter((name) => theirs!.includes(name)),
      [],
    );
    assert.ok(theirs!.includes('priorityClassName'));
    // Of folds that start in one line an editor shows one. The other server folds what stands in brackets in one line, too.
    const lines = text.split('\n');
    const starts = (await ask<FoldingRange>('textDocument/foldingRange')).map((folds) =>
      folds.map(({ startLine }) => startLine),
    );
    const alone = starts[1]!.filter((line) => !starts[0]!.includes(line) && !/[{[]/.test(lines[line]!));
    assert.deepEqual(alone, []);
    assert.ok(starts[1]!.length > 5);
    const [lenses, theirLenses] = await ask<CodeLens>('textDocument/codeLens');
    assert.ok(lenses.length > 0);
    assert.deepEqual(theirLenses, []);
    const kustomization = await yaml.open('kustomization.yaml', 'kind: Kustomization\nresources: [node.yaml]\n');
    await client.open('kustomization.yaml', 'kind: Kustomization\nresources: [node.yaml]\n');
    const [links, theirLinks] = await ask<DocumentLink>('textDocument/documentLink', {
      textDocument: { uri: kustomization },
    });
    assert.equal(links.length, 1);
    assert.deepEqual(theirLinks, []);
    for (const [line, written] of lines.entries()) {
      const position = { line, character: written.length };
      const [definitions, theirDefinitions] = await ask<Location>('textDocument/definition', { position });
      if (definitions.length > 0) assert.deepEqual(theirDefinitions, [], written);
    }
  });

  it('selections, highlights, links and renames are nothing twice', async () => {
    const settings = { validate: true, schemaStore: { enable: false } };
    const text = [
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels: &labels { app: web, "tier": \'front\' }\nspec:\n  priorityClassName: &class high\n  nodeSelector:\n    disk: ssd\n  containers:\n    - name: app # the app\n      image: b\n      args:\n        - "--port"\n        - |\n          one\n          two\n\n    - name: side\n      image: c\n',
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: api\nspec:\n  priorityClassName: &own high\n  schedulerName: *own\n  containers: [{ name: a, image: b }]\n',
    ].join('---\n');
    const [client, yaml] = await sideBySide(settings);
    assert.equal(yaml.initialized.capabilities.documentHighlightProvider, undefined);
    for (const [what, written] of Object.entries({
      'with line feeds': text,
      'with CRLF': text.replaceAll('\n', '\r\n'),
    })) {
      const name = what === 'with CRLF' ? 'crlf.yaml' : 'lf.yaml';
      const uri = await yaml.open(name, written);
      await client.open(name, written);
      const lines = written.split(/\r?\n/);
      const positions = lines.flatMap((line, at) =>
        Array.from({ length: line.length + 1 }, (_each, character) => ({ line: at, character })),
      );
      const [ours, theirs] = await Promise.all(
        [client, yaml].map((each) =>
          each.request<SelectionRange[]>('textDocument/selectionRange', { textDocument: { uri }, positions }),
        ),
      );
      for (const [at, position] of positions.entries()) {
        const steps = steppedThrough(written, [ours![at]!, theirs![at]!]);
        const twice = steps.filter((step, index) => index > 0 && step.trim() === steps[index - 1]!.trim());
        assert.deepEqual(twice, [], `${what} ${JSON.stringify(position)}`);
        // Offsets of lines say nothing about what can be renamed.
        if (name === 'crlf.yaml') continue;
        const params = { textDocument: { uri }, position };
        const renames = await Promise.all(
          [client, yaml].map((each) => each.request('textDocument/prepareRename', params).catch(() => null)),
        );
        assert.ok(renames.includes(null), `${what} ${JSON.stringify(position)}`);
      }
    }
  });

  describe('a schema of Kubernetes', () => {
    const spec = `${pod}spec:\n  containers: [{ name: a, image: b }]\n`;
    /** Of each what Podium tells though the schema tells it as well, because it tells more, or something else. */
    const wrong: Readonly<Record<string, { readonly text: string; readonly left?: readonly string[] }>> = {
      'an unknown field': { text: `${spec}  priorityClasName: x\n` },
      'an unknown field at the top': { text: `${spec}speck: {}\n` },
      'a word for a number': { text: `${spec}  activeDeadlineSeconds: abc\n` },
      'a word for a boolean': { text: `${spec}  hostNetwork: "yes"\n` },
      'a number for a word': { text: `${spec}  subdomain: 5\n` },
      'a list for a map': { text: `${spec}  nodeSelector: []\n` },
      'a map for a list': { text: `${spec}  tolerations:\n    key: b\n` },
      'a number for a struct': { text: `${pod}spec: 5\n` },
      'a boolean for a label': {
        text: 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels: { a: true }\nspec:\n  containers: [{ name: a, image: b }]\n',
      },
      'an amount that is none': {
        text: `${pod}spec:\n  containers: [{ name: a, image: b, resources: { requests: { cpu: 1x } } }]\n`,
        left: ['wrong-type'],
      },
      'a number that is too large': {
        text: `${spec}  priority: 5000000000\n`,
        left: ['wrong-type'],
      },
      'a missing field': { text: `${pod}spec:\n  hostNetwork: false\n` },
      'a missing field of an item': {
        text: `${spec}  topologySpreadConstraints:\n    - maxSkew: 1\n      topologyKey: zone\n      labelSelector: { matchLabels: { a: b } }\n`,
        left: ['selector-misses-own-pods'],
      },
      'a name that is empty': { text: `${pod}spec:\n  containers: [{ name: "", image: b }]\n`, left: ['invalid-pod'] },
      'a value that there is not': { text: `${spec}  restartPolicy: Sometimes\n` },
      'with CRLF': { text: `${spec}  priorityClasName: x\n  restartPolicy: Sometimes\n`.replaceAll('\n', '\r\n') },
    };

    async function withSchema(named: 'setting' | 'modeline'): Promise<{ yaml: TestClient; folder: string }> {
      const settings = { validate: true, schemaStore: { enable: false }, kubernetesCRDStore: { enable: false } };
      const yaml = await TestClient.start({
        server: await yamlServer(),
        files: { 'kubernetes-json-schema/strict.json': JSON.stringify(kubernetesSchema(kinds)) },
        early: true,
        answers: {
          'workspace/configuration': (params) => {
            const schemas = named === 'modeline' ? {} : { [yaml.uri('kubernetes-json-schema/strict.json')]: '*.yaml' };
            return (params as unknown as { items: readonly unknown[] }).items.map(() => ({ ...settings, schemas }));
          },
        },
      });
      clients.push(yaml);
      return { yaml, folder: yaml.folder };
    }

    /** As the client of VS Code tells what is told of a text. */
    function saidOf(text: string, diagnostics: readonly Diagnostic[]): readonly object[] {
      const lines = text.split(/\r?\n/);
      return diagnostics.map(({ range: { start, end }, message }) => {
        const line = lines[start.line] ?? '';
        const underlined = line.slice(start.character, start.line === end.line ? end.character : undefined);
        return { line: line.trim(), text: underlined.trim(), message: textOf(message) };
      });
    }

    for (const how of ['what is told', 'the setting', 'a modeline'] as const) {
      it(`nothing that it says is told twice, by ${how}, and the rest is told`, async () => {
        const { yaml, folder } = await withSchema(how === 'a modeline' ? 'modeline' : 'setting');
        const schema = yaml.uri('kubernetes-json-schema/strict.json');
        const options = { yamlServer: true, yamlValidation: true };
        const client = await TestClient.start({
          folder,
          initializationOptions: {
            ...options,
            ...(how === 'the setting' ? { yamlSchemas: { [schema]: ['*.yaml'] } } : {}),
          },
        });
        clients.push(client);
        const head = how === 'a modeline' ? `# yaml-language-server: $schema=${schema}\n` : '';
        const first = `${head}${pod}spec: []\n`;
        const uri = await yaml.open('web.yaml', first);
        await client.open('web.yaml', first);
        await yaml.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
        for (const [index, [what, { text: body, left = [] }]] of Object.entries(wrong).entries()) {
          // It does not say of which text it tells something.
          const text = `${head}${body}number${index}: 0\n`;
          await yaml.change(uri, text);
          await client.change(uri, text);
          const theirs = await yaml.diagnostics(uri, (now) =>
            now.some(({ message }) => textOf(message).includes(`number${index} `)),
          );
          const toldBySchema = { uri, told: saidOf(text, theirs) };
          if (how === 'what is told') {
            // Until somebody else tells it, it is told.
            await client.connection.sendNotification('podium/toldBySchema', { uri, told: [] });
            const alone = await client.diagnostics(uri, (ours) => ours.some(({ severity }) => severity === 1));
            assert.ok(alone.length > 0, what);
            await client.connection.sendNotification('podium/toldBySchema', toldBySchema);
          }
          const codes = (ours: readonly Diagnostic[]): string[] =>
            [...new Set(ours.map(({ code }) => String(code)))].sort();
          const ours = await client.diagnostics(
            uri,
            (now) => how !== 'what is told' || codes(now).join() === left.join(),
          );
          assert.deepEqual(codes(ours), left, `${what}: ${JSON.stringify([ours, theirs], null, 1)}`);
          if (left.length === 0) assert.ok(theirs.length > 1, what);
        }
      });
    }

    it('is left to tell nothing that has a severity in the settings', async () => {
      const client = await TestClient.start({
        settings: { rules: { 'unknown-field': 'warning' } },
        initializationOptions: { yamlServer: true, yamlValidation: true, yamlSchemas: { kubernetes: 'deploy/*.yaml' } },
      });
      clients.push(client);
      const text = `${spec}  priorityClasName: x\n  hostNetwork: "yes"\n`;
      const inside = await client.open('deploy/web.yaml', text);
      const outside = await client.open('web.yaml', text.replace('name: web', 'name: api'));
      const codes = (diagnostics: readonly Diagnostic[]): unknown[] => diagnostics.map(({ code }) => code);
      assert.deepEqual(codes(await client.diagnostics(inside, (all) => all.length > 0)), ['unknown-field']);
      const all = await client.diagnostics(outside, (found) => found.length > 0);
      assert.deepEqual(codes(all), ['unknown-field', 'wrong-type']);
      // What mends it is offered, whoever tells of it.
      const range = { start: { line: 7, character: 15 }, end: { line: 7, character: 15 } };
      const context = { diagnostics: [] };
      const params = { textDocument: { uri: inside }, range: { ...range, start: { line: 6, character: 3 } }, context };
      const actions = await client.request<readonly { readonly title: string }[]>('textDocument/codeAction', params);
      assert.ok(actions.some(({ title }) => title === 'Change to priorityClassName'));
    });
  });
});
