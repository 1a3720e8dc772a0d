import { dirname } from 'node:path';
import process from 'node:process';
import { safePath } from './find-program.ts';
import { GitError } from './git-error.ts';
import { ProgramError, runProgram, type ProgramRequest } from './run-program.ts';

/** What git may print for one question, and how long it may think about it. */
const maxBytes = 1024 * 1024 * 1024;
const timeout = 60_000;

/**
 * What git sees of the environment: where its user's own configuration is. Not the repository that it works on, which
 * it names in a hook, nor programs to run instead of its own.
 */
export const ofTheUser =
  /^(?:HOME|XDG_CONFIG_HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|PROGRAMDATA|SYSTEMROOT|TMPDIR|TEMP|TMP|SUDO_UID|GIT_EXEC_PATH|GIT_CONFIG_(?:GLOBAL|SYSTEM|COUNT|(?:KEY|VALUE)_\d+))$/i;

/** Settings by which a repository has git run something, as they are when it may not. They win over the repository's own. */
export const settings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
  // Git before 2.45 tries to fetch what is missing, and asks here before it asks which protocols are allowed.
  'fetch.bundleURI=',
];

/** `workedOn`: folders in which nothing is run, besides the work tree. */
export type GitRequest = Partial<Pick<ProgramRequest, 'input' | 'onOutput' | 'signal' | 'workedOn'>>;

/**
 * Runs git at the top of a work tree and answers what it prints. Whatever the repository says, it runs no other
 * program, uses no network and takes no locks. Commands that look at the content of files in the work tree (`diff`,
 * `status`, `add`, `hash-object`) run the repository's filters all the same: they are not for us. Rejects with
 * `GitError`.
 */
export async function runGit(top: string, args: readonly string[], request: GitRequest = {}): Promise<Buffer> {
  const own = Object.entries(process.env).filter(([name]) => ofTheUser.test(name));
  const environment = {
    ...Object.fromEntries(own),
    PATH: safePath([top, ...(request.workedOn ?? [])]),
    LC_ALL: 'C',
    // Also wins over a repository that allows a protocol by name, which `protocol.allow=never` does not.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_WORK_TREE: top,
    // The repository is the one that was found here, or none.
    GIT_CEILING_DIRECTORIES: dirname(top),
  };
  const all = ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...args];
  try {
    return await runProgram({
      workedOn: [],
      ...request,
      program: 'git',
      args: all,
      folder: top,
      environment,
      maxBytes,
      timeout,
    });
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    throw new GitError(messageOf(error), { cause: error });
  }
}

function messageOf({ failure, message }: ProgramError): string {
  if (failure === 'not-found') return message;
  return failure === 'failed' ? message.replace(/^(?:fatal|error): /, '') : `git: ${message}`;
}
