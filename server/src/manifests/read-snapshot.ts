import { say } from '../util/say.ts';
import { TextDecoding } from './decode-text.ts';
import { snapshotLimits } from './limits.ts';
import { lastStartingAt } from './source-tree.ts';
import { faultOfWhole } from './snapshot-fault.ts';
import { type ReadSnapshot, SnapshotReading } from './snapshot-reading.ts';
import { type TextSource, UnreadableFile } from './text-source.ts';
import type { OffsetRange } from './manifest.ts';
import { withLineFeeds } from './document-text.ts';

/** How work is done that is cut into steps; undefined when it was given up. */
type Run = <Result>(steps: Generator<void, Result>) => Result | Promise<Result | undefined> | undefined;

/** A snapshot; why it is none; or why it cannot be read at all: Node's code of the error, or a part of a sentence. */
export type SnapshotOutcome = ReadSnapshot | { readonly unreadable: string };

/**
 * Reads a cluster snapshot of any size, piece by piece: in memory is what Podium keeps of its objects, and no more of
 * the text than a piece. Undefined when it was given up. What the source throws that is no `UnreadableFile` is thrown.
 */
export async function readSnapshot(
  uri: string,
  open: () => Promise<TextSource>,
  run: Run,
): Promise<SnapshotOutcome | undefined> {
  try {
    return await readPieces(uri, await open(), run);
  } catch (error) {
    if (error instanceof UnreadableFile) return { unreadable: error.reason };
    throw error;
  }
}

async function readPieces(uri: string, source: TextSource, run: Run): Promise<SnapshotOutcome | undefined> {
  const { size } = source;
  if (size !== null && size > snapshotLimits.file) return { fault: faultOfWhole(tooLarge()) };
  const decoding = new TextDecoding();
  const places = new PiecePlaces(source);
  const reading = new SnapshotReading(uri, size, (range) => places.textOf(range));
  const take = (text: string, isLast: boolean): ReturnType<Run> => run(whole(reading.take(text, isLast)));
  let bytes = 0;
  for await (const piece of source.pieces) {
    bytes += piece.length;
    if (bytes > snapshotLimits.file) return { fault: faultOfWhole(tooLarge()) };
    const decoded = typeof piece === 'string' ? { text: piece } : decoding.decode(piece, false);
    if ('error' in decoded) return { unreadable: decoded.error };
    places.add(decoded.text.length, typeof piece === 'string' ? null : decoding.done);
    if ((await take(decoded.text, false)) === undefined) return undefined;
    if (reading.isOver) break;
  }
  const rest = decoding.decode(new Uint8Array(), true);
  if ('error' in rest && !reading.isOver) return { unreadable: rest.error };
  if ((await take('text' in rest ? rest.text : '', true)) === undefined) return undefined;
  return run(reading.result());
}

const tooLarge = (): string =>
  say`is larger than ${snapshotLimits.file / 1024 / 1024 / 1024} GiB, which is as much as Podium reads`;

/** Steps whose end can be told from their being given up. */
function* whole(steps: Generator<void, void>): Generator<void, true> {
  yield* steps;
  return true;
}

/** Where in a file the pieces of its text are, so that some of it can be read once more. */
class PiecePlaces {
  readonly #source: TextSource;
  /** Offsets in the text, and in the bytes of the file. */
  readonly #pieces: { readonly start: number; readonly end: number; readonly from: number; readonly to: number }[] = [];
  #last: { readonly index: number; readonly text: string } | undefined;

  constructor(source: TextSource) {
    this.#source = source;
  }

  /** @param to the end of its bytes; null where bytes are no UTF-8 */
  add(length: number, to: number | null): void {
    const last = this.#pieces.at(-1);
    const start = last?.end ?? 0;
    if (to !== null) this.#pieces.push({ start, end: start + length, from: last?.to ?? 0, to });
  }

  textOf({ start, end }: OffsetRange): string | null {
    let text = '';
    let index = lastStartingAt(this.#pieces, start, (piece) => piece.start);
    for (; index !== -1 && index < this.#pieces.length && this.#pieces[index]!.start < end; index++) {
      const piece = this.#pieces[index]!;
      const read = this.#read(index);
      if (read?.length !== piece.end - piece.start) return null;
      text += read.slice(Math.max(0, start - piece.start), end - piece.start);
    }
    return text.length === end - start ? withLineFeeds(text) : null;
  }

  /** The last piece is kept: who asks for an item often asks for the next. */
  #read(index: number): string | null {
    if (this.#last?.index === index) return this.#last.text;
    const { from, to } = this.#pieces[index]!;
    const bytes = this.#source.again(from, to);
    if (bytes === null) return null;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    this.#last = { index, text };
    return text;
  }
}
