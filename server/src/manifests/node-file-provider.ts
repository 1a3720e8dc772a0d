import { constants, type Stats } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { URI } from 'vscode-uri';
import { type FileContents, type FileProvider, isFoundIn, isManifestName, isSkippedFolder } from './file-provider.ts';
import { decodeText } from './decode-text.ts';
import { snapshotLimits } from './limits.ts';

const handedOver = /^\/(?:dev|proc\/self)\/fd\/\d+$|^\/dev\/stdin$/;

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'is a folder';
  return stats.isFIFO() ? 'is a named pipe' : stats.isSocket() ? 'is a socket' : 'is a device';
}

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
      const path = URI.parse(uri).fsPath;
      // A pipe that nobody writes to would be waited for when it is opened, and for ever.
      file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const stats = await file.stat();
      const { size } = stats;
      // A shell hands over what another program prints (`<(kubectl get …)`) as an open pipe under such a name.
      if (!stats.isFile() && !handedOver.test(path)) return { text: null, size: 0, error: kindOf(stats) };
      if (size > this.#maxBytes) return { text: null, size, error: 'too large' };
      const bytes = stats.isFile() ? await file.readFile() : await readFile(path);
      const decoded = decodeText(bytes);
      return 'error' in decoded ? { text: null, size, error: decoded.error } : { text: decoded.text, size };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      // Node puts this character in the place of bytes that are no UTF-8, and then there is no such file.
      const isMangled = code === 'ENOENT' && URI.parse(uri).path.includes('\ufffd');
      return { text: null, size: 0, error: isMangled ? 'has a name that is not UTF-8' : code };
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
