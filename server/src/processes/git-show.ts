import { basename, dirname } from 'node:path';
import { URI } from 'vscode-uri';
import { runGit } from './run-git.ts';

/** The text of a file at git HEAD; null when it is not there, is no file on disk, or there is no git. */
export function showCommitted(uri: string): Promise<string | null> {
  const { scheme, fsPath } = URI.parse(uri);
  if (scheme !== 'file') return Promise.resolve(null);
  // `./` makes the path relative to the folder git runs in, wherever the repository begins.
  return runGit(dirname(fsPath), ['show', `HEAD:./${basename(fsPath)}`]).catch(() => null);
}
