import { addTo, getOrInsert } from '../util/maps.ts';
import { say } from '../util/say.ts';
import { createHash } from 'node:crypto';
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { findRepository } from './find-repository.ts';
import { GitError } from './git-error.ts';
import { readObjects } from './read-objects.ts';
import { likelyName } from '../util/nearest-names.ts';
import { runGit } from './run-git.ts';
import { ProgramError } from './run-program.ts';

/** How many files are read at a time. */
const parallel = 16;

/** How many paths are named to git on its command line. */
const maxPaths = 100;

const manifestName = /\.(?:ya?ml|json)$/i;

/** What is looked at. */
export interface LookedAt {
  /** Absolute paths of files and folders. */
  readonly roots: readonly string[];
  /**
   * Absolute paths of what is there now, at and under the roots; and of what that is made of elsewhere in their
   * repositories, as the base of an overlay.
   */
  readonly files: readonly string[];
  /** Whether a file that was there would have been among them; with files beyond the roots, of the whole repository. */
  readonly includes: (path: string) => boolean;
}

export interface Changes {
  /** By path, what files were; null for those that were not there. Those that are left out have not changed. */
  readonly contents: ReadonlyMap<string, Buffer | null>;
  /** Files that count as unchanged because they cannot be compared, each with the reason. */
  readonly notCompared: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * What manifests were in a commit, as far as they have changed since. Git only lists and shows what is committed: the
 * files themselves are read and compared here, because git would run the repository's filters on them. Line ends make
 * no difference. Files that git is told to ignore count as unchanged: no commit can tell of them. Rejects with
 * `GitError`.
 * @param commit anything that names one: `HEAD`, `origin/main`, `v1.2`.
 */
export async function changesSince(commit: string, lookedAt: LookedAt): Promise<Changes> {
  const repositories = new Map<string, Root[]>();
  for (const path of lookedAt.roots) {
    const real = await realpath(path);
    const top = await findRepository((await stat(real)).isDirectory() ? real : dirname(real));
    if (top === null) throw new GitError(say`not a git repository`);
    const name = relative(top, real).split(sep).join('/');
    addTo(repositories, top, { path, name });
  }
  const all: Changes[] = [];
  for (const [top, roots] of repositories) all.push(await changesIn(top, roots, commit, lookedAt));
  return {
    contents: new Map(all.flatMap(({ contents }) => [...contents])),
    notCompared: all.flatMap(({ notCompared }) => notCompared),
  };
}

interface Root {
  readonly path: string;
  /** From the top of the work tree, with `/`; empty for that itself. */
  readonly name: string;
}

function isAt({ path }: Root, file: string): boolean {
  return file === path || file.startsWith(`${path}${sep}`);
}

/** All of the work tree, by the way that leads to a root of it. */
function wholeOf(top: string, { path, name }: Root): Root {
  const own = name.split('/').join(sep);
  return { path: own !== '' && path.endsWith(`${sep}${own}`) ? path.slice(0, -own.length - 1) : top, name: '' };
}

async function changesIn(top: string, roots: readonly Root[], commit: string, lookedAt: LookedAt): Promise<Changes> {
  const whole = wholeOf(top, roots[0]!);
  const rootOf = (file: string): Root | undefined => {
    const root = roots.find((each) => isAt(each, file));
    if (root !== undefined || !isAt(whole, file)) return root;
    // What is under the root of another repository belongs there.
    return lookedAt.roots.some((path) => isAt({ path, name: '' }, file)) ? undefined : whole;
  };
  const goesBeyond = lookedAt.files.some((file) => rootOf(file) === whole);
  const { blobs: before, links } = await listCommit(top, commit, goesBeyond ? [whole] : roots);
  let everything: Promise<CommittedFiles> | undefined;
  /** What is read through a link of the commit is the file that it leads to. */
  const throughLink = async (name: string): Promise<CommittedBlob | undefined> => {
    if (!foldersAndSelf(name).some((each) => links.has(each))) return undefined;
    const real = relative(top, await realpath(join(top, name)).catch(() => top))
      .split(sep)
      .join('/');
    return before.get(real) ?? (await (everything ??= listCommit(top, commit, []))).blobs.get(real);
  };
  const comparison = new Comparison(top);
  const places = new Map<string, Promise<boolean>>();
  const isHere = (folder: string): Promise<boolean> => getOrInsert(places, folder, () => belongsTo(top, folder));
  await eachOf(lookedAt.files, async (path) => {
    const root = rootOf(path);
    if (root === undefined) return;
    const name = joinNames(root.name, relative(root.path, path).split(sep).join('/'));
    comparison.name(name, path);
    if (!(await isHere(dirname(join(top, name))))) comparison.leaveOut(name, 'it is in a repository of its own');
    else await comparison.compare(name, before.get(name) ?? (await throughLink(name)));
  });
  await eachOf([...before], async ([name, { oid }]) => {
    if (comparison.knows(name)) return;
    const named = roots.find((each) => each.name === '' || name === each.name || name.startsWith(`${each.name}/`));
    const root = named ?? (goesBeyond ? whole : undefined);
    if (root === undefined) return;
    const path = join(root.path, name.slice(root.name === '' ? 0 : root.name.length + 1));
    if (!lookedAt.includes(path)) return;
    const isGone = await comparison.isGone(name);
    // Most of what is beyond the roots, or beside a source, is no part of what is looked at.
    if (!isGone && (named === undefined || !manifestName.test(name))) return;
    comparison.name(name, path);
    if (isGone) comparison.missing(name, oid);
    else comparison.leaveOut(name, 'it cannot be looked at');
  });
  return comparison.finish();
}

/** `a`, `a/b` and `a/b/c.yaml`. */
function foldersAndSelf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function joinNames(...names: readonly string[]): string {
  return names.filter((name) => name !== '').join('/');
}

interface CommittedBlob {
  readonly oid: string;
}

/** By their name from the top. */
interface CommittedFiles {
  readonly blobs: ReadonlyMap<string, CommittedBlob>;
  readonly links: ReadonlySet<string>;
}

/** A clone of the last commits only is what pipelines make by default. */
async function missingText(top: string, commit: string): Promise<string> {
  const shallow = (await runGit(top, ['rev-parse', '--is-shallow-repository'])).toString('utf8').trim() === 'true';
  if (shallow) {
    return say`no such commit: ${commit}; this clone is shallow: fetch all of it (fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0)`;
  }
  const refs = (await runGit(top, ['for-each-ref', '--format=%(refname:short)'])).toString('utf8').split('\n');
  const near = likelyName(commit, ['HEAD', ...refs]);
  const hint = near === undefined ? '' : say`; did you mean ${near}?`;
  return say`no such commit: ${commit}${hint}`;
}

/** The files of a commit below some roots; of none all that it has. */
async function listCommit(top: string, commit: string, roots: readonly Root[]): Promise<CommittedFiles> {
  // What begins with a dash is an option to git; no commit is called so.
  if (commit.startsWith('-')) throw new GitError(say`no such commit: ${commit}`);
  // A command line has an end; then all of the commit is listed.
  const isShort = roots.length <= maxPaths && roots.every(({ name }) => name !== '');
  const paths = isShort ? roots.map(({ name }) => name) : [];
  let list;
  try {
    list = await runGit(top, ['ls-tree', '-rz', '--full-tree', `${commit}^{commit}`, '--', ...paths]);
  } catch (error) {
    if (error instanceof GitError && /^Not a valid object name|^not a tree object/i.test(error.message)) {
      // Before the first commit there was nothing, as a hook finds it that runs for that.
      if (commit === 'HEAD' && (await runGit(top, ['rev-list', '--max-count=1', '--all'])).length === 0) {
        return { blobs: new Map(), links: new Set() };
      }
      throw new GitError(await missingText(top, commit));
    }
    throw error;
  }
  const blobs = new Map<string, CommittedBlob>();
  const links = new Set<string>();
  for (const entry of list.toString('utf8').split('\0')) {
    // What is in a submodule is of another repository.
    const [, mode, oid, name] = /^(100\d{3}|120000) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (oid === undefined || name === undefined) continue;
    if (mode === '120000') links.add(name);
    else blobs.set(name, { oid });
  }
  return { blobs, links };
}

/** Gathers what has changed; asks git about all of it at once. Names are those from the top of the work tree. */
class Comparison {
  readonly #top: string;
  readonly #paths = new Map<string, string>();
  readonly #changed = new Map<string, { readonly oid: string; readonly now: Buffer | null }>();
  readonly #added: string[] = [];
  readonly #notCompared = new Map<string, string>();

