import type { Json, Path } from '../kubernetes/json.ts';
import { readJson } from './json-reader.ts';
import { detached, withoutSchema } from './document-text.ts';
import { findListParts } from './list-parts.ts';
import type { ManifestObject, ManifestProblem, OffsetRange } from './manifest.ts';
import { collectObjects, hasTypes, listTypes, moved, textOf } from './manifest-objects.ts';
import type { SourceNode } from './source-tree.ts';
import { lastStartingAt } from './source-tree.ts';
import { hasTemplatedField } from './template-actions.ts';
import { lineStartsOf } from './text-positions.ts';
import type { TreeCursor, TreePlace } from './tree-navigation.ts';
import { cursorAt, placeAt } from './tree-navigation.ts';
import type { YamlReading } from './yaml-reader.ts';
import { unindentedParts } from './yaml-lexing.ts';
import { readYamlInSteps } from './yaml-reader.ts';
import { refusedHead } from './yaml-refusals.ts';

/** What reading the text of a document gave, as one tree or as the parts of a list. Offsets are the document's. */
export interface DocumentReading {
  readonly problems: readonly ManifestProblem[];
  readonly comments: readonly OffsetRange[];
  readonly template: boolean;
  /** Whether it says what it is: an apiVersion and a kind. */
  readonly typed: boolean;
  /** What it says; of a list that is read in parts, all but the items. */
  readonly whole: Json;
  objects(): ManifestObject[];
  placeAt(offset: number): TreePlace | null;
  cursorAt(offset: number): TreeCursor;
  /** Forgets where things stand until somebody asks, or keeps it from then on. */
  letGo(isWanted: boolean): void;
}

/** Items of a long list by their text, to be used again when the list is read after an edit. */
export type KnownItems = Map<string, YamlReading>;

/** Lists shorter than this are read in one piece. */
const longList = 16 * 1024;

/**
 * Reads the text of a document. A long list is read item by item, so that an edit costs the reading of one item; yields
 * after each, and after some milliseconds' worth of anything else.
 *
 * @param known items that were read before
 * @param used receives the items of this document
 * @param partsFrom length from which on a list is read item by item
 */
export function* readText(
  text: string,
  known: KnownItems = new Map(),
  used: KnownItems = new Map(),
  partsFrom = longList,
): Generator<void, DocumentReading> {
  const parts = text.length >= partsFrom ? yield* readInParts(text, known, used) : null;
  return parts ?? new WholeReading(text, yield* readWhole(text));
}

