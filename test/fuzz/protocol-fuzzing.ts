import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { CancellationTokenSource, type Diagnostic, type WorkspaceDiagnosticReport } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { TestClient, type TestClientOptions } from '../protocol/test-client.ts';
import { toolFolder } from '../support/kubernetes-tools.ts';
import {
  type Action,
  folders,
  innerFolders,
  type Method,
  methods,
  paths,
  roundOfActions,
  snapshots,
} from './actions.ts';

export interface FuzzingOptions {
  readonly seed: number;
  /** Whether the editor asks for problems, and is not told of them. */
  readonly asks?: boolean;
  /** Whether kubectl and helm render what there is of kustomizations and charts. */
  readonly renders?: boolean;
  /** Whether to go on after so many rounds. */
  readonly goesOn: (rounds: number) => boolean;
}

/** What was done; the server survived it, and said what a fresh one says. */
export interface FuzzingOutcome {
  rounds: number;
  edits: number;
  requests: number;
}

/** How long the servers may take to agree, in milliseconds: only to end a hang. */
const deadline = 60_000;

/** What a server may take of memory, in MiB of its heap: with more than that it ends. */
const heap = 256;

const asking = { textDocument: { diagnostic: {} } };

const simulateWorkspace = { scenario: { kind: 'workspace' } };

/**
 * Does to one server what editors and file systems do, in rounds. After each, a fresh server that is shown the same
 * files must say the same of them. Rejects with the round's seed otherwise.
 */
export async function fuzzProtocol(options: FuzzingOptions): Promise<FuzzingOutcome> {
  const { seed, asks = false, renders = false, goesOn } = options;
  const outcome: FuzzingOutcome = { rounds: 0, edits: 0, requests: 0 };
  const editor = await FuzzedEditor.start(asks, renders, outcome);
  while (goesOn(outcome.rounds)) {
    const roundSeed = seed + outcome.rounds;
    const [actions = []] = fc.sample(roundOfActions, { seed: roundSeed, numRuns: 1 });
    try {
      await Promise.race([editor.round(actions), editor.client.ended.then(endedEarly)]);
    } catch (error) {
      throw new Error(`round ${outcome.rounds} (seed ${roundSeed}; the run began with ${seed})`, { cause: error });
    }
    outcome.rounds++;
  }
  assert.equal(await editor.client.stop(), 0);
  return outcome;
}

function endedEarly(code: number | null): never {
  throw new Error(`The server has ended with ${String(code)}`);
}

class FuzzedEditor {
  readonly client: TestClient;
  readonly #asks: boolean;
  readonly #start: (early: TestClientOptions) => Promise<TestClient>;
  /** Those that are open, in their order. */
  #folders: readonly string[] = folders.slice(0, 2);
  readonly #settings: Record<string, unknown>;
  readonly #outcome: FuzzingOutcome;
  readonly #open = new Map<string, TextDocument>();
  readonly #pending = new Set<Promise<unknown>>();

  private constructor(
    client: TestClient,
    asks: boolean,
    outcome: FuzzingOutcome,
    settings: Record<string, unknown>,
    start: (options: TestClientOptions) => Promise<TestClient>,
  ) {
    this.client = client;
    this.#asks = asks;
    this.#outcome = outcome;
    this.#settings = settings;
    this.#start = start;
  }

  static async start(asks: boolean, renders: boolean, outcome: FuzzingOutcome): Promise<FuzzedEditor> {
    const folder = await mkdtemp(join(tmpdir(), 'podium-fuzz-'));
    for (const each of folders) await mkdir(join(folder, each));
    const settings: Record<string, unknown> = {};
    const PATH = renders ? `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` : (process.env['PATH'] ?? '');
    const start = (options: TestClientOptions): Promise<TestClient> =>
      TestClient.start({
        folder,
        settings,
        capabilities: asks ? asking : {},
        env: { PATH, NODE_OPTIONS: `--max-old-space-size=${heap}` },
        initializationOptions: { workspaceTrusted: renders },
        ...options,
      });
    return new FuzzedEditor(await start({ folders: folders.slice(0, 2) }), asks, outcome, settings, start);
  }

  async round(actions: readonly Action[]): Promise<void> {
    for (const action of actions) await this.do(action);
    await this.settle();
    await this.compare();
  }

