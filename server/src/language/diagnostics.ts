import type { Connection, Diagnostic } from 'vscode-languageserver';
import type { ManifestFile, ManifestProblem } from '../manifests/manifest.ts';
import { pathOf } from '../sources/path-of.ts';
import { runInSlices } from '../kit/run-in-slices.ts';
import { isScenarioName } from '../manifests/file-provider.ts';
import { problemFile } from '../manifests/problem-file.ts';
import type { Feature } from './feature.ts';
import type { PlacedDiagnostic } from './file-diagnostics.ts';
import type { Checks, Session } from './session.ts';

/** How long typing must pause before problems are shown, in milliseconds. */
export const pause = 100;

/** Problems of open files, pushed whenever they change: after an edit here, or in a file they depend on. */
export const diagnosticsFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    const publisher = new Publisher(connection, session);
    session.onChanged(() => {
      publisher.schedule();
    });
    session.onClosed((uri) => {
      publisher.clear(uri);
      publisher.schedule();
    });
  },
};

/** Files that cannot be read of which problems are shown while they are not open. */
const mostUnread = 100;

class Publisher {
  readonly #connection: Connection;
  readonly #session: Session;
  /** What each open file shows now, to send only what is new. */
  readonly #shown = new Map<string, { readonly version: number | null; readonly diagnostics: readonly Diagnostic[] }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Grows with every change; problems that rest on what was before are not worked out to their end. */
  #changes = 0;

  constructor(connection: Connection, session: Session) {
    this.#connection = connection;
    this.#session = session;
  }

  schedule(): void {
    this.#changes += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#publish().catch((error: unknown) => {
        this.#session.logError('diagnostics', error);
      });
    }, pause);
  }

  clear(uri: string): void {
    this.#shown.delete(uri);
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  async #publish(): Promise<void> {
    const changes = this.#changes;
    const isCurrent = (): boolean => changes === this.#changes;
    const unread = this.#unread();
    if (this.#session.openFiles().length + unread.length === 0 && this.#unusable() === null && this.#shown.size === 0) {
      return;
    }
    const checks = await this.#session.checks();
    if (!isCurrent()) return;
    const files = new Map([...unread, ...this.#session.openFiles()].map((file) => [file.uri, file]));
    const unusable = this.#unusable();
    if (unusable !== null && !files.has(unusable.uri)) files.set(unusable.uri, unusable);
    for (const uri of [...this.#shown.keys()]) if (!files.has(uri)) this.clear(uri);
    const isScenario = [...files.keys()].some(isScenarioName);
    const scenarios = isScenario ? await import('./scenarios.ts') : null;
    if (!isCurrent()) return;
    const found = await runInSlices(this.#find([...files.values()], checks), isCurrent);
    if (found === undefined) return;
    for (const file of files.values()) {
      const own = isScenarioName(file.uri) ? (scenarios?.scenarioDiagnostics(file) ?? []) : [];
      const diagnostics = [...(found.get(file.uri) ?? []), ...own];
      const shown = this.#shown.get(file.uri);
      const isSame = JSON.stringify(shown?.diagnostics) === JSON.stringify(diagnostics);
      if (shown?.version === file.version && isSame) continue;
      this.#shown.set(file.uri, { version: file.version, diagnostics });
      void this.#connection.sendDiagnostics({
        uri: file.uri,
        diagnostics,
        ...(file.version === null ? {} : { version: file.version }),
      });
    }
  }

  /** What is shown in files that are open: what rules find in them, and what is mended there of objects made elsewhere. */
  *#find(
    files: readonly ManifestFile[],
    { checkerOf, placedDiagnosticsInSteps, ...checks }: Checks,
  ): Generator<void, Map<string, Diagnostic[]>> {
    const { facts, settings, docs, targets } = this.#session;
    const found = new checks.PlacedFindings();
    const paths = new Set(files.flatMap(({ uri }) => pathOf(uri) ?? []));
    for (const target of targets.length === 0 ? [undefined] : targets) {
      const own = target?.facts ?? facts;
      const isQuiet =
        target === undefined
          ? (uri: string, code: string) => checks.ofObjects(code) && this.#session.looksOwned(uri)
          : checks.quietRules(target.world, target.unseen);
      const judged = new Map(files.map((file) => [file.uri, target?.file(file.uri) ?? file]));
      for (const uri of target?.madeFrom(paths) ?? []) judged.set(uri, target?.file(uri) ?? judged.get(uri)!);
      if (target !== undefined) {
        for (const placed of checks.refusedSources(target.world, settings, docs)) found.add(placed);
      }
      for (const file of judged.values()) {
        for (const placed of yield* placedDiagnosticsInSteps(file, checkerOf(own), own, settings, docs)) {
          if (!isQuiet(file.uri, String(placed.diagnostic.code)) && this.#isShown(file, placed)) found.add(placed);
        }
      }
    }
    const unusable = this.#unusable();
    if (unusable !== null) {
      for (const placed of yield* placedDiagnosticsInSteps(unusable, checkerOf(facts), facts, settings, docs)) {
        found.add(placed);
      }
    }
    const byFile = new Map<string, Diagnostic[]>();
    for (const { uri, diagnostic } of found.all()) {
      const known = byFile.get(uri);
      if (known === undefined) byFile.set(uri, [diagnostic]);
      else known.push(diagnostic);
    }
    return byFile;
  }

  /** The snapshot is read whole, however large it is; the limits are those of files that are edited. */
  #isShown({ uri }: ManifestFile, { diagnostic }: PlacedDiagnostic): boolean {
    return !this.#session.isSnapshot(uri) || !limitCodes.has(String(diagnostic.code));
  }

  /** Files of the workspace that cannot be read, open or not: who opens one may see in which encoding it is. */
  #unread(): ManifestFile[] {
    const { index } = this.#session;
    return index
      .files()
      .filter(({ problems: [first] }) => first?.code === 'unreadable-file')
      .slice(0, mostUnread);
  }

  /** A snapshot that cannot be used, as a file with one problem that says why. */
  #unusable(): ManifestFile | null {
    const { unusableSnapshot } = this.#session;
    if (unusableSnapshot === null) return null;
    const { uri, detail } = unusableSnapshot;
    return problemFile(uri, { code: 'unusable-snapshot', message: `This cluster snapshot is not used. ${detail}` });
  }
}

const limitCodes: ReadonlySet<string> = new Set<ManifestProblem['code']>([
  'file-too-large',
  'too-many-documents',
  'document-too-large',
]);
