import { isObject } from '../util/values.ts';
import type { Decoded } from '../kubernetes/decode/index.ts';
import type { JsonObject, Path } from '../kubernetes/json.ts';
import { readJson } from './json-reader.ts';
import type { KeptObject } from './kept-objects.ts';
import { moved, nearestOf, startOf, textOf } from './manifest-objects.ts';
import type {
  CursorPlace,
  EntryPart,
  ManifestDocument,
  ManifestObject,
  OffsetRange,
  TextPosition,
} from './manifest.ts';
import { behindAlias, lastStartingAt, type SourceNode } from './source-tree.ts';
import { lineAt, lineStartsOf } from './text-positions.ts';
import { locate, nodeAt } from './tree-navigation.ts';
import { readYaml } from './yaml-reader.ts';

/** A part of a document that was read for itself: an item of a list, or all of it. Offsets are those of the document. */
export interface ReadPart extends OffsetRange {
  /** Where it starts, counted from the start of its document. */
  readonly at: TextPosition;
  /** Its index among the items of its document; null for the whole. */
  readonly item: number | null;
}

/** Where something stands: offsets of the document, and their positions. */
export interface FoundPlace extends OffsetRange {
  readonly from: TextPosition;
  readonly to: TextPosition;
}

/** Reads the text of a part once more; null when it is another by now. */
export type ReadAgain = (range: OffsetRange) => string | null;

/** UTF-16 units that are read again at once, as somebody waits for it. */
const maxAgain = 256 * 1024;

/** A document whose objects are kept, and whose text is not. */
export class SnapshotDocument implements ManifestDocument {
  /** It may be too long to keep. */
  readonly text = '';
  readonly content: ManifestDocument['content'];
  readonly objects: readonly SnapshotObject[];
  readonly unread: number;
  readonly problems = [];
  readonly lineStarts = [0];
  readonly #again: ReadAgain;
  /** What was read again last. */
  #last: { readonly part: ReadPart; readonly read: PartAgain | null } | undefined;

  constructor({ objects, unread }: Pick<SnapshotDocument, 'objects' | 'unread'>, again: ReadAgain) {
    this.content = objects.length === 0 ? 'empty' : 'manifest';
    this.objects = objects;
    this.unread = unread;
    this.#again = again;
    for (const object of objects) object.document = this;
  }

  positionAt(offset: number): TextPosition {
    const { objects } = this;
    let index = lastStartingAt(objects, offset, ({ part }) => part.start);
    const part = objects[index]?.part;
    if (part === undefined) return { line: 0, character: 0 };
    // Objects of a list within an item share the part.
    for (; objects[index]?.part === part; index--) {
      const { start, end, from, to } = objects[index]!.place;
      if (offset === start) return from;
      if (offset === end) return to;
    }
    return this.partAgain(part)?.positionAt(offset) ?? part.at;
  }

  /** A part with all that stands in it; null when its text is not to be had any more. */
  partAgain(part: ReadPart): PartAgain | null {
    if (this.#last?.part !== part) {
      const text = part.end - part.start > maxAgain ? null : this.#again(part);
      this.#last = { part, read: text === null ? null : new PartAgain(part, text) };
    }
    return this.#last.read;
  }

  comments(): [] {
    return [];
  }

  at(): null {
    return null;
  }

  pathAt(offset: number): CursorPlace {
    return { object: null, whole: null, path: [], on: 'inside', range: { start: offset, end: offset } };
  }
}

class PartAgain {
  readonly #part: ReadPart;
  readonly #lineStarts: readonly number[];
  readonly #node: SourceNode | null;

  constructor(part: ReadPart, text: string) {
    this.#part = part;
    this.#lineStarts = lineStartsOf(text);
    this.#node = partNode(part, text);
  }

  positionAt(offset: number): TextPosition {
    return positionIn(this.#part.at, this.#lineStarts, offset - this.#part.start);
  }

  /** @param path from the top of the document */
  locate(path: Path, part: EntryPart): OffsetRange | undefined {
    const range = this.#node === null ? undefined : locate(this.#node, path.slice(this.#steps), part);
    return range === undefined ? undefined : moved(range, this.#part.start);
  }

  /** Where an object starts. */
  start(path: Path): OffsetRange | undefined {
    const node = this.#node === null ? undefined : nodeAt(this.#node, path.slice(this.#steps));
    return node === undefined ? undefined : moved(startOf(behindAlias(node) ?? node), this.#part.start);
  }

  get #steps(): number {
    return this.#part.item === null ? 0 : 2;
  }
}

/** The tree of a part: of an item of a YAML list, whose text begins with its dash, that of the item. */
function partNode({ item }: ReadPart, text: string): SourceNode | null {
  const isJson = /^\uFEFF?\s*\{/.test(text);
  const root = (isJson ? readJson(text)?.root : undefined) ?? readYaml(text).root;
  const node = item !== null && root?.kind === 'list' ? root.items[0] : root;
  return node === null || node === undefined ? null : behindAlias(node);
}

/** Where an offset of a part stands in its document. */
function positionIn(at: TextPosition, lineStarts: readonly number[], offset: number): TextPosition {
  const line = lineAt(lineStarts, offset);
  const character = offset - lineStarts[line]!;
  return { line: at.line + line, character: line === 0 ? at.character + character : character };
}

/** @param text of the part, at least as far as the range */
export function placeInPart(part: ReadPart, text: string, { start, end }: OffsetRange): FoundPlace {
  const lineStarts = lineStartsOf(text.slice(0, end));
  return {
    start: part.start + start,
    end: part.start + end,
    from: positionIn(part.at, lineStarts, start),
    to: positionIn(part.at, lineStarts, end),
  };
}

/** An object of which only what Podium reads is kept; where its fields stand is found by reading its text again. */
export class SnapshotObject implements ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: JsonObject;
  readonly decoded: Decoded;
  readonly path: Path;
  readonly part: ReadPart;
  /** Its name, or what is next to it. */
  readonly place: FoundPlace;
  document: SnapshotDocument | undefined;

  constructor(
    types: Pick<ManifestObject, 'apiVersion' | 'kind' | 'path'>,
    { value, decoded }: KeptObject,
    part: ReadPart,
    place: FoundPlace,
  ) {
    this.apiVersion = types.apiVersion;
    this.kind = types.kind;
    this.path = types.path;
    this.value = value;
    this.decoded = decoded;
    this.part = part;
    this.place = place;
  }

  get namespace(): string {
    return this.#named('namespace');
  }

  get name(): string {
    return this.#named('name');
  }

  locate(path: Path, part: EntryPart = 'entry'): OffsetRange | undefined {
    return this.document?.partAgain(this.part)?.locate([...this.path, ...path], part);
  }

  locateNearest(path: Path, part: EntryPart = 'entry'): OffsetRange {
    const isName = path.length === 2 && path[0] === 'metadata' && path[1] === 'name' && part === 'value';
    if (isName) return this.place;
    return nearestOf(this, path, part) ?? this.document?.partAgain(this.part)?.start(this.path) ?? this.place;
  }

  #named(field: 'name' | 'namespace'): string {
    const { metadata } = this.value;
    return isObject(metadata) ? textOf(metadata[field]) : '';
  }
}
