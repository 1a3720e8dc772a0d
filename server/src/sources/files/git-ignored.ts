import { dirname, join, relative, sep } from 'node:path';
import { compileGlob } from '../../manifests/glob-pattern.ts';
import type { SourceFiles } from './source-files.ts';

/**
 * Whether git keeps a file out of the repository by a `.gitignore` in a folder above it: so it is here on some machines
 * only. Source: git, Documentation/gitignore.adoc
 */
export async function isIgnoredByGit(path: string, files: SourceFiles): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const text = await files.read(join(folder, '.gitignore'));
    const answer = text === null ? null : decided(text, relative(folder, path).replaceAll(sep, '/'));
    if (answer !== null) return answer;
    if (folder === dirname(folder)) return false;
  }
}

/** What the last line says that matches; null where none does. */
function decided(text: string, path: string): boolean | null {
  for (const line of text.split('\n').reverse()) {
    const [, no = '', pattern = '', slash = ''] = /^(!?)(.*?)(\/?)\s*$/.exec(line) ?? [];
    if (pattern === '' || pattern.startsWith('#')) continue;
    const glob = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
    // With a slash at its end it is of a folder.
    if (compileGlob(glob)(slash === '' ? path : dirname(path))) return no === '';
  }
  return null;
}
