import { loadDevicesFor } from '../index/load-devices.ts';
import type { CancellationToken, Diagnostic } from 'vscode-languageserver';
import { runInSlices } from '../../util/run-in-slices.ts';
import { isHalfRead } from '../../manifests/declared-objects.ts';
import { setFinished } from '../../manifests/last-whole.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { endOrCancellation } from '../session/readings.ts';
import type { CaretParams } from '../../protocol.ts';
import type { Session } from '../session/session.ts';
import { bounded } from './bounded.ts';
import { alwaysTold, findProblems, type Found, scenarioProblems } from './find-problems.ts';
import { hasError, TypedPlace } from './typed-place.ts';

/** How long typing must pause before problems are told, in milliseconds: of open files, and of all others. */
export const pause = 100;
const longPause = 400;

/** What is wrong with a file. */
export interface FileProblems {
  readonly uri: string;
  /** Of the text in an editor that was judged; null for what is on disk. */
  readonly version: number | null;
  /** Another whenever something else is told. */
  readonly id: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What is wrong with the files of the workspace, kept up to date: soon after a change with those that are open, and when
 * nobody has typed for a while with all others. Findings are kept by document (`Checker`), so that only what a change
 * concerns is judged again.
 */
export class Problems {
  readonly #session: Session;
  #known: ReadonlyMap<string, FileProblems> = new Map();
  /** Of open files all that was found, where some of it waits until what is typed has an end. */
  readonly #found = new Map<string, readonly Diagnostic[]>();
  readonly #typed: TypedPlace;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Grows with every change; what was begun before is given up. */
  #changes = 0;
  /** The changes that are taken into account in what is known of open files, and of all. */
  #openJudged = 0;
  #allJudged = 0;
  /** Whether of a file of which nothing is known nothing was said. */
  #hasJudgedAll = false;
  #ids = 0;
  /** Ids of another server that a client remembers are none of this one. */
  readonly #idPrefix = Date.now().toString(36);
  #reported: Promise<void>;
  #report: () => void = () => undefined;
  #isStopped = false;

  constructor(session: Session) {
    this.#session = session;
    this.#typed = new TypedPlace((uri, caret) => session.openFiles.wasChangedAt(uri, caret));
    this.#reported = this.#nextTold();
  }

