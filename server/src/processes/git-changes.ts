import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GitError, runGit } from './run-git.ts';

/** How many files are asked for at a time. */
const parallel = 8;

const manifestName = /\.(?:ya?ml|json)$/i;

/** By URI, the text that files had before; null for those that were not there. Files that are left out are unchanged. */
export type EarlierTexts = ReadonlyMap<string, string | null>;

/**
 * What manifests at and under a path were in a commit, by their path, as far as they have changed since. Files that git
 * is told to ignore count as unchanged: no commit can tell of them. Rejects with `GitError`.
 * @param commit anything that names one: `HEAD`, `origin/main`, `v1.2`.
 */
export async function changesSince(path: string, commit: string): Promise<ReadonlyMap<string, string | null>> {
  const isFolder = (await stat(path)).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const pathspec = isFolder ? '.' : `:(literal)${basename(path)}`;
  const hash = await resolveCommit(folder, commit);
  const [changed, untracked] = await Promise.all([
    runGit(folder, [
      'diff',
      '--name-status',
      '-z',
      '--no-renames',
      '--no-ext-diff',
      '--relative',
      hash,
      '--',
      pathspec,
    ]),
    runGit(folder, ['ls-files', '--others', '--exclude-standard', '-z', '--', pathspec]),
  ]);
  const texts = new Map<string, string | null>();
  const { added, others: names } = byStatus(changed);
  for (const name of [...manifestsIn(untracked), ...added]) texts.set(join(folder, name), null);
  for (let start = 0; start < names.length; start += parallel) {
    await Promise.all(
      names.slice(start, start + parallel).map(async (name) => {
        texts.set(join(folder, name), await runGit(folder, ['show', `${hash}:./${name}`]));
      }),
    );
  }
  return texts;
}

async function resolveCommit(folder: string, commit: string): Promise<string> {
  // Says "not a git repository" by itself; of an unknown name it would only say that it needs one.
  await runGit(folder, ['rev-parse', '--git-dir']);
  try {
    return (
      await runGit(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`])
    ).trim();
  } catch {
    throw new GitError(`no such commit: ${commit}`);
  }
}

function manifestsIn(list: string): string[] {
  return list.split('\0').filter((name) => manifestName.test(name));
}

/** Of `git diff --name-status -z`: status and name by turns. Manifests that the commit has not, and those it has. */
function byStatus(list: string): { readonly added: readonly string[]; readonly others: readonly string[] } {
  const added: string[] = [];
  const others: string[] = [];
  const fields = list.split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at + 1]!;
    if (manifestName.test(name)) (fields[at] === 'A' ? added : others).push(name);
  }
  return { added, others };
}
