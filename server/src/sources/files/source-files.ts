import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { getOrInsert } from '../../util/maps.ts';
import { type Boundary, isSecret } from './boundary.ts';

/** A file larger than this is none that a kustomization or a chart is made of. */
const maxBytes = 16 * 1024 * 1024;
/** A folder with more files than this is looked through in part. */
const maxFiles = 20_000;

/** Of what was read so much is kept, and no file of more than this part of it. */
const maxKept = 64 * 1024 * 1024;
const keptPart = 256;

/** What lies in a folder. */
interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** Links of folders into each other are followed this deep. */
const maxDepth = 32;

/**
 * The files that sources are made of, and no others: regular files within a boundary, whatever links lead to them. What
 * editors hold counts before what is on disk. What was read is kept until `forget`, as a base is asked for by each of
 * its overlays.
 */
export class SourceFiles {
  readonly #unsaved: ReadonlyMap<string, string | null>;
  readonly #boundary: Boundary;
  readonly #texts = new Map<string, Promise<string | null>>();
  readonly #bytes = new Map<string, Promise<Buffer | string | null>>();
  #kept = 0;
  readonly #kinds = new Map<string, Promise<'file' | 'folder' | null>>();
  readonly #entries = new Map<string, Promise<readonly Entry[]>>();
  readonly #below = new Map<string, Promise<readonly string[]>>();
  readonly #trees = new Map<string, Promise<readonly string[]>>();
  readonly #reals = new Map<string, Promise<string | null>>();
  /** What editors hold, by folder and name. */
  #held: ReadonlyMap<string, ReadonlyMap<string, 'file' | 'folder' | 'gone'>> | undefined;

  /** @param unsaved by absolute path, text that counts instead of what is on disk; null for what is not there then */
  constructor(boundary: Boundary, unsaved: ReadonlyMap<string, string | null> = new Map()) {
    this.#boundary = boundary;
    this.#unsaved = unsaved;
  }

  get unsaved(): ReadonlyMap<string, string | null> {
    return this.#unsaved;
  }

  /** Null for what is no file, is too large or cannot be read. */
  read(path: string): Promise<string | null> {
    return getOrInsert(this.#texts, path, async () => {
      const bytes = await this.bytes(path);
      return typeof bytes === 'string' || bytes === null ? bytes : bytes.toString('utf8');
    });
  }

  /** As `read`, for what need not be text. */
  async bytes(path: string): Promise<Buffer | string | null> {
    const known = this.#bytes.get(path);
    if (known !== undefined) return known;
    const reading = this.#readBytes(path);
    this.#bytes.set(path, reading);
    const length = (await reading)?.length ?? 0;
    if (length > maxKept / keptPart || this.#kept + length > maxKept) this.#bytes.delete(path);
    else this.#kept += length;
    return reading;
  }

  async #readBytes(path: string): Promise<Buffer | string | null> {
    const real = await this.#real(path);
    if (real === null) return null;
    const unsaved = this.#unsaved.get(path);
    if (unsaved !== undefined) return unsaved;
    try {
      // A pipe would be waited for, and for ever.
      const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      try {
        const found = await file.stat();
        return !found.isFile() || found.size > maxBytes ? null : await file.readFile();
      } finally {
        await file.close();
      }
    } catch {
      return null;
    }
  }

  kindOf(path: string): Promise<'file' | 'folder' | null> {
    return getOrInsert(this.#kinds, path, async () => {
      const real = await this.#real(path);
      if (real === null) return null;
      const unsaved = this.#unsaved.get(path);
      if (unsaved !== undefined) return unsaved === null ? null : 'file';
      try {
        const found = await stat(real);
        return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : null;
      } catch {
        return this.#heldIn(path) === undefined ? null : 'folder';
      }
    });
  }

  /** Whether there is something at a path that may not be read. */
  async isOutside(path: string): Promise<boolean> {
    return (await this.#real(path)) === null;
  }

  /** The path of the same file without links; null where it may not be read. */
  unlinked(path: string): Promise<string | null> {
    return this.#boundary.unlinked(path);
  }

  /** Files below a folder, as absolute paths, sorted; those of links are not among them. */
  below(folder: string): Promise<readonly string[]> {
    return getOrInsert(this.#below, folder, async () => {
      const found: string[] = [];
      const walk = async (path: string): Promise<void> => {
        for (const entry of await this.#list(path)) {
          if (found.length >= maxFiles) return;
          const inner = join(path, entry.name);
          if (entry.kind === 'folder' && entry.name !== 'node_modules') await walk(inner);
          else if (entry.kind === 'file') found.push(inner);
        }
      };
      await walk(folder);
      return found.sort();
    });
  }

  /** All files that a program finds below a folder, those behind links within the boundary too. */
  tree(folder: string): Promise<readonly string[]> {
    return getOrInsert(this.#trees, folder, async () => {
      const found: string[] = [];
      const walk = async (path: string, above: readonly string[]): Promise<void> => {
        const real = await this.#real(path);
        // A link into what it lies in has no end.
        if (real === null || above.includes(real) || above.length > maxDepth) return;
        for (const entry of await this.#list(path)) {
          if (found.length >= maxFiles) return;
          const inner = join(path, entry.name);
          const kind = entry.kind === 'link' ? await this.kindOf(inner) : entry.kind;
          if (kind === 'folder') await walk(inner, [...above, real]);
          else if (kind === 'file') found.push(inner);
        }
      };
      await walk(folder, []);
      return found.sort();
    });
  }

  #real(path: string): Promise<string | null> {
    return getOrInsert(this.#reals, path, () => this.#boundary.real(path));
  }

  /** What lies in a folder, without what keeps credentials. */
  #list(folder: string): Promise<readonly Entry[]> {
    return getOrInsert(this.#entries, folder, async () => {
      const real = await this.#real(folder);
      if (real === null) return [];
      const held = this.#heldIn(folder);
      const entries = new Map<string, Entry>();
      for (const found of await readdir(real, { withFileTypes: true }).catch(() => [])) {
        const { name } = found;
        const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
        entries.set(name, { name, kind: found.isSymbolicLink() ? 'link' : kind });
      }
      for (const [name, kind] of held ?? []) {
        if (kind === 'gone') entries.delete(name);
        else if (!entries.has(name)) entries.set(name, { name, kind });
      }
      return [...entries.values()].filter(({ name }) => !isSecret(name));
    });
  }

  /** What editors hold of a folder, which need not be on disk; undefined for nothing that is there. */
  #heldIn(folder: string): ReadonlyMap<string, 'file' | 'folder' | 'gone'> | undefined {
    if (this.#held === undefined) {
      const held = new Map<string, Map<string, 'file' | 'folder' | 'gone'>>();
      const hold = (path: string, kind: 'file' | 'folder' | 'gone'): void => {
        const parent = dirname(path);
        const known = held.get(parent);
        if (known?.has(basename(path)) === true || parent === path) return;
        if (known === undefined) held.set(parent, new Map([[basename(path), kind]]));
        else known.set(basename(path), kind);
        if (kind !== 'gone') hold(parent, 'folder');
      };
      for (const [path, text] of this.#unsaved) hold(path, text === null ? 'gone' : 'file');
      this.#held = held;
    }
    return this.#held.get(folder);
  }
}
