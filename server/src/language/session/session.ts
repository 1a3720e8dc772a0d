import { loadPoolTypes } from '../index/pool-types.ts';
import { containedWhile, failureText, logFailures } from '../../util/contain.ts';
import { say } from '../../util/say.ts';
import type { CancellationToken, ClientCapabilities, Connection, Position } from 'vscode-languageserver';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { isScenarioName } from '../../manifests/file-provider.ts';
import type { ManifestDocument, ManifestFile } from '../../manifests/manifest.ts';
import { forgetWhole, isHalfTyped, setUnfinished } from '../../manifests/last-whole.ts';
import { documentAtLine, endsChangeAt } from '../../manifests/text-positions.ts';
import { canonicalUri, WorkspaceIndex } from '../../manifests/workspace-index.ts';
import type { Missing } from '../../simulation/cluster/input.ts';
import type { AppliedTarget } from '../applied/applied-target.ts';
import type { AppliedWorkspace } from '../applied/applied-workspace.ts';
import { isMarker } from '../applied/looks-owned.ts';
import type * as loadedChecks from '../checks/index.ts';
import { KnownEarlierVersions } from '../history/earlier-versions.ts';
import type { NodePlace } from '../../sources/files/node-places.ts';
import { Facts } from '../index/facts.ts';
import { runInSlices } from '../../util/run-in-slices.ts';
import type { KnownInFolder } from '../known/mark-known.ts';
import { NamedSnapshot, type UnusableSnapshot } from './named-snapshot.ts';
import type { ToldBySchemaParams } from '../../protocol.ts';
import { OtherYamlServer } from './other-yaml-server.ts';
import type { SessionHost, SnapshotPlace } from './session-host.ts';
import { endOrCancellation, Readings } from './readings.ts';
import { Simulations } from './simulations.ts';
import { defaultSettings, type Settings } from '../settings/settings.ts';
import { WorkspaceFolders } from './workspace-folders.ts';

/** The rules with the one who runs them, and what is made of their findings. */
export interface Checks extends Pick<
  typeof loadedChecks,
  'quickFixes' | 'fixAllActions' | 'rewrites' | 'valuesFileOf' | 'waysOn'
> {
  readonly checker: loadedChecks.Checker;
  /** Of a target that is not the first. */
  readonly checkerOf: (facts: Facts) => loadedChecks.Checker;
}

/** Milliseconds between two notices of files that have been read, while a workspace is read. */
const toldInterval = 1_000;

/**
 * The state behind all answers of one server: files, facts, settings. Features read it and are told when it changes;
 * only the wiring in `server.ts` changes it. Over 400 lines: what it tells apart is one state that changes together.
 */
