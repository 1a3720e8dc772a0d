import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { URI } from 'vscode-uri';
import { type FileContents, type FileProvider, isFoundIn, isManifestName, isSkippedFolder } from './file-provider.ts';
import { snapshotLimits } from './limits.ts';

/** Finds and reads manifests in folders of the file system. Follows no symbolic links, so it cannot run in circles. */
export class NodeFileProvider implements FileProvider {
  readonly #folders: readonly string[];
  readonly #maxBytes: number;

  /**
   * @param folders absolute paths; a path of a file stands for itself
   * @param maxBytes files over this size are not read. The reader sets a limit of its own to files that are edited; only
   *   a snapshot may be larger.
   */
  constructor(folders: readonly string[], maxBytes: number = snapshotLimits.fileLength) {
    this.#folders = folders;
    this.#maxBytes = maxBytes;
  }

  async find(): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const folder of this.#folders) await this.#walk(folder, found);
    return [...found].map((path) => URI.file(path).toString()).sort();
  }

  accepts(uri: string): boolean {
    const folders = this.#folders.map((path) => URI.file(path).toString());
    return folders.includes(uri) || isFoundIn(folders, uri);
  }

  async read(uri: string): Promise<FileContents> {
    let file;
    try {
      file = await open(URI.parse(uri).fsPath, 'r');
      const { size } = await file.stat();
      if (size > this.#maxBytes) return { text: null, size, error: 'too large' };
      return { text: await file.readFile('utf8'), size };
    } catch (error) {
      return { text: null, size: 0, error: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' };
    } finally {
      await file?.close();
    }
  }

  async #walk(folder: string, found: Set<string>): Promise<void> {
    let entries;
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch {
      // A file that was named, or what cannot be looked into.
      found.add(folder);
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile() && isManifestName(entry.name)) found.add(path);
      else if (entry.isDirectory() && !isSkippedFolder(entry.name)) await this.#walk(path, found);
    }
  }
}
