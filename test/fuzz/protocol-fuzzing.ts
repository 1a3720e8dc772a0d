import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { CancellationTokenSource, type Diagnostic, type WorkspaceDiagnosticReport } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { TestClient } from '../protocol/test-client.ts';
import { type Action, type Method, methods, paths, roundOfActions } from './actions.ts';

export interface FuzzingOptions {
  readonly seed: number;
  /** Whether the editor asks for problems, and is not told of them. */
  readonly asks?: boolean;
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

const asking = { textDocument: { diagnostic: {} } };

const simulateWorkspace = { scenario: { kind: 'workspace' } };

/**
 * Does to one server what editors and file systems do, in rounds. After each, a fresh server that is shown the same
 * files must say the same of them. Rejects with the round's seed otherwise.
 */
export async function fuzzProtocol({ seed, asks = false, goesOn }: FuzzingOptions): Promise<FuzzingOutcome> {
  const outcome: FuzzingOutcome = { rounds: 0, edits: 0, requests: 0 };
  const editor = new FuzzedEditor(await TestClient.start({ capabilities: asks ? asking : {} }), asks, outcome);
  while (goesOn(outcome.rounds)) {
    const roundSeed = seed + outcome.rounds;
    const [actions = []] = fc.sample(roundOfActions, { seed: roundSeed, numRuns: 1 });
    try {
      for (const action of actions) await editor.do(action);
      await editor.settle();
      await editor.compare();
    } catch (error) {
      throw new Error(`round ${outcome.rounds} (seed ${roundSeed}; the run began with ${seed})`, { cause: error });
    }
    outcome.rounds++;
  }
  assert.equal(await editor.client.stop(), 0);
  return outcome;
}

class FuzzedEditor {
  readonly client: TestClient;
  readonly #asks: boolean;
  readonly #outcome: FuzzingOutcome;
  readonly #open = new Map<string, TextDocument>();
  readonly #pending = new Set<Promise<unknown>>();

  constructor(client: TestClient, asks: boolean, outcome: FuzzingOutcome) {
    this.client = client;
    this.#asks = asks;
    this.#outcome = outcome;
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
    }
  }

  /** All requests have been answered, one way or another. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** A fresh server that is shown the same files says the same of them. */
  async compare(): Promise<void> {
    const { folder } = this.client;
    const fresh = await TestClient.start({ folder, capabilities: this.#asks ? asking : {} });
    try {
      for (const document of this.#open.values()) await openIn(fresh, document);
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
    };
  }

  /** What was told last of each file: of open ones, and of others with problems. */
  #told(client: TestClient): ServerState['diagnostics'] {
    const last = new Map(client.published.map(({ uri, diagnostics }) => [uri, diagnostics]));
    const closed = [...last].filter(([uri, said]) => !this.#open.has(uri) && said.length > 0);
    return [...[...this.#open.keys()].map((uri) => [uri, last.get(uri) ?? null] as const), ...closed].sort(byUri);
  }

  /** What is answered of the workspace, and again of each open file. */
  async #asked(client: TestClient): Promise<ServerState['diagnostics']> {
    const params = { previousResultIds: [] };
    const { items } = await client.request<WorkspaceDiagnosticReport>('workspace/diagnostic', params);
    const all = new Map(items.map((item) => [item.uri, item.kind === 'full' ? item.items : null]));
    for (const uri of this.#open.keys()) {
      const own = await client.request<{ items: readonly Diagnostic[] }>('textDocument/diagnostic', {
        textDocument: { uri },
      });
      assert.deepEqual(own.items, all.get(uri) ?? []);
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

  #paramsAt({ file, method, at }: Extract<Action, { do: 'request' }>): object {
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
    const changes: { readonly uri: string; readonly type: 1 | 2 | 3 }[] = [];
    for (const { file, text } of writes) {
      const path = paths[file]!;
      if (text === null) await rm(join(this.client.folder, path), { force: true });
      else await this.client.write(path, text);
      changes.push({ uri: this.client.uri(path), type: text === null ? 3 : 2 });
      // Watchers tell some things twice.
      if (file % 2 === 0) changes.push(changes.at(-1)!);
    }
    await this.client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  }
}

interface ServerState {
  readonly diagnostics: readonly (readonly [uri: string, said: readonly Diagnostic[] | null])[];
  readonly answers: readonly unknown[];
  readonly report: unknown;
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
