import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GitError } from './git-error.ts';

/**
 * The top of the work tree that a folder is in; null when it is in none. Rejects with `GitError` where git would find
 * something else on its way up: a folder that looks like a git directory, which anybody can commit with any settings
 * in it. Git refuses it only since 2.38, and only when it is told to (`safe.bareRepository`).
 * @param folder absolute, without symbolic links
 */
export async function findRepository(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await looksLikeGitDirectory(at)) {
      throw new GitError(`${at} is itself a git directory, which git is not let into`);
    }
    if (await isEntrance(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
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
  if (/^[\\/]{2}/.test(target)) throw new GitError(`${path} names a repository on another machine`);
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
