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

/** Nobody writes more; each is compared with each file that is missing. */
const mostLines = 1000;

/** What the last line says that matches; null where none does. */
function decided(text: string, path: string): boolean | null {
  for (const line of text.split('\n', mostLines).reverse()) {
    const written = line.trim();
    if (written === '' || written.startsWith('#')) continue;
    const isKept = written.startsWith('!');
    const isOfFolder = written.endsWith('/');
    const pattern = written.slice(isKept ? 1 : 0, isOfFolder ? -1 : undefined);
    const glob = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
    if (compileGlob(glob)(isOfFolder ? dirname(path) : path)) return !isKept;
  }
  return null;
}
