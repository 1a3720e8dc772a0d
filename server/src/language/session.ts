import type { CancellationToken, ClientCapabilities, Connection } from 'vscode-languageserver';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { FileProvider } from '../manifests/file-provider.ts';
import { snapshotLimits } from '../manifests/limits.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { readManifestFile } from '../manifests/parse-manifest-file.ts';
import { snapshotFault } from '../manifests/snapshot-fault.ts';
import { canonicalUri, WorkspaceIndex } from '../manifests/workspace-index.ts';
import type { Missing } from '../simulation/scene/input.ts';
import type * as loadedChecks from './checks.ts';
import type { ReadCommittedTexts } from './committed-texts.ts';
import { KnownEarlierVersions } from './earlier-versions.ts';
import { Facts } from './facts.ts';
import { runInSlices } from './run-in-slices.ts';
import { type EarlierTexts, Simulations } from './simulations.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** What a session needs from outside. */
export interface SessionHost {
  readonly files: FileProvider;
  readonly committedTexts: ReadCommittedTexts;
  /** What has changed in the workspace folders since git HEAD. Rejects with `GitError`. */
  readonly earlierTexts: () => Promise<EarlierTexts>;
  /** Where the cluster snapshot is that a setting names. */
  readonly snapshotPlace: (setting: string) => SnapshotPlace;
  /** What the editor can do. */
  readonly client: ClientCapabilities;
  /** Where the pages of the rules are, as a URI without a slash at its end; empty when unknown. */
  readonly docs: string;
}

/** Where a snapshot is, or why it is not looked for: the part of a sentence behind its name. */
export type SnapshotPlace = { readonly uri: string } | { readonly fault: string };

/** A snapshot that the settings name and that is not used. */
export interface UnusableSnapshot extends Missing {
  /** Undefined where it is not looked for at all. */
  readonly uri: string | undefined;
}

/** The rules with the one who runs them, and what is made of their findings. */
export interface Checks extends Pick<typeof loadedChecks, 'diagnosticsOf' | 'quickFixes' | 'fixAllActions'> {
  readonly checker: loadedChecks.Checker;
}

/**
 * The state behind all answers of one server: files, facts, settings. Features read it and are told when it changes;
 * only the wiring in `server.ts` changes it.
 */
export class Session {
  readonly facts = new Facts();
  readonly index: WorkspaceIndex;
  readonly earlier: KnownEarlierVersions;
  readonly simulations: Simulations;
  readonly docs: string;
  readonly client: ClientCapabilities;
  readonly #connection: Connection;
  readonly #host: SessionHost;
  readonly #open = new Set<string>();
  readonly #changed = new Set<() => void>();
  readonly #closed = new Set<(uri: string) => void>();
  #checks: Promise<Checks> | undefined;
  #settings: Settings = defaultSettings;
  #modelVersion = 0;
  #snapshotRead = 0;
  #unusableSnapshot: UnusableSnapshot | null = null;
  #workspaceRead = false;
  #endReading: () => void = () => undefined;
  /** Settles when the files of the workspace have been read once. */
  readonly whenWorkspaceRead = new Promise<void>((resolve) => {
    this.#endReading = resolve;
  });

