import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Declared } from '../kubernetes/objects.ts';
import { placedPosition } from '../manifests/text-positions.ts';
import { declaredObject } from '../manifests/declared-objects.ts';
import { editorLimits, snapshotLimits } from '../manifests/limits.ts';
import type { ManifestFile } from '../manifests/manifest.ts';
import { parseManifestFile } from '../manifests/parse-manifest-file.ts';
import { UsageError, type CommandContext } from './command.ts';

export interface LoadedManifests {
  readonly objects: readonly Declared[];
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
  const objects: Declared[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const files = path === '-' ? ['-'] : await findFiles(resolve(context.cwd, path), path);
    for (const file of files) {
      if (seen.has(file)) continue;
      seen.add(file);
      const label = file === '-' ? 'standard input' : relative(context.cwd, file);
      let text: string;
      try {
        text = file === '-' ? await readAll(context.stdin) : await readFile(file, 'utf8');
      } catch (error) {
        problems.push(`${label}: cannot be read (${codeOf(error)})`);
        continue;
      }
      const uri = file === '-' ? 'stdin:/manifests.yaml' : pathToFileURL(file).href;
      const parsed = parseManifestFile(uri, text, null, undefined, limits === 'editor' ? editorLimits : snapshotLimits);
      collect(parsed, label, objects, problems);
    }
  }
  return { objects, problems };
}

/** The URI under which a path's objects are declared. */
export function pathToUri(path: string, cwd: string): string {
  return pathToFileURL(resolve(cwd, path)).href;
}

function collect(file: ManifestFile, label: string, objects: Declared[], problems: string[]): void {
  for (const problem of file.problems) problems.push(`${label}: ${problem.message}`);
  for (const placed of file.documents) {
    for (const problem of placed.document.problems) {
      if (placed.document.content === 'template' || problem.severity !== 'error') continue;
      problems.push(`${label}:${placedPosition(placed, problem.range.start).line + 1}: ${problem.message}`);
    }
    for (const manifest of placed.document.objects) {
      objects.push(declaredObject(file, placed, manifest));
    }
  }
}

/** Node's code of a file system error, such as `ENOENT`. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

const skippedFolders: ReadonlySet<string> = new Set(['node_modules']);

/** Every manifest file at or under a path, sorted by path. Hidden folders and `node_modules` are left out. */
async function findFiles(path: string, label: string): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    const code = codeOf(error);
    throw new UsageError(code === 'ENOENT' ? `no such file or folder: ${label}` : `cannot read ${label} (${code})`);
  }
  if (!isFolder) return [path];
  const found: string[] = [];
  const entries = await readdir(path, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const child = join(path, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.') && !skippedFolders.has(entry.name))
      found.push(...(await findFiles(child, label)));
    else if (entry.isFile() && /\.(ya?ml|json)$/i.test(entry.name)) found.push(child);
  }
  return found;
}
