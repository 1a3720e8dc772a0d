import { isDeepStrictEqual } from 'node:util';
import type { Connection, Diagnostic } from 'vscode-languageserver';
import type { ManifestFile, ManifestProblem } from '../manifests/manifest.ts';
import { problemFile } from '../manifests/problem-file.ts';
import type { Feature } from './feature.ts';
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

class Publisher {
  readonly #connection: Connection;
  readonly #session: Session;
  /** What each open file shows now, to send only what is new. */
  readonly #shown = new Map<string, { readonly version: number | null; readonly diagnostics: readonly Diagnostic[] }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: Connection, session: Session) {
    this.#connection = connection;
    this.#session = session;
  }

  schedule(): void {
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
    if (this.#session.openFiles().length === 0 && this.#unusable() === null && this.#shown.size === 0) return;
    const checks = await this.#session.checks();
    const files = new Map(this.#session.openFiles().map((file) => [file.uri, file]));
    const unusable = this.#unusable();
    if (unusable !== null && !files.has(unusable.uri)) files.set(unusable.uri, unusable);
    for (const uri of [...this.#shown.keys()]) if (!files.has(uri)) this.clear(uri);
    for (const file of files.values()) {
      const diagnostics = this.#session.guard('diagnostics', () => this.#diagnosticsOf(file, checks), []);
      const shown = this.#shown.get(file.uri);
      if (shown?.version === file.version && isDeepStrictEqual(shown.diagnostics, diagnostics)) continue;
      this.#shown.set(file.uri, { version: file.version, diagnostics });
      void this.#connection.sendDiagnostics({
        uri: file.uri,
        diagnostics,
        ...(file.version === null ? {} : { version: file.version }),
      });
    }
  }

  #diagnosticsOf(file: ManifestFile, { checker, diagnosticsOf }: Checks): Diagnostic[] {
    const { facts, settings, docs } = this.#session;
    const diagnostics = diagnosticsOf(file, checker, facts, settings, docs);
    if (!this.#session.isSnapshot(file.uri)) return diagnostics;
    const unusable = this.#unusable();
    // The snapshot is read whole, however large it is; the limits are those of files that are edited.
    const own = diagnostics.filter(({ code }) => !limitCodes.has(String(code)));
    const isOpen = file.version !== null;
    return unusable === null || !isOpen ? own : [...diagnosticsOf(unusable, checker, facts, settings, docs), ...own];
  }

  /** A snapshot that cannot be used, as a file with one problem that says why. */
  #unusable(): ManifestFile | null {
    const { unusableSnapshot } = this.#session;
    if (unusableSnapshot?.uri === undefined) return null;
    const { uri, detail } = unusableSnapshot;
    return problemFile(uri, { code: 'unusable-snapshot', message: `This cluster snapshot is not used. ${detail}` });
  }
}

const limitCodes: ReadonlySet<string> = new Set<ManifestProblem['code']>([
  'file-too-large',
  'too-many-documents',
  'document-too-large',
]);
