import { gitName } from '../../util/words.ts';
import { loadPoolTypes } from '../../language/index/pool-types.ts';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { URI } from 'vscode-uri';
import { runToEnd } from '../../util/steps.ts';
import { Checker } from '../../language/checks/rule-runner.ts';
import { loadDevicesFor } from '../../language/index/load-devices.ts';
import { PlacedFindings, quietRules } from '../../language/diagnostics/applied-findings.ts';
import { judge } from '../../language/diagnostics/judge.ts';
import { KnownEarlierVersions } from '../../language/history/earlier-versions.ts';
import { Facts } from '../../language/index/facts.ts';
import { kubernetesFor } from '../../language/index/kubernetes-version.ts';
import { type ReadCommittedTexts, readCommittedTexts } from '../../language/history/committed-texts.ts';
import type { Settings } from '../../language/settings/settings.ts';
import { namespaceOfKind, workloadKey } from '../../kubernetes/names.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { declaredObjects } from '../../manifests/declared-objects.ts';
import { serverVersionIn } from '../../manifests/server-version.ts';
import { isManifestName } from '../../manifests/file-provider.ts';
import { fileLimits } from '../../manifests/limits.ts';
import { hasObjects, hasRendered } from '../../manifests/manifest-objects.ts';
import { parseManifestFile } from '../../manifests/parse-manifest-file.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import type { RenderedTarget } from '../../sources/targets/rendered-target.ts';
import { onlyApplied } from '../../sources/targets/only-applied.ts';
import { unseenIn, unseenKey } from '../../sources/targets/unseen.ts';
import { type CommandContext, UsageError } from '../command.ts';
import { unreadableFile } from '../../manifests/problem-file.ts';
import { readEach } from '../read-files.ts';
import { snapshotFor } from '../found-snapshot.ts';
import { readSnapshot } from '../read-snapshot.ts';
import { filesOfSources, readSources, type ReadSources, type SourceValues } from '../read-sources.ts';
import { committedTexts, isInAny, rootsOf } from '../load-manifests.ts';
import { pathOf } from '../../sources/files/path-of.ts';
import { Baseline } from '../../language/known/baseline.ts';
import { splitKnown } from './split-known.ts';
import { type CheckResult, problemsOf } from './check-result.ts';
import { identityOf, type ProblemIdentity } from '../../language/known/problem-identity.ts';

export interface CheckRequest {
  /** Files and folders that are judged; `-` is standard input. */
  readonly paths: readonly string[];
  /** Files and folders that only count for the others: their classes, budgets, quotas, nodes. */
  readonly context: readonly string[];
  readonly snapshot: string | undefined;
  readonly settings: Settings;
  readonly sources: SourceValues;
  /** The commit that files are compared with, instead of git HEAD. What it has, too, is known. */
  readonly since?: string | undefined;
  /** What is known, as `podium baseline` has written it. */
  readonly baseline?: Baseline | undefined;
}

/** Files at one moment. */
interface Tree {
  readonly judged: ReadonlyMap<string, ManifestFile>;
  readonly others: ReadonlyMap<string, ManifestFile>;
  /** What differs from the disk, by path; null for files that are not there. */
  readonly unsaved: ReadonlyMap<string, string | null>;
}

/**
 * Judges files as the language server does when they are open: all of them together, each against its committed
 * version and against the snapshot; what is there in more than one version, in every target. Throws `UsageError` for
 * what is not there, and for a snapshot that is none.
 */
export async function checkFiles(request: CheckRequest, context: CommandContext): Promise<CheckResult> {
  if (context.open !== undefined) {
    if (request.since !== undefined) {
      throw new UsageError('an open workspace is checked against git HEAD; `podium mcp` takes other commits', true);
    }
    return context.open.check(request.paths);
  }
  const { result, identities, before } = await checkTree(request, context);
  if (before !== undefined) {
    return splitKnown(result, identities, new Baseline(before), gitName(request.since ?? ''));
  }
  if (request.baseline === undefined) return result;
  return splitKnown(result, identities, request.baseline, request.baseline.name);
}

/** Everything that is found today, as a baseline that knows it. */
export async function baselineOf(request: CheckRequest, context: CommandContext): Promise<Baseline> {
  return new Baseline((await checkTree(request, context)).identities);
}

interface CheckedTree {
  readonly result: CheckResult;
  /** Of each problem of the result. */
  readonly identities: readonly ProblemIdentity[];
  /** Of each problem in the commit that was asked for. */
  readonly before: readonly ProblemIdentity[] | undefined;
}

