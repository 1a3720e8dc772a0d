import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CodeLens } from 'vscode-languageserver';
import { TestClient } from '../protocol/test-client.ts';
import { numbersFrom, prototypeVariants, randomDocument } from '../support/strange-documents.ts';
import { podium } from '../unit/cli/run-podium.ts';

export interface StrangeDocument {
  readonly path: string;
  readonly text: string;
}

/** What Podium says of itself where it fails, and what Node prints. */
const failure = /Podium failed|Podium cannot work|\n\s+at |podium-failed/;

/** So many from a seed. */
export function* randomDocuments(count: number, seed: number): Generator<StrangeDocument> {
  const numbers = numbersFrom(seed);
  for (let made = 0; made < count; made++) yield randomDocument(numbers);
}

/** Each so manieth of the documents with the names of prototypes, beginning with one of them. */
export function prototypeDocuments(each = 1, first = 0): StrangeDocument[] {
  return [...prototypeVariants()].filter((_document, at) => at % each === first);
}

/**
 * Has the command line judge and simulate documents, many together, and answers on which Podium failed: by what the
 * folder was about, what it said.
 */
export async function failuresOfCommands(documents: Iterable<StrangeDocument>, together = 100): Promise<string[]> {
  const failures: string[] = [];
  for (const batch of batches(documents, together)) failures.push(...(await failuresOf(batch)));
  return failures;
}

async function failuresOf(batch: readonly StrangeDocument[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'podium-strange-'));
  try {
    for (const [at, { path, text }] of batch.entries()) await write(join(folder, String(at), path), text);
    const failed: string[] = [];
    for (const command of [
      ['check', '.', '--format', 'json'],
      ['simulate', '.'],
      ['sources', '.'],
    ]) {
      const { code, stdout, stderr } = await podium([...command, '--no-render'], { cwd: folder });
      // Whatever is in them, together they can be read.
      const isAnswered = code === 0 || code === 1 || /no (?:Kubernetes manifests|YAML files) in/.test(stderr);
      if (isAnswered && !failure.test(stdout) && !failure.test(stderr)) continue;
      if (batch.length === 1) {
        failed.push(`${command[0]!} ${String(code)} ${stderr}\n${batch[0]!.path}\n${batch[0]!.text}`);
      } else {
        failed.push('');
      }
    }
    if (failed.length === 0 || batch.length === 1) return failed;
    const half = Math.ceil(batch.length / 2);
    const parts = [...(await failuresOf(batch.slice(0, half))), ...(await failuresOf(batch.slice(half)))];
    return parts.length > 0 ? parts : [`only together: ${batch.map(({ text }) => text).join('\n---\n')}`];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Shows documents to the server, asks what an editor asks, and answers what its log says of failures. */
export async function failuresOfServer(documents: Iterable<StrangeDocument>): Promise<string[]> {
  const client = await TestClient.start();
  const failures: string[] = [];
  let shown = 0;
  for (const { path, text } of documents) {
    const logged = client.log.length;
    const uri = await client.open(`${shown++}/${path}`, text);
    await askAll(client, uri, text);
    if (client.log.slice(logged).some((line) => failure.test(line))) {
      failures.push(`${client.log.slice(logged).join('\n')}\n${path}\n${text}`);
    }
    await client.close(uri);
  }
  await client.stop();
  return failures;
}

/** What an editor asks of a file in which the cursor goes through the lines. */
async function askAll(client: TestClient, uri: string, text: string): Promise<void> {
  const textDocument = { uri };
  const ask = (method: string, more: object = {}): Promise<unknown> =>
    client.request(`textDocument/${method}`, { textDocument, ...more }).catch(() => null);
  const lines = text.split('\n');
  const step = Math.max(1, Math.floor(lines.length / 12));
  for (let line = 0; line < lines.length; line += step) {
    for (const character of [lines[line]!.search(/\S|$/) + 1, lines[line]!.length]) {
      const position = { line, character };
      await Promise.all(['hover', 'completion', 'definition'].map((method) => ask(method, { position })));
    }
  }
  const whole = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
  const lenses = (await ask('codeLens')) as readonly CodeLens[] | null;
  await Promise.all([
    ask('documentSymbol'),
    ask('foldingRange'),
    ask('documentLink'),
    ask('inlayHint', { range: whole }),
    ask('codeAction', { range: whole, context: { diagnostics: [] } }),
    ...(lenses ?? []).map((lens) => client.request('codeLens/resolve', lens).catch(() => null)),
  ]);
  await client.diagnostics(uri);
}

function* batches<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
