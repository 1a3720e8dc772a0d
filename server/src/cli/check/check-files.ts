import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { URI } from 'vscode-uri';
import { runToEnd } from '../../kit/steps.ts';
import { Checker } from '../../language/check-file.ts';
import { PlacedFindings, quietRules } from '../../language/applied-findings.ts';
import { judge } from '../../language/diagnostics/judge.ts';
import { KnownEarlierVersions } from '../../language/earlier-versions.ts';
import { Facts } from '../../language/facts.ts';
import { kubernetesFor } from '../../language/kubernetes-version.ts';
import { readCommittedTexts } from '../../language/committed-texts.ts';
import type { Settings } from '../../language/settings.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { declaredObjects } from '../../manifests/declared-objects.ts';
import { serverVersionIn } from '../../manifests/server-version.ts';
import { fileLimits } from '../../manifests/limits.ts';
import { parseManifestFile } from '../../manifests/parse-manifest-file.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import { unseenIn, unseenKey } from '../../sources/unseen.ts';
import type { CommandContext } from '../command.ts';
import { unreadableFile } from '../../manifests/problem-file.ts';
import { readEach } from '../read-files.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { readSources, type ReadSources, type SourceValues } from '../read-sources.ts';
import { type CheckResult, problemsOf } from './check-result.ts';

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
  if (context.open !== undefined) return context.open.check(request.paths);
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
  // What is left out is judged where it is asked about by name.
  const named = new Set(request.paths.map((path) => URI.file(resolve(context.cwd, path)).toString()));
  const uncommitted = new Set<string>();
  const found = new PlacedFindings();
  const unseen = new Map<string, Unseen>();
  let kubernetes = kubernetesFor(new Facts(), request.settings);
  // One for all targets: of what they have in common nothing is judged twice.
  const facts = new Facts();
  if (snapshot !== undefined) facts.cluster.set(snapshot);
  const earlier = new KnownEarlierVersions(facts, readCommittedTexts);
  const checker = new Checker(facts, earlier, { knowsPatches: () => true });
  const loaded = new Set<string>();
  let before: ReadonlyMap<string, ManifestFile> = new Map();
  for (const [index, target] of sources.chosen.entries()) {
    const world = sources.world(target);
    for (const one of unseenIn(world, sources.applied.inputs)) {
      unseen.set(unseenKey(one), one);
    }
    // What is not of a target alone was judged with the first.
    const files = world.files.filter((file) => {
      if (others.has(file.uri) && !judged.has(file.uri)) return false;
      if (world.excluded.has(file.uri) && !named.has(file.uri)) return false;
      return index === 0 || isMade(file);
    });
    const now = new Map(world.files.map((file) => [file.uri, file]));
    for (const uri of before.keys()) if (!now.has(uri)) facts.setFile(uri, undefined);
    for (const [uri, file] of now) if (before.get(uri) !== file) facts.setFile(uri, file);
    before = now;
    if (index === 0) kubernetes = kubernetesFor(facts, request.settings);
    const asked = files.filter((file) => hasObjects(file) && !loaded.has(file.uri)).map(({ uri }) => uri);
    for (const uri of asked) loaded.add(uri);
    await earlier.load(asked);
    for (const reason of earlier.unknown) uncommitted.add(reason);
    const quiet = quietRules(world, unseen.values());
    runToEnd(judge(files, { world, facts, checker, quiet, settings: request.settings, docs: '' }, found));
  }
  return {
    problems: problemsOf(found, context.cwd),
    files: judged.size,
    uncommitted: [...uncommitted],
    unseen: [...unseen.values()],
    kubernetes,
    tools: usedTools(sources),
    tests: sources.tests,
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

/** Whether a source has made some of its objects. */
function isMade(file: ManifestFile): boolean {
  return file.documents.some(({ document }) => document.objects.some(({ rendering }) => rendering !== undefined));
}

function hasObjects(file: ManifestFile): boolean {
  return file.documents.some(({ document }) => document.objects.length > 0);
}

/** Of so many files the memory counts: V8 would let its heap grow to more than twice of what is in it. */
const manyFiles = 2_000;

/** Every file that the paths name, by URI. */
async function readManifests(paths: readonly string[], context: CommandContext): Promise<Map<string, ManifestFile>> {
  const files = new Map<string, ManifestFile>();
  for await (const { uri, text, error } of readEach(paths, context, 'listed')) {
    files.set(
      uri,
      text === null ? unreadableFile(uri, error) : parseManifestFile(uri, text, null, undefined, fileLimits),
    );
    if (files.size === manyFiles) setFlagsFromString('--heap-growing-percent=25');
  }
  return files;
}
