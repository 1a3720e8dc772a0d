import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The SHA-256 of a folder: of the paths and texts of its files, in the order of their names. Rejects for what is no folder
 * of regular files.
 */
export async function contentDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await filesBelow(folder, '')) {
    const content = await readFile(join(folder, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** What changes when a file below is written, as far as the file system tells. */
export async function contentState(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of await filesBelow(folder, '')) {
    const { size, mtimeMs, ctimeMs, ino } = await stat(join(folder, path));
    hash.update(`${path}\0${size} ${mtimeMs} ${ctimeMs} ${ino}\0`);
  }
  return hash.digest('hex');
}

async function filesBelow(top: string, path: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(top, path), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const own = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(top, own)));
    else if (entry.isFile()) found.push(own);
    else throw new Error(`${own} is no file`);
  }
  return found;
}