  constructor(top: string) {
    this.#top = top;
  }

  /** Says by which path a file was found. */
  name(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  knows(name: string): boolean {
    return this.#paths.has(name);
  }

  leaveOut(name: string, reason: string): void {
    this.#notCompared.set(name, reason);
  }

  async compare(name: string, before: CommittedBlob | undefined): Promise<void> {
    if (before === undefined) {
      this.#added.push(name);
      return;
    }
    const now = await readFile(join(this.#top, name)).catch(() => null);
    // What cannot be read now is told where it is read for its manifests.
    if (now === null || isBlob(now, before.oid) || isBlob(withoutReturns(now), before.oid)) return;
    this.#changed.set(name, { oid: before.oid, now });
  }

  /** Whether a file of the commit is no more. */
  isGone(name: string): Promise<boolean> {
    return lstat(join(this.#top, name)).then(
      (stats) => !stats.isFile(),
      (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''),
    );
  }

  missing(name: string, oid: string): void {
    this.#changed.set(name, { oid, now: null });
  }

  async finish(): Promise<Changes> {
    await this.#leaveOutFiltered();
    await this.#leaveOutSparse();
    const contents = new Map<string, Buffer | null>();
    const ignored = await this.#ignored();
    for (const name of this.#added) if (!ignored.has(name)) contents.set(this.#pathOf(name), null);
    await this.#readChanged(contents);
    const notCompared = [...this.#notCompared].map(([name, reason]) => ({ path: this.#pathOf(name), reason }));
    return { contents, notCompared: notCompared.sort((a, b) => (a.path < b.path ? -1 : 1)) };
  }

  #pathOf(name: string): string {
    return this.#paths.get(name) ?? join(this.#top, name);
  }

  /** What is committed of them is not what is in the files: a program of the repository stands between the two. */
  async #leaveOutFiltered(): Promise<void> {
    if (this.#changed.size === 0) return;
    const asked = await runGit(this.#top, ['check-attr', '-z', '--stdin', 'filter'], {
      input: joined(this.#changed.keys()),
    });
    const fields = asked.toString('utf8').split('\0');
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [name = '', , value = ''] = fields.slice(at, at + 3);
      if (value === 'unspecified' || value === 'unset') continue;
      this.leaveOut(name, `the filter ${value} stands between it and what is committed`);
      this.#changed.delete(name);
    }
  }

  /** In a sparse checkout files are missing that nobody has deleted. */
  async #leaveOutSparse(): Promise<void> {
    if (![...this.#changed.values()].some(({ now }) => now === null)) return;
    const index = await runGit(this.#top, ['ls-files', '-z', '-t']);
    for (const entry of index.toString('utf8').split('\0')) {
      const name = entry.slice(2);
      if (!entry.startsWith('S ') || !this.#changed.has(name)) continue;
      this.leaveOut(name, 'it is not checked out');
      this.#changed.delete(name);
    }
  }

  async #ignored(): Promise<ReadonlySet<string>> {
    if (this.#added.length === 0) return new Set();
    try {
      const names = await runGit(this.#top, ['check-ignore', '-z', '--stdin'], { input: joined(this.#added) });
      return new Set(names.toString('utf8').split('\0'));
    } catch (error) {
      // 1 says that none is.
      if (error instanceof GitError && error.cause instanceof ProgramError && error.cause.code === 1) return new Set();
      throw error;
    }
  }

  async #readChanged(contents: Map<string, Buffer | null>): Promise<void> {
    const names = new Map<string, string[]>();
    for (const [name, { oid }] of this.#changed) addTo(names, oid, name);
    if (names.size === 0) return;
    await readObjects(this.#top, [...names.keys()], (oid, content) => {
      for (const name of names.get(oid) ?? []) {
        if (content === null) {
          this.leaveOut(name, 'the repository has not got its content');
        } else if (!Buffer.isBuffer(content)) {
          this.leaveOut(name, `it had ${(content.tooLarge / 1024 / 1024).toFixed(1)} MB`);
        } else if (!sameLines(content, this.#changed.get(name)!.now)) {
          contents.set(this.#pathOf(name), content);
        }
      }
    });
  }
}

function joined(names: Iterable<string>): string {
  return [...names].map((name) => `${name}\0`).join('');
}

/** Whether bytes are those of a blob, whose name is their hash: SHA-1, or SHA-256 where the repository uses that. */
function isBlob(bytes: Buffer, oid: string): boolean {
  const hash = createHash(oid.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === oid;
}

/** `core.autocrlf`, `text` and `eol` change line ends on the way to the file; YAML reads all of them alike. */
function sameLines(before: Buffer, now: Buffer | null): boolean {
  return now !== null && withoutReturns(before).equals(withoutReturns(now));
}

function withoutReturns(bytes: Buffer): Buffer {
  if (!bytes.includes('\r\n')) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

async function belongsTo(top: string, folder: string): Promise<boolean> {
  try {
    return (await findRepository(folder)) === top;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

async function eachOf<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const item of waiting) await run(item);
    }),
  );
}