export class Session {
  readonly facts = new Facts();
  readonly index: WorkspaceIndex;
  readonly earlier: KnownEarlierVersions;
  readonly docs: string;
  readonly client: ClientCapabilities;
  readonly keepsPulling: boolean;
  readonly reopensLists: boolean;
  readonly otherYaml: OtherYamlServer;
  readonly folders: WorkspaceFolders;
  readonly #connection: Connection;
  readonly #host: SessionHost;
  readonly #open = new Set<string>();
  /** Of open files the state before the last change. */
  readonly #beforeChange = new Map<string, ManifestFile>();
  readonly #changed = new Set<(what: 'text' | 'applied') => void>();
  readonly #closed = new Set<(uri: string) => void>();
  readonly #saved = new Set<(uri: string) => void>();
  readonly #stopped = new Set<() => void>();
  /** Why sources are not known; undefined where they are. */
  #sourcesFailure: string | undefined;
  readonly #readings = new Readings((error) => {
    this.logError('reading', error);
  });
  #checks: Promise<Checks> | undefined;
  #applied: AppliedWorkspace | undefined;
  readonly #simulations = new Map<string, Simulations>();
  #known: KnownInFolder | null = null;
  #settings: Settings = defaultSettings;
  #modelVersion = 0;
  #isHalfTyped = false;
  /** Grows with everything that answers rest on. */
  #changes = 0;
  #toldAt = 0;
  readonly #snapshot: NamedSnapshot;
  #workspaceRead = false;
  #endReading: () => void = () => undefined;
  /** Settles when the files of the workspace have been read once. */
  readonly whenWorkspaceRead = new Promise<void>((resolve) => {
    this.#endReading = resolve;
  });

  constructor(connection: Connection, host: SessionHost) {
    this.#connection = connection;
    this.#host = host;
    this.otherYaml = new OtherYamlServer(host);
    this.folders = new WorkspaceFolders(host, (uri) => this.index.file(uri) !== undefined);
    this.#snapshot = new NamedSnapshot(
      host,
      () => this.#settings.cluster.snapshot,
      (uri, file, isWanted) => this.#takeSnapshot(uri, file, isWanted),
    );
    this.facts.holdBackWorkloads();
    logFailures((what, error) => {
      this.logError(what, error);
    });
    this.docs = host.docs;
    this.client = host.client;
    this.keepsPulling = host.keepsPulling;
    this.reopensLists = host.reopensLists;
    this.index = new WorkspaceIndex(host.files);
    this.earlier = new KnownEarlierVersions(this.facts, host.committedTexts);
    this.index.onDidChange(({ files, kinds }) => {
      if (kinds.size > 0 || files.some(({ uri }) => isScenarioName(uri))) this.#modelVersion += 1;
      for (const { before, after } of files) {
        if (before !== null && before.uri !== after?.uri) this.#setFacts(before.uri, before, null);
        if (after !== null) this.#setFacts(after.uri, before, after);
      }
      // What is told makes answers about the whole work anew. At the end it is told in any case.
      if (this.index.isIndexing && Date.now() - this.#toldAt < toldInterval) this.#changes += 1;
      else this.#tellChanged('text');
    });
  }

  /** What a command may look at. */
  get surroundings(): Pick<SessionHost, 'folders' | 'isTrusted' | 'storage' | 'earlierTexts'> {
    return this.#host;
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Whether another server says at a place of a file what its schema says, so that Podium need not, unless it is asked to. */
  stepsBack(uri: string, { line }: Position): boolean {
    if (this.#settings.completion.keys !== 'auto') return false;
    const file = this.index.file(uri);
    const placed = file === undefined ? undefined : documentAtLine(file.documents, line);
    return this.otherYaml.knowsSchema(uri, placed?.document);
  }

  schemaHasTold(findings: ToldBySchemaParams): void {
    this.otherYaml.hasTold(findings);
    if (this.isOpen(findings.uri)) this.#tellChanged('text');
  }

  yamlServerChanged(besides: Parameters<OtherYamlServer['changed']>[0]): void {
    this.otherYaml.changed(besides);
    this.#tellChanged('text');
  }

  /** Grows with every change that a simulation could notice: objects, the snapshot, settings. */
  get modelVersion(): number {
    return this.#modelVersion;
  }

  /**
   * Called after anything that answers rest on has changed: files, settings, the snapshot, earlier versions (`text`), or
   * what sources make of the files (`applied`).
   */
  onChanged(listener: (what: 'text' | 'applied') => void): void {
    this.#changed.add(listener);
  }

  /** What is applied together; the first has the facts that all answers rest on. Empty while sources are not known. */
  get targets(): readonly AppliedTarget[] {
    return this.#applied?.targets ?? [];
  }

  /** What is written in a scenario, saved or not; null where it cannot be read. */
  async scenarioText(uri: string): Promise<string | null> {
    const open = this.index.file(uri);
    if (open === undefined) return this.savedText(uri);
    const { document } = open.documents.find((each) => each.document.content !== 'empty') ?? {};
    return document?.text ?? '';
  }

  /** The text of any file as it is saved; null where it cannot be read. */
  async savedText(uri: string): Promise<string | null> {
    return (await this.#host.files.read(uri)).text;
  }

  /** Whether the editor asks its user what may be run, and has the commands for that. */
  get asksItsUser(): boolean {
    return this.#host.mayRender !== null;
  }

  /** Where the Nodes of the workspace come from; empty while sources are not known. */
  nodePlaces(facts: Facts = this.facts): readonly NodePlace[] {
    return this.#applied?.nodePlaces(facts) ?? [];
  }

  get applied(): AppliedWorkspace | undefined {
    return this.#applied;
  }

  /** A file as it is known to the first target, or as it is written. */
  file(uri: string): ManifestFile | undefined {
    const file = this.index.file(uri);
    return file === undefined ? undefined : (this.targets[0]?.file(file.uri) ?? file);
  }

  /**
   * Simulations of a target; of the first where there is none of the name. What is not saved under a name is judged and
   * not counted, but for the one that is asked about.
   */
  simulationsOf(target = '', about = ''): Simulations {
    const isCounted = ({ uri }: ManifestFile): boolean => !isUntitled(uri) || uri === about;
    const key = isUntitled(about) ? `${target} ${about}` : target;
    const named = (): AppliedTarget | undefined => this.targets.find(({ name }) => name === target) ?? this.targets[0];
    let simulations = this.#simulations.get(key);
    if (simulations === undefined) {
      simulations = new Simulations({
        files: () => (named()?.applied() ?? this.index.files()).filter(isCounted),
        applied: () => named(),
        nodePlaces: () => this.nodePlaces(named()?.facts),
        foundGates: () => this.facts.cluster.featureGates,
        snapshot: () => this.facts.cluster.file,
        settings: () => this.#settings,
        isSnapshot: (uri) => this.isSnapshot(uri),
        missing: () => [
          ...(this.unusableSnapshot === null ? [] : [this.unusableSnapshot]),
          ...this.#neverRendered(),
          ...this.#failedSources(),
          ...this.#halfTyped(),
        ],
        // Both only grow, so their sum changes when either does.
        version: () => this.index.version + this.#modelVersion,
      });
      this.#simulations.set(key, simulations);
    }
    return simulations;
  }

  /** Settles when every open file has been read and everything is rendered that a simulation rests on, or nobody wants it any more. */
  async whenApplied(token: CancellationToken): Promise<void> {
    await this.#whenReadOrCancelled(token);
    await this.#readings.whenRead(token);
    if (this.#applied === undefined) await this.#findSources();
    await this.#applied?.whole(token);
  }

  /** A file, or with what is in it a folder, has changed on disk, and sources may be made of it. */
  sourceFileChanged(uri: string, isGone: boolean): void {
    this.#applied?.changedOnDisk(uri, isGone);
  }

  /** What sources need may be there now. */
  hasFetched(): void {
    this.#applied?.invalidate();
  }

  /** The user trusts the workspace, or has another answer whether kubectl and helm may be run. */
  renderingChanged(isTrusted: boolean): void {
    this.#host.setTrusted(isTrusted);
    this.#applied?.askAgain();
  }

  stop(): void {
    this.#applied?.stop();
    for (const listener of this.#stopped) listener();
  }

  /** Called when the editor wants no further answers. */
  onStopped(listener: () => void): void {
    this.#stopped.add(listener);
  }

  /** Called when a file was saved. */
  onSaved(listener: (uri: string) => void): void {
    this.#saved.add(listener);
  }

  /** Called when an editor of a file was closed. */
  onClosed(listener: (uri: string) => void): void {
    this.#closed.add(listener);
  }

  /** What judges open files, loaded when it is first asked for. */
  async checks(): Promise<Checks> {
    this.#checks ??= import('../checks/index.ts').then((loaded) => {
      const { Checker, ...others } = loaded;
      const made = new WeakMap<Facts, loadedChecks.Checker>();
      const checkerOf = (facts: Facts): loadedChecks.Checker => {
        let checker = made.get(facts);
        if (checker === undefined) {
          checker = new Checker(facts, this.earlier, {
            isWorkspaceRead: () => this.#workspaceRead,
            knowsPatches: () => (this.#applied?.targets.length ?? 0) > 0,
          });
          made.set(facts, checker);
        }
        return checker;
      };
      return { ...others, checker: checkerOf(this.facts), checkerOf };
    });
    await Promise.all([this.facts, ...this.targets.map(({ facts }) => facts)].map((facts) => loadPoolTypes(facts)));
    return this.#checks;
  }

  isOpen(uri: string): boolean {
    return this.#open.has(uri);
  }

  get openUris(): Iterable<string> {
    return this.#open;
  }

  openFiles(): ManifestFile[] {
    return [...this.#open].flatMap((uri) => this.index.file(uri) ?? []);
  }

  open(uri: string, text: string, version: number): void {
    this.#open.add(uri);
    this.facts.showEarly(uri);
    this.change(uri, text, version);
    this.#applied?.looksElsewhere();
    void this.#loadEarlier([uri]);
  }

  change(uri: string, text: string, version: number): void {
    this.#readings.start(canonicalUri(uri), version, this.index.readInSteps(uri, text, version), (file) => {
      // The index gathers changes while it reads the workspace; what is typed counts at once.
      const before = this.index.file(uri) ?? null;
      this.index.take(file);
      if (before !== null && before.version !== null) this.#beforeChange.set(file.uri, before);
      this.#setFacts(file.uri, before, file);
      this.#tellChanged('text');
    });
  }

  /** Whether the last change of an open file ended at a position, as where somebody types. */
  wasChangedAt(uri: string, position: Position): boolean {
    const file = this.index.file(uri);
    const before = file === undefined ? undefined : this.#beforeChange.get(file.uri);
    return file !== undefined && before !== undefined && endsChangeAt(before, file, position);
  }

  /** Whether what comes of the text waits until the line that is typed has an end: the last answers stay as they are. */
  get isHalfTyped(): boolean {
    return this.#isHalfTyped;
  }

  /**
   * Open files have been judged.
   * @param typed the document in which somebody types, where something of it is half typed
   */
  setHalfTyped(isHalf: boolean, typed: ManifestDocument | undefined): void {
    const was = this.#isHalfTyped;
    this.#isHalfTyped = isHalf;
    const haveChanged = this.openFiles().map((file) => setUnfinished(file, typed));
    if (haveChanged.includes(true)) this.#modelVersion += 1;
    // Whoever was not told meanwhile is told now.
    if (was && !isHalf) for (const listener of this.#changed) listener('applied');
  }

  /** Whether the files of the workspace have been read once; before, what they declare is not known. */
  get workspaceRead(): boolean {
    return this.#workspaceRead;
  }

  /** The workspace has been read to its end, though perhaps nothing in it was new. */
  async indexed(): Promise<void> {
    if (!this.#workspaceRead) {
      try {
        const { rankInSteps } = await import('../index/priority-ranking.ts');
        await runInSlices(this.facts.prepareInSteps(), () => true);
        await runInSlices(rankInSteps(this.facts.whole), () => true);
      } catch (error) {
        // It is only made ready: whoever asks makes it, and everybody waits for the end of reading.
        this.logError('ranking', error);
      }
      this.facts.showAll();
      this.#workspaceRead = true;
    }
    this.#endReading();
    this.#tellChanged('text');
    if (this.#applied === undefined) void this.#findSources();
    else this.#applied.invalidate();
  }

  async #findSources(): Promise<void> {
    // A workspace that is not on disk has nothing that a program could render.
    const { machine } = this.#host;
    if (machine === null || !this.folders.areOnDisk) return;
    const AppliedWorkspace = await machine.appliedWorkspace();
    if (this.#applied !== undefined) return;
    const { folders, isTrusted, storage, mayRender } = this.#host;
    this.#applied = new AppliedWorkspace({
      index: this.index,
      facts: this.facts,
      folders,
      isTrusted,
      storage,
      mayRender,
      openFiles: () => this.openFiles(),
      settings: () => this.#settings,
      isSnapshot: (uri) => this.isSnapshot(uri),
      changed: () => {
        this.#sourcesFailure = undefined;
        this.#modelVersion += 1;
        this.#tellChanged('applied');
      },
      info: (message) => {
        this.info(message);
      },
      failed: (error) => {
        this.#sourcesFailure = failureText(say`the kustomizations and charts of this workspace`, error);
        this.#modelVersion += 1;
        this.#tellChanged('applied');
      },
    });
    this.#applied.invalidate();
  }

  /** Whether everything is known that decides which files are manifests of their own, as far as it can be. */
  get isWhollyKnown(): boolean {
    if (!this.#workspaceRead || this.index.isIndexing) return false;
    return !this.folders.areOnDisk || this.targets.length > 0 || this.#sourcesFailure !== undefined;
  }

  /** That what kustomizations and charts make is not known, or no more than before. */
  #failedSources(): readonly Missing[] {
    if (this.#sourcesFailure === undefined) return [];
    return [{ text: say`kustomizations and charts are not read`, detail: this.#sourcesFailure }];
  }

  /** That kustomizations and charts of a workspace that is not on disk count as they are written. */
  #neverRendered(): readonly Missing[] {
    if (this.folders.areOnDisk) return [];
    if (!this.index.files().some(({ uri }) => isMarker(uri))) return [];
    const detail = say`kubectl and helm render what is on disk. Kustomizations and charts count as they are written here.`;
    return [{ text: say`nothing is rendered`, detail }];
  }

  /** That of files in which something is half typed what stood there before counts. */
  #halfTyped(): readonly Missing[] {
    return this.openFiles()
      .filter((file) => isHalfTyped(file) || this.#applied?.unfinished.includes(file.uri) === true)
      .map(({ uri }) => {
        const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
        const detail = say`It has unsaved text that cannot be read, or that the API server would refuse. What stood there before is used instead.`;
        return { text: say`${name} is not finished`, detail };
      });
  }

  /** The file was saved; a tool may have committed it at once. */
  saved(uri: string): void {
    const takeAsSaved = (): void => {
      const file = this.index.file(uri);
      if (file !== undefined && forgetWhole(file)) {
        this.#modelVersion += 1;
        this.index.take({ ...file });
      }
      this.#applied?.saved(file?.uri ?? uri);
      for (const listener of this.#saved) listener(uri);
    };
    const reading = this.#readings.underWay(canonicalUri(uri));
    if (reading === undefined) takeAsSaved();
    else void reading.then(takeAsSaved);
    void this.#loadEarlier([uri]);
  }

  close(uri: string): void {
    this.#open.delete(uri);
    this.#beforeChange.delete(canonicalUri(uri));
    this.otherYaml.closed(uri);
    this.#readings.giveUp(canonicalUri(uri));
    this.index.close(uri);
    void this.#checks?.then(({ checker }) => {
      checker.forget(uri);
    });
    this.earlier.forget(uri);
    for (const listener of this.#closed) listener(uri);
  }

  /** HEAD moved, or another repository was opened. */
  repositoryChanged(): void {
    this.earlier.invalidate();
    void this.#loadEarlier([...this.#open]);
  }

  /** The problems that the repository says are known. */
  get known(): KnownInFolder | null {
    return this.#known;
  }

  async configure(settings: Settings, known: KnownInFolder | null = null): Promise<void> {
    const isNewSnapshot = this.#snapshot.isUnread || settings.cluster.snapshot !== this.#settings.cluster.snapshot;
    this.#settings = settings;
    this.#known = known;
    this.#modelVersion += 1;
    if (isNewSnapshot) await this.readSnapshot();
    this.#applied?.invalidate();
    this.#tellChanged('text');
  }

  isSnapshot(uri: string): boolean {
    return uri === this.snapshotUri();
  }

  snapshotUri(): string | undefined {
    return this.#snapshot.uri;
  }

  /** The snapshot that the settings name, where no answer can rest on it. */
  get unusableSnapshot(): UnusableSnapshot | null {
    return this.#snapshot.unusable;
  }

  /** Where a path leads in the workspace. */
  placeOf(path: string): SnapshotPlace {
    return this.#host.snapshotPlace(path);
  }

  /** Reads the cluster snapshot, if there is one. */
  readSnapshot(): Promise<void> {
    return this.#snapshot.read();
  }

  async #takeSnapshot(uri: string | undefined, file: ManifestFile | undefined, isWanted: () => boolean): Promise<void> {
    const { unusable } = this.#snapshot;
    if (unusable !== null) this.warn(`${unusable.text}: ${unusable.detail}`);
    await runInSlices(this.facts.cluster.setInSteps(file), isWanted);
    if (!isWanted()) return;
    // A snapshot that lies in the workspace is the cluster, not something that is applied to it.
    if (uri !== undefined) this.facts.setFile(uri, undefined);
    this.#modelVersion += 1;
    // Charts are rendered for its Kubernetes.
    this.#applied?.invalidate();
    this.#tellChanged('text');
  }

  /**
   * Answers a request about a file, when its text has been read. Null for files that are not known, for requests that
   * were cancelled, and when something goes wrong, which is logged and never ends the server, and which `failed` says.
   */
  async answer<Result>(
    what: string,
    uri: string,
    token: CancellationToken,
    compute: (file: ManifestFile) => Result | Promise<Result>,
    failed: (text: string) => Result | null = () => null,
  ): Promise<Result | null | ResponseError> {
    await this.#readings.whenRead(token, canonicalUri(uri));
    if (token.isCancellationRequested) return cancelled();
    const file = this.file(uri);
    if (file === undefined) return null;
    return containedWhile<Result | null>(what, async () => compute(file), failed);
  }

  /** As `answer`, for what takes long: in slices, and given up when the request is cancelled or something changes. */
  async answerInSteps<Result>(
    what: string,
    uri: string,
    token: CancellationToken,
    compute: (file: ManifestFile) => Generator<void, Result>,
  ): Promise<Result | null | ResponseError> {
    const steps = await this.answer(what, uri, token, compute);
    if (steps === null || steps instanceof ResponseError) return steps;
    const changes = this.#changes;
    try {
      const goesOn = (): boolean => changes === this.#changes && !token.isCancellationRequested;
      const result = await runInSlices(steps, goesOn);
      if (result !== undefined) return result;
      return token.isCancellationRequested ? cancelled() : outdated();
    } catch (error) {
      this.logError(what, error);
      return null;
    }
  }

  /** As `answer`, but not before the workspace has been read: for what would otherwise be missing from the answer. */
  async answerWhenRead<Result>(
    what: string,
    uri: string,
    token: CancellationToken,
    compute: (file: ManifestFile) => Result,
  ): Promise<Result | null | ResponseError> {
    await this.#whenReadOrCancelled(token);
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

  /** A line of the story that the log tells. */
  info(message: string): void {
    this.#connection.console.info(message);
  }

  warn(message: string): void {
    this.#connection.console.warn(message);
  }

  async #whenReadOrCancelled(token: CancellationToken): Promise<void> {
    if (!this.#workspaceRead) await endOrCancellation(this.whenWorkspaceRead, token);
  }

  #setFacts(uri: string, before: ManifestFile | null, after: ManifestFile | null): void {
    if (this.isSnapshot(uri)) return;
    if (this.#applied === undefined) this.facts.setFile(uri, after ?? undefined);
    else this.#applied.setFile(uri, before ?? undefined, after ?? undefined);
  }

  async #loadEarlier(uris: readonly string[]): Promise<void> {
    try {
      const { unknown } = this.earlier;
      if (!(await this.earlier.load(uris))) return;
      for (const reason of this.earlier.unknown) {
        if (!unknown.includes(reason)) this.warn(`Committed versions are not known: ${reason}.`);
      }
      this.#tellChanged('text');
    } catch (error) {
      this.logError('earlier versions', error);
    }
  }

  #tellChanged(what: 'text' | 'applied'): void {
    this.#changes += 1;
    this.#toldAt = Date.now();
    for (const listener of this.#changed) listener(what);
  }
}

/** The text is another by now, and the client asks again. */
export function outdated(): ResponseError {
  return new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed.');
}

/** The client does not want the answer any more. */
export function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}

function isUntitled(uri: string): boolean {
  return uri.startsWith('untitled:');
}
