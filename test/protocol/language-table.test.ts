import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CodeAction, CompletionItem, Hover, Location, MarkupContent, Position } from 'vscode-languageserver/node';
import { type Column, type FieldRow, fieldRows, surroundings } from '../support/language-fields.ts';
import { TestClient } from './test-client.ts';

/** `UPDATE_GOLDEN=1` writes the table anew. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const page = fileURLToPath(new URL('../../docs/language.md', import.meta.url));

/** What is there besides the manifest of a row. */
const files = {
  'classes.yaml': `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 1000
`,
  'nodes.yaml': ['a', 'b']
    .map(
      (name, index) => `apiVersion: v1
kind: Node
metadata: { name: node-${name}, labels: { zone: ${index === 0 ? 'one' : 'two'}, kubernetes.io/hostname: node-${name} } }
${index === 0 ? '' : 'spec: { taints: [{ key: dedicated, value: gpu, effect: NoSchedule }] }\n'}status: { allocatable: { cpu: "4", memory: 16Gi, pods: "110" } }
`,
    )
    .join('---\n'),
  'shop.yaml': `apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { team: shop } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      priorityClassName: high
      schedulerName: packed
      tolerations: [{ key: dedicated, operator: Exists }]
      containers: [{ name: app, image: app, resources: { requests: { cpu: 100m } } }]
---
apiVersion: v1
kind: Pod
metadata: { name: mine-1, namespace: shop, uid: mine-1, labels: { app: mine } }
spec: { nodeName: node-a, containers: [{ name: app, image: app, resources: { requests: { cpu: 100m } } }] }
status: { phase: Running }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: shop }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: kata }
handler: kata
overhead: { podFixed: { cpu: 250m } }
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: { name: gpu, namespace: shop }
spec: { devices: { requests: [] } }
`,
  'scheduler.yaml': `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{ schedulerName: packed }]
`,
};

/** A manifest of a row: its text, the places of its key and of its value, and the lines of the field. */
interface Written {
  readonly text: string;
  readonly key: number;
  readonly value: number | undefined;
}