  constructor(connection: Connection, host: SessionHost) {
    this.#connection = connection;
    this.#host = host;
    this.docs = host.docs;
    this.client = host.client;
    this.index = new WorkspaceIndex(host.files);
    this.earlier = new KnownEarlierVersions(this.facts, host.committedTexts);
    this.simulations = new Simulations({
      files: () => this.index.files(),
      snapshot: () => this.facts.snapshot,
      settings: () => this.#settings,
      isSnapshot: (uri) => this.isSnapshot(uri),
      missing: () => (this.#unusableSnapshot === null ? [] : [this.#unusableSnapshot]),
      // Both only grow, so their sum changes when either does.
      version: () => this.index.version + this.#modelVersion,
    });
    this.index.onDidChange(({ files, kinds }) => {
      if (kinds.size > 0) this.#modelVersion += 1;
      for (const { before, after } of files) {
        if (before !== null && before.uri !== after?.uri) this.#setFacts(before.uri, undefined);
        if (after !== null) this.#setFacts(after.uri, after);
      }
      this.#tellChanged();
    });
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Grows with every change that a simulation could notice: objects, the snapshot, settings. */
  get modelVersion(): number {
    return this.#modelVersion;
  }

  /** Called after anything that answers rest on has changed: files, settings, the snapshot, earlier versions. */
  onChanged(listener: () => void): void {
    this.#changed.add(listener);
  }

  /** Called when an editor of a file was closed. */
  onClosed(listener: (uri: string) => void): void {
    this.#closed.add(listener);
  }

  /** What judges open files, loaded when it is first asked for. */
  checks(): Promise<Checks> {
    this.#checks ??= import('./checks.ts').then(({ Checker, diagnosticsOf, quickFixes, fixAllActions }) => {
      const failed = (code: string, error: unknown): void => {
        this.logError(`rule ${code}`, error);
      };
      const checker = new Checker(this.facts, this.earlier, failed, () => this.#workspaceRead);
      return { checker, diagnosticsOf, quickFixes, fixAllActions };
    });
    return this.#checks;
  }

  openFiles(): ManifestFile[] {
    return [...this.#open].flatMap((uri) => this.index.file(uri) ?? []);
  }

  open(uri: string, text: string, version: number): void {
    this.#open.add(uri);
    this.change(uri, text, version);
    void this.#loadEarlier([uri]);
  }

  change(uri: string, text: string, version: number): void {
    // The index gathers changes while it reads the workspace; what is typed counts at once.
    const file = this.index.change(uri, text, version);
    this.#setFacts(file.uri, file);
    this.#tellChanged();
  }

  /** Whether the files of the workspace have been read once; before, what they declare is not known. */
  get workspaceRead(): boolean {
    return this.#workspaceRead;
  }

  /** The workspace has been read to its end, though perhaps nothing in it was new. */
  indexed(): void {
    this.#workspaceRead = true;
    this.#endReading();
    this.#tellChanged();
  }

  /** The file was saved; a tool may have committed it at once. */
  saved(uri: string): void {
    void this.#loadEarlier([uri]);
  }

  close(uri: string): void {
    this.#open.delete(uri);
    this.index.close(uri);
    void this.#checks?.then(({ checker }) => {
      checker.forget(uri);
    });
    this.earlier.forget(uri);
    for (const listener of this.#closed) listener(uri);
  }

  /** What files were at git HEAD, unsaved changes included. Rejects with `GitError` where there is no repository. */
  async earlierTexts(): Promise<EarlierTexts> {
    const changed = await this.#host.earlierTexts();
    const texts = new Map([...changed.texts].map(([uri, text]) => [canonicalUri(uri), text]));
    const others = [...this.#open].filter((uri) => !texts.has(canonicalUri(uri)));
    const committed = others.length === 0 ? [] : (await this.#host.committedTexts(others)).texts;
    for (const [uri, text] of committed) if (text !== null) texts.set(canonicalUri(uri), text);
    for (const line of changed.notCompared) this.warn(`Not compared: ${line}.`);
    return { texts, notCompared: changed.notCompared };
  }

  /** HEAD moved, or another repository was opened. */
  repositoryChanged(): void {
    this.earlier.invalidate();
    void this.#loadEarlier([...this.#open]);
  }

  async configure(settings: Settings): Promise<void> {
    const isNewSnapshot = settings.cluster.snapshot !== this.#settings.cluster.snapshot;
    this.#settings = settings;
    this.#modelVersion += 1;
    if (isNewSnapshot) await this.readSnapshot();
    this.#tellChanged();
  }

  isSnapshot(uri: string): boolean {
    return uri === this.snapshotUri();
  }

  snapshotUri(): string | undefined {
    const place = this.#snapshotPlace();
    return place !== undefined && 'uri' in place ? place.uri : undefined;
  }

  /** The snapshot that the settings name, where no answer can rest on it. */
  get unusableSnapshot(): UnusableSnapshot | null {
    return this.#unusableSnapshot;
  }

  #snapshotPlace(): SnapshotPlace | undefined {
    const setting = this.#settings.cluster.snapshot;
    return setting === '' ? undefined : this.#host.snapshotPlace(setting);
  }

  /** Reads the cluster snapshot, if there is one. */
  async readSnapshot(): Promise<void> {
    const read = ++this.#snapshotRead;
    const place = this.#snapshotPlace();
    if (place === undefined || 'fault' in place) {
      this.#takeSnapshot(undefined, undefined, place?.fault ?? null);
      return;
    }
    const { uri } = place;
    const { text, error = 'it has gone or may not be read' } = await this.#host.files.read(uri);
    if (read !== this.#snapshotRead) return;
    const file = text === null ? undefined : await this.#readInSlices(uri, text, read);
    if (read !== this.#snapshotRead) return;
    const fault = text === null ? `cannot be read (${error})` : file === undefined ? null : snapshotFault(file, text);
    this.#takeSnapshot(uri, fault === null ? file : undefined, fault);
  }

  /** @param fault why the snapshot that the settings name is not used */
  #takeSnapshot(uri: string | undefined, file: ManifestFile | undefined, fault: string | null): void {
    const name = this.#settings.cluster.snapshot;
    this.#unusableSnapshot = fault === null ? null : { uri, ...unusable(name, fault) };
    if (this.#unusableSnapshot !== null) {
      const { text, detail } = this.#unusableSnapshot;
      this.warn(`${text}: ${detail}`);
    }
    this.facts.setSnapshot(file);
    // A snapshot that lies in the workspace is the cluster, not something that is applied to it.
    if (uri !== undefined) this.facts.setFile(uri, undefined);
    this.#modelVersion += 1;
    this.#tellChanged();
  }

  /**
   * Answers a request about a file. Null for files that are not known, for requests that were cancelled, and when
   * something goes wrong, which is logged and never ends the server.
   */
  answer<Result>(
    what: string,
    uri: string,
    token: CancellationToken,
    compute: (file: ManifestFile) => Result,
  ): Result | null | ResponseError {
    if (token.isCancellationRequested) return cancelled();
    const file = this.index.file(uri);
    return file === undefined ? null : this.guard(what, () => compute(file), null);
  }

  /** As `answer`, but not before the workspace has been read: for what would otherwise be missing from the answer. */
  async answerWhenRead<Result>(
    what: string,
    uri: string,
    token: CancellationToken,
    compute: (file: ManifestFile) => Result,
  ): Promise<Result | null | ResponseError> {
    if (!this.#workspaceRead) await this.#readOrCancelled(token);
    return this.answer(what, uri, token, compute);
  }

  /** Computes something; logs and answers `fallback` when that fails. */
  guard<Result, Fallback>(what: string, compute: () => Result, fallback: Fallback): Result | Fallback {
    try {
      return compute();
    } catch (error) {
      this.logError(what, error);
      return fallback;
    }
  }

  logError(what: string, error: unknown): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#connection.console.error(`${what}: ${detail}`);
  }

  warn(message: string): void {
    this.#connection.console.warn(message);
  }

  async #readOrCancelled(token: CancellationToken): Promise<void> {
    let listener: { dispose(): void } | undefined;
    const cancellation = new Promise<void>((resolve) => {
      listener = token.onCancellationRequested(() => {
        resolve();
      });
    });
    await Promise.race([this.whenWorkspaceRead, cancellation]);
    listener?.dispose();
  }

  /** Reads a snapshot, which may be large, while others are answered. Stops when it is to be read again. */
  #readInSlices(uri: string, text: string, read: number): Promise<ManifestFile | undefined> {
    const steps = readManifestFile(uri, text, null, this.facts.snapshot, snapshotLimits);
    return runInSlices(steps, () => read === this.#snapshotRead);
  }

  #setFacts(uri: string, file: ManifestFile | undefined): void {
    if (!this.isSnapshot(uri)) this.facts.setFile(uri, file);
  }

  async #loadEarlier(uris: readonly string[]): Promise<void> {
    try {
      const { unknown } = this.earlier;
      if (!(await this.earlier.load(uris))) return;
      for (const reason of this.earlier.unknown) {
        if (!unknown.includes(reason)) this.warn(`Committed versions are not known: ${reason}.`);
      }
      this.#tellChanged();
    } catch (error) {
      this.logError('earlier versions', error);
    }
  }

  #tellChanged(): void {
    for (const listener of this.#changed) listener();
  }
}

function unusable(name: string, fault: string): Missing {
  return {
    text: `the cluster snapshot ${name} is not used`,
    detail: `It ${fault.replace(/\.$/, '')}. No answer rests on it.`,
  };
}

/** The client does not want the answer any more. */
export function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}
