import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { URI } from 'vscode-uri';
import { type FileContents, type FileProvider, isFoundIn, isManifestName, isSkippedFolder } from './file-provider.ts';
import { decodeText } from './decode-text.ts';
import { outputLimits } from './limits.ts';

/** A shell hands over what another program prints (`<(kubectl get …)`) as an open pipe under such a name. */
export const handedOver = /^\/(?:dev|proc\/self)\/fd\/\d+$|^\/dev\/stdin$/;

export interface NodeFileOptions {
  /**
   * Files over this size are not read. The reader sets a limit of its own to files that are edited; only a snapshot may
   * be larger.
   */
  readonly maxBytes?: number;
  /**
   * How long a pipe that a shell hands over may send nothing, in milliseconds. Without it no pipe is read: only who is
   * started by a shell has any.
   */
  readonly pipePatience?: number;
}

/** Bytes that a pipe holds, and milliseconds between two looks at one that holds none. */
const pipeCapacity = 65_536;
const pipePause = 20;

/** A pipe that nobody writes to would be waited for when it is opened, and for ever. */
const nonBlocking = constants.O_RDONLY | constants.O_NONBLOCK;

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'is a folder';
  return stats.isFIFO() ? 'is a named pipe' : stats.isSocket() ? 'is a socket' : 'is a device';
}

/** What a pipe sends to its end, or why it is not read that far. */
async function readPipe(file: FileHandle, patience: number, maxBytes: number): Promise<Buffer | string> {
  const chunks: Buffer[] = [];
  let length = 0;
  let heard = performance.now();
  for (;;) {
    const chunk = await readSome(file);
    if (chunk === null) {
      if (performance.now() - heard > patience) return `is a pipe that sent nothing for ${patience / 1000} seconds`;
      // No event tells of it: of a pipe whose writer has ended before it was opened here, none ever comes.
      await setTimeout(pipePause);
      continue;
    }
    if (chunk.length === 0) return Buffer.concat(chunks);
    heard = performance.now();
    length += chunk.length;
    if (length > maxBytes) return 'too large';
    chunks.push(chunk);
  }
}

/** What a pipe holds, of which nothing is its end; null while there is nothing yet. */
async function readSome(file: FileHandle): Promise<Buffer | null> {
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(pipeCapacity), position: null });
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return null;
    throw error;
  }
}

/** Finds and reads manifests in folders of the file system. Follows no symbolic links, so it cannot run in circles. */
export class NodeFileProvider implements FileProvider {
  readonly #folders: readonly string[];
  readonly #maxBytes: number;
  readonly #pipePatience: number | undefined;

  /** @param folders absolute paths; a path of a file stands for itself */
  constructor(folders: readonly string[], { maxBytes = outputLimits.fileLength, pipePatience }: NodeFileOptions = {}) {
    this.#folders = folders;
    this.#maxBytes = maxBytes;
    this.#pipePatience = pipePatience;
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
      file = await open(path, nonBlocking);
      const stats = await file.stat();
      const { size } = stats;
      const patience = stats.isFIFO() && handedOver.test(path) ? this.#pipePatience : undefined;
      if (!stats.isFile() && patience === undefined) return { text: null, size: 0, error: kindOf(stats) };
      if (size > this.#maxBytes) return { text: null, size, error: 'too large' };
      const bytes = patience === undefined ? await file.readFile() : await readPipe(file, patience, this.#maxBytes);
      if (typeof bytes === 'string') return { text: null, size: 0, error: bytes };
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
