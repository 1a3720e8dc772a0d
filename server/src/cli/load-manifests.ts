import { readFile as readText } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { URI } from 'vscode-uri';
import { isKnownKind } from '../kubernetes/decode/index.ts';
import type { Gates } from '../kubernetes/feature-gates.ts';
import type { JsonObject } from '../kubernetes/json.ts';
import type { Declared } from '../kubernetes/objects.ts';
import type { Unseen } from '../kubernetes/unseen.ts';
import { placedPosition } from '../manifests/text-positions.ts';
import { declaredObjects, wholeObjects } from '../manifests/declared-objects.ts';
import type { ManifestDocument, ManifestFile, ManifestObject } from '../manifests/manifest.ts';
import { readData } from '../manifests/read-data.ts';
import { withoutVersions } from '../manifests/document-text.ts';
import { count } from '../util/words.ts';
import { type Edit, editsOf } from '../util/edits.ts';
import { isObject } from '../util/values.ts';
import { serverVersionIn } from '../manifests/server-version.ts';
import { isManifestName } from '../manifests/file-provider.ts';
import { NodeFileProvider } from '../manifests/node-file-provider.ts';
import { editorLimits, fileLimits, type ReadLimits } from '../manifests/limits.ts';
import { parseManifestFile } from '../manifests/parse-manifest-file.ts';
import { unreadableFile } from '../manifests/problem-file.ts';
import { committedText } from '../language/history/committed-texts.ts';
import { changesSince, type Changes, type LookedAt } from '../processes/git-changes.ts';
import { GitError } from '../processes/git-error.ts';
import { UsageError, type CommandContext } from './command.ts';
import { type NamedFile, namesOf, readEach, readFiles } from './read-files.ts';
import { readSnapshot } from './read-snapshot.ts';
import { filesOfSources, readSources, type ReadSources, type SourceValues } from './read-sources.ts';
import { isInside } from '../sources/files/paths.ts';
import { type NodePlace, nodePlacesOf } from '../sources/files/node-places.ts';
import { kustomizationNames } from '../sources/kustomize/kustomization-names.ts';
import {
  comparedTargets,
  editedUnrendered,
  filesAmong,
  type RenderedTarget,
} from '../sources/targets/rendered-target.ts';
import { isInTarget, type Target, type Targets } from '../sources/targets/targets.ts';
import { unseenIn } from '../sources/targets/unseen.ts';
import { onlyApplied } from '../sources/targets/only-applied.ts';

export interface LoadedManifests {
  readonly objects: readonly Declared[];
  /** Those of kinds that Podium does not read, as they are written. */
  readonly others: readonly JsonObject[];
  /** What could not be read, one line each: `FILE:LINE: message`. */
  readonly problems: readonly string[];
  /** What makes pods, or may, and is not among the objects. */
  readonly unseen: readonly Unseen[];
}

/** A cluster snapshot. */
export interface LoadedSnapshot extends LoadedManifests {
  /** The version of its API server, where it names it. */
  readonly serverVersion: string | undefined;
  /** Its file, which is no manifest where it lies among these. */
  readonly uri: string | undefined;
}

/** Reads a cluster snapshot; none without a path. Throws `UsageError` for what is none. */
export async function loadSnapshot(path: string | undefined, context: CommandContext): Promise<LoadedSnapshot> {
  const known = { unseen: [], serverVersion: undefined, uri: undefined };
  if (path === undefined) return { objects: [], others: [], problems: [], ...known };
  const file = await readSnapshot(path, context);
  const problems = problemsIn(file, namesOf([path]));
  return { ...collect([file]), problems, ...known, serverVersion: serverVersionIn(file), uri: file.uri };
}

/** What a command was told about sources; without it manifests are taken as they are written. */
export interface AppliedManifests extends LoadedManifests {
  /** The target that was taken, and those that there are; empty where nothing is there in more than one version. */
  readonly target: string;
  readonly targets: readonly string[];
  /** Names of the tools that ran without a sandbox of the operating system. */
  readonly withoutSandbox: readonly string[];
  /** Absolute paths of all that its sources are made of. */
  readonly inputs: ReadonlySet<string>;
  /** Where its Nodes come from. */
  readonly nodePlaces: readonly NodePlace[];
  /** Files that are too large for manifests, look like a cluster and were not read. */
  readonly tooLarge: readonly string[];
  /** Gates that a configuration among the files switches. */
  readonly featureGates: Gates;
}

