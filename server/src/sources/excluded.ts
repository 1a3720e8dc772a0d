import { compileGlob } from '../manifests/glob-pattern.ts';

/** Folders with code and tests of others: what is in them is no part of a cluster. */
const excludedFolders = ['.terraform', 'node_modules', 'testdata', 'third_party', 'vendor'];

/** Whether a path, relative to the folder that is worked on, is no part of what is applied. */
export function excludes(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.map(compileGlob);
  return (path) => {
    const folders = path.split('/').slice(0, -1);
    if (folders.some((folder) => excludedFolders.includes(folder))) return true;
    const inTests = folders.findIndex(
      (folder, index) => folder === 'fixtures' && /^tests?$|^e2e$/.test(folders[index - 1] ?? ''),
    );
    return inTests !== -1 || tests.some((matches) => matches(path));
  };
}
