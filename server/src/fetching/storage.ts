import { own } from '../util/own.ts';
import { say } from '../util/say.ts';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentDigest } from '../sources/files/content-digest.ts';
import { type FetchLock, isContent, lockPath, readLock, storageFault, StorageError } from '../sources/files/fetched.ts';
import { type Fetchable, remoteKey } from '../sources/files/remote.ts';
import { realPath } from '../sources/files/paths.ts';
import { withLockFile } from './lock-file.ts';

/** Something that was fetched, in a folder of its own that has not got its place yet. */
export interface Content {
  /** Holds what was fetched, and nothing else. */
  readonly folder: string;
  /** A file of this name in it; empty for the folder itself. */
  readonly file: string;
  readonly sha256: string;
  /** The version, or the commit; empty for a file. */
  readonly resolved: string;
  /** What must not change without a word: the version of a chart, a tag, an address; null where nothing must. */
  readonly pin: string | null;
}

/** Under a name that stands for one content, something else was found than before. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/** Podium's own folder for what is fetched: it takes content, and keeps the lock. */
export class Storage {
  readonly folder: string;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Rejects with `StorageError` where nothing may be kept. */
  static async open(wanted: string, workedOn: readonly string[]): Promise<Storage> {
    const fault = await storageFault(wanted, workedOn);
    if (fault !== null) throw new StorageError(say`nothing is fetched, as ${fault}`);
    try {
      await mkdir(wanted, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StorageError(
        say`${wanted} cannot be made (${(error as NodeJS.ErrnoException).code ?? say`unknown error`})`,
      );
    }
    const folder = await realPath(wanted);
    await readLock(folder);
    await removeLeftovers(folder);
    return new Storage(folder);
  }

  /** Uses a folder of its own, and takes it away again. */
  async withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(this.folder, partPrefix));
    try {
      return await use(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Gives content its place, and answers what there was before. Rejects with `ChangedError` where its pin says that it
   * is another.
   */
  take(remote: Fetchable, content: Content, mayChange: boolean, now: string): Promise<string | null> {
    const taken = this.#writing.then(() =>
      withLockFile(lockPath(this.folder), () => this.#take(remote, content, mayChange, now)),
    );
    // The next one waits for this one, and not for its fault.
    this.#writing = taken.catch(() => undefined);
    return taken;
  }

  async #take(remote: Fetchable, content: Content, mayChange: boolean, now: string): Promise<string | null> {
    const { folder, file, sha256, resolved, pin } = content;
    const lock = await readLock(this.folder);
    const known = pin === null ? undefined : own(lock.pins, pin);
    if (known !== undefined && known.sha256 !== sha256 && !mayChange) {
      throw new ChangedError(
        say`it is not what was fetched on ${known.fetchedAt.slice(0, 10)} under the same name: SHA-256 ${sha256}, and ${known.sha256} then; what was fetched then is kept`,
      );
    }
    const place = join(this.folder, sha256);
    const digest = await contentDigest(folder);
    if (!(await isContent(place, digest))) {
      // Somebody has changed what lies there.
      await rm(place, { recursive: true, force: true });
      await rename(folder, place);
    }
    const key = remoteKey(remote);
    const before = own(lock.entries, key)?.resolved ?? null;
    const pins = pin === null ? lock.pins : { ...lock.pins, [pin]: { sha256, fetchedAt: now } };
    const entry = { resolved, sha256, file, fetchedAt: now, content: digest };
    await this.#write({ ...lock, entries: { ...lock.entries, [key]: entry }, pins });
    return before;
  }

  async #write(lock: FetchLock): Promise<void> {
    const path = lockPath(this.folder);
    const part = `${path}.part-${process.pid}`;
    try {
      await writeFile(part, `${JSON.stringify(lock, null, 2)}\n`, { mode: 0o600 });
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }
}

const partPrefix = 'fetching-';
/** Milliseconds; nothing takes as long to be fetched. */
const oldest = 60 * 60 * 1000;

/** Of a process that was ended. */
async function removeLeftovers(storage: string): Promise<void> {
  for (const name of await readdir(storage)) {
    const path = join(storage, name);
    if (!name.startsWith(partPrefix)) continue;
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > oldest) await rm(path, { recursive: true, force: true });
  }
}