function written({ in: where }: FieldRow, source: string): Written {
  const { indent, text: around } = surroundings[where];
  // A row may write the metadata itself.
  const top =
    source.startsWith('metadata:') || source.includes('\nmetadata:') ? around.replace(/^metadata:.*\n/m, '') : around;
  const marked = top + source.replaceAll(/^/gm, ' '.repeat(indent)) + '\n';
  const key = marked.indexOf('^');
  const value = marked.indexOf('~', key);
  const text = marked.replace('^', '').replace('~', '');
  return { text, key, value: value < 0 ? undefined : value - 1 };
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

type Cells = Readonly<Record<Column, string>>;

const columns: readonly Column[] = ['completion', 'hover', 'definition', 'diagnostics', 'fix'];

/** Asks a server what it knows of the field of a row. */
async function ask(client: TestClient, uri: string, row: FieldRow): Promise<Cells> {
  const { text, key, value } = written(row, row.write);
  const at = async <Result>(method: string, of: string, offset: number, more: object = {}): Promise<Result> => {
    await client.change(uri, of);
    return client.request<Result>(method, { textDocument: { uri }, position: positionAt(of, offset), ...more });
  };
  const hover = await at<Hover | null>('textDocument/hover', text, key + 1);
  const said = (hover?.contents as MarkupContent | undefined)?.value ?? '';
  assert.match(said, row.says, `${row.field}: hover`);
  const inside = text.trimEnd().lastIndexOf('\n') + 1;
  const places = [key, value ?? key, inside + /^[ -]*/.exec(text.slice(inside))![0].length];
  let definitions = 0;
  for (const place of places) {
    const found = await at<Location[] | null>('textDocument/definition', text, place + (text[place] === '"' ? 2 : 1));
    definitions += found?.length ?? 0;
  }
  const name = /^[\w.]+/.exec(text.slice(key))![0];
  const keys = labels(await at('textDocument/completion', `${text.slice(0, key)}\n`, key));
  const lineEnd = value === undefined ? 0 : text.indexOf('\n', value);
  const values =
    value === undefined
      ? []
      : labels(await at('textDocument/completion', text.slice(0, value) + text.slice(lineEnd), value));
  const completes = [...(keys.includes(name) ? ['key'] : []), ...(values.length > 0 ? ['values'] : [])];
  const found = row.bad === undefined ? { codes: [], repairs: 0 } : await judge(client, uri, row, row.bad);
  return {
    completion: cell(row, 'completion', completed(row, completes, value !== undefined)),
    hover: cell(row, 'hover', said === '' ? '' : row.tells),
    definition: cell(row, 'definition', definitions > 0 ? 'yes' : ''),
    diagnostics: cell(row, 'diagnostics', found.codes.map((code) => `[\`${code}\`](rules/${code}.md)`).join(', ')),
    fix: cell(row, 'fix', found.repairs > 0 ? 'yes' : ''),
  };
}

/** What is completed; where a value is written and none is offered, why. */
function completed({ why }: FieldRow, completes: readonly string[], hasValue: boolean): string {
  const reason = why?.completion;
  const isKeyOnly = completes.length === 1 && completes[0] === 'key' && hasValue;
  return isKeyOnly && reason !== undefined ? `key (${reason})` : completes.join(', ');
}

function labels(answer: CompletionItem[] | { readonly items: CompletionItem[] } | null): string[] {
  return (Array.isArray(answer) ? answer : (answer?.items ?? [])).map(({ label }) => label);
}

/** The rules that tell of a mistake, and how many repairs there are. */
async function judge(
  client: TestClient,
  uri: string,
  row: FieldRow,
  bad: string,
): Promise<{ readonly codes: readonly string[]; readonly repairs: number }> {
  const { text, key } = written(row, bad);
  await client.change(uri, text);
  const first = positionAt(text, key).line;
  const all = await client.diagnostics(uri);
  const own = all.filter(({ range }) => range.end.line >= first);
  const actions = await Promise.all(
    own.map((diagnostic) =>
      client.request<CodeAction[] | null>('textDocument/codeAction', {
        textDocument: { uri },
        range: diagnostic.range,
        context: { diagnostics: [diagnostic], only: ['quickfix'] },
      }),
    ),
  );
  const repairs = actions.flatMap((list) => list ?? []).filter(({ edit }) => edit !== undefined && !isComment(edit));
  return { codes: [...new Set(own.map(({ code }) => String(code)))].sort(), repairs: repairs.length };
}

/** Whether an edit only silences. */
function isComment(edit: NonNullable<CodeAction['edit']>): boolean {
  return JSON.stringify(edit).includes('# podium');
}

/** What there is, or a reason. */
function cell(row: FieldRow, column: Column, there: string): string {
  if (there !== '') return there;
  const reason = row.why?.[column];
  assert.ok(reason !== undefined, `${row.field}: nothing under ${column}, and no reason`);
  return `– (${reason})`;
}

const head = ['Field', 'Completion', 'Hover shows', 'Definition', 'Diagnostics', 'Fix'];

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function fieldName(row: FieldRow): string {
  const [, name = '', rest = ''] = /^([\w.]+)(.*)$/.exec(row.field) ?? [];
  return `\`${name}\`${rest}`;
}

const begin = '<!-- fields -->\n';
const end = '<!-- end of fields -->';

describe('every scheduling field', () => {
  let client: TestClient;
  let uri: string;
  const answers: string[] = [];

  before(async () => {
    client = await TestClient.start({ files });
    uri = await client.open('row.yaml', '');
  });

  after(() => client.stop());

  for (const row of fieldRows) {
    it(`answers for ${row.field} what docs/language.md says`, async () => {
      const cells = await ask(client, uri, row);
      const now = line([fieldName(row), ...columns.map((column) => cells[column])]);
      answers.push(now);
      if (isUpdate) return;
      const lines = (await readFile(page, 'utf8'))
        .split('\n')
        .map((each) => each.replace(/ +\|/g, ' |').replace(/\| +/g, '| '));
      const documented = lines.find((each) => each.startsWith(`| ${fieldName(row)} |`));
      assert.equal(documented, now, 'UPDATE_GOLDEN=1 writes the table anew');
    });
  }

  it('leaves it to a YAML language server beside it to say what a field is for', async () => {
    const text = `${surroundings.pod.text}  restartPolicy: Always\n  nodeName: node-a\n`;
    const said = async (word: string): Promise<string> => {
      const position = positionAt(text, text.indexOf(word) + 1);
      const hover = await client.request<Hover | null>('textDocument/hover', { textDocument: { uri }, position });
      return (hover?.contents as MarkupContent | undefined)?.value ?? '';
    };
    await client.change(uri, text);
    assert.match(await said('restartPolicy'), /are started again/);
    await client.connection.sendNotification('podium/yamlServerChanged', {
      yamlServer: true,
      kubernetesSchemas: true,
    });
    assert.equal(await said('restartPolicy'), '');
    assert.match(await said('nodeName'), /\*\*Node \[`node-a`\]/);
    assert.doesNotMatch(await said('nodeName'), /the scheduler is passed by/);
    await client.connection.sendNotification('podium/yamlServerChanged', { yamlServer: false });
    assert.match(await said('nodeName'), /the scheduler is passed by/);
  });

  it('has a row for each field of the table', async () => {
    const text = await readFile(page, 'utf8');
    if (isUpdate) {
      const table = [line(head), line(head.map(() => '---')), ...answers, ''].join('\n');
      const [before = ''] = text.split(begin);
      const rest = text.slice(text.indexOf(end));
      await writeFile(page, `${before}${begin}\n${table}\n${rest}`);
      return;
    }
    const rows = text.split(begin)[1]!.split(end)[0]!.trim().split('\n').slice(2);
    assert.equal(rows.length, fieldRows.length);
  });
});