/**
 * Reads what would be applied of files and folders: manifests, and what sources among them make. The order is that of
 * the paths. Throws `UsageError` for a path or a target that is not there.
 */
export async function loadApplied(
  paths: readonly string[],
  context: CommandContext,
  values: SourceValues,
  cluster: LoadedSnapshot,
): Promise<AppliedManifests> {
  const parsed = await parseFiles(readEach(paths, context), fileLimits, cluster);
  const { manifests } = await applied(paths, parsed, context, values, cluster);
  return manifests;
}

/** What is in other files than those of a world; nothing where they are the same. */
function again({ files }: RenderedTarget, others: readonly ManifestFile[]): Partial<ReturnType<typeof collect>> {
  return others === files ? {} : collect(others);
}

interface AppliedWorld {
  readonly manifests: AppliedManifests;
  readonly rendered: RenderedTarget;
  readonly found: ReadSources;
}

async function applied(
  paths: readonly string[],
  { files, problems, tooLarge }: ParsedFiles,
  context: CommandContext,
  values: SourceValues,
  cluster: LoadedSnapshot,
  unsaved: ReadonlyMap<string, string | null> = new Map(),
  asked?: string,
): Promise<AppliedWorld> {
  const choose = ({ all, preferred }: Targets): readonly Target[] => [
    all.find(({ name }) => name === asked) ?? preferred,
  ];
  const found = await readSources(paths, files, values, context, choose, unsaved, cluster);
  const named = paths.map((path) => resolve(context.cwd, path));
  const target = found.rendered(found.chosen[0]!);
  const { files: listed, unlisted } = onlyApplied(target, found.applied.inputs, named);
  const rendered = { ...target, files: listed };
  const collected = collect(rendered.files);
  const nodes = collected.objects.flatMap(({ object, origin }) =>
    object.kind === 'Node' && origin !== undefined ? [origin.uri] : [],
  );
  const manifests = {
    ...collected,
    nodePlaces: nodePlacesOf(nodes, found.roots),
    // What is left out is not judged, not even whether it can be read.
    problems: files.flatMap((file, at) => (rendered.excluded.has(file.uri) ? [] : problems[at]!)),
    tooLarge,
    featureGates: found.featureGates,
    unseen: [...unseenIn(rendered, found.applied.inputs), ...unlisted],
    withoutSandbox: found.withoutSandbox,
    inputs: filesOfSources(found),
    target: rendered.target,
    targets: found.targets.all.map(({ name }) => name).filter((name) => name !== ''),
  };
  return { manifests, rendered, found };
}

export interface ChangedManifests {
  readonly now: AppliedManifests;
  /** As they were in the commit. */
  readonly earlier: LoadedManifests;
  /** Files that count as unchanged because they cannot be compared; `now.problems` names them. */
  readonly notCompared: number;
  /** Sources that do, because they were not rendered then. */
  readonly notRendered: readonly { readonly name: string; readonly why: string }[];
  /** Objects that are removed when they are written no longer, by `workloadKey`. */
  readonly pruned: ReadonlySet<string>;
  /** Where files were edited since. */
  readonly edits: readonly Edit[];
  /** Names of sources that were edited, and are not rendered. */
  readonly unrendered: readonly string[];
  /** Whether what was edited is seen on both sides, so that what is not seen is as it was. */
  readonly seesAllEdits: boolean;
}

/**
 * Reads manifests as they are and as they were in a commit. What comes from standard input counts as unchanged.
 * Throws `UsageError` for a path that is not there, and where git does not know the commit.
 */