async function checkTree(request: CheckRequest, context: CommandContext): Promise<CheckedTree> {
  const snapshotPath = snapshotFor(request.paths, request, context);
  const snapshot = snapshotPath === undefined ? undefined : await readSnapshot(snapshotPath, context);
  const judged = await readManifests(request.paths, context);
  const others = await readManifests(request.context, context);
  // A snapshot that lies among the files is the cluster, not something that is applied to it.
  for (const read of [judged, others]) read.delete(snapshot?.uri ?? '');
  const now: Tree = { judged, others, unsaved: new Map() };
  const judge = async (
    tree: Tree,
    committed: ReadCommittedTexts,
    madeBefore: Made,
    sources?: ReadSources,
  ): Promise<JudgedTree> =>
    judgeTree(
      tree,
      sources ?? (await sourcesOf(tree, snapshot, request, context)),
      committed,
      madeBefore,
      snapshot,
      request,
      context,
    );
  const nothing: Made = new Map();
  const sources = await sourcesOf(now, snapshot, request, context);
  if (request.since === undefined) {
    const { result } = await judge(now, readCommittedTexts, nothing, sources);
    return { result, identities: identitiesIn(result, now), before: undefined };
  }
  const { tree, problems } = await treeAt(request.since, now, filesOfSources(sources), request, context);
  // A file that has not changed is no other than it was.
  const committed: ReadCommittedTexts = (uris) =>
    Promise.resolve({
      texts: new Map(uris.map((uri) => [uri, tree.unsaved.get(pathOf(uri) ?? '') ?? null])),
      unknown: problems,
    });
  const none: ReadCommittedTexts = () => Promise.resolve({ texts: new Map(), unknown: [] });
  const then = await judge(tree, none, nothing);
  const { result } = await judge(now, committed, then.made, sources);
  return { result, identities: identitiesIn(result, now), before: identitiesIn(then.result, tree) };
}

/** Objects that sources make, by target and `workloadKey`: one name may be made of several files, for several clusters. */
type Made = ReadonlyMap<string, MadeInTarget>;

/** By the URI of their file. */
type MadeInTarget = ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;

/** Of another file where that is gone: it has moved. */
function madeBefore(
  before: MadeInTarget | undefined,
  key: string,
  uri: string,
  { judged, others }: Tree,
): KubeObject | undefined {
  const byUri = before?.get(key) ?? new Map<string, KubeObject>();
  const isGone = ([from]: readonly [string, KubeObject]): boolean => !judged.has(from) && !others.has(from);
  return byUri.get(uri) ?? [...byUri].find(isGone)?.[1];
}

interface JudgedTree {
  readonly result: CheckResult;
  readonly made: Made;
}

function madeIn(files: readonly ManifestFile[]): MadeInTarget {
  const made = new Map<string, Map<string, KubeObject>>();
  for (const { uri, documents } of files) {
    for (const { apiVersion, kind, namespace, name, rendering, decoded } of documents.flatMap(
      ({ document }) => document.objects,
    )) {
      if (rendering === undefined) continue;
      const key = workloadKey(kind, namespaceOfKind(apiVersion, kind, namespace), name);
      made.set(key, (made.get(key) ?? new Map<string, KubeObject>()).set(uri, decoded.object));
    }
  }
  return made;
}

function identitiesIn({ problems }: CheckResult, { judged, others }: Tree): readonly ProblemIdentity[] {
  return problems.map((problem) => identityOf(problem, judged.get(problem.uri) ?? others.get(problem.uri)));
}

/**
 * Files as they were in a commit. Throws `UsageError` where git does not know it.
 * @param made absolute paths of what its sources are made of
 */
async function treeAt(
  commit: string,
  now: Tree,
  made: ReadonlySet<string>,
  { paths, context: around }: CheckRequest,
  context: CommandContext,
): Promise<{ readonly tree: Tree; readonly problems: readonly string[] }> {
  const read = new Set([...now.judged.keys(), ...now.others.keys()].flatMap((uri) => pathOf(uri) ?? []));
  const { texts, problems } = await committedTexts([...paths, ...around], [...read], commit, context, made);
  const judged = new Map(now.judged);
  const others = new Map(now.others);
  const [judgedRoots, otherRoots] = [rootsOf(paths, context), rootsOf(around, context)];
  for (const [path, text] of texts) {
    // What is no manifest of its own is only read by what makes some of it.
    if (!read.has(path) && (made.has(path) || !isManifestName(path))) continue;
    const files = isInAny(judgedRoots, path) ? judged : isInAny(otherRoots, path) ? others : undefined;
    const uri = URI.file(path).toString();
    if (text === null) files?.delete(uri);
    else files?.set(uri, parseManifestFile(uri, text, null, files.get(uri), fileLimits));
  }
  return { tree: { judged, others, unsaved: texts }, problems };
}

