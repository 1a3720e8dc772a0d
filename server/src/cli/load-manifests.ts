import { relative, resolve } from 'node:path';
import { URI } from 'vscode-uri';
import { isKnownKind } from '../kubernetes/decode/index.ts';
import type { JsonObject } from '../kubernetes/json.ts';
import type { Declared } from '../kubernetes/objects.ts';
import { placedPosition } from '../manifests/text-positions.ts';
import { declaredObjects } from '../manifests/declared-objects.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { NodeFileProvider } from '../manifests/node-file-provider.ts';
import { parseManifestFile } from '../manifests/parse-manifest-file.ts';
import { committedText } from '../language/committed-texts.ts';
import { changesSince, type Changes, type LookedAt } from '../processes/git-changes.ts';
import { GitError } from '../processes/git-error.ts';
import { UsageError, type CommandContext } from './command.ts';
import { type NamedFile, namesOf, readFiles } from './read-files.ts';
import { readSnapshot } from './read-snapshot.ts';

export interface LoadedManifests {
  readonly objects: readonly Declared[];
  /** Those of kinds that Podium does not read, as they are written. */
  readonly others: readonly JsonObject[];
  /** What could not be read, one line each: `FILE:LINE: message`. */
  readonly problems: readonly string[];
}

/**
 * Reads the manifests of files and folders, in the order of their paths; `-` is standard input.
 * Throws `UsageError` for a path that is not there.
 */
export async function loadManifests(paths: readonly string[], context: CommandContext): Promise<LoadedManifests> {
  return collectManifests(await readFiles(paths, context));
}

/** Reads a cluster snapshot; none without a path. Throws `UsageError` for what is none. */
export async function loadSnapshot(path: string | undefined, context: CommandContext): Promise<LoadedManifests> {
  const loaded = { objects: [] as Declared[], others: [] as JsonObject[], problems: [] as string[] };
  if (path === undefined) return loaded;
  collect(await readSnapshot(path, context), namesOf([path]), loaded.objects, loaded.others, loaded.problems);
  return loaded;
}

export interface ChangedManifests {
  readonly now: LoadedManifests;
  /** As they were in the commit. */
  readonly earlier: LoadedManifests;
  /** Files that count as unchanged because they cannot be compared; `now.problems` names them. */
  readonly notCompared: number;
}

/**
 * Reads manifests as they are and as they were in a commit. What comes from standard input counts as unchanged.
 * Throws `UsageError` for a path that is not there, and where git does not know the commit.
 */
export async function loadChangedManifests(
  paths: readonly string[],
  context: CommandContext,
  commit: string,
): Promise<ChangedManifests> {
  const texts = await readFiles(paths, context);
  const earlier = new Map(texts.map((file) => [file.uri, file]));
  const named = paths.filter((path) => path !== '-');
  const roots = named.map((path) => resolve(context.cwd, path));
  const provider = new NodeFileProvider(roots);
  const { contents, notCompared } = await changesOf(named, commit, {
    roots,
    files: texts.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => URI.parse(uri).fsPath),
    includes: (path) => provider.accepts(URI.file(path).toString()),
  });
  const problems = notCompared.map(({ path, reason }) => `${relative(context.cwd, path)}: not compared: ${reason}`);
  for (const [path, content] of contents) {
    const uri = URI.file(path).toString();
    const label = relative(context.cwd, path);
    const before = committedText(content);
    if ('error' in before) problems.push(`${label}: not compared: as it was committed it ${before.error}`);
    else if (before.text === null) earlier.delete(uri);
    else earlier.set(uri, { uri, label, text: before.text, error: '' });
  }
  const read = new Map<string, ManifestFile>();
  const now = collectManifests(texts, read);
  return {
    now: { ...now, problems: [...now.problems, ...problems] },
    earlier: collectManifests([...earlier.values()], read),
    notCompared: problems.length,
  };
}

async function changesOf(paths: readonly string[], commit: string, lookedAt: LookedAt): Promise<Changes> {
  try {
    return await changesSince(commit, lookedAt);
  } catch (error) {
    if (error instanceof GitError) throw new UsageError(`cannot compare ${namesOf(paths)}: ${error.message}`);
    throw error;
  }
}

/** @param read receives the files; those that were read before share what has not changed since */
function collectManifests(files: readonly NamedFile[], read = new Map<string, ManifestFile>()): LoadedManifests {
  const objects: Declared[] = [];
  const others: JsonObject[] = [];
  const problems: string[] = [];
  for (const { uri, label, text, error } of files) {
    if (text === null) {
      problems.push(`${label}: cannot be read (${error})`);
      continue;
    }
    const parsed = parseManifestFile(uri, text, null, read.get(uri));
    read.set(uri, parsed);
    collect(parsed, label, objects, others, problems);
  }
  return { objects, others, problems };
}

function collect(
  file: ManifestFile,
  label: string,
  objects: Declared[],
  others: JsonObject[],
  problems: string[],
): void {
  for (const problem of file.problems) problems.push(`${label}: ${problem.message}`);
  for (const placed of file.documents) {
    for (const problem of placed.document.problems) {
      if (placed.document.content === 'template' || problem.severity !== 'error') continue;
      problems.push(`${label}:${placedPosition(placed, problem.range.start).line + 1}: ${problem.message}`);
    }
    for (const { apiVersion, kind, value } of placed.document.objects) {
      if (!isKnownKind(apiVersion, kind)) others.push(value);
    }
  }
  for (const object of declaredObjects(file)) objects.push(object);
}
