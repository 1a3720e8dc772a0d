/** Files that are neither YAML nor JSON by their names, and say what a cluster is: nobody else looks for them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSkippedFolder } from '../../manifests/file-provider.ts';

const extensions = ['.gotmpl', '.j2', '.jinja', '.tmpl', '.tpl', '.jsonnet', '.cue'] as const;

const mostFolders = 10_000;
const mostFiles = 10_000;

/** Kept while a folder has as many manifests as before, as every edit asks. */
export class OtherFiles {
  readonly #found = new Map<string, { readonly manifests: number; readonly files: Promise<readonly string[]> }>();

  below(root: string, manifests: number): Promise<readonly string[]> {
    const known = this.#found.get(root);
    if (known?.manifests === manifests) return known.files;
    const files = otherFilesBelow(root);
    this.#found.set(root, { manifests, files });
    return files;
  }
}

async function otherFilesBelow(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [root];
  for (let at = 0; at < folders.length && at < mostFolders && found.length < mostFiles; at++) {
    const folder = folders[at]!;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension))) found.push(path);
      else if (entry.isDirectory() && !isSkippedFolder(entry.name)) folders.push(path);
    }
  }
  return found.sort();
}
