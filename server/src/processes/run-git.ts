import { execFile } from 'node:child_process';

/** Answers of git that are longer than this are not taken. */
const maxBytes = 10 * 1024 * 1024;
const timeoutMilliseconds = 10_000;

/** Git could not do it, is not there, or answered too much or too late; the message is git's own where it has one. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** Source: git, `git rev-parse --local-env-vars` (those that change what a commit or a path means) */
const ofOneRepository = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX']);

/** Runs git in a folder and answers what it prints. Takes no locks. Rejects with `GitError`. */
export function runGit(folder: string, args: readonly string[]): Promise<string> {
  // In a hook git names the repository that it works on, which is not always the one that the folder is in.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOneRepository.has(name)));
  const options = { cwd: folder, env, maxBuffer: maxBytes, timeout: timeoutMilliseconds, windowsHide: true };
  return new Promise((resolve, reject) => {
    execFile('git', ['--no-optional-locks', ...args], options, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else if (error.code === 'ENOENT') {
        reject(new GitError('git is not installed'));
      } else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
        reject(new GitError('git answers with more than 10 MiB'));
      } else if (error.killed === true) {
        reject(new GitError('git does not answer in time'));
      } else {
        reject(
          new GitError(
            stderr
              .split('\n')[0]!
              .replace(/^fatal: /, '')
              .trim() || 'git failed',
          ),
        );
      }
    });
  });
}