  /** The caret of the editor is elsewhere. */
  caretMoved(caret: CaretParams): void {
    const { uri = caret.uri } = this.#session.index.file(caret.uri) ?? {};
    if (this.#typed.moved({ ...caret, uri })) this.#sayWhatWaited();
  }

  /** A file was saved. */
  saved(uri: string): void {
    if (this.#typed.left(this.#session.index.file(uri)?.uri ?? uri)) this.#sayWhatWaited();
  }

  #sayWhatWaited(): void {
    const known = new Map(this.#known);
    for (const [uri, all] of this.#found) {
      known.set(uri, this.#problemsOf(uri, known.get(uri)?.version ?? null, all));
    }
    this.#tellHalfTyped(known);
    if ([...known].every(([uri, each]) => this.#known.get(uri) === each)) return;
    this.#known = known;
    for (const listener of this.#listeners) listener();
    this.wake();
  }

  /** Of files that are open, and of others with problems. */
  get known(): ReadonlyMap<string, FileProblems> {
    return this.#known;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Called when something else may be known. */
  onTold(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Something has changed that answers rest on. */
  changed(): void {
    this.#changes += 1;
    this.#after(pause, () => this.#judgeOpen());
  }

  /** A file is not open any more. What is on disk is judged with all others. */
  closed(uri: string): void {
    if (this.#typed.left(uri)) this.#sayWhatWaited();
    if (this.#judgesAll && this.#session.index.file(uri) !== undefined) return;
    const known = new Map(this.#known);
    if (!known.delete(uri)) return;
    this.#known = known;
    for (const listener of this.#listeners) listener();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#report();
  }

  /** Settles when what is known is true of the files that are open, or nobody wants to know any more. */
  whenOpenJudged(token: CancellationToken): Promise<void> {
    return this.#until(() => this.#openJudged === this.#changes, token);
  }

  /** Settles when what is known is true of all files of which problems are told. */
  whenAllJudged(token: CancellationToken): Promise<void> {
    return this.#until(() => this.#allJudged === this.#changes && this.#session.isWhollyKnown, token);
  }

  /** Settles when something else may be known. */
  whenTold(token: CancellationToken): Promise<void> {
    return endOrCancellation(this.#reported, token);
  }

  /** Lets those look again who wait for something else to be known. */
  wake(): void {
    const report = this.#report;
    this.#reported = this.#nextTold();
    report();
  }

  async #until(isReached: () => boolean, token: CancellationToken): Promise<void> {
    while (!isReached() && !token.isCancellationRequested && !this.#isStopped) await this.whenTold(token);
  }

  get #judgesAll(): boolean {
    return this.#session.settings.diagnostics.scope === 'workspace';
  }

  #after(milliseconds: number, run: () => Promise<void>): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      const changes = this.#changes;
      run().catch((error: unknown) => {
        this.#session.log.error('diagnostics', error);
        // What was known stays, and nobody waits for more.
        this.#openJudged = changes;
        this.#allJudged = changes;
        this.wake();
      });
    }, milliseconds);
  }

  async #judgeOpen(): Promise<void> {
    const changes = this.#changes;
    const files = distinct([...alwaysTold(this.#session), ...this.#session.openFiles.files()]);
    const found = await this.#find(files, files.length === 0, changes);
    if (found === undefined) return;
    const judgesRest = this.#judgesAll && this.#session.isWhollyKnown;
    this.#openJudged = changes;
    if (!judgesRest) this.#allJudged = changes;
    const open = new Set(files.map(({ uri }) => uri));
    const others = this.#judgesAll ? [...this.#known.values()].filter(({ uri }) => !open.has(uri)) : [];
    this.#take(new Map([...found].filter(([uri]) => open.has(uri))), files, others);
    if (judgesRest) this.#after(longPause - pause, () => this.#judgeAll());
  }

  async #judgeAll(): Promise<void> {
    const changes = this.#changes;
    const session = this.#session;
    const files = distinct([...alwaysTold(session), ...session.openFiles.files()]);
    const found = await this.#find(null, session.isEmpty, changes);
    if (found === undefined) return;
    const open = new Set(files.map(({ uri }) => uri));
    // What was fetched lies elsewhere, and nobody mends it there.
    const others = [...found].filter(
      ([uri]) => open.has(uri) || session.folders.includes(uri) || session.index.file(uri),
    );
    this.#allJudged = changes;
    this.#hasJudgedAll = true;
    this.#take(
      bounded(new Map(others), (uri) => open.has(uri)),
      files,
      [],
    );
  }

  /** Undefined where something has changed meanwhile. */
  async #find(files: readonly ManifestFile[] | null, isNothing: boolean, changes: number): Promise<Found | undefined> {
    const session = this.#session;
    if (isNothing) return new Map();
    const isCurrent = (): boolean => changes === this.#changes && !this.#isStopped;
    const { checkerOf } = await session.checks();
    await loadDevicesFor(session.facts);
    const scenarios = await scenarioProblems(session.openFiles.files(), session.facts);
    if (!isCurrent()) return undefined;
    const found = await runInSlices(findProblems(files, session, checkerOf), isCurrent);
    if (found === undefined || !isCurrent()) return undefined;
    const both = [...scenarios].map(([uri, own]) => [uri, [...(found.get(uri) ?? []), ...own]] as const);
    return new Map([...found, ...both]);
  }

  /** @param shown files of which it is told, too, that nothing is wrong with them */
  #take(found: Found, shown: readonly ManifestFile[], others: readonly FileProblems[]): void {
    this.#typed.look();
    const known = new Map(others.map((problems) => [problems.uri, problems]));
    const versions = new Map(shown.map(({ uri, version }) => [uri, version]));
    for (const uri of new Set([...versions.keys(), ...found.keys()])) {
      known.set(uri, this.#problemsOf(uri, versions.get(uri) ?? null, found.get(uri) ?? []));
    }
    for (const uri of this.#found.keys()) if (!known.has(uri)) this.#found.delete(uri);
    this.#tellHalfTyped(known);
    this.#known = known;
    for (const listener of this.#listeners) listener();
    this.wake();
  }

  /**
   * What waits with an error is half typed, and what cannot be read, whoever tells of that: nobody is shown yet what
   * would come of it.
   */
  #tellHalfTyped(known: ReadonlyMap<string, FileProblems>): void {
    const typed = this.#session.index.file(this.#typed.file ?? '')?.documents ?? [];
    const hasWaiting = [...this.#found].some(([uri, all]) => hasError(all, known.get(uri)?.diagnostics ?? []));
    const isHalf = hasWaiting || typed.some(({ document }) => isHalfRead(document));
    if (!isHalf && this.#openJudged === this.#changes) this.#session.openFiles.files().forEach(setFinished);
    this.#session.setHalfTyped(isHalf, hasWaiting ? this.#typed.documentIn(this.#session.index) : undefined);
  }

  #problemsOf(uri: string, version: number | null, all: readonly Diagnostic[]): FileProblems {
    const told = this.#known.get(uri)?.diagnostics ?? (this.#hasJudgedAll ? [] : undefined);
    const diagnostics = this.#typed.said(uri, this.#session.index.file(uri), all, told);
    if (diagnostics === all) this.#found.delete(uri);
    else this.#found.set(uri, all);
    const before = this.#known.get(uri);
    const isSame = before !== undefined && areSame(before.diagnostics, diagnostics);
    if (isSame && before.version === version) return before;
    const id = isSame ? before.id : `${this.#idPrefix}-${++this.#ids}`;
    return { uri, version, id, diagnostics: isSame ? before.diagnostics : diagnostics };
  }

  #nextTold(): Promise<void> {
    return new Promise((resolve) => {
      this.#report = resolve;
    });
  }
}

function areSame(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((each, index) => each === b[index]) || JSON.stringify(a) === JSON.stringify(b);
}

/** Each file once; the last of those with one URI. */
function distinct(files: readonly ManifestFile[]): ManifestFile[] {
  return [...new Map(files.map((file) => [file.uri, file])).values()];
}