  async do(action: Action): Promise<void> {
    switch (action.do) {
      case 'open':
        return this.#openFile(paths[action.file]!, '');
      case 'close':
        return this.#closeFile(paths[action.file]!);
      case 'save':
        return this.#notifyOpen('didSave', paths[action.file]!);
      case 'edit':
        return this.#edit(paths[action.file]!, action);
      case 'replace':
        await this.#openFile(paths[action.file]!, action.text);
        return this.#edit(paths[action.file]!, { from: 0, length: Number.MAX_SAFE_INTEGER, text: action.text });
      case 'request':
        this.#request(`textDocument/${action.method}`, this.#paramsAt(action), action.cancel);
        return;
      case 'simulate':
        this.#request('podium/simulate', simulateWorkspace, action.cancel);
        return;
      case 'storm':
        return this.#storm(action.writes);
      case 'cancel':
        for (const { file, method } of action.requests) {
          this.#request(`textDocument/${method}`, this.#paramsAt({ file, method, at: file * 7 }), true);
        }
        return;
      case 'folders':
        return this.#openFolders(folders.filter((_, at) => action.open[at]));
      case 'move':
        return this.#move(innerFolders[action.from]!, innerFolders[action.to]!);
      case 'remove':
        return this.#remove(innerFolders[action.folder]!);
      case 'settings':
        return this.#configure(action.settings);
      case 'snapshot':
        return this.#write(snapshots[action.file]!, action.text);
      case 'malformed':
        if (action.isRequest) this.#request(action.method, action.params as object, false);
        else await this.client.connection.sendNotification(action.method, action.params as object);
    }
  }

