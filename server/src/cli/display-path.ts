import { relative, sep } from 'node:path';
import { URI } from 'vscode-uri';

/**
 * A URI as output names it: relative to the working directory, with `/`; `stdin` for standard input; and what is not on
 * this disk by its path.
 */
export function displayPath(uri: string, cwd: string): string {
  const { scheme, path, fsPath } = URI.parse(uri);
  if (scheme === 'file') return relative(cwd, fsPath).split(sep).join('/');
  return scheme === 'stdin' ? scheme : path;
}
