import { compareText } from '../../kit/words.ts';
import type { Diagnostic } from 'vscode-languageserver';
import { Checker } from '../../language/check-file.ts';
import { diagnosticsOf } from '../../language/file-diagnostics.ts';
import { KnownEarlierVersions } from '../../language/earlier-versions.ts';
import { Facts } from '../../language/facts.ts';
import { readCommittedTexts } from '../../language/committed-texts.ts';
import type { Severity } from '../../language/rules/rule.ts';
import type { Settings } from '../../language/settings.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { parseManifestFile } from '../../manifests/parse-manifest-file.ts';
import { UsageError, type CommandContext } from '../command.ts';
import { displayPath, readFiles } from '../read-files.ts';
import { readSnapshot } from '../read-snapshot.ts';

/** Lines and characters from 0, characters in UTF-16 units, as in the language server protocol. */
export type ProblemRange = Diagnostic['range'];

export interface ProblemPlace {
  /** Relative to the working directory, with `/`. */
  readonly path: string;
  readonly uri: string;
  readonly range: ProblemRange;
}

/** A diagnostic of the editor, with its place. */
export interface Problem extends ProblemPlace {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** Places elsewhere that have to do with it. */
  readonly related: readonly (ProblemPlace & { readonly message: string })[];
}

export interface CheckResult {
  /** By path, then by place, then by code. */
  readonly problems: readonly Problem[];
  /** How many files were looked at. */
  readonly files: number;
  /** Rules that failed, which is a mistake in Podium. What they would have found is missing. */
  readonly failures: readonly string[];
  /** Why committed versions are not known, which rules compare with. */
  readonly uncommitted: readonly string[];
}

export interface CheckRequest {
  /** Files and folders that are judged; `-` is standard input. */
  readonly paths: readonly string[];
  /** Files and folders that only count for the others: their classes, budgets, quotas, nodes. */
  readonly context: readonly string[];
  readonly snapshot: string | undefined;
  readonly settings: Settings;
}

/**
 * Judges files as the language server does when they are open: all of them together, each against its committed
 * version and against the snapshot. Throws `UsageError` for what cannot be read.
 */
export async function checkFiles(request: CheckRequest, context: CommandContext): Promise<CheckResult> {
  const facts = new Facts();
  const earlier = new KnownEarlierVersions(facts, readCommittedTexts);
  const failures = new Set<string>();
  const checker = new Checker(facts, earlier, (code, error) => {
    failures.add(`the rule ${code} failed: ${error instanceof Error ? error.message : String(error)}`);
  });
  const snapshot = request.snapshot === undefined ? undefined : await readSnapshot(request.snapshot, context);
  if (snapshot !== undefined) facts.setSnapshot(snapshot);

  const judged = await readManifests(request.paths, context);
  const others = await readManifests(request.context, context);
  // A snapshot that lies among the files is the cluster, not something that is applied to it.
  for (const read of [judged, others]) read.delete(snapshot?.uri ?? '');
  for (const [uri, file] of [...others, ...judged]) facts.setFile(uri, file);

  const files = [...judged.values()];
  const withObjects = files.filter(hasObjects).map(({ uri }) => uri);
  await earlier.load(withObjects);
  const pathOf = (uri: string): string => displayPath(uri, context.cwd);
  const problems = files.flatMap((file) =>
    diagnosticsOf(file, checker, facts, request.settings, '').map((diagnostic) =>
      problemOf(file.uri, diagnostic, pathOf),
    ),
  );
  return {
    problems: problems.sort(inReadingOrder),
    files: files.length,
    failures: [...failures],
    uncommitted: earlier.unknown,
  };
}

function hasObjects(file: ManifestFile): boolean {
  return file.documents.some(({ document }) => document.objects.length > 0);
}

/** Every file that the paths name, by URI. */
async function readManifests(paths: readonly string[], context: CommandContext): Promise<Map<string, ManifestFile>> {
  const files = await readFiles(paths, context);
  return new Map(
    files.map(({ uri, text, error }) => {
      if (text === null) throw new UsageError(`cannot read ${displayPath(uri, context.cwd)} (${error})`);
      return [uri, parseManifestFile(uri, text)];
    }),
  );
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

function problemOf(uri: string, diagnostic: Diagnostic, pathOf: (uri: string) => string): Problem {
  const { range, severity = 1, code = '', message, relatedInformation = [] } = diagnostic;
  return {
    path: pathOf(uri),
    uri,
    range,
    severity: severities[severity - 1] ?? 'error',
    code: String(code),
    message: messageText(message),
    related: relatedInformation.map(({ location, message: about }) => ({
      path: pathOf(location.uri),
      uri: location.uri,
      range: location.range,
      message: about,
    })),
  };
}

function messageText(message: Diagnostic['message']): string {
  return typeof message === 'string' ? message : message.value;
}

function inReadingOrder(a: Problem, b: Problem): number {
  return (
    compareText(a.path, b.path) ||
    a.range.start.line - b.range.start.line ||
    a.range.start.character - b.range.start.character ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}
