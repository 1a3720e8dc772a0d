import { resolve } from 'node:path';
import process from 'node:process';
import { count } from '../util/words.ts';
import { Fetched, StorageError } from '../sources/files/fetched.ts';
import { type Fetchable, type NotFetched, remoteAddress, remoteKey, remoteName } from '../sources/files/remote.ts';
import { userStorage } from '../sources/files/user-storage.ts';
import { type CommandContext, UsageError } from './command.ts';
import type { ReadSources } from './read-sources.ts';
import { linesOfStandardInput } from './standard-input.ts';

/** What was fetched may name more, this deep. */
const maxRounds = 5;

export interface FetchWishes {
  /** Nobody is asked. */
  readonly yes: boolean;
  /** What has changed under the same name is taken. */
  readonly repin: boolean;
}

/**
 * Fetches what sources need and is not in the folders, when the user has seen what and from where, and has said yes.
 * Answers whether all of it is here. Throws `UsageError` where nobody can be asked, or nothing kept.
 *
 * @param read finds the sources, again when something has been fetched
 */
export async function fetchRemotes(
  read: () => Promise<ReadSources>,
  paths: readonly string[],
  { yes, repin }: FetchWishes,
  context: CommandContext,
): Promise<{ readonly found: ReadSources; readonly isComplete: boolean }> {
  const { fetchAll, toFetch } = await import('../fetching/index.ts');
  const { cwd, stderr } = context;
  const workedOn = [cwd, ...paths.map((path) => resolve(cwd, path))];
  const storage = userStorage(process);
  const seen = new Set<string>();
  let found = await read();
  let isComplete = true;
  for (let round = 0; round < maxRounds; round++) {
    const remotes = found.applied.sources.flatMap(({ source }) => source.remotes);
    for (const { what, why } of remotes.filter(isNotFetched)) {
      if (!seen.has(what)) stderr.write(`podium: cannot be fetched: ${what}: ${why}\n`);
      seen.add(what);
      isComplete = false;
    }
    const wanted = (await toFetch(remotes.filter(isFetchable), await Fetched.read(storage, workedOn))).filter(
      (remote) => !seen.has(remoteKey(remote)),
    );
    if (wanted.length === 0) {
      if (round === 0) stderr.write('podium: there is nothing to fetch\n');
      break;
    }
    for (const line of listed(wanted)) stderr.write(`podium: ${line}\n`);
    if (!yes && !(await wantsThem(wanted, context))) {
      stderr.write('podium: nothing is fetched\n');
      return { found, isComplete: false };
    }
    const stopped = stoppedBySignal();
    const request = { storage, workedOn, mayChange: repin, signal: stopped.signal, now: Date.now() };
    try {
      for (const outcome of await fetchAll(wanted, request)) {
        seen.add(remoteKey(outcome.remote));
        isComplete &&= outcome.ok;
        const what = `${remoteName(outcome.remote)} of ${remoteAddress(outcome.remote)}`;
        if (outcome.ok) {
          stderr.write(`podium: fetched ${what}${newerText(outcome)}, SHA-256 ${outcome.sha256}\n`);
        } else {
          stderr.write(`podium: not fetched: ${what}: ${outcome.message}\n`);
          if (outcome.hasChanged) stderr.write('podium: --repin takes what is there now\n');
        }
      }
    } catch (error) {
      if (error instanceof StorageError) throw new UsageError(error.message, true);
      throw error;
    } finally {
      stopped.end();
    }
    found = await read();
  }
  return { found, isComplete };
}

/**
 * Ctrl+C ends what is fetched, with the program that fetches it and what it has written so far. The process ends by the
 * signal when that is told, and at once with the next one.
 */
function stoppedBySignal(): { readonly signal: AbortSignal; readonly end: () => void } {
  const abort = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let by: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (by !== undefined) {
      unwatch();
      process.kill(process.pid, signal);
    }
    by = signal;
    abort.abort();
  };
  const unwatch = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  for (const signal of signals) process.on(signal, stop);
  return {
    signal: abort.signal,
    end: () => {
      unwatch();
      if (by !== undefined) process.kill(process.pid, by);
    },
  };
}

function isNotFetched(remote: Fetchable | NotFetched): remote is NotFetched {
  return remote.kind === 'not-fetched';
}

function isFetchable(remote: Fetchable | NotFetched): remote is Fetchable {
  return !isNotFetched(remote);
}

function listed(remotes: readonly Fetchable[]): string[] {
  const width = Math.min(40, Math.max(...remotes.map((remote) => remoteName(remote).length)));
  return [
    `${count(remotes.length, 'chart or base', 'charts and bases')} to fetch, into ${userStorage(process)}:`,
    ...remotes.map((remote) => `  ${remoteName(remote).padEnd(width)}  ${remote.kind}  ${remoteAddress(remote)}`),
  ];
}

function newerText({ resolved, before }: { readonly resolved: string; readonly before: string | null }): string {
  if (resolved === '') return '';
  return before === null || before === resolved ? `: ${resolved}` : `: ${resolved}, which was ${before}`;
}

async function wantsThem(remotes: readonly Fetchable[], { stdin, stderr }: CommandContext): Promise<boolean> {
  if ((stdin as { readonly isTTY?: boolean }).isTTY !== true) {
    throw new UsageError('--fetch asks first, and standard input is no terminal; --yes fetches what is listed above');
  }
  stderr.write(`podium: fetch ${remotes.length === 1 ? 'it' : 'them'}? [y/N] `);
  for await (const line of linesOfStandardInput(stdin)) return /^\s*y(?:es)?\s*$/i.test(line);
  return false;
}
