/** Files that are neither YAML nor JSON by their names, and say what a cluster is: nobody else looks for them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shownPath } from './paths.ts';
import { isSkippedFolder } from '../../manifests/file-provider.ts';

const extensions = ['.gotmpl', '.j2', '.jinja', '.tmpl', '.tpl', '.jsonnet', '.cue'] as const;

/** Tests of Go in a folder `test`, which lie elsewhere beside what they test, and those that pytest finds by their names. */
function isTestCode(path: string): boolean {
  return path.endsWith('_test.go') ? /(?:^|\/)test\//.test(path) : /(?:^|\/)test_[^/]*\.py$/.test(path);
}

const mostFolders = 10_000;
const mostFiles = 10_000;

export interface FilesBelow {
  readonly others: readonly string[];
  readonly testCode: readonly string[];
}

/** Kept while a folder has as many manifests as before, as every edit asks. */
export class OtherFiles {
  readonly #found = new Map<string, { readonly manifests: number; readonly files: Promise<FilesBelow> }>();

  below(root: string, manifests: number): Promise<FilesBelow> {
    const known = this.#found.get(root);
    if (known?.manifests === manifests) return known.files;
    const files = otherFilesBelow(root);
    this.#found.set(root, { manifests, files });
    return files;
  }
}

async function otherFilesBelow(root: string): Promise<FilesBelow> {
  const found: string[] = [];
  const tests: string[] = [];
  const folders = [root];
  for (let at = 0; at < folders.length && at < mostFolders && found.length < mostFiles; at++) {
    const folder = folders[at]!;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension))) found.push(path);
      else if (entry.isFile() && isTestCode(shownPath(path, root))) tests.push(path);
      else if (entry.isDirectory() && !isSkippedFolder(entry.name)) folders.push(path);
    }
  }
  return { others: found.sort(), testCode: tests };
}