/** Text to tree: strict JSON through its own reader, everything else as YAML. */
function* readWhole(written: string): Generator<void, YamlReading> {
  const text = withoutSchema(written);
  if (/^\uFEFF?\s*\{/.test(text)) {
    const json = readJson(text);
    if (json !== null) {
      const template = text.includes('{{') && hasTemplatedField(json.root);
      return { root: json.root, problems: template ? [] : json.problems, comments: [], template, unclosed: [] };
    }
  }
  return yield* readYamlInSteps(text);
}

/** Null for what is no long list, or cannot be read in parts: templates, and anchors used across items. */
function* readInParts(text: string, known: KnownItems, used: KnownItems): Generator<void, DocumentReading | null> {
  const found = text.includes('{{') ? null : findListParts(text);
  if (found === null) return null;
  const items: ListItem[] = [];
  for (const range of found.items) {
    const itemText = text.slice(range.start, range.end);
    let reading = known.get(itemText) ?? used.get(itemText);
    if (reading === undefined) {
      reading = yield* readYamlInSteps(detached(itemText));
      yield;
    }
    used.set(itemText, reading);
    const node = reading.root?.kind === 'list' && reading.root.items.length === 1 ? reading.root.items[0]! : null;
    const needsOthers = reading.problems.some(({ code }) => code === 'yaml-alias');
    // A quoted text may go on before the dash of its item, where it looks like the next one.
    const opened = reading.unclosed.map(({ start }) => range.start + start);
    const goesOn = opened.length > 0 && unindentedParts(text, opened).length > 0;
    if (node === null || needsOthers || goesOn || reading.template) return null;
    items.push({ start: range.start, end: range.end, reading, root: node });
  }
  const listStart = items[0]!.start;
  const listEnd = items.at(-1)!.end;
  const envelope = yield* readYamlInSteps(text.slice(0, listStart) + text.slice(listEnd));
  const { root } = envelope;
  if (root?.kind !== 'map' || root.entries.filter((entry) => entry.name === 'items').length !== 1) return null;
  return new ListReading(text, envelope, items, listEnd - listStart);
}

const none: readonly never[] = [];

class WholeReading implements DocumentReading {
  readonly problems: readonly ManifestProblem[];
  readonly comments: readonly OffsetRange[];
  readonly template: boolean;
  readonly typed: boolean;
  readonly whole: Json;
  readonly #text: string;
  readonly #reading: YamlReading;

  constructor(text: string, reading: YamlReading) {
    const atHead = reading.template ? none : refusedHead(text);
    this.problems = atHead.length === 0 ? reading.problems : [...reading.problems, ...atHead];
    this.comments = reading.comments;
    this.template = reading.template;
    this.typed = hasTypes(reading.root);
    this.whole = reading.root?.value ?? null;
    this.#text = text;
    this.#reading = reading;
  }

  objects(): ManifestObject[] {
    const objects: ManifestObject[] = [];
    const types = { apiVersion: '', itemKind: '', hasPlaceholders: this.#text.includes('${') };
    collectObjects(this.#reading, 0, none, types, objects);
    return objects;
  }

  letGo(isWanted: boolean): void {
    this.#reading.letGo?.(isWanted);
  }

  placeAt(offset: number): TreePlace | null {
    const { root } = this.#reading;
    return root === null ? null : placeAt(root, offset);
  }

  cursorAt(offset: number): TreeCursor {
    const { root, unclosed } = this.#reading;
    return cursorAt(root, this.#text, lineStartsOf(this.#text), offset, unclosed);
  }
}

interface ListItem extends OffsetRange {
  readonly reading: YamlReading;
  /** The item itself, in offsets of its own text. */
  readonly root: SourceNode;
}

class ListReading implements DocumentReading {
  readonly problems: readonly ManifestProblem[];
  readonly comments: readonly OffsetRange[];
  readonly template = false;
  readonly typed: boolean;
  readonly whole: Json;
  readonly #text: string;
  readonly #envelope: YamlReading;
  readonly #items: readonly ListItem[];
  /** How much text of items was left out where the envelope was read. */
  readonly #leftOut: number;

  constructor(text: string, envelope: YamlReading, items: readonly ListItem[], leftOut: number) {
    this.typed = hasTypes(envelope.root);
    this.whole = envelope.root?.value ?? null;
    this.#text = text;
    this.#envelope = envelope;
    this.#items = items;
    this.#leftOut = leftOut;
    this.problems = [
      ...refusedHead(text),
      ...envelope.problems.map((problem) => ({ ...problem, range: this.#fromEnvelope(problem.range) })),
      ...items.flatMap(({ start, reading }) =>
        reading.problems.map((problem) => ({ ...problem, range: moved(problem.range, start) })),
      ),
    ];
    const ofItems = items.flatMap(({ start, reading }) => reading.comments.map((range) => moved(range, start)));
    const around = envelope.comments.map((range) => this.#fromEnvelope(range));
    const before = around.filter((range) => range.start < items[0]!.start);
    this.comments = [...before, ...ofItems, ...around.slice(before.length)];
  }

  objects(): ManifestObject[] {
    const objects: ManifestObject[] = [];
    const { root } = this.#envelope;
    if (root?.kind !== 'map' || !this.typed) return objects;
    const hasPlaceholders = this.#text.includes('${');
    const types = listTypes(textOf(root.value['apiVersion']), textOf(root.value['kind']), hasPlaceholders);
    this.#items.forEach((item, index) => {
      collectObjects(item, item.start, ['items', index], types, objects);
    });
    return objects;
  }

  letGo(): void {
    // Its items are used again when it is read after an edit.
  }

  placeAt(offset: number): TreePlace | null {
    const item = this.#itemAt(offset);
    if (item !== null) {
      const { start, root } = this.#items[item]!;
      const place = placeAt(root, offset - start);
      return place && { ...place, path: this.#inItem(item, place.path), range: moved(place.range, start) };
    }
    const { root } = this.#envelope;
    const place = root === null ? null : placeAt(root, this.#toEnvelope(offset));
    return place && { ...place, range: this.#fromEnvelope(place.range) };
  }

  cursorAt(offset: number): TreeCursor {
    // At the end of an item's text the cursor is still in that item: a new line of it is being typed there.
    const item = this.#itemAt(offset) ?? this.#itemAt(offset - 1);
    if (item !== null) {
      const { start, end, reading } = this.#items[item]!;
      const text = this.#text.slice(start, end);
      const cursor = cursorAt(reading.root, text, lineStartsOf(text), offset - start, reading.unclosed);
      const path = cursor.path.length === 0 ? ['items'] : this.#inItem(item, cursor.path.slice(1));
      return { ...cursor, path, range: moved(cursor.range, start) };
    }
    const { root, unclosed } = this.#envelope;
    const text = this.#text.slice(0, this.#items[0]!.start) + this.#text.slice(this.#items.at(-1)!.end);
    const cursor = cursorAt(root, text, lineStartsOf(text), this.#toEnvelope(offset), unclosed);
    return { ...cursor, range: this.#fromEnvelope(cursor.range) };
  }

  #inItem(item: number, path: Path): Path {
    return ['items', item, ...path];
  }

  #itemAt(offset: number): number | null {
    const index = lastStartingAt(this.#items, offset, (item) => item.start);
    return index !== -1 && offset < this.#items[index]!.end ? index : null;
  }

  #toEnvelope(offset: number): number {
    return offset < this.#items[0]!.start ? offset : offset - this.#leftOut;
  }

  #fromEnvelope(range: OffsetRange): OffsetRange {
    return range.start < this.#items[0]!.start ? range : moved(range, this.#leftOut);
  }
}