async function sourcesOf(
  { judged, others, unsaved }: Tree,
  snapshot: ManifestFile | undefined,
  request: CheckRequest,
  context: CommandContext,
): Promise<ReadSources> {
  return readSources(
    [...request.paths, ...request.context],
    [...new Map([...others, ...judged]).values()],
    { ...request.sources, kubernetes: request.settings.kubernetes.version },
    context,
    (targets) => targets.all,
    unsaved,
    snapshot === undefined ? null : { serverVersion: serverVersionIn(snapshot), objects: declaredObjects(snapshot) },
  );
}

async function judgeTree(
  tree: Tree,
  sources: ReadSources,
  committed: ReadCommittedTexts,
  before: Made,
  snapshot: ManifestFile | undefined,
  request: CheckRequest,
  context: CommandContext,
): Promise<JudgedTree> {
  const { judged, others } = tree;
  // What is left out is judged where it is asked about by name.
  const namedPaths = request.paths.map((path) => resolve(context.cwd, path));
  const named = new Set(namedPaths.map((path) => URI.file(path).toString()));
  const uncommitted = new Set<string>();
  const found = new PlacedFindings();
  const unseen = new Map<string, Unseen>();
  let kubernetes = kubernetesFor(new Facts(), request.settings);
  // One for all targets: of what they have in common nothing is judged twice.
  const facts = new Facts();
  facts.cluster.featureGates = sources.featureGates;
  if (snapshot !== undefined) facts.cluster.set(snapshot);
  let target = '';
  const earlier = new KnownEarlierVersions(facts, committed, request.since, (key, uri) =>
    madeBefore(before.get(target), key, uri, tree),
  );
  const made = new Map<string, MadeInTarget>();
  const checker = new Checker(facts, earlier, { knowsPatches: () => true });
  const loaded = new Set<string>();
  let last: RenderedTarget | undefined;
  let mayBeUnlisted: readonly ManifestFile[] = [];
  for (const [index, chosen] of sources.chosen.entries()) {
    const rendered = sources.rendered(chosen);
    target = chosen.name;
    if (request.since !== undefined) made.set(target, madeIn(rendered.files));
    // What is not of a target alone was looked at with the first.
    const looked = last === undefined ? rendered.files : [...rendered.own.values()];
    if (last === undefined) mayBeUnlisted = [...rendered.common.values()].filter(hasObjects);
    const placed = { ...rendered, files: [...looked, ...mayBeUnlisted] };
    const { unlisted } = onlyApplied(placed, sources.applied.inputs, namedPaths);
    const hidden = unseenIn({ ...rendered, files: looked }, sources.applied.inputs);
    for (const one of [...hidden, ...unlisted]) unseen.set(unseenKey(one), one);
    const files = looked.filter((file) => {
      if (others.has(file.uri) && !judged.has(file.uri)) return false;
      if (rendered.excluded.has(file.uri) && !named.has(file.uri)) return false;
      return index === 0 || hasRendered(file);
    });
    if (last === undefined) {
      for (const file of rendered.files) facts.setFile(file.uri, file);
    } else {
      for (const uri of last.own.keys()) if (!rendered.own.has(uri)) facts.setFile(uri, rendered.common.get(uri));
      for (const [uri, file] of rendered.own) if (last.own.get(uri) !== file) facts.setFile(uri, file);
    }
    last = rendered;
    await loadPoolTypes(facts);
    await loadDevicesFor(facts);
    if (index === 0) kubernetes = kubernetesFor(facts, request.settings);
    const asked = files.filter((file) => hasObjects(file) && !loaded.has(file.uri)).map(({ uri }) => uri);
    for (const uri of asked) loaded.add(uri);
    await earlier.load(asked);
    for (const reason of earlier.unknown) uncommitted.add(reason);
    const quiet = quietRules(rendered, unseen.values(), unlisted);
    runToEnd(judge(files, { rendered, facts, checker, quiet, settings: request.settings, docs: '' }, found));
  }
  const result: CheckResult = {
    problems: problemsOf(found, context.cwd),
    files: judged.size,
    hasObjects: loaded.size > 0,
    uncommitted: [...uncommitted],
    unseen: [...unseen.values()],
    unsaid: found.unsaid(),
    kubernetes,
    tools: usedTools(sources),
    withoutSandbox: sources.withoutSandbox,
    tests: sources.tests,
    targets: sources.chosen.map(({ name }) => name).filter((name) => name !== ''),
  };
  return { result, made };
}

function usedTools({ applied, tools }: ReadSources): string[] {
  const used = new Set(
    applied.sources.flatMap(({ source, refusal }) => (refusal === null ? (source.recipe?.tool ?? []) : [])),
  );
  const { kustomize, helm } = tools;
  return [used.has('kustomize') ? kustomize : null, used.has('helm') ? helm : null].flatMap((tool) => tool?.path ?? []);
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
