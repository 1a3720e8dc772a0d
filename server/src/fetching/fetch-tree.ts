import { say } from '../util/say.ts';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  fetchCommit,
  type FetchOptions,
  type FoundReference,
  makeRepository,
  referencesOf,
  tagsOf,
} from '../processes/fetch-repository.ts';
import { GitError } from '../processes/git-error.ts';
import { readObjects, type StoredFile } from '../processes/read-objects.ts';
import { runGit } from '../processes/run-git.ts';
import { rangeMark, type RemoteTree } from '../sources/files/remote.ts';
import { FetchError, ownWords } from './failure.ts';
import type { Content } from './storage.ts';
import { newestTag } from './tag-range.ts';

const maxFiles = 50_000;
const maxBytes = 512 * 1024 * 1024;

/**
 * Has the user's git fetch one commit, and writes its files: as they are stored, without filters, links and
 * repositories in it. Rejects with `FetchError`.
 */
export async function fetchTree(
  { url, ref }: RemoteTree,
  folder: string,
  workedOn: readonly string[],
  signal: AbortSignal,
): Promise<Content> {
  const repository = join(folder, 'repository');
  const tree = join(folder, 'tree');
  await mkdir(repository);
  await mkdir(tree);
  try {
    const options = { repository, workedOn, signal };
    await makeRepository(options);
    const wanted = /^[0-9a-f]{40}$/.test(ref) ? { name: ref, isTag: false } : await named(url, ref, options);
    const commit = await fetchCommit(url, wanted.name, options);
    const sha256 = await writeTree(options, commit, tree);
    return { folder: tree, file: '', sha256, resolved: commit, pin: wanted.isTag ? `git ${url} ${wanted.name}` : null };
  } catch (error) {
    if (error instanceof GitError) throw new FetchError(ownWords(error.message));
    throw error;
  }
}

/** A tag counts before a branch, as git has it. Source: gitrevisions(7) */
async function named(
  url: string,
  ref: string,
  options: FetchOptions,
): Promise<{ readonly name: string; readonly isTag: boolean }> {
  if (ref.startsWith(rangeMark)) {
    const range = ref.slice(rangeMark.length);
    const tag = newestTag(range, await tagsOf(url, options));
    if (tag === null) throw new FetchError(say`none of its tags is a version of ${range}`);
    return { name: `refs/tags/${tag}`, isTag: true };
  }
  const candidates =
    ref === '' ? ['HEAD'] : ref.startsWith('refs/') ? [ref] : [`refs/tags/${ref}`, `refs/heads/${ref}`];
  const found: readonly FoundReference[] = await referencesOf(url, candidates, options);
  const name = candidates.find((each) => found.some((reference) => reference.name === each));
  if (name === undefined) throw new FetchError(say`there is no branch and no tag ${ref === '' ? 'HEAD' : ref}`);
  return { name, isTag: name.startsWith('refs/tags/') };
}

/** Writes the files of a commit, and answers the hash of their names and contents. */
async function writeTree(options: FetchOptions, commit: string, folder: string): Promise<string> {
  const { repository, workedOn, signal } = options;
  const own = { workedOn, signal };
  const printed = await runGit(repository, ['ls-tree', '-r', '-z', '-l', '--full-tree', commit], own);
  const blobs: { readonly path: string; readonly object: string }[] = [];
  let bytes = 0;
  for (const line of printed.toString('utf8').split('\0')) {
    const found = /^100(?:644|755) blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(line);
    if (found === null || !isSafePath(found[3]!)) continue;
    bytes += Number(found[2]);
    blobs.push({ path: found[3]!, object: found[1]! });
  }
  if (blobs.length > maxFiles || bytes > maxBytes) {
    throw new FetchError(say`it has more than ${maxFiles} files or ${maxBytes / 1024 / 1024} MiB`);
  }
  const hash = createHash('sha256');
  const contents: (readonly [path: string, content: Buffer])[] = [];
  let next = 0;
  const names = blobs.map(({ object }) => object);
  const keep = (_name: string, content: StoredFile): void => {
    const { path } = blobs[next++]!;
    // What is larger than any manifest is left out.
    if (Buffer.isBuffer(content)) contents.push([path, content]);
  };
  await readObjects(repository, names, keep, own);
  for (const [path, content] of contents) {
    hash.update(`${path}\0${content.length}\0`).update(content);
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  return hash.digest('hex');
}

/** Git itself refuses most others when it checks them out, which is not done here. */
function isSafePath(path: string): boolean {
  return (
    !/[\\\p{Cc}]/u.test(path) &&
    path.split('/').every((step) => !/^(?:\.{0,2}|\.git)$/i.test(step) && !step.includes(':'))
  );
}