export async function loadChangedManifests(
  paths: readonly string[],
  context: CommandContext,
  values: SourceValues,
  commit: string,
  cluster: LoadedSnapshot,
): Promise<ChangedManifests> {
  const texts = await readFiles(paths, context);
  const earlier = new Map(texts.map((file) => [file.uri, file]));
  const files = texts.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => URI.parse(uri).fsPath);
  const parsed = await parseFiles(texts, editorLimits, cluster);
  const preferred = await applied(paths, parsed, context, values, cluster);
  // Templates and what is generated from may have any name, and the base of an overlay lies beyond the path.
  const read = new Set(files);
  const inputs = new Set([...preferred.manifests.inputs].filter((path) => !read.has(path)));
  const roots = rootsOf(paths, context);
  const { texts: unsaved, problems } = await committedTexts(paths, files, commit, context, inputs);
  const other = values.target === undefined ? targetOfChanges(preferred.found, unsaved) : undefined;
  const { manifests: now, rendered } =
    other === undefined ? preferred : await applied(paths, parsed, context, values, cluster, undefined, other);
  const edits: Edit[] = [];
  for (const [path, text] of unsaved) {
    const uri = URI.file(path).toString();
    const is = inputs.has(path) ? await readText(path, 'utf8').catch(() => null) : (earlier.get(uri)?.text ?? null);
    edits.push(...editsOf(uri, text ?? '', is ?? ''));
    if (!read.has(path) && (inputs.has(path) || !isInAny(roots, path) || !isManifestName(path))) continue;
    if (text === null) earlier.delete(uri);
    else earlier.set(uri, { uri, label: relative(context.cwd, path), text, error: '' });
  }
  const before = await parseFiles(
    earlier.values(),
    editorLimits,
    cluster,
    new Map(parsed.files.map((file) => [file.uri, file])),
  );
  // The same target, which may be newer than the commit.
  const asked = { ...values, target: undefined };
  const then = await applied(paths, before, context, asked, cluster, unsaved, now.target);
  const compared = comparedTargets(rendered, then.rendered);
  const unrendered = editedUnrendered(rendered, edits);
  const unseen = new Set([...now.unseen, ...then.manifests.unseen].map(({ origin }) => origin?.uri));
  const seesAllEdits = problems.length + unrendered.length === 0 && edits.every(({ uri }) => !unseen.has(uri));
  return {
    now: { ...now, ...again(rendered, compared.now), problems: [...now.problems, ...problems] },
    earlier: { ...then.manifests, ...again(then.rendered, compared.earlier) },
    notCompared: problems.length,
    notRendered: compared.notRendered.map(({ source: { name }, refusal }) => ({ name, why: refusal?.message ?? '' })),
    pruned: compared.pruned,
    edits: edits.filter(({ uri }) => !compared.idle.has(uri)),
    unrendered,
    seesAllEdits,
  };
}

/** Where what has changed is in none of the sources of the target that was taken, but in others: that with most of it. */
function targetOfChanges(
  { targets, applied: { sources }, chosen }: ReadSources,
  changed: ReadonlyMap<string, unknown>,
): string | undefined {
  const found = filesAmong(sources, new Set(changed.keys()));
  const amountIn = (target: Target): number =>
    new Set([...found].flatMap(([one, files]) => (isInTarget(target, one) ? files : []))).size;
  if (chosen.some((target) => amountIn(target) > 0)) return undefined;
  const most = Math.max(...targets.all.map(amountIn));
  return most === 0 ? undefined : targets.all.find((target) => amountIn(target) === most)?.name;
}

/**
 * What files were in a commit, by path, as far as they have changed since; null for those that were not there. Throws
 * `UsageError` where git does not know the commit.
 *
 * @param files absolute paths of those that are there now
 * @param inputs absolute paths of what sources are made of besides, wherever that is: what was beside them counts, too
 */
export async function committedTexts(
  paths: readonly string[],
  files: readonly string[],
  commit: string,
  { cwd }: CommandContext,
  inputs: ReadonlySet<string> = new Set(),
): Promise<{ readonly texts: ReadonlyMap<string, string | null>; readonly problems: readonly string[] }> {
  const named = paths.filter((path) => path !== '-');
  const roots = rootsOf(named, { cwd });
  const provider = new NodeFileProvider(roots);
  const sources = foldersOfSources([...files, ...inputs]);
  const { contents, notCompared } = await changesOf(named, commit, {
    roots,
    files: [...files, ...inputs],
    includes: (path) =>
      (isInAny(roots, path) ? provider.accepts(URI.file(path).toString()) : isManifestName(path)) ||
      isBelowAny(sources, path),
  });
  const problems = notCompared.map(({ path, reason }) => `${relative(cwd, path)}: not compared: ${reason}`);
  const texts = new Map<string, string | null>();
  for (const [path, content] of contents) {
    const before = committedText(content);
    if ('text' in before) {
      texts.set(path, before.text);
    } else if (isManifestName(path) || inputs.has(path)) {
      // A picture beside a chart is nothing that it is made of.
      problems.push(`${relative(cwd, path)}: not compared: as it was committed it ${before.error}`);
    }
  }
  return { texts, problems };
}

