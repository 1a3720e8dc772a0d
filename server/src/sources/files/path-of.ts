import { URI } from 'vscode-uri';

const known = new Map<string, string | null>();
/** Of two large workspaces. */
const maxKnown = 100_000;

/** The absolute path of a file on disk; null for anything else. Kept, as a workspace asks for all of its files again and again. */
export function pathOf(uri: string): string | null {
  let path = known.get(uri);
  if (path === undefined) {
    path = uri.startsWith('file:') ? URI.parse(uri).fsPath : null;
    if (known.size >= maxKnown) known.clear();
    known.set(uri, path);
  }
  return path;
}
