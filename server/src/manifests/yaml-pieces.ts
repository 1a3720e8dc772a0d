import type { CST } from 'yaml';
import { maxDepth } from './limits.ts';

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
type Item = CST.CollectionItem;

/** What of a collection is composed apart: all but its last items, which stay where they were. */
interface Cut {
  /** Where the collection starts; what stays of it starts where its first item does. */
  readonly offset: number;
  readonly pieces: readonly Collection[];
}

/** Items that are counted between two steps. */
const stepSize = 1_000;

/**
 * Cuts a parsed document into pieces, because the library composes a document in one go, which takes seconds for one of
 * 3 MB. Each piece is a collection of some of the items, with the offsets that they have, and so composes to the same
 * nodes and problems. Keys stay whole, as what is wrong with one depends on all of it, and so does what only broken text
 * nests deeper than any that is read.
 */
export class YamlPieces {
  readonly #cuts = new Map<CST.Token, Cut>();
  readonly #size: number;
  #seen = 0;

  /** @param size values in a piece */
  constructor(size: number) {
    this.#size = size;
  }

  get cuts(): ReadonlyMap<CST.Token, Cut> {
    return this.#cuts;
  }

  /** Cuts a value where it stands, and answers how many values are left in it. */
  *cut(token: CST.Token, depth = 0): Generator<void, number> {
    if (!isCollection(token) || depth > maxDepth) return 1;
    const items: readonly Item[] = token.items;
    const pieces: Collection[] = [];
    let from = 0;
    let size = 0;
    for (const [index, { key, value }] of items.entries()) {
      const own = 1 + (key ? sizeOf(key) : 0) + (value ? yield* this.cut(value, depth + 1) : 0);
      if (size + own > this.#size && index > from) {
        pieces.push(pieceOf(token, items.slice(from, index), from > 0, true));
        from = index;
        size = 0;
      }
      size += own;
      if (++this.#seen % stepSize === 0) yield;
    }
    if (pieces.length > 0) {
      this.#cuts.set(token, { offset: token.offset, pieces });
      const { offset, items: rest } = pieceOf(token, items.slice(from), true, false);
      Object.assign(token, { offset, items: rest });
    }
    return size;
  }

  /** The items of a collection out of those of its pieces, the last of which stayed where it was. */
  joined<T>(token: CST.Token | undefined, before: readonly (readonly T[])[], last: readonly T[]): readonly T[] {
    if (!isFlow(token)) return [...before.flat(), ...last];
    // Without what was put in for the items before and behind a piece.
    return [...before.flatMap((part, index) => part.slice(index === 0 ? 0 : 1, -1)), ...last.slice(1)];
  }
}

/** A document of nothing but a piece. */
export function documentOf(value: Collection): CST.Document {
  const { offset } = value;
  const start: CST.SourceToken[] = [
    { type: 'doc-start', offset, indent: 0, source: '---' },
    { type: 'newline', offset, indent: 0, source: '\n' },
  ];
  return { type: 'document', offset, start, value };
}

function pieceOf(token: Collection, items: readonly Item[], follows: boolean, isFollowed: boolean): Collection {
  const first = items[0]!;
  const { offset } = follows ? (first.start[0] ?? first.key ?? first.sep?.[0] ?? first.value ?? token) : token;
  if (!isFlow(token)) return { ...token, offset, items } as Collection;
  // Between items of a flow collection there is a comma, which the second of them begins with.
  const { indent } = token;
  const isMap = token.start.source === '{';
  const neighbour = (start: CST.SourceToken[]): Item => {
    const scalar: CST.FlowScalar = { type: 'scalar', offset: offset - 1, indent, source: 'x' };
    return isMap ? { start, key: scalar, sep: [] } : { start, value: scalar };
  };
  const before = follows ? [neighbour([])] : [];
  const behind = isFollowed ? [neighbour([{ type: 'comma', offset, indent, source: ',' }])] : [];
  const end: CST.SourceToken = {
    type: isMap ? 'flow-map-end' : 'flow-seq-end',
    offset,
    indent,
    source: isMap ? '}' : ']',
  };
  return { ...token, offset, items: [...before, ...items, ...behind], end: isFollowed ? [end] : token.end };
}

function sizeOf(token: CST.Token, depth = 0): number {
  if (!isCollection(token) || depth > maxDepth) return 1;
  const items: readonly Item[] = token.items;
  return items.reduce(
    (sum, { key, value }) => sum + (key ? sizeOf(key, depth + 1) : 0) + (value ? sizeOf(value, depth + 1) : 0),
    1,
  );
}

function isCollection(token: CST.Token): token is Collection {
  return token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection';
}

function isFlow(token: CST.Token | undefined): token is CST.FlowCollection {
  return token?.type === 'flow-collection';
}
