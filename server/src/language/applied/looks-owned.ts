import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { URI } from 'vscode-uri';
import { kustomizationNames } from '../../sources/kustomization-graph.ts';
import { isInside } from '../../sources/source-files.ts';

const markers = [...kustomizationNames, 'Chart.yaml'];

/**
 * Whether a kustomization or a chart stands in the folder of a file or above it, in the workspace. While sources are not
 * known such a file may be a patch or a template, of which nothing is said.
 */
export function looksOwned(uri: string, folders: readonly string[]): boolean {
  if (!uri.startsWith('file:')) return false;
  for (let at = dirname(URI.parse(uri).fsPath); folders.some((folder) => isInside(at, folder)); at = dirname(at)) {
    if (markers.some((name) => existsSync(join(at, name)))) return true;
    if (at === dirname(at)) break;
  }
  return false;
}
