import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Standard output could not be written to its end. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/**
 * Standard output, written whole or not at all where it is a file: Node writes to a file once, and takes what a full disk
 * leaves of it for the whole. Of what cannot be written to its end the part is removed. Pipes and terminals stay as they
 * are.
 */
export function wholeOutput(stdout: NodeJS.WriteStream & { readonly fd?: number }): NodeJS.WritableStream {
  const { fd } = stdout;
  const before = fd === undefined || stdout.isTTY ? null : sizeOf(fd);
  return fd === undefined || before === null ? stdout : new FileOutput(fd, before.size);
}

/** Null for what is no file. */
function sizeOf(fd: number): { readonly size: number | null } | null {
  try {
    const found = fstatSync(fd);
    if (found.isFile()) return { size: found.size };
    // `/dev/full`, which refuses everything, among them.
    return found.isCharacterDevice() ? { size: null } : null;
  } catch {
    return null;
  }
}

class FileOutput extends Writable {
  readonly #fd: number;
  /** Bytes that were there before; null for a device. */
  readonly #before: number | null;

  constructor(fd: number, before: number | null) {
    super({ decodeStrings: false });
    this.#fd = fd;
    this.#before = before;
  }

  /** At once, so that what cannot be written fails whoever writes it. */
  override write(chunk: string | Uint8Array): boolean {
    const bytes = Buffer.from(chunk as string);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
      return true;
    } catch (error) {
      this.#removePart();
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw new OutputError(`standard output cannot be written (${code === '' ? message : code})`);
    }
  }

  #removePart(): void {
    if (this.#before === null) return;
    try {
      ftruncateSync(this.#fd, this.#before);
    } catch {
      // It was not opened by whoever may cut it; the exit code says that it is not whole.
    }
  }
}
