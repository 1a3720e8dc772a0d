import { say } from '../util/say.ts';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { safePath } from './find-program.ts';
import { GitError } from './git-error.ts';
import { ofTheUser, runGit, settings } from './run-git.ts';
import { ProgramError, runProgram } from './run-program.ts';

/** Milliseconds for all that a repository sends. */
const timeout = 300_000;
/** What a repository may send, in bytes. */
const maxBytes = 1024 * 1024 * 1024;

export interface FetchOptions {
  /** An empty folder of Podium's own, in which a repository is made. */
  readonly repository: string;
  readonly workedOn: readonly string[];
  readonly signal: AbortSignal;
}

export interface FoundReference {
  /** In full: `refs/tags/v1`. */
  readonly name: string;
  readonly object: string;
}

/** Makes the empty repository that the others are asked from: without it git would look for one above. */
export async function makeRepository(options: FetchOptions): Promise<void> {
  await runOwnGit(['init', '--quiet', '--template=', '.'], 'none', options);
}

/** Which of some references a repository elsewhere has. Rejects with `GitError`. */
export async function referencesOf(
  url: string,
  names: readonly string[],
  options: FetchOptions,
): Promise<FoundReference[]> {
  const printed = await askRemote(['ls-remote', '--', url, ...names], options);
  return printed
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [object = '', name = ''] = line.split('\t');
      return names.includes(name) ? [{ object, name }] : [];
    });
}

/** The tags of a repository elsewhere, as `v1.0.0`. Rejects with `GitError`. */
export async function tagsOf(url: string, options: FetchOptions): Promise<string[]> {
  const printed = await askRemote(['ls-remote', '--tags', '--refs', '--', url], options);
  return printed
    .toString('utf8')
    .split('\n')
    .flatMap((line) => line.split('\trefs/tags/').slice(1));
}

/** Fetches one commit without its past, and answers its name. Rejects with `GitError`. */
export async function fetchCommit(url: string, reference: string, options: FetchOptions): Promise<string> {
  const target = 'refs/podium/fetched';
  const once = ['--depth=1', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--quiet'];
  await askRemote(['fetch', ...once, '--', url, `+${reference}:${target}`], options);
  const printed = await runGit(options.repository, ['rev-parse', '--verify', `${target}^{commit}`], options);
  return printed.toString('utf8').trim();
}

/** What is different from all other calls of git: these may talk to others. */
const remoteSettings = [
  ...settings,
  // What was told to the user is who is asked.
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  'core.askPass=',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
  'fetch.recurseSubmodules=false',
  'transfer.bundleURI=false',
];

/** Ways out, and where the user's keys are. */
const wayOut = /^(?:HTTPS?_PROXY|ALL_PROXY|NO_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|SSH_AUTH_SOCK|USER|LOGNAME)$/i;

function askRemote(args: readonly string[], options: FetchOptions): Promise<Buffer> {
  const url = args[args.indexOf('--') + 1] ?? '';
  const isHere = /^http:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(url);
  return runOwnGit(args, isHere ? 'http' : 'https:ssh', options);
}

async function runOwnGit(
  args: readonly string[],
  protocols: string,
  { repository, workedOn, signal }: FetchOptions,
): Promise<Buffer> {
  const own = Object.entries(process.env).filter(([name]) => ofTheUser.test(name) || wayOut.test(name));
  const environment = {
    ...Object.fromEntries(own),
    PATH: safePath([...workedOn, repository]),
    LC_ALL: 'C',
    // Also wins over a configuration that allows a protocol by name.
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_TERMINAL_PROMPT: '0',
    GIT_CEILING_DIRECTORIES: join(repository, '..'),
  };
  try {
    return await runProgram({
      program: 'git',
      args: ['--no-pager', ...remoteSettings.flatMap((setting) => ['-c', setting]), ...args],
      folder: repository,
      workedOn,
      environment,
      maxBytes: 16 * 1024 * 1024,
      timeout,
      signal,
      guard: async () =>
        (await packedBytes(repository)) > maxBytes ? say`it is sent more than ${maxBytes / 1024 / 1024} MiB` : null,
    });
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const words = error.message.replace(/^(?:fatal|error): /, '');
    throw new GitError(error.failure === 'failed' || error.failure === 'not-found' ? words : `git: ${words}`, {
      cause: error,
    });
  }
}

async function packedBytes(repository: string): Promise<number> {
  const folder = join(repository, '.git', 'objects', 'pack');
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
