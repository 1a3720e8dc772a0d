import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { getOrInsert } from '../util/maps.ts';
import { findRepository } from './find-repository.ts';
import { GitError } from './git-error.ts';
import { readObjects } from './read-objects.ts';

export interface CommittedFiles {
  /** By path, what files were at git HEAD; null for those that were not there or are in no repository. */
  readonly contents: ReadonlyMap<string, Buffer | null>;
  /** Why nothing is known of the files that are left out, one sentence without a full stop per reason. */
  readonly unknown: readonly string[];
}

/** What files were at git HEAD, with one process per repository. Never rejects for what git does not tell. */
export async function committedFiles(paths: readonly string[]): Promise<CommittedFiles> {
  const contents = new Map<string, Buffer | null>();
  const unknown = new Set<string>();
  const report = (error: unknown): void => {
    if (!(error instanceof GitError)) throw error;
    unknown.add(error.message);
  };
  const repositories = new Map<string, Map<string, string>>();
  const tops = new Map<string, Promise<string | null>>();
  for (const path of paths) {
    try {
      // A link is a file of its own to git; what is read through it is the file that it leads to.
      const real = await realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
      const folder = dirname(real);
      const top = await findRepository(folder, tops);
      const name = top === null ? '' : `HEAD:${relative(top, real).split(sep).join('/')}`;
      if (top === null || /[\n\ufffd]/.test(name)) {
        contents.set(path, null);
        continue;
      }
      const names = getOrInsert(repositories, top, () => new Map());
      names.set(name, path);
    } catch (error) {
      if (error instanceof GitError) report(error);
      else contents.set(path, null);
    }
  }
  for (const [top, names] of repositories) {
    try {
      await readObjects(top, [...names.keys()], (name, content) => {
        const path = names.get(name)!;
        if (content === null || Buffer.isBuffer(content)) contents.set(path, content);
        else unknown.add(`${path} had ${(content.tooLarge / 1024 / 1024).toFixed(1)} MB`);
      });
    } catch (error) {
      report(error);
    }
  }
  return { contents, unknown: [...unknown] };
}
