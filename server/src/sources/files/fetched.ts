import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { readFile } from 'node:fs/promises';
import { homeFolder } from '../../processes/home-folder.ts';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import { contentDigest, contentState } from './content-digest.ts';
import { isInside, realPath } from './paths.ts';
import { type Fetchable, type Remote, remoteKey } from './remote.ts';

const entrySchema = z.object({
  resolved: z.string().check(z.meta({ description: 'The version, the commit; empty for a file.' })),
  sha256: z
    .string()
    .check(z.regex(/^[0-9a-f]{64}$/), z.meta({ description: 'Of its content, which names its folder.' })),
  file: z
    .string()
    .check(
      z.regex(/^(?!\.\.?$)[^/\\]*$/),
      z.meta({ description: 'A file of this name in the folder; empty for the folder itself.' }),
    ),
  fetchedAt: z.string().check(z.meta({ description: 'As RFC 3339.' })),
  /** By which what lies there is known again; without it what was fetched is not used. */
  content: z.optional(z.string().check(z.meta({ description: 'SHA-256 of the paths and texts of its files.' }))),
});
export type FetchedEntry = z.infer<typeof entrySchema>;

const lockSchema = z
  .object({
    version: z.literal(1),
    /** By `remoteKey`. */
    entries: z
      .record(z.string(), entrySchema)
      .check(z.meta({ description: 'What was fetched, by what was asked for.' })),
    pins: z
      .record(z.string(), z.object({ sha256: z.string(), fetchedAt: z.string() }))
      .check(z.meta({ description: 'Content by what does not change: the version of a chart, a tag.' })),
  })
  .check(z.meta({ title: 'What Podium has fetched', description: 'Podium writes it, and nobody else has to.' }));
export type FetchLock = z.infer<typeof lockSchema>;

/** The schema of the lock, as it is shipped. */
export function lockFileSchema(): object {
  return z.toJSONSchema(lockSchema, { target: 'draft-7', io: 'input' });
}

const emptyLock: FetchLock = { version: 1, entries: {}, pins: {} };

/** Why what was fetched cannot be known. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** What was fetched before, in a folder of Podium's own: content by its SHA-256, and a lock that says what is what. */
export class Fetched {
  readonly folder: string | null;
  readonly #lock: FetchLock;
  readonly #checked = new Map<string, Promise<boolean>>();

  private constructor(folder: string | null, lock: FetchLock) {
    this.folder = folder;
    this.#lock = lock;
  }

  static readonly none = new Fetched(null, emptyLock);

  /** What there is to render with; nothing where the storage cannot be read. */
  static async read(storage: string | null, workedOn: readonly string[]): Promise<Fetched> {
    if (storage === null || (await storageFault(storage, workedOn)) !== null) return Fetched.none;
    const folder = await realPath(storage);
    try {
      return new Fetched(folder, await readLock(folder));
    } catch {
      return Fetched.none;
    }
  }

  entry(remote: Fetchable): FetchedEntry | undefined {
    return own(this.#lock.entries, remoteKey(remote));
  }

  /** Where it lies: a folder, for a file the file itself; null when it was not fetched, or is not what was fetched. */
  async path(remote: Remote): Promise<string | null> {
    const entry = remote.kind === 'not-fetched' ? undefined : this.entry(remote);
    if (entry?.content === undefined || this.folder === null) return null;
    const place = join(this.folder, entry.sha256);
    const key = `${place} ${entry.content}`;
    let isWhole = this.#checked.get(key);
    if (isWhole === undefined) this.#checked.set(key, (isWhole = isContent(place, entry.content)));
    return (await isWhole) ? join(place, entry.file) : null;
  }

  /** Whether a path leads there, and not to a file of the user's. */
  holds(path: string): boolean {
    return this.folder !== null && isInside(path, this.folder);
  }
}

/** By place and digest, the state in which it was found to be that. */
const knownStates = new Map<string, string>();

/** Whether a folder holds what its digest says. It is read again only when the file system says that it has changed. */
export async function isContent(place: string, content: string): Promise<boolean> {
  try {
    const key = `${place} ${content}`;
    const state = await contentState(place);
    if (knownStates.get(key) === state) return true;
    if ((await contentDigest(place)) !== content) return false;
    knownStates.set(key, state);
    return true;
  } catch {
    return false;
  }
}

/** Rejects with `StorageError` where there is a lock that cannot be understood. */
export async function readLock(folder: string): Promise<FetchLock> {
  let text: string;
  try {
    text = await readFile(lockPath(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyLock;
    throw new StorageError(say`${lockPath(folder)} cannot be read`);
  }
  try {
    return z.parse(lockSchema, JSON.parse(text));
  } catch {
    throw new StorageError(say`${lockPath(folder)} is not what Podium wrote; without it nobody knows what was fetched`);
  }
}

export function lockPath(folder: string): string {
  return join(folder, 'lock.json');
}

/** Who works in a folder with Podium's storage in it may have filled that; whoever works at home has not. */
export async function storageFault(storage: string, workedOn: readonly string[]): Promise<string | null> {
  if (!isAbsolute(storage)) return say`${storage} is no absolute path`;
  const real = await realPath(storage);
  const home = await realPath(homeFolder());
  for (const folder of workedOn) {
    const there = await realPath(folder);
    if (!isInside(home, there) && (isInside(real, there) || isInside(storage, folder))) {
      return say`${storage} lies in ${folder}, which is worked on`;
    }
  }
  return null;
}
