import {
  type CancellationToken,
  type Connection,
  type DocumentDiagnosticParams,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
  type ResultProgressReporter,
  type UnchangedDocumentDiagnosticReport,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDiagnosticReportPartialResult,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { others } from '../../util/run-in-slices.ts';
import { endOrCancellation } from '../session/readings.ts';
import { cancelled } from '../session/requests.ts';
import type { Session } from '../session/session.ts';
import type { FileProblems, Problems } from './problems.ts';

/** Files in one part of an answer. */
const partSize = 200;

/** Answers an editor that asks for problems itself. */
export class PulledProblems {
  readonly #connection: Connection;
  readonly #session: Session;
  readonly #problems: Problems;
  /** Open files that were asked about, and the ids of the answers. */
  readonly #answered = new Map<string, string>();
  /** Questions about files that are not answered yet. */
  readonly #asked = new Map<Promise<unknown>, string>();
  /** Files that were ever answered about. */
  readonly #pulled = new Set<string>();
  readonly #requests = new Set<Map<string, string | null>>();

  constructor(connection: Connection, session: Session, problems: Problems) {
    this.#connection = connection;
    this.#session = session;
    this.#problems = problems;
    problems.onTold(() => {
      this.#refresh();
    });
  }

  /** What the editor showed last of a file that it closes is not what it knows of the workspace. */
  closed(uri: string): void {
    this.#answered.delete(uri);
    for (const byKey of this.#requests) byKey.set(uri, null);
  }

  /** @param isOpen whether the file was open when the question came */
  async ofDocument(
    { textDocument: { uri }, previousResultId }: DocumentDiagnosticParams,
    isOpen: boolean,
    token: CancellationToken,
  ): Promise<DocumentDiagnosticReport> {
    const judged = isOpen ? this.#problems.whenOpenJudged(token) : this.#problems.whenAllJudged(token);
    this.#asked.set(judged, uri);
    await judged;
    this.#asked.delete(judged);
    if (token.isCancellationRequested) throw cancelled();
    const known = this.#problems.known.get(this.#session.index.file(uri)?.uri ?? uri);
    if (this.#session.openFiles.has(uri)) this.#answered.set(uri, known?.id ?? '');
    if (known !== undefined && known.id === previousResultId) return unchanged(known);
    this.#answeredAnew(uri);
    return known === undefined ? { kind: DocumentDiagnosticReportKind.Full, items: [] } : full(known);
  }

  /**
   * An editor drops the answer about a file that it hides meanwhile, and what it was told of the workspace while it showed
   * the file. So that it is left with neither, it is told again.
   */
  #answeredAnew(uri: string): void {
    this.#pulled.add(uri);
    if (this.#requests.size === 0) return;
    for (const byKey of this.#requests) byKey.set(uri, null);
    void others().then(() => {
      this.#problems.wake();
    });
  }

  /**
   * What the editor does not know yet. One that keeps its question open is told in parts whenever there is something
   * new; all others are answered when everything is judged, and ask again.
   */
  async ofWorkspace(
    { previousResultIds }: WorkspaceDiagnosticParams,
    token: CancellationToken,
    inParts: ResultProgressReporter<WorkspaceDiagnosticReportPartialResult> | undefined,
  ): Promise<WorkspaceDiagnosticReport> {
    /** The id that the editor has of each file; null where it has something of which no id is known. */
    const byKey = new Map<string, string | null>(previousResultIds.map(({ uri, value }) => [uri, value]));
    for (const uri of this.#pulled) if (!byKey.has(uri)) byKey.set(uri, null);
    this.#requests.add(byKey);
    try {
      for (let isFirst = true; ; isFirst = false) {
        await this.#problems.whenAllJudged(token);
        // An answer about a file that is being closed has to come first.
        await endOrCancellation(Promise.all(this.#asked.keys()), token);
        await others();
        if (token.isCancellationRequested) throw cancelled();
        const items = this.#news(byKey, isFirst);
        if (inParts === undefined) return { items };
        for (let start = 0; start < items.length; start += partSize) {
          inParts.report({ items: items.slice(start, start + partSize) });
          await others();
        }
        if (!this.#session.keepsPulling || this.#problems.isStopped) return { items: [] };
        await this.#problems.whenTold(token);
      }
    } finally {
      this.#requests.delete(byKey);
    }
  }

  /** @param withUnchanged whether to say of what the editor knows that it is still so */
  #news(byKey: Map<string, string | null>, withUnchanged: boolean): WorkspaceDocumentDiagnosticReport[] {
    const { known } = this.#problems;
    const items: WorkspaceDocumentDiagnosticReport[] = [];
    for (const uri of [...byKey.keys()]) {
      if (known.has(uri)) continue;
      byKey.delete(uri);
      items.push({ kind: DocumentDiagnosticReportKind.Full, uri, version: null, items: [] });
    }
    for (const [uri, problems] of known) {
      const before = byKey.get(uri);
      if (before === problems.id) {
        if (withUnchanged) items.push({ ...unchanged(problems), uri, version: problems.version });
        continue;
      }
      if (before === undefined && problems.diagnostics.length === 0) continue;
      byKey.set(uri, problems.id);
      items.push({ ...full(problems), uri, version: problems.version });
    }
    return items;
  }

  /** Editors ask again by themselves for the file that is typed into, not for others that it concerns. */
  #refresh(): void {
    if (this.#session.client.workspace?.diagnostics?.refreshSupport !== true) return;
    const { known } = this.#problems;
    const asked = new Set(this.#asked.values());
    const outdated = [...this.#answered].filter(([uri, id]) => !asked.has(uri) && (known.get(uri)?.id ?? '') !== id);
    if (outdated.length === 0) return;
    // An editor that does not ask now does not show them.
    for (const [uri] of outdated) this.#answered.delete(uri);
    this.#connection.languages.diagnostics.refresh().catch((error: unknown) => {
      this.#session.log.error('diagnostics', error);
    });
  }
}

function full({ id, diagnostics }: FileProblems): FullDocumentDiagnosticReport {
  return { kind: DocumentDiagnosticReportKind.Full, resultId: id, items: [...diagnostics] };
}

function unchanged({ id }: FileProblems): UnchangedDocumentDiagnosticReport {
  return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id };
}
