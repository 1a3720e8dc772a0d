import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isKnownKind } from '../kubernetes/decode/index.ts';
import type { JsonObject } from '../kubernetes/json.ts';
import type { Declared } from '../kubernetes/objects.ts';
import { placedPosition } from '../manifests/text-positions.ts';
import { declaredObject } from '../manifests/declared-objects.ts';
import { editorLimits, snapshotLimits } from '../manifests/limits.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { parseManifestFile } from '../manifests/parse-manifest-file.ts';
import { committedText } from '../language/committed-texts.ts';
import { changesSince, type Changes, type LookedAt } from '../processes/git-changes.ts';
import { GitError } from '../processes/git-error.ts';
import { UsageError, type CommandContext } from './command.ts';

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
export async function loadManifests(
  paths: readonly string[],
  context: CommandContext,
  limits: 'editor' | 'snapshot',
): Promise<LoadedManifests> {
  return collectManifests(await readTexts(paths, context), limits);
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
  const texts = await readTexts(paths, context);
  const earlier = new Map(texts.map((file) => [file.uri, file]));
  const named = paths.filter((path) => path !== '-');
  const roots = named.map((path) => resolve(context.cwd, path));
  const { contents, notCompared } = await changesOf(named, commit, {
    roots,
    files: texts.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri)),
    includes: (path) =>
      roots.some((root) => path === root || (isUnder(path, root) && !isSkipped(relative(root, path)))),
  });
  const problems = notCompared.map(({ path, reason }) => `${relative(context.cwd, path)}: not compared: ${reason}`);
  for (const [path, content] of contents) {
    const uri = pathToFileURL(path).href;
    const label = relative(context.cwd, path);
    const before = committedText(content);
    if ('error' in before) problems.push(`${label}: not compared: as it was committed it ${before.error}`);
    else if (before.text === null) earlier.delete(uri);
    else earlier.set(uri, { uri, label, text: before.text });
  }
  const now = collectManifests(texts, 'editor');
  return {
    now: { ...now, problems: [...now.problems, ...problems] },
    earlier: collectManifests([...earlier.values()], 'editor'),
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

function isUnder(path: string, root: string): boolean {
  return path.startsWith(`${root}${sep}`);
}

interface FileText {
  readonly uri: string;
  /** What messages call it. */
  readonly label: string;
  /** The error's code where it could not be read. */
  readonly text: string | { readonly error: string };
}

async function readTexts(paths: readonly string[], context: CommandContext): Promise<FileText[]> {
  const texts: FileText[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const named = path === '-' ? path : resolve(context.cwd, path);
    for (const { file, error } of path === '-' ? [{ file: path }] : await findFiles(named, path)) {
      if (seen.has(file)) continue;
      seen.add(file);
      const uri = file === '-' ? 'stdin:/manifests.yaml' : pathToFileURL(file).href;
      const label = file === '-' ? 'standard input' : relative(context.cwd, file);
      if (error !== undefined) {
        texts.push({ uri, label, text: { error } });
        continue;
      }
      try {
        texts.push({ uri, label, text: file === '-' ? await readAll(context.stdin) : await readFile(file, 'utf8') });
      } catch (reason) {
        // Of a folder one file may be missing; without the one that was asked for there is no answer.
        if (file === named) throw unreadable(path, reason);
        texts.push({ uri, label, text: { error: codeOf(reason) } });
      }
    }
  }
  return texts;
}

function collectManifests(files: readonly FileText[], limits: 'editor' | 'snapshot'): LoadedManifests {
  const objects: Declared[] = [];
  const others: JsonObject[] = [];
  const problems: string[] = [];
  for (const { uri, label, text } of files) {
    if (typeof text !== 'string') {
      problems.push(`${label}: cannot be read (${text.error})`);
      continue;
    }
    const parsed = parseManifestFile(uri, text, null, undefined, limits === 'editor' ? editorLimits : snapshotLimits);
    collect(parsed, label, objects, others, problems);
  }
  return { objects, others, problems };
}

/** Paths as messages name them. */
export function namesOf(paths: readonly string[]): string {
  return paths.map((path) => (path === '-' ? 'standard input' : path)).join(', ');
}

/** The URI under which a path's objects are declared. */
export function pathToUri(path: string, cwd: string): string {
  return pathToFileURL(resolve(cwd, path)).href;
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
    for (const manifest of placed.document.objects) {
      objects.push(declaredObject(file, placed, manifest));
      if (!isKnownKind(manifest.apiVersion, manifest.kind)) others.push(manifest.value);
    }
  }
}

/** Node's code of a file system error, such as `ENOENT`. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Whether a path leads through a folder that is not looked into. */
function isSkipped(path: string): boolean {
  return path.split(sep).slice(0, -1).some(isSkippedFolder);
}

function isSkippedFolder(name: string): boolean {
  return name === 'node_modules' || /^\.[^.]/.test(name);
}

interface FoundFile {
  readonly file: string;
  /** The error's code of a folder that cannot be looked into. */
  readonly error?: string;
}

/** Every manifest file at or under a path, sorted by path. Hidden folders and `node_modules` are left out. */
async function findFiles(path: string, label: string): Promise<FoundFile[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [{ file: path }];
    return await filesIn(path);
  } catch (error) {
    throw unreadable(label, error);
  }
}

async function filesIn(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = join(folder, entry.name);
    if (entry.isDirectory() && !isSkippedFolder(entry.name)) {
      found.push(...(await filesIn(file).catch((error: unknown) => [{ file, error: codeOf(error) }])));
    } else if (entry.isFile() && /\.(ya?ml|json)$/i.test(entry.name)) {
      found.push({ file });
    }
  }
  return found;
}

function unreadable(label: string, error: unknown): UsageError {
  const code = codeOf(error);
  return new UsageError(code === 'ENOENT' ? `no such file or folder: ${label}` : `cannot read ${label} (${code})`);
}
