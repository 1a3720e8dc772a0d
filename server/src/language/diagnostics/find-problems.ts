import { addTo } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import type { Diagnostic } from 'vscode-languageserver';
import type { ManifestFile, ManifestProblem } from '../../manifests/manifest.ts';
import type { FactsReader } from '../index/fact.ts';
import { isScenarioName } from '../../manifests/file-provider.ts';
import { problemFile } from '../../manifests/problem-file.ts';
import { pathOf } from '../../sources/files/path-of.ts';
import { type HowToFetch, type IsQuiet, ofObjects, PlacedFindings, quietRules } from './applied-findings.ts';
import type { AppliedTarget } from '../applied/applied-target.ts';
import { markKnown } from '../known/mark-known.ts';
import type { Checks, Session } from '../session/session.ts';
import { judge } from './judge.ts';
import { toldElsewhere } from './told-elsewhere.ts';

/** By file, what is wrong with it. */
export type Found = ReadonlyMap<string, readonly Diagnostic[]>;

/** Files that cannot be read of which problems are told while only open ones are judged. */
const mostUnread = 100;

/** What is told of whether a file is open or not: those that cannot be read, and a snapshot that cannot be used. */
export function alwaysTold({ index, unusableSnapshot }: Session): ManifestFile[] {
  const unread = index.files().filter(({ problems: [first] }) => first?.code === 'unreadable-file');
  return [...unread.slice(0, mostUnread), ...(unusableSnapshot === null ? [] : [unusable(unusableSnapshot)])];
}

/** A snapshot that cannot be used, as a file with one problem that says why. */
function unusable({ uri, missing }: NonNullable<Session['unusableSnapshot']>): ManifestFile {
  return problemFile(uri, {
    code: 'unusable-snapshot',
    message: say`This cluster snapshot is not used. ${missing.detail}`,
  });
}

/** What an editor can do that asks its user. */
function fetchedByEditor({ rendering }: Session): HowToFetch {
  return (needsHelm) =>
    needsHelm && rendering.applied?.hasHelm === false
      ? say` helm, which fetches charts, is not installed.`
      : say` “Podium: Fetch Remote Charts and Bases…” fetches what is remote.`;
}

/**
 * What rules find in some files, and what is mended in them of objects made elsewhere; in all files of the workspace
 * with null.
 */
export function* findProblems(
  files: readonly ManifestFile[] | null,
  session: Session,
  checkerOf: Checks['checkerOf'],
): Generator<void, Found> {
  const { facts, settings, docs } = session;
  const { targets } = session.rendering;
  const found = new PlacedFindings();
  const isToldElsewhere = toldElsewhere(session);
  const howToFetch = session.asksItsUser ? fetchedByEditor(session) : undefined;
  for (const target of targets.length === 0 ? [undefined] : targets) {
    const own = target?.facts ?? facts;
    const isQuiet: IsQuiet =
      target === undefined
        ? (uri: string, code: string) => ofObjects(code) && session.folders.looksOwned(uri)
        : quietRules(target.renderedTarget, target.unseen, target.unlisted);
    // The snapshot is read whole, however large it is; the limits are those of files that are edited.
    const quiet: IsQuiet = (uri, code, ...about) =>
      isQuiet(uri, code, ...about) || (session.isSnapshot(uri) && limitCodes.has(code));
    const judged = files === null ? allFiles(session, target) : viewed(files, target);
    const checker = checkerOf(own);
    if (files === null) checker.keepOnly(new Set([...judged].map(({ uri }) => uri)));
    yield* judge(
      judged,
      { rendered: target?.renderedTarget, facts: own, checker, quiet, isToldElsewhere, settings, docs, howToFetch },
      found,
    );
  }
  if (session.unusableSnapshot !== null) {
    const checker = checkerOf(facts);
    const file = unusable(session.unusableSnapshot);
    yield* judge(
      [file],
      { rendered: undefined, facts, checker, quiet: () => false, isToldElsewhere, settings, docs },
      found,
    );
  }
  const byFile = new Map<string, Diagnostic[]>();
  for (const { uri, diagnostic } of found.all()) {
    addTo(byFile, uri, diagnostic);
  }
  const { known } = session;
  if (known === null) return byFile;
  const marked = new Map<string, readonly Diagnostic[]>();
  for (const [uri, diagnostics] of byFile) {
    marked.set(uri, markKnown(uri, diagnostics, known, session.index.file(uri)));
    yield;
  }
  return marked;
}

/** Files as a target has them, with those whose objects are made of what is written in them. */
function viewed(files: readonly ManifestFile[], target: AppliedTarget | undefined): readonly ManifestFile[] {
  const judged = new Map(files.map((file) => [file.uri, target?.file(file.uri) ?? file]));
  const paths = new Set(files.flatMap(({ uri }) => pathOf(uri) ?? []));
  for (const uri of target?.madeFrom(paths) ?? []) {
    const made = target?.file(uri) ?? judged.get(uri);
    if (made !== undefined) judged.set(uri, made);
  }
  return [...judged.values()];
}

/** Nobody edits a snapshot, and what is excluded is none of ours; who opens one may see what is wrong with it. */
function allFiles(session: Session, target: AppliedTarget | undefined): ManifestFile[] {
  const files = target?.files() ?? session.index.files();
  return files.filter(
    ({ uri }) =>
      session.openFiles.has(uri) || !(session.isSnapshot(uri) || target?.renderedTarget.excluded.has(uri) === true),
  );
}

/** What is wrong with the scenarios among files. */
export async function scenarioProblems(files: readonly ManifestFile[], facts: FactsReader): Promise<Found> {
  const scenarios = files.filter(({ uri }) => isScenarioName(uri));
  if (scenarios.length === 0) return new Map();
  const { scenarioDiagnostics } = await import('../index/scenarios.ts');
  return new Map(scenarios.map((file) => [file.uri, scenarioDiagnostics(file, facts)]));
}

const limitCodes: ReadonlySet<string> = new Set<ManifestProblem['code']>([
  'file-too-large',
  'too-many-documents',
  'document-too-large',
]);
