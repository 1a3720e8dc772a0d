import { getOrInsert } from '../util/maps.ts';
import { say } from '../util/say.ts';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GitError } from './git-error.ts';

/**
 * The top of the work tree that a folder is in; null when it is in none. Rejects with `GitError` where git would find
 * something else on its way up: a folder that looks like a git directory, which anybody can commit with any settings
 * in it. Git refuses it only since 2.38, and only when it is told to (`safe.bareRepository`).
 * @param folder absolute, without symbolic links
 * @param known answers for folders of one search for many, which share most of their way up
 */
export function findRepository(
  folder: string,
  known = new Map<string, Promise<string | null>>(),
): Promise<string | null> {
  return getOrInsert(known, folder, () => search(folder, known));
}

async function search(folder: string, known: Map<string, Promise<string | null>>): Promise<string | null> {
  if (await looksLikeGitDirectory(folder)) {
    throw new GitError(say`${folder} is itself a git directory, which Podium does not open`);
  }
  if (await isEntrance(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? null : findRepository(dirname(folder), known);
}

/** Source: git, setup.c (`is_git_directory`, `get_common_dir`) */
async function looksLikeGitDirectory(folder: string): Promise<boolean> {
  const has = async (name: string): Promise<boolean> => (await typeOf(join(folder, name))) !== null;
  if (!(await has('HEAD'))) return false;
  return (await has('commondir')) || ((await has('objects')) && (await has('refs')));
}

/** Whether git takes a `.git` for the way to a repository. Source: git, setup.c (`read_gitfile_gently`) */
async function isEntrance(path: string): Promise<boolean> {
  const type = await typeOf(path);
  if (type === 'folder') return looksLikeGitDirectory(path);
  if (type !== 'file') return false;
  const target = /^gitdir: *(.*)/.exec(await readFile(path, 'utf8').catch(() => ''))?.[1];
  if (target === undefined) return false;
  // A share of another machine, which would be told who asks.
  if (/^[\\/]{2}/.test(target)) throw new GitError(say`${path} names a repository on another machine`);
  return true;
}

async function typeOf(path: string): Promise<'file' | 'folder' | 'other' | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  } catch {
    return null;
  }
}
