import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { URI } from 'vscode-uri';
import { type TextSource, UnreadableFile } from './text-source.ts';

/** Bytes that are read at a time. */
const pieceSize = 1024 * 1024;

/** What kind of file there is, and how large. Rejects with `UnreadableFile` for what is no file. */
async function statsOf(uri: string): Promise<Stats> {
  let file;
  try {
    // A pipe that nobody writes to would be waited for when it is opened, and for ever.
    file = await open(URI.parse(uri).fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) throw new UnreadableFile(kindOf(stats));
    return stats;
  } catch (error) {
    throw unreadable(error, uri);
  } finally {
    await file?.close();
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'is a folder';
  return stats.isFIFO() ? 'is a named pipe' : stats.isSocket() ? 'is a socket' : 'is a device';
}

function unreadable(error: unknown, uri: string): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  // Node puts this character in the place of bytes that are no UTF-8, and then there is no such file.
  const isMangled = code === 'ENOENT' && URI.parse(uri).path.includes('\ufffd');
  return new UnreadableFile(isMangled ? 'has a name that is not UTF-8' : code);
}

/** A file of any size, but no pipe and no device. Rejects with `UnreadableFile`. */
export async function fileSource(uri: string): Promise<TextSource> {
  const stats = await statsOf(uri);
  const path = URI.parse(uri).fsPath;
  return {
    size: stats.size,
    pieces: piecesOfFile(uri),
    again: (start, end) => readAgain(path, stats, start, end),
  };
}

async function* piecesOfFile(uri: string): AsyncGenerator<Uint8Array, void> {
  let file;
  try {
    file = await open(URI.parse(uri).fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
    const piece = Buffer.allocUnsafe(pieceSize);
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, pieceSize);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } catch (error) {
    throw unreadable(error, uri);
  } finally {
    await file?.close();
  }
}

function readAgain(path: string, { mtimeMs, size }: Stats, start: number, end: number): Uint8Array | null {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const now = fstatSync(file);
    if (now.mtimeMs !== mtimeMs || now.size !== size) return null;
    const bytes = Buffer.allocUnsafe(Math.min(end, size) - start);
    const read = readSync(file, bytes, 0, bytes.length, start);
    return bytes.subarray(0, read);
  } catch {
    // It has gone, or may not be read any more.
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
