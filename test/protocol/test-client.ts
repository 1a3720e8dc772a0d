import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after } from 'mocha';
import { URI } from 'vscode-uri';
import { shipped } from '../../scripts/lib/shipped.mjs';
import { patience } from '../support/patience.ts';
import {
  createMessageConnection,
  type Diagnostic,
  type InitializeResult,
  type MessageConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';

const probe = fileURLToPath(new URL('probed-server.mjs', import.meta.url));

/**
 * The server under test, as a script and its arguments: that of the packed extension. `PODIUM_TEST_SERVER` may be
 * `podium-lsp`, for the command line's as installed from its npm package, or the path of another build.
 */
export async function serverUnderTest(): Promise<readonly string[]> {
  const { server, podium } = await shipped();
  if (testsPodiumLsp) return [podium, 'lsp', '--stdio'];
  return [process.env['PODIUM_TEST_SERVER'] ?? server, '--stdio'];
}

/** Whether the server under test is that of the command line. */
export const testsPodiumLsp = process.env['PODIUM_TEST_SERVER'] === 'podium-lsp';

export interface TestClientOptions {
  /** Path in the workspace → text, written before the server starts. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: unknown;
  readonly initializationOptions?: unknown;
  /** Capabilities besides those every test has. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Another server beside Podium's: a script and its arguments. */
  readonly server?: readonly string[];
  /** A workspace that is there already, instead of a temporary one. */
  readonly folder?: string;
  /** Folders in it, as paths, that are opened instead of it. */
  readonly folders?: readonly string[];
  /** Answers to requests of the server: method → answer. */
  readonly answers?: Readonly<Record<string, (params: { readonly uri: string }) => unknown>>;
  /** Environment besides that of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** How a client that knows of no folders says where it is. */
  readonly root?: 'rootUri' | 'rootPath';
  /** The language of the editor, as it names it. */
  readonly locale?: string;
  /** Whether the process can be looked into with `probe()`. */
  readonly probed?: boolean;
  /** Whether to go on before the server has read the workspace. */
  readonly early?: boolean;
}

export interface Probe {
  /** Microseconds. */
  readonly cpu: NodeJS.CpuUsage;
  /** Resident, in bytes. */
  readonly memory: number;
  /** The longest work for which nobody was answered since `watch()`, in milliseconds of processor time. */
  readonly blocked: number;
  /** Names of what keeps the event loop alive, as Node has them. */
  readonly resources: readonly string[];
}

/** Servers that have not ended: a test that fails leaves its own behind, and Mocha would wait for it. */
const running = new Set<ChildProcess>();
// The fuzzer runs without Mocha.
if ('after' in globalThis) {
  after(() => {
    for (const child of running) child.kill('SIGKILL');
  });
}

/** The real server in a process of its own, over a pipe, with a temporary workspace. */
export class TestClient {
  readonly connection: MessageConnection;
  readonly folder: string;
  /** What the server wrote into its log. */
  readonly log: string[] = [];
  /** Everything that was ever said to be wrong, in order. */
  readonly published: PublishDiagnosticsParams[] = [];
  initialized!: InitializeResult;
  /** Settles with the exit code when the process has ended. */
  readonly ended: Promise<number | null>;
  readonly #unsaid: string[] = [];
  readonly #process: ChildProcess;
  readonly #diagnostics = new Map<string, PublishDiagnosticsParams>();
  readonly #waiting = new Set<() => void>();
  readonly #versions = new Map<string, number>();

  private constructor(process: ChildProcess, folder: string) {
    this.#process = process;
    this.folder = folder;
    this.ended = new Promise((resolve) => process.once('exit', resolve));
    this.connection = createMessageConnection(
      new StreamMessageReader(process.stdout!),
      new StreamMessageWriter(process.stdin!),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.#diagnostics.set(params.uri, params);
      this.published.push(params);
      this.#wake();
    });
    this.connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
      this.log.push(message);
      this.#wake();
    });
    // Texts are messages in the server (`util/messages.ts`), and nowhere else.
    process.stdout!.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf('\ufdd0');
      if (at >= 0) this.#unsaid.push(chunk.subarray(Math.max(at - 100, 0), at + 200).toString());
    });
    process.stderr!.on('data', (chunk: Buffer) => this.log.push(`stderr: ${chunk.toString()}`));
  }

  static async start(options: TestClientOptions = {}): Promise<TestClient> {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'podium-')));
    for (const [path, text] of Object.entries(options.files ?? {})) await writeInto(join(folder, path), text);
    const script = options.server ?? (await serverUnderTest());
    // In a folder of its own, where nothing of the project can be found.
    const child = spawn(process.execPath, options.probed === true ? [probe, ...script] : script, {
      cwd: tmpdir(),
      env: { ...process.env, ...options.env },
      stdio: options.probed === true ? ['pipe', 'pipe', 'pipe', 'ipc'] : ['pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const client = new TestClient(child, folder);
    await client.#initialize(options);
    return client;
  }

  async #initialize(options: TestClientOptions): Promise<void> {
    this.connection.onRequest('workspace/configuration', ({ items }: { items: readonly unknown[] }) =>
      items.map(() => options.settings ?? null),
    );
    this.connection.onRequest('client/registerCapability', () => null);
    this.connection.onRequest('window/workDoneProgress/create', () => null);
    for (const [method, answer] of Object.entries(options.answers ?? {})) this.connection.onRequest(method, answer);
    this.connection.listen();
    this.initialized = await this.connection.sendRequest('initialize', {
      // With the number of a process the library looks every three seconds whether that is still alive.
      processId: options.probed === true ? null : process.pid,
      ...(options.root === undefined
        ? {
            workspaceFolders: (options.folders ?? ['.']).map((path) => ({ uri: this.uri(path), name: path })),
            rootUri: null,
          }
        : {
            rootUri: null,
            [options.root]: options.root === 'rootUri' ? URI.file(this.folder).toString() : this.folder,
          }),
      ...(options.locale === undefined ? {} : { locale: options.locale }),
      capabilities: {
        workspace: {
          configuration: true,
          workspaceFolders: true,
          workspaceEdit: { documentChanges: true },
          ...(options.capabilities?.['workspace'] as object),
        },
        textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
        window: { workDoneProgress: true },
        ...Object.fromEntries(Object.entries(options.capabilities ?? {}).filter(([key]) => key !== 'workspace')),
      },
      initializationOptions: options.initializationOptions,
    });
    const indexed = this.#nextProgressEnd();
    await this.connection.sendNotification('initialized', {});
    if (options.early !== true) await indexed;
  }

  /** The end of the first work-done progress: the workspace has been read. */
  #nextProgressEnd(): Promise<void> {
    return new Promise((resolve) => {
      const disposable = this.connection.onNotification('$/progress', ({ value }: { value: { kind: string } }) => {
        if (value.kind !== 'end') return;
        disposable.dispose();
        resolve();
      });
    });
  }

  uri(path: string): string {
    return URI.file(join(this.folder, path)).toString();
  }

  async open(path: string, text: string): Promise<string> {
    const uri = this.uri(path);
    this.#versions.set(uri, 1);
    this.#diagnostics.delete(uri);
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    return uri;
  }

  async close(uri: string): Promise<void> {
    this.#versions.delete(uri);
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** Replaces the whole text, or a range of it. */
  async change(uri: string, text: string, range?: unknown): Promise<number> {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [range === undefined ? { text } : { range, text }],
    });
    return version;
  }

  async write(path: string, text: string): Promise<void> {
    await writeInto(join(this.folder, path), text);
  }

  request<Result>(method: string, params: unknown): Promise<Result> {
    return this.connection.sendRequest(method, params);
  }

  /**
   * Diagnostics of a file as soon as they satisfy a test; fails with the last ones after the deadline. Those of an open
   * file are of its last text: what was said of an earlier one counts for nothing, where the server says of which.
   */
  async diagnostics(
    uri: string,
    test: (diagnostics: readonly Diagnostic[], version: number | undefined) => boolean = () => true,
  ): Promise<readonly Diagnostic[]> {
    await this.until(
      () => {
        const params = this.#diagnostics.get(uri);
        const version = this.#versions.get(uri);
        if (params === undefined || (version !== undefined && (params.version ?? version) !== version)) return false;
        return test(params.diagnostics, params.version);
      },
      () => `diagnostics of ${uri}: ${JSON.stringify(this.#diagnostics.get(uri), null, 2)}`,
    );
    return this.#diagnostics.get(uri)!.diagnostics;
  }

  /** Waits until something the server sends makes a condition true. */
  async until(condition: () => boolean, describe: () => string): Promise<void> {
    const end = Date.now() + patience;
    while (!condition()) {
      const left = end - Date.now();
      if (left <= 0) throw new Error(`Waited ${patience} ms in vain for ${describe()}\nLog:\n${this.log.join('\n')}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, left);
        const waiting = this.#waiting;
        function done(): void {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        }
        waiting.add(done);
      });
    }
  }

  /** Calls when something came that a test may wait for. */
  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** What the process has used, and what it still waits for. */
  probe(): Promise<Probe> {
    return new Promise((resolve) => {
      this.#process.once('message', (message) => {
        resolve(message as Probe);
      });
      this.#process.send('probe');
    });
  }

  /** From now on the times are taken that nobody is answered. */
  watch(): void {
    this.#process.send('watch');
  }

  notify(): void {
    this.#wake();
  }

  /** Shuts the server down as an editor does. Answers its exit code. */
  async stop({ keepsFolder = false } = {}): Promise<number | null> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const code = await this.ended;
    assert.deepEqual(this.#unsaid, []);
    this.connection.dispose();
    if (!keepsFolder) await rm(this.folder, { recursive: true, force: true });
    return code;
  }
}

async function writeInto(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