  /** All requests have been answered, one way or another. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /**
   * A fresh server that is shown the same files says the same of them, once they are saved: while a text cannot be read,
   * the last one that could counts, which a fresh server has never seen.
   */
  async compare(): Promise<void> {
    await this.#saveAll(this.client);
    const fresh = await this.#start({ folders: this.#folders });
    try {
      for (const document of this.#open.values()) await openIn(fresh, document);
      await this.#saveAll(fresh);
      const end = Date.now() + deadline;
      for (;;) {
        const [now, expected] = await Promise.all([this.#stateOf(this.client), this.#stateOf(fresh)]);
        const isComplete = [...now.diagnostics, ...expected.diagnostics].every(([, said]) => said !== null);
        if (isComplete && JSON.stringify(now) === JSON.stringify(expected)) break;
        if (Date.now() > end) assert.deepEqual(now, expected);
      }
      const failures = this.client.log.filter((line) => /^stderr:|\n\s+at /.test(line));
      assert.deepEqual(failures, []);
    } finally {
      await fresh.stop({ keepsFolder: true });
    }
  }

  async #saveAll(client: TestClient): Promise<void> {
    for (const uri of this.#open.keys()) {
      await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    }
  }

  async #stateOf(client: TestClient): Promise<ServerState> {
    const answers: unknown[] = [];
    for (const [uri, document] of this.#open) {
      for (const method of methods) {
        // Compared below, without the ids that each server has of its own.
        if (method === 'diagnostic') continue;
        const params = paramsOf(uri, document, Math.floor(document.getText().length / 2), method);
        answers.push(await client.request(`textDocument/${method}`, params).catch(String));
      }
    }
    return {
      diagnostics: this.#asks ? await this.#asked(client) : this.#told(client),
      answers,
      report: await client.request('podium/simulate', simulateWorkspace).catch(String),
      overview: await client.request('podium/overview', {}).catch(String),
      targets: await client.request('podium/targets', {}).catch(String),
      symbols: await client.request('workspace/symbol', { query: '' }).catch(String),
    };
  }

  /** What was told last of each file: of open ones, and of others with problems. */
  #told(client: TestClient): ServerState['diagnostics'] {
    const last = new Map(client.published.map(({ uri, diagnostics }) => [uri, diagnostics]));
    const closed = [...last].filter(([uri, said]) => !this.#open.has(uri) && said.length > 0);
    return [...[...this.#open.keys()].map((uri) => [uri, last.get(uri) ?? null] as const), ...closed].sort(byUri);
  }

  /** What is answered of the workspace, and again of each open file; null while a rendering ends between the two. */
  async #asked(client: TestClient): Promise<ServerState['diagnostics']> {
    const params = { previousResultIds: [] };
    const { items } = await client.request<WorkspaceDiagnosticReport>('workspace/diagnostic', params);
    const all = new Map(items.map((item) => [item.uri, item.kind === 'full' ? item.items : null]));
    for (const uri of this.#open.keys()) {
      const own = await client.request<{ items: readonly Diagnostic[] }>('textDocument/diagnostic', {
        textDocument: { uri },
      });
      if (JSON.stringify(own.items) !== JSON.stringify(all.get(uri) ?? [])) all.set(uri, null);
    }
    return [...all].filter(([, said]) => said?.length !== 0).sort(byUri);
  }

  async #openFile(path: string, text: string): Promise<void> {
    const uri = this.client.uri(path);
    if (this.#open.has(uri)) return;
    const document = TextDocument.create(uri, 'yaml', 1, text);
    this.#open.set(uri, document);
    await openIn(this.client, document);
  }

  async #closeFile(path: string): Promise<void> {
    const uri = this.client.uri(path);
    await this.#notifyOpen('didClose', path);
    this.#open.delete(uri);
  }

  async #notifyOpen(what: 'didSave' | 'didClose', path: string): Promise<void> {
    const uri = this.client.uri(path);
    if (!this.#open.has(uri)) return;
    await this.client.connection.sendNotification(`textDocument/${what}`, { textDocument: { uri } });
  }

  async #edit(
    path: string,
    edit: { readonly from: number; readonly length: number; readonly text: string },
  ): Promise<void> {
    await this.#openFile(path, '');
    const uri = this.client.uri(path);
    const document = this.#open.get(uri)!;
    const size = document.getText().length;
    const from = size === 0 ? 0 : edit.from % (size + 1);
    const range = { start: document.positionAt(from), end: document.positionAt(Math.min(size, from + edit.length)) };
    const changes = [{ range, text: edit.text }];
    const version = document.version + 1;
    TextDocument.update(document, changes, version);
    this.#outcome.edits++;
    await this.client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: changes,
    });
  }

  #paramsAt({ file, method, at }: Pick<Extract<Action, { do: 'request' }>, 'file' | 'method' | 'at'>): object {
    const uri = this.client.uri(paths[file]!);
    return paramsOf(uri, this.#open.get(uri) ?? TextDocument.create(uri, 'yaml', 0, ''), at, method);
  }

  #request(method: string, params: object, cancel: boolean): void {
    const source = new CancellationTokenSource();
    this.#outcome.requests++;
    // An error is an answer; a server that is gone is noticed by the next comparison.
    const answered = this.client.connection.sendRequest(method, params, source.token).catch(() => undefined);
    const settled = answered.finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
    if (cancel) source.cancel();
  }

  async #storm(writes: Extract<Action, { do: 'storm' }>['writes']): Promise<void> {
    const changes: FileEvent[] = [];
    for (const { file, text } of writes) {
      changes.push(...(await this.#written(paths[file]!, text)));
      // Watchers tell some things twice.
      if (file % 2 === 0 && changes.length > 0) changes.push(changes.at(-1)!);
    }
    await this.#report(changes);
  }

  async #write(path: string, text: string | null): Promise<void> {
    await this.#report(await this.#written(path, text));
  }

  /** Writes or removes a file; what a watcher tells of it, of folders that come with it too. */
  async #written(path: string, text: string | null): Promise<FileEvent[]> {
    const isThere = existsSync(join(this.client.folder, path));
    if (text === null) {
      await rm(join(this.client.folder, path), { force: true });
      return isThere ? [{ uri: this.client.uri(path), type: 3 }] : [];
    }
    const isNewFolder = !existsSync(join(this.client.folder, dirname(path)));
    await this.client.write(path, text);
    const file: FileEvent = { uri: this.client.uri(path), type: isThere ? 2 : 1 };
    return isNewFolder ? [{ uri: this.client.uri(dirname(path)), type: 1 }, file] : [file];
  }

  async #report(changes: readonly FileEvent[]): Promise<void> {
    if (changes.length === 0) return;
    await this.client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  }

  async #openFolders(wanted: readonly string[]): Promise<void> {
    // Without any folder VS Code starts anew.
    if (wanted.length === 0) return;
    const named = (all: readonly string[]) => all.map((path) => ({ uri: this.client.uri(path), name: path }));
    const added = wanted.filter((path) => !this.#folders.includes(path));
    const removed = this.#folders.filter((path) => !wanted.includes(path));
    this.#folders = [...this.#folders.filter((path) => !removed.includes(path)), ...added];
    const event = { added: named(added), removed: named(removed) };
    await this.client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  }

  async #move(from: string, to: string): Promise<void> {
    const [before, after] = [from, to].map((path) => join(this.client.folder, path)) as [string, string];
    if (!existsSync(before) || existsSync(after)) return;
    await rename(before, after);
    await this.#report([
      { uri: this.client.uri(from), type: 3 },
      { uri: this.client.uri(to), type: 1 },
    ]);
  }

  async #remove(path: string): Promise<void> {
    if (!existsSync(join(this.client.folder, path))) return;
    await rm(join(this.client.folder, path), { recursive: true });
    await this.#report([{ uri: this.client.uri(path), type: 3 }]);
  }

  async #configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
    for (const key of Object.keys(this.#settings)) Reflect.deleteProperty(this.#settings, key);
    Object.assign(this.#settings, settings);
    await this.client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  }
}

interface FileEvent {
  readonly uri: string;
  /** Created, changed, deleted. */
  readonly type: 1 | 2 | 3;
}

interface ServerState {
  readonly diagnostics: readonly (readonly [uri: string, said: readonly Diagnostic[] | null])[];
  readonly answers: readonly unknown[];
  readonly report: unknown;
  readonly overview: unknown;
  readonly targets: unknown;
  readonly symbols: unknown;
}

function byUri([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function openIn(client: TestClient, document: TextDocument): Promise<void> {
  const { uri, version } = document;
  return client.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'yaml', version, text: document.getText() },
  });
}

function paramsOf(uri: string, document: TextDocument, at: number, method: Method): object {
  const position = document.positionAt(at % (document.getText().length + 1));
  return {
    textDocument: { uri },
    position,
    range: { start: { line: 0, character: 0 }, end: position },
    context: method === 'references' ? { includeDeclaration: true } : { diagnostics: [], triggerKind: 1 },
  };
}
