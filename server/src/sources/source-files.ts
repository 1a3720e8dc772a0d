import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** A file larger than this is none that a kustomization or a chart is made of. */
const maxBytes = 16 * 1024 * 1024;
/** A folder with more files than this is looked through in part. */
const maxFiles = 20_000;

/**
 * The files that sources are made of: what editors hold counts before what is on disk. What was read is kept until
 * `forget`, as a base is asked for by each of its overlays.
 */
export class SourceFiles {
  readonly #unsaved: ReadonlyMap<string, string | null>;
  readonly #texts = new Map<string, Promise<string | null>>();
  readonly #kinds = new Map<string, Promise<'file' | 'folder' | null>>();
  readonly #entries = new Map<string, Promise<readonly Dirent[]>>();
  readonly #below = new Map<string, Promise<readonly string[]>>();

  /** @param unsaved by absolute path, text that counts instead of what is on disk; null for what is not there then */
  constructor(unsaved: ReadonlyMap<string, string | null> = new Map()) {
    this.#unsaved = unsaved;
  }

  get unsaved(): ReadonlyMap<string, string | null> {
    return this.#unsaved;
  }

  /** Null for what is no file, is too large or cannot be read. */
  read(path: string): Promise<string | null> {
    const unsaved = this.#unsaved.get(path);
    if (unsaved !== undefined) return Promise.resolve(unsaved);
    return remember(this.#texts, path, async () => {
      try {
        const found = await stat(path);
        // A pipe would be waited for, and for ever.
        return !found.isFile() || found.size > maxBytes ? null : await readFile(path, 'utf8');
      } catch {
        return null;
      }
    });
  }

  kindOf(path: string): Promise<'file' | 'folder' | null> {
    const unsaved = this.#unsaved.get(path);
    if (unsaved !== undefined) return Promise.resolve(unsaved === null ? null : 'file');
    return remember(this.#kinds, path, async () => {
      try {
        const found = await stat(path);
        return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : null;
      } catch {
        return null;
      }
    });
  }

  /** Files below a folder, as absolute paths, sorted; those of links that lead elsewhere are not among them. */
  below(folder: string): Promise<readonly string[]> {
    return remember(this.#below, folder, async () => {
      const found: string[] = [];
      const walk = async (path: string): Promise<void> => {
        const entries = await remember(this.#entries, path, () =>
          readdir(path, { withFileTypes: true }).catch(() => []),
        );
        for (const entry of entries) {
          if (found.length >= maxFiles) return;
          const inner = `${path}${sep}${entry.name}`;
          if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') await walk(inner);
          else if (entry.isFile()) found.push(inner);
        }
      };
      await walk(folder);
      return found.sort();
    });
  }
}

function remember<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

/** Whether a path is a folder or lies in it, by its text alone. */
export function isInside(path: string, folder: string): boolean {
  const way = wayTo(path, folder);
  return way === '' || (way.split(sep, 1)[0] !== '..' && !isAbsolute(way));
}

/** As Node's `relative`, which takes both paths apart: most of them are written in the same way. */
function wayTo(path: string, folder: string): string {
  const isBelow = path.startsWith(folder) && path[folder.length] === sep && folder.length > 1;
  return isBelow && !unusualPath.test(path) ? path.slice(folder.length + 1) : relative(folder, path);
}

/** With steps that lead nowhere, or up. */
const unusualPath = /[\\/](?:\.{0,2}(?:[\\/]|$))/;

/** The path without links; the path itself where there is nothing. */
export async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** A path as people and URIs write it, relative to a folder where it lies below. */
export function shownPath(path: string, folder: string): string {
  const way = wayTo(path, folder);
  return way === '' ? '.' : sep === '/' ? way : way.split(sep).join('/');
}