/** Where the charts and kustomizations among some files are. */
function foldersOfSources(files: readonly string[]): ReadonlySet<string> {
  const isSource = (name: string): boolean => name === 'Chart.yaml' || kustomizationNames.includes(name);
  return new Set(files.filter((path) => isSource(basename(path))).map((path) => dirname(path)));
}

function isBelowAny(folders: ReadonlySet<string>, path: string): boolean {
  const parent = dirname(path);
  return folders.has(parent) || (parent !== path && isBelowAny(folders, parent));
}

/** The paths that are named, absolute; without standard input. */
export function rootsOf(paths: readonly string[], { cwd }: Pick<CommandContext, 'cwd'>): readonly string[] {
  return paths.filter((path) => path !== '-').map((path) => resolve(cwd, path));
}

/** Whether a path is one of some, or lies in one. */
export function isInAny(roots: readonly string[], path: string): boolean {
  return roots.some((root) => isInside(path, root));
}

/** As `changesSince`. Throws `UsageError` where git does not know the commit. */
export async function changesOf(paths: readonly string[], commit: string, lookedAt: LookedAt): Promise<Changes> {
  try {
    return await changesSince(commit, lookedAt);
  } catch (error) {
    if (error instanceof GitError) throw new UsageError(`cannot compare ${namesOf(paths)}: ${error.message}`, true);
    throw error;
  }
}

interface ParsedFiles {
  readonly files: readonly ManifestFile[];
  /** By label. */
  readonly tooLarge: readonly string[];
  /** Of each file. */
  readonly problems: readonly (readonly string[])[];
}

/** @param known files that were read before, which share what has not changed since */
async function parseFiles(
  named: AsyncIterable<NamedFile> | Iterable<NamedFile>,
  limits: ReadLimits,
  { uri: snapshot }: LoadedSnapshot,
  known: ReadonlyMap<string, ManifestFile> = new Map(),
): Promise<ParsedFiles> {
  const files: ManifestFile[] = [];
  const problems: string[][] = [];
  const tooLarge: string[] = [];
  for await (const { uri, label, text, error, file: large } of named) {
    if (uri === snapshot) continue;
    const read = (): ManifestFile =>
      text === null ? unreadableFile(uri, error) : parseManifestFile(uri, text, null, known.get(uri), limits);
    const file = large ?? read();
    files.push(file);
    problems.push(problemsIn(file, label));
    if (isTooLarge(file) && isOfCluster(label, text)) tooLarge.push(label);
  }
  return { files, problems, tooLarge };
}

/** Whether it looks like what kubectl prints of a cluster: one document of everything. */
function isOfCluster(label: string, text: string | null): boolean {
  return label.endsWith('.json') || text?.startsWith('apiVersion: v1\nitems:') === true;
}

function isTooLarge({ problems, documents }: ManifestFile): boolean {
  return [...problems, ...documents.flatMap(({ document }) => document.problems)].some(
    ({ code }) => code === 'document-too-large' || code === 'file-too-large',
  );
}

function problemsIn(file: ManifestFile, label: string): string[] {
  const problems = file.problems.map(({ message }) => `${label}: ${message}`);
  for (const placed of file.documents) {
    if (placed.document.content === 'template') continue;
    // With a key that is written twice the document is read all the same.
    const [first, ...others] = placed.document.problems.filter(({ code }) => code !== 'yaml-duplicate-key');
    if (first === undefined) continue;
    const more = others.length === 0 ? '' : ` ${count(others.length, 'more problem')} in this document.`;
    problems.push(`${label}:${placedPosition(placed, first.range.start).line + 1}: ${first.message}${more}`);
  }
  return problems;
}

/** A CustomResourceDefinition in a document of its own, whose spec is not read with it; without its schemas. */
function definitionOf({ text }: ManifestDocument, { kind, value }: ManifestObject): JsonObject | undefined {
  if (kind !== 'CustomResourceDefinition' || 'spec' in value) return undefined;
  const read = readData(withoutVersions(text)).value;
  return isObject(read) ? read : undefined;
}

function collect(files: readonly ManifestFile[]): Pick<LoadedManifests, 'objects' | 'others'> {
  return {
    objects: files.flatMap(declaredObjects),
    others: files.flatMap(({ documents }) =>
      documents.flatMap(({ document }) =>
        wholeObjects(document)
          .filter(({ apiVersion, kind }) => !isKnownKind(apiVersion, kind))
          .map((object) => definitionOf(document, object) ?? object.value),
      ),
    ),
  };
}
