import type { CancellationToken, ClientCapabilities, Connection, Position } from 'vscode-languageserver';
import { Emitter } from 'vscode-languageserver';
import { isScenarioName } from '../../manifests/file-provider.ts';
import { forgetWhole } from '../../manifests/last-whole.ts';
import type { ManifestDocument, ManifestFile } from '../../manifests/manifest.ts';
import { documentAtLine } from '../../manifests/text-positions.ts';
import { canonicalUri, WorkspaceIndex } from '../../manifests/workspace-index.ts';
import type { ToldBySchemaParams } from '../../protocol.ts';
import type { Missing } from '../../simulation/cluster/input.ts';
import { logFailures } from '../../util/contain.ts';
import { getOrInsert } from '../../util/maps.ts';
import { runInSlices } from '../../util/run-in-slices.ts';
import { say } from '../../util/say.ts';
import type * as loadedChecks from '../checks/index.ts';
import { KnownEarlierVersions } from '../history/earlier-versions.ts';
import { Facts } from '../index/facts.ts';
import { loadPoolTypes } from '../index/pool-types.ts';
import type { KnownInFolder } from '../known/mark-known.ts';
import { defaultSettings, type Settings } from '../settings/settings.ts';
import { NamedSnapshot, type UnusableSnapshot } from './named-snapshot.ts';
import { OpenFiles } from './open-files.ts';
import { OtherYamlServer } from './other-yaml-server.ts';
import { endOrCancellation, Readings } from './readings.ts';
import { Rendering } from './rendering.ts';
import { Requests } from './requests.ts';
import type { SessionHost, SnapshotPlace } from './session-host.ts';
import { SessionLog } from './session-log.ts';
import { Simulations } from './simulations.ts';
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
 * only the wiring in `server.ts` changes it.
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
  readonly log: SessionLog;
  readonly openFiles: OpenFiles;
  readonly rendering: Rendering;
  readonly requests: Requests;
  readonly #host: SessionHost;
  readonly #changed = new Emitter<'text' | 'applied'>();
  readonly #closed = new Emitter<string>();
  readonly #saved = new Emitter<string>();
  readonly #stopped = new Emitter<void>();
  /**
   * Tells after anything that answers rest on has changed: files, settings, the snapshot, earlier versions (`text`), or
   * what sources make of the files (`applied`).
   */
  readonly onChanged = this.#changed.event;
  /** Tells of a file whose editor was closed. */
  readonly onClosed = this.#closed.event;
  /** Tells of a file that was saved. */
  readonly onSaved = this.#saved.event;
  /** Tells when the editor wants no further answers. */
  readonly onStopped = this.#stopped.event;
  readonly #readings: Readings;
  #checks: Promise<Checks> | undefined;
  readonly #simulations = new Map<string, Simulations>();
  #known: KnownInFolder | null = null;
  #settings: Settings = defaultSettings;
  #modelVersion = 0;
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
    this.#host = host;
    this.log = new SessionLog(connection);
    this.#readings = new Readings((error) => {
      this.log.error('reading', error);
    });
    this.otherYaml = new OtherYamlServer(host);
    this.folders = new WorkspaceFolders(host, (uri) => this.index.file(uri) !== undefined);
    this.#snapshot = new NamedSnapshot(
      host,
      () => this.#settings.cluster.snapshot,
      (uri, file, isWanted) => this.#takeSnapshot(uri, file, isWanted),
    );
    this.facts.holdBackWorkloads();
    logFailures((what, error) => {
      this.log.error(what, error);
    });
    this.docs = host.docs;
    this.client = host.client;
    this.keepsPulling = host.keepsPulling;
    this.reopensLists = host.reopensLists;
    this.index = new WorkspaceIndex(host.files);
    this.openFiles = new OpenFiles(this.index);
    this.rendering = new Rendering(host, {
      index: this.index,
      facts: this.facts,
      folders: this.folders,
      openFiles: () => this.openFiles.files(),
      settings: () => this.#settings,
      isSnapshot: (uri) => this.isSnapshot(uri),
      info: (message) => {
        this.log.info(message);
      },
      changed: () => {
        this.#modelVersion += 1;
        this.#tellChanged('applied');
      },
    });
    this.requests = new Requests({
      log: this.log,
      readings: this.#readings,
      file: (uri) => this.file(uri),
      changes: () => this.#changes,
      whenWorkspaceRead: this.whenWorkspaceRead,
    });
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
    if (this.openFiles.has(findings.uri)) this.#tellChanged('text');
  }

  yamlServerChanged(besides: Parameters<OtherYamlServer['changed']>[0]): void {
    this.otherYaml.changed(besides);
    this.#tellChanged('text');
  }

  /** Grows with every change that a simulation could notice: objects, the snapshot, settings. */
  get modelVersion(): number {
    return this.#modelVersion;
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

  /** A file as it is known to the first target, or as it is written. */
  file(uri: string): ManifestFile | undefined {
    const file = this.index.file(uri);
    return file === undefined ? undefined : (this.rendering.targets[0]?.file(file.uri) ?? file);
  }

  /**
   * Simulations of a target; of the first where there is none of the name. What is not saved under a name is judged and
   * not counted, but for the one that is asked about.
   */
  simulationsOf(target = '', about = ''): Simulations {
    const isCounted = ({ uri }: ManifestFile): boolean => !isUntitled(uri) || uri === about;
    const key = isUntitled(about) ? `${target} ${about}` : target;
    let simulations = this.#simulations.get(key);
    if (simulations === undefined) {
      simulations = new Simulations({
        files: () => (this.rendering.target(target)?.applied() ?? this.index.files()).filter(isCounted),
        applied: () => this.rendering.target(target),
        nodePlaces: () => this.rendering.nodePlaces(this.rendering.target(target)?.facts),
        foundGates: () => this.facts.cluster.featureGates,
        snapshot: () => this.facts.cluster.file,
        settings: () => this.#settings,
        isSnapshot: (uri) => this.isSnapshot(uri),
        missing: () => [
          ...(this.unusableSnapshot === null ? [] : [this.unusableSnapshot.missing]),
          ...this.rendering.missing(),
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
    await endOrCancellation(this.whenWorkspaceRead, token);
    await this.#readings.whenRead(token);
    await this.rendering.whenWhole(token);
  }

  stop(): void {
    this.rendering.applied?.stop();
    this.#stopped.fire();
  }

  /** What judges open files, loaded when it is first asked for. */
  async checks(): Promise<Checks> {
    this.#checks ??= import('../checks/index.ts').then((loaded) => {
      const { Checker, ...others } = loaded;
      const made = new WeakMap<Facts, loadedChecks.Checker>();
      const checkerOf = (facts: Facts): loadedChecks.Checker =>
        getOrInsert(
          made,
          facts,
          () =>
            new Checker(facts, this.earlier, {
              isWorkspaceRead: () => this.#workspaceRead,
              knowsPatches: () => this.rendering.targets.length > 0,
            }),
        );
      return { ...others, checker: checkerOf(this.facts), checkerOf };
    });
    await Promise.all(
      [this.facts, ...this.rendering.targets.map(({ facts }) => facts)].map((facts) => loadPoolTypes(facts)),
    );
    return this.#checks;
  }

  open(uri: string, text: string, version: number): void {
    this.openFiles.opened(uri);
    this.facts.showEarly(uri);
    this.change(uri, text, version);
    this.rendering.applied?.looksElsewhere();
    void this.#loadEarlier([uri]);
  }

  change(uri: string, text: string, version: number): void {
    this.#readings.start(canonicalUri(uri), version, this.index.readInSteps(uri, text, version), (file) => {
      // The index gathers changes while it reads the workspace; what is typed counts at once.
      const before = this.index.file(uri) ?? null;
      this.index.take(file);
      if (before !== null && before.version !== null) this.openFiles.changed(before);
      this.#setFacts(file.uri, before, file);
      this.#tellChanged('text');
    });
  }

  /**
   * Open files have been judged.
   * @param typed the document in which somebody types, where something of it is half typed
   */
  setHalfTyped(isHalf: boolean, typed: ManifestDocument | undefined): void {
    const was = this.openFiles.isHalfTyped;
    if (this.openFiles.setHalfTyped(isHalf, typed)) this.#modelVersion += 1;
    // Whoever was not told meanwhile is told now.
    if (was && !isHalf) this.#changed.fire('applied');
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
        this.log.error('ranking', error);
      }
      this.facts.showAll();
      this.#workspaceRead = true;
    }
    this.#endReading();
    this.#tellChanged('text');
    void this.rendering.look();
  }

  /** Whether everything is known that decides which files are manifests of their own, as far as it can be. */
  get isWhollyKnown(): boolean {
    return this.#workspaceRead && !this.index.isIndexing && this.rendering.isKnown;
  }

  /** That of files in which something is half typed what stood there before counts. */
  #halfTyped(): readonly Missing[] {
    const detail = say`It has unsaved text that cannot be read, or that the API server would refuse. What stood there before is used instead.`;
    return this.openFiles.unfinished(this.rendering.applied?.unfinished ?? []).map((uri) => {
      const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
      return { text: say`${name} is not finished`, detail };
    });
  }

  /** The file was saved; a tool may have committed it at once. */
  saved(uri: string): void {
    const takeAsSaved = (): void => {
      const file = this.index.file(uri);
      const countedAsBefore = file !== undefined && forgetWhole(file);
      if (countedAsBefore) {
        this.#modelVersion += 1;
        this.index.take({ ...file });
      }
      this.rendering.applied?.saved(file?.uri ?? uri, countedAsBefore);
      this.#saved.fire(uri);
    };
    const reading = this.#readings.underWay(canonicalUri(uri));
    if (reading === undefined) takeAsSaved();
    else void reading.then(takeAsSaved);
    void this.#loadEarlier([uri]);
  }

  close(uri: string): void {
    this.openFiles.closed(uri);
    this.otherYaml.closed(uri);
    this.#readings.giveUp(canonicalUri(uri));
    this.index.close(uri);
    void this.#checks?.then(({ checker }) => {
      checker.forget(uri);
    });
    this.earlier.forget(uri);
    this.#closed.fire(uri);
  }

  /** HEAD moved, or another repository was opened. */
  repositoryChanged(): void {
    this.earlier.invalidate();
    void this.#loadEarlier([...this.openFiles.uris]);
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
    this.rendering.invalidate();
    this.#tellChanged('text');
  }

  isSnapshot(uri: string): boolean {
    return uri === this.snapshotUri();
  }

  snapshotUri(): string | undefined {
    return this.#snapshot.uri;
  }

  /** Whether there is nothing that could be wrong: no manifest, and nothing that is made of a source or would be. */
  get isEmpty(): boolean {
    const { targets } = this.rendering;
    const isNothing = targets.every((target) => target.files().length === 0 && target.unseen.length === 0);
    return this.unusableSnapshot === null && this.index.isEmpty && isNothing;
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
    if (unusable !== null) this.log.warn(`${unusable.missing.text}: ${unusable.missing.detail}`);
    await runInSlices(this.facts.cluster.setInSteps(file), isWanted);
    if (!isWanted()) return;
    // A snapshot that lies in the workspace is the cluster, not something that is applied to it.
    if (uri !== undefined) this.facts.setFile(uri, undefined);
    this.#modelVersion += 1;
    // Charts are rendered for its Kubernetes.
    this.rendering.invalidate();
    this.#tellChanged('text');
  }

  #setFacts(uri: string, before: ManifestFile | null, after: ManifestFile | null): void {
    if (this.isSnapshot(uri)) return;
    const { applied } = this.rendering;
    if (applied === undefined) this.facts.setFile(uri, after ?? undefined);
    else applied.setFile(uri, before ?? undefined, after ?? undefined);
  }

  async #loadEarlier(uris: readonly string[]): Promise<void> {
    try {
      const { unknown } = this.earlier;
      if (!(await this.earlier.load(uris))) return;
      for (const reason of this.earlier.unknown) {
        if (!unknown.includes(reason)) this.log.warn(`Committed versions are not known: ${reason}.`);
      }
      this.#tellChanged('text');
    } catch (error) {
      this.log.error('earlier versions', error);
    }
  }

  #tellChanged(what: 'text' | 'applied'): void {
    this.#changes += 1;
    this.#toldAt = Date.now();
    this.#changed.fire(what);
  }
}

function isUntitled(uri: string): boolean {
  return uri.startsWith('untitled:');
}
