/** Bytes; two header fields with a character set need a hundred. */
const longestHeader = 4096;

/** Bytes; no text that is longer fits into a string of Node. */
const longestBody = 512 * 1024 * 1024;

/** Whole header fields, and the start of another. Names have no spaces. */
const headerSoFar = /^(?:[\w-]+:[^\r\n]*\r\n)*(?:[\w-]*|[\w-]+:[^\r\n]*)\r?$/;

/**
 * Follows where messages begin and end in a stream of the language server protocol, without keeping them. The library
 * that reads them waits for ever after a broken header; this notices it.
 */
export class Framing {
  /** What has been read of a header. */
  #header = '';
  /** Bytes of the body that are still to come. */
  #body = 0;

  /** What is wrong with the stream from here on; undefined while messages can be told apart. */
  faultIn(chunk: Uint8Array): string | undefined {
    for (let at = 0; at < chunk.length;) {
      if (this.#body > 0) {
        const read = Math.min(this.#body, chunk.length - at);
        this.#body -= read;
        at += read;
        continue;
      }
      const known = this.#header.length;
      this.#header += Buffer.from(chunk.subarray(at, at + longestHeader)).toString('latin1');
      const end = this.#header.indexOf('\r\n\r\n');
      if (end < 0) {
        if (this.#header.length >= longestHeader || !headerSoFar.test(this.#header)) {
          return 'a header is not understood';
        }
        return undefined;
      }
      const length = bodyLength(this.#header.slice(0, end + 2));
      if (length === undefined) return 'a header has no Content-Length that can be';
      at += end + 4 - known;
      this.#header = '';
      this.#body = length;
    }
    return undefined;
  }
}

function bodyLength(header: string): number | undefined {
  if (!headerSoFar.test(header)) return undefined;
  const [field, ...others] = header.matchAll(/^content-length:[ \t]*(\d+)[ \t]*$/gim);
  const length = Number(field?.[1]);
  return others.length === 0 && length <= longestBody ? length : undefined;
}
