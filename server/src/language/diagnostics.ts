import { isDeepStrictEqual } from 'node:util';
import type { Connection, Diagnostic, Position, Range } from 'vscode-languageserver';
import type { ManifestFile, ManifestProblem } from '../manifests/manifest.ts';
import { type Checker, diagnosticOf, severityNumber } from './check-file.ts';
import type { Facts } from './facts.ts';
import type { Feature } from './feature.ts';
import { placedPosition } from '../manifests/text-positions.ts';
import { rulesByCode } from './rules/registry.ts';
import type { Session } from './session.ts';
import type { Settings } from './settings.ts';

/** How long typing must pause before problems are shown, in milliseconds. */
export const pause = 100;

/** Problems of open files, pushed whenever they change: after an edit here, or in a file they depend on. */
export const diagnosticsFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    const publisher = new Publisher(connection, session);
    session.onChanged(() => { publisher.schedule(); });
    session.onClosed((uri) => { publisher.clear(uri); });
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
    this.#timer = setTimeout(() => { this.#publish(); }, pause);
  }

  clear(uri: string): void {
    this.#shown.delete(uri);
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  #publish(): void {
    for (const file of this.#session.openFiles()) {
      const diagnostics = this.#session.guard('diagnostics', () => this.#diagnosticsOf(file), []);
      const shown = this.#shown.get(file.uri);
      if (shown?.version === file.version && isDeepStrictEqual(shown.diagnostics, diagnostics)) continue;
      this.#shown.set(file.uri, { version: file.version, diagnostics });
      void this.#connection.sendDiagnostics({ uri: file.uri, diagnostics, ...(file.version === null ? {} : { version: file.version }) });
    }
  }

  #diagnosticsOf(file: ManifestFile): Diagnostic[] {
    const { checker, facts, settings, docs } = this.#session;
    const diagnostics = diagnosticsOf(file, checker, facts, settings, docs);
    // The snapshot is read whole, however large it is; the limits are those of files that are edited.
    return this.#session.isSnapshot(file.uri) ? diagnostics.filter(({ code }) => !limitCodes.has(String(code))) : diagnostics;
  }
}

const limitCodes: ReadonlySet<string> = new Set<ManifestProblem['code']>(['file-too-large', 'too-many-documents', 'document-too-large']);

/** Everything the rules find in a file, with what is wrong with the file as a whole. */
export function diagnosticsOf(file: ManifestFile, checker: Checker, facts: Facts, settings: Settings, docs: string): Diagnostic[] {
  const ofFile = file.problems.flatMap((problem) => fileDiagnostic(file, problem, settings));
  const ofDocuments = checker.findings(file, settings).map((finding) => diagnosticOf(finding, facts, docs));
  return [...ofFile, ...ofDocuments];
}

function fileDiagnostic(file: ManifestFile, problem: ManifestProblem, settings: Settings): Diagnostic[] {
  const setting = settings.rules.get(problem.code) ?? 'default';
  if (setting === 'off' || !rulesByCode.has(problem.code)) return [];
  const severity = severityNumber(setting === 'default' ? problem.severity : setting);
  return [{ range: rangeInFile(file, problem.range), severity, code: problem.code, source: 'podium', message: problem.message }];
}

/** The place of a problem of the whole file: on its first line, or where the documents that are read end. */
function rangeInFile(file: ManifestFile, { start, end }: { readonly start: number; readonly end: number }): Range {
  const last = file.documents.at(-1);
  if (last === undefined) return { start: { line: 0, character: start }, end: { line: 0, character: end } };
  const from: Position = placedPosition(last, last.document.text.length);
  return { start: from, end: { line: from.line, character: from.character + (end - start) } };
}
