import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { URI } from 'vscode-uri';

/** Committed files larger than this are not compared. */
const maxBytes = 10 * 1024 * 1024;
const timeoutMilliseconds = 5_000;

/** The text of a file at git HEAD; null when it is not there, is no file on disk, or there is no git. */
export function showCommitted(uri: string): Promise<string | null> {
  const { scheme, fsPath } = URI.parse(uri);
  if (scheme !== 'file') return Promise.resolve(null);
  // `./` makes the path relative to the folder git runs in, wherever the repository begins.
  const args = ['--no-optional-locks', 'show', `HEAD:./${basename(fsPath)}`];
  const options = { cwd: dirname(fsPath), maxBuffer: maxBytes, timeout: timeoutMilliseconds, windowsHide: true };
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout) => {
      resolve(error === null ? stdout : null);
    });
  });
}
