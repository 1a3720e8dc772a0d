import { compareText } from '../../kit/words.ts';
import type { Diagnostic } from 'vscode-languageserver';
import { Checker } from '../../language/check-file.ts';
import { placedDiagnosticsOf } from '../../language/file-diagnostics.ts';
import { PlacedFindings, quietRules, refusedSources } from '../../language/applied-findings.ts';
import { KnownEarlierVersions } from '../../language/earlier-versions.ts';
import { Facts } from '../../language/facts.ts';
import { kubernetesFor } from '../../language/kubernetes-version.ts';
import type { KubernetesChoice } from '../../simulation/scene/choose-release.ts';
import { readCommittedTexts } from '../../language/committed-texts.ts';
import type { Severity } from '../../language/rules/rule.ts';
import type { Settings } from '../../language/settings.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { declaredObjects } from '../../manifests/declared-objects.ts';
import { serverVersionIn } from '../../manifests/server-version.ts';
import { parseManifestFile } from '../../manifests/parse-manifest-file.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import { unseenIn } from '../../sources/unseen.ts';
import type { CommandContext } from '../command.ts';
import { unreadableFile } from '../../manifests/problem-file.ts';
import { printableLines } from '../terminal/text.ts';
import { displayPath, readFiles } from '../read-files.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { readSources, type ReadSources, type SourceValues } from '../read-sources.ts';

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
  /** What makes pods, or may, and was not judged. */
  readonly unseen: readonly Unseen[];
  /** Paths of the programs that were run. */
  readonly tools: readonly string[];
  /** Whose API server judged, and why. */
  readonly kubernetes: KubernetesChoice;
  /** The targets that were judged; empty where nothing is there in more than one version. */
  readonly targets: readonly string[];
}

export interface CheckRequest {
  /** Files and folders that are judged; `-` is standard input. */
  readonly paths: readonly string[];
  /** Files and folders that only count for the others: their classes, budgets, quotas, nodes. */
  readonly context: readonly string[];
  readonly snapshot: string | undefined;
  readonly settings: Settings;
  readonly sources: SourceValues;
}

/**
 * Judges files as the language server does when they are open: all of them together, each against its committed
 * version and against the snapshot; what is there in more than one version, in every target. Throws `UsageError` for
 * what is not there, and for a snapshot that is none.
 */
export async function checkFiles(request: CheckRequest, context: CommandContext): Promise<CheckResult> {
  const snapshot = request.snapshot === undefined ? undefined : await readSnapshot(request.snapshot, context);
  const judged = await readManifests(request.paths, context);
  const others = await readManifests(request.context, context);
  // A snapshot that lies among the files is the cluster, not something that is applied to it.
  for (const read of [judged, others]) read.delete(snapshot?.uri ?? '');

  const all = new Map([...others, ...judged]);
  const paths = [...request.paths, ...request.context];
  const sources = await readSources(
    paths,
    [...all.values()],
    { ...request.sources, kubernetes: request.settings.kubernetes.version },
    context,
    (targets) => targets.all,
    new Map(),
    snapshot === undefined ? null : { serverVersion: serverVersionIn(snapshot), objects: declaredObjects(snapshot) },
  );
  const failures = new Set<string>();
  const uncommitted = new Set<string>();
  const found = new PlacedFindings();
  const unseen = new Map<string, Unseen>();
  let kubernetes = kubernetesFor(new Facts(), request.settings);
  // One for all targets: of what they have in common nothing is judged twice.
  const facts = new Facts();
  if (snapshot !== undefined) facts.setSnapshot(snapshot);
  const earlier = new KnownEarlierVersions(facts, readCommittedTexts);
  const failed = (code: string, error: unknown): void => {
    failures.add(`the rule ${code} failed: ${error instanceof Error ? error.message : String(error)}`);
  };
  const checker = new Checker(facts, earlier, failed, { knowsPatches: () => true });
  const loaded = new Set<string>();
  let before: ReadonlyMap<string, ManifestFile> = new Map();
  for (const [index, target] of sources.chosen.entries()) {
    const world = sources.world(target);
    for (const one of unseenIn(world, sources.applied.inputs)) {
      unseen.set(JSON.stringify([one.kind, one.name, one.why]), one);
    }
    // What is not of a target alone was judged with the first.
    const files = world.files.filter((file) => {
      if (others.has(file.uri) && !judged.has(file.uri)) return false;
      return (
        index === 0 ||
        file.documents.some(({ document }) => document.objects.some(({ rendering }) => rendering !== undefined))
      );
    });
    const now = new Map(world.files.map((file) => [file.uri, file]));
    for (const uri of before.keys()) if (!now.has(uri)) facts.setFile(uri, undefined);
    for (const [uri, file] of now) facts.setFile(uri, file);
    before = now;
    if (index === 0) kubernetes = kubernetesFor(facts, request.settings);
    const asked = files.filter((file) => hasObjects(file) && !loaded.has(file.uri)).map(({ uri }) => uri);
    for (const uri of asked) loaded.add(uri);
    await earlier.load(asked);
    for (const reason of earlier.unknown) uncommitted.add(reason);
    const quiet = quietRules(world, unseen.values());
    for (const placed of refusedSources(world, request.settings, '')) found.add(placed);
    for (const file of files) {
      for (const placed of placedDiagnosticsOf(file, checker, facts, request.settings, '')) {
        if (!quiet(file.uri, String(placed.diagnostic.code))) found.add(placed);
      }
    }
  }
  return {
    problems: found
      .all()
      .map(({ uri, diagnostic }) => problemOf(uri, diagnostic, (each) => displayPath(each, context.cwd)))
      .sort(inReadingOrder),
    files: judged.size,
    failures: [...failures],
    uncommitted: [...uncommitted],
    unseen: [...unseen.values()],
    kubernetes,
    tools: usedTools(sources),
    targets: sources.chosen.map(({ name }) => name).filter((name) => name !== ''),
  };
}

function usedTools({ applied, tools }: ReadSources): string[] {
  const used = new Set(
    applied.sources.flatMap(({ source, refusal }) => (refusal === null ? (source.recipe?.tool ?? []) : [])),
  );
  const { kustomize, helm } = tools;
  return [used.has('kustomize') ? kustomize : null, used.has('helm') ? helm : null].flatMap((tool) => tool?.path ?? []);
}

function hasObjects(file: ManifestFile): boolean {
  return file.documents.some(({ document }) => document.objects.length > 0);
}

/** Every file that the paths name, by URI. */
async function readManifests(paths: readonly string[], context: CommandContext): Promise<Map<string, ManifestFile>> {
  const files = await readFiles(paths, context, 'listed');
  return new Map(
    files.map(({ uri, text, error }) => [
      uri,
      text === null ? unreadableFile(uri, error) : parseManifestFile(uri, text),
    ]),
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
    message: printableLines(messageText(message)),
    related: relatedInformation.map(({ location, message: about }) => ({
      path: pathOf(location.uri),
      uri: location.uri,
      range: location.range,
      message: printableLines(about),
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
