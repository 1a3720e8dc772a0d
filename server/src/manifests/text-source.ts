/** A text that need not be in memory as a whole. */
export interface TextSource {
  /** In bytes; null where nobody knows before its end. */
  readonly size: number | null;
  /** Its bytes, or its text, piece by piece. May end in `UnreadableFile`. */
  readonly pieces: AsyncIterable<Uint8Array | string>;
  /** Some of its bytes once more, as long as it has not changed; null where that cannot be had. */
  again(start: number, end: number): Uint8Array | null;
}

/** A file that cannot be read, and why: Node's code of the error, such as `EACCES`, or a part of a sentence. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** Characters that are given out at a time. */
const pieceSize = 1024 * 1024;

/** A text that is in memory. */
export function textSource(text: string): TextSource {
  const pieces = async function* (): AsyncGenerator<string, void> {
    await Promise.resolve();
    for (let at = 0; at < text.length; at += pieceSize) yield text.slice(at, at + pieceSize);
  };
  return { size: null, pieces: pieces(), again: () => null };
}
