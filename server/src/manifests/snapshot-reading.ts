/* Over 400 lines: one state machine over the text, whose steps share all of its state. */
import { say } from '../util/say.ts';
import { hasTypes, textOf } from './manifest-objects.ts';
import { JsonCutter } from './json-cutter.ts';
import { readJson } from './json-reader.ts';
import { KeptObjects } from './kept-objects.ts';
import { maxDepth, snapshotLimits } from './limits.ts';
import type { ManifestDocument, ManifestFile, OffsetRange, PlacedDocument, TextPosition } from './manifest.ts';
import { readManifestFile } from './parse-manifest-file.ts';
import { readDocument } from './read-document.ts';
import { SnapshotDocument } from './snapshot-document.ts';
import {
  documentFault,
  faultAtLine,
  faultOfWhole,
  notOfKubectl,
  type SnapshotFault,
  snapshotFault,
} from './snapshot-fault.ts';
import { SnapshotParts } from './snapshot-parts.ts';
import { entryOf, type SourceMap } from './source-tree.ts';
import { hasContent, markerAt } from './split-documents.ts';
import { hasTemplatedField } from './template-actions.ts';
import { TextWindow } from './text-window.ts';
import { readYamlInSteps } from './yaml-reader.ts';
import { refusedHead } from './yaml-refusals.ts';

/** A snapshot, or why it is none: the part of a sentence behind its name. */
export type ReadSnapshot = { readonly file: ManifestFile } | { readonly fault: SnapshotFault };

/** What is read in one piece. */
const pieceLimits = {
  fileLength: snapshotLimits.piece,
  documentLength: snapshotLimits.piece,
  documents: snapshotLimits.documents,
};

/** A list in YAML whose items are being cut out. */
interface YamlList {
  /** The text of its document before its items. */
  readonly before: string;
  /** Column of the dashes; -1 before the first. */
  indent: number;
  item: { readonly start: number; readonly at: TextPosition } | null;
  items: number;
  /** Offset behind its items; null while they come. */
  behind: number | null;
}

/**
 * Reads a snapshot piece by piece: of a list each item for itself, of other documents each for itself, and keeps of
 * them what Podium reads. What is read is what the whole text would give. Where that is not certain (anchors that items
 * share, lists of another form, broken text) a text that is not large is read as a whole after all, and of a large one
 * it is said.
 */
export class SnapshotReading {
  readonly #uri: string;
  readonly #size: number | null;
  readonly #again: (range: OffsetRange) => string | null;
  readonly #window = new TextWindow();
  readonly #kept = new KeptObjects();
  readonly #documents: PlacedDocument[] = [];
  /** All of the text, while it is not large. */
  #whole: string[] | null = [];
  #length = 0;
  #isBlank = true;
  #objects = 0;
  /** Why it cannot be read in pieces, or not at all. */
  #fault: SnapshotFault | null = null;
  #start = 0;
  #line = 0;
  /** Whether the document says anything yet, and whether white space is all that stands before. */
  #begun = false;
  #isFresh = true;
  /** Whether the document is JSON from the start of a line, behind which another may come without a marker. */
  #isJson = false;
  #json: JsonCutter | null = null;
  #isBehindJson = false;
  #list: YamlList | null = null;
  #parts: SnapshotParts;
  #items = 0;
  /** How much of the text was YAML, in UTF-16 units. */
  #yaml = 0;

  /**
   * @param size in bytes; null where nobody knows
   * @param again reads a part of the text once more
   */
  constructor(uri: string, size: number | null, again: (range: OffsetRange) => string | null) {
    this.#uri = uri;
    this.#size = size;
    this.#again = again;
    this.#parts = new SnapshotParts(this.#kept, 0);
  }

  /** Whether the rest of the text can change nothing any more. */
  get isOver(): boolean {
    return this.#fault !== null && this.#whole === null;
  }

  /** Takes the next piece of the text. Yields after each part that was read. */
  *take(piece: string, isLast: boolean): Generator<void, void> {
    this.#length += piece.length;
    this.#isBlank &&= piece.trim() === '';
    this.#whole?.push(piece);
    if (this.#length > snapshotLimits.piece) this.#whole = null;
    if (this.#isStopped()) return;
    this.#window.add(piece, isLast, this.#neededFrom);
    while (!this.#isStopped() && (yield* this.#step())) yield;
    if (this.#window.end - this.#neededFrom > snapshotLimits.piece) {
      const what = this.#json === null && this.#list === null ? say`a document that is no list` : say`an item`;
      const most = mebibytes(snapshotLimits.piece);
      this.#stop(faultOfWhole(say`has ${what} of more than ${most}, which is as much as Podium reads`));
    }
  }

  /** When all of the text was taken. */
  *result(): Generator<void, ReadSnapshot> {
    const uri = this.#uri;
    if (this.#fault !== null) {
      if (this.#whole === null) return { fault: this.#fault };
      const text = this.#whole.join('');
      const file = yield* readManifestFile(uri, text, null, undefined, pieceLimits);
      const fault = snapshotFault(file, this.#isBlank);
      if (fault !== null) return { fault };
      let from = 0;
      const documents = file.documents.map((placed) => {
        const kept = this.#keptWhole(placed, from);
        from += placed.document.text.length;
        return kept;
      });
      return { file: { ...file, documents } };
    }
    const file: ManifestFile = { uri, version: null, documents: this.#documents, problems: [] };
    const fault = snapshotFault(file, this.#isBlank);
    return fault === null ? { file } : { fault };
  }

  /** The offset from which on the text is needed. */
  get #neededFrom(): number {
    if (this.#json !== null) return this.#json.neededFrom;
    if (this.#isBehindJson) return this.#window.offset;
    const list = this.#list;
    if (list === null || list.indent === -1) return this.#start;
    return list.behind ?? list.item?.start ?? this.#window.offset;
  }

  /** Goes on by a line or by an item. False when further text is needed, or nothing comes any more. */
  *#step(): Generator<void, boolean> {
    const window = this.#window;
    if (this.#json !== null) return yield* this.#jsonStep(this.#json);
    if (window.isAtEnd) {
      if (window.isLast && !this.#isBehindJson) yield* this.#endDocument();
      return false;
    }
    // All of it may stand in one line.
    if (this.#isFresh && !this.#begun && !this.#isBehindJson && this.#list === null && this.#startJson()) return true;
    const end = window.lineEnd;
    if (end === null) return false;
    if (this.#isBehindJson) this.#behindJson(end);
    else if (this.#list === null) yield* this.#lineStep(end);
    else yield* this.#listLine(this.#list, end);
    return true;
  }

  /** Whether the document is JSON, of which nothing but white space has come. */
  #startJson(): boolean {
    const { text, at, offset } = this.#window;
    jsonStart.lastIndex = at + (offset === 0 && text.charCodeAt(at) === 0xfeff ? 1 : 0);
    const found = jsonStart.exec(text);
    if (found === null) return false;
    this.#begun = true;
    this.#isJson = found[0].length === 1;
    this.#json = new JsonCutter(this.#start);
    return true;
  }

  *#lineStep(end: number): Generator<void, void> {
    const window = this.#window;
    const { text, at } = window;
    const isMarked = window.offset === 0 && text.charCodeAt(0) === 0xfeff;
    const from = isMarked ? at + 1 : at;
    const marker = markerAt(text, from);
    if (marker === '---') {
      if (this.#begun) yield* this.#endDocument();
      this.#begun = true;
      this.#isFresh = false;
    } else if (!this.#begun && marker === null && hasContent(text, from, end)) {
      this.#begun = true;
      if (this.#size !== null && this.#size - window.offset > snapshotLimits.yaml) this.#stopAt(yamlFault());
    } else if (!this.#begun && text.slice(from, end).trim() !== '') {
      this.#isFresh = false;
    }
    if (text.startsWith('items:', at) && itemsLine.test(text.slice(at, end))) {
      const before = window.slice(this.#start, window.offsetOf(end));
      this.#list = { before, indent: -1, item: null, items: 0, behind: null };
    }
    this.#pass(end);
  }

  /** Source of the cut: `findListParts`. */
  *#listLine(list: YamlList, end: number): Generator<void, void> {
    const window = this.#window;
    const { text, at: start } = window;
    if (markerAt(text, start) === '---') {
      yield* this.#endDocument();
      return;
    }
    let at = start;
    while (text.charCodeAt(at) === 0x20) at++;
    const first = text.charCodeAt(at);
    const isBlank = at >= end || first === 0x0a || first === 0x0d || first === 0x23; /* # */
    if (list.behind === null && !isBlank) {
      const column = at - start;
      const isItem = first === 0x2d /* - */ && /[ \t\r\n]/.test(text.charAt(at + 1) || '\n');
      if (list.indent === -1) {
        if (!isItem) {
          // Not in lines of its own; the document is read as a whole.
          this.#list = null;
          return;
        }
        list.indent = column;
        list.item = this.#itemHere();
      } else if (isItem && column === list.indent) {
        yield* this.#endItem(list);
        list.item = this.#itemHere();
      } else if (column <= list.indent) {
        yield* this.#endItem(list);
        list.behind = window.offset;
      }
    }
    this.#pass(end);
  }

  #itemHere(): YamlList['item'] {
    const { offset, line } = this.#window;
    return { start: offset, at: { line: line - this.#line, character: 0 } };
  }

  *#endItem(list: YamlList): Generator<void, void> {
    const { item } = list;
    if (item === null) return;
    const { offset } = this.#window;
    const text = this.#window.slice(item.start, offset);
    const place = { start: item.start - this.#start, end: offset - this.#start, at: item.at };
    list.item = null;
    this.#added(yield* this.#parts.yaml({ text, ...place }, list.items));
    list.items += 1;
  }

  /** Goes on behind a line of YAML. */
  #pass(end: number): void {
    this.#yaml += end - this.#window.at;
    if (this.#yaml > snapshotLimits.yaml) this.#stopAt(yamlFault());
    this.#window.nextLine(end);
  }

  *#jsonStep(json: JsonCutter): Generator<void, boolean> {
    const { lists } = json;
    const found = json.next(this.#window);
    if (json.lists !== lists) {
      this.#parts.startList();
      this.#items = 0;
    }
    switch (found) {
      case 'more':
        return false;
      case 'item': {
        const { text, start, end, at } = json.item!;
        const place = { start: start - this.#start, end: end - this.#start };
        const position = { line: at.line - this.#line, character: at.character };
        this.#added(this.#parts.json({ text, ...place, at: position }, this.#items));
        this.#items += 1;
        return true;
      }
      case 'end':
        this.#json = null;
        this.#isBehindJson = true;
        yield* this.#endJson(json);
        return true;
      case 'too deep':
        this.#stopHere(say`This is nested deeper than ${maxDepth} levels.`);
        return false;
      case 'cut off':
        this.#stopHere(say`The text ends before an object that it begins.`);
        return false;
      case 'broken':
        this.#stopHere(say`This is not JSON.`);
        return false;
    }
  }

  *#endJson(json: JsonCutter): Generator<void, void> {
    const { around } = json;
    const root = readJson(around)?.root;
    if (root === undefined) {
      this.#stopHere(say`The object that ends here is not JSON.`);
      return;
    }
    if (json.lists === 0 || root.kind !== 'map' || entryOf(root, 'items')?.value.kind !== 'list') {
      yield* this.#document(around);
      return;
    }
    if (!hasTypes(root) || (around.includes('{{') && hasTemplatedField(root))) this.#stop(notOfKubectl(around));
    else yield* this.#endList(root);
  }

  *#endList({ value }: SourceMap): Generator<void, void> {
    const types = { apiVersion: textOf(value['apiVersion']), kind: textOf(value['kind']) };
    this.#added(yield* this.#parts.finish(types));
    this.#addDocument(this.#snapshotDocument(this.#parts, this.#start));
  }

  /** What may stand behind a JSON object: nothing, a marker, or another object in a line of its own. */
  #behindJson(end: number): void {
    const window = this.#window;
    const { text, at } = window;
    const isAtLine = window.positionOf(at).character === 0;
    if (isAtLine && (markerAt(text, at) === '---' || (this.#isJson && text.charCodeAt(at) === 0x7b))) {
      this.#isBehindJson = false;
      this.#startDocument();
    } else if (text.slice(at, end).trim() === '') {
      window.nextLine(end);
    } else {
      this.#stopHere(say`There is text after the end of an object.`);
    }
  }

  *#endDocument(): Generator<void, void> {
    const window = this.#window;
    const list = this.#list;
    if (list === null || list.indent === -1) {
      yield* this.#document(window.slice(this.#start, window.offset));
    } else {
      yield* this.#endItem(list);
      const behind = list.behind ?? window.offset;
      yield* this.#endYamlList(list.before + window.slice(behind, window.offset));
    }
    this.#list = null;
    this.#startDocument();
  }

  /** @param around the text of the document without the items */
  *#endYamlList(around: string): Generator<void, void> {
    const { root, problems, template } = yield* readYamlInSteps(around);
    const entry = root?.kind === 'map' && root.effective === null ? entryOf(root, 'items') : undefined;
    const isEmpty = entry?.value.kind === 'scalar' && entry.value.style === 'empty';
    if (problems.length + refusedHead(around).length > 0 || template || !isEmpty || root?.kind !== 'map') {
      this.#stopHere(say`What stands around the items of this list is not read one by one.`);
    } else if (!hasTypes(root)) {
      this.#stop(notOfKubectl(around));
    } else {
      yield* this.#endList(root);
    }
  }

  /** A document that is no list. */
  *#document(text: string): Generator<void, void> {
    const document = yield* readDocument(text, pieceLimits);
    const placed = { document, line: this.#line, index: this.#documents.length };
    this.#added(documentFault(placed) ?? this.#parts.whole(document));
    if (document.objects.length === 0) this.#addDocument(document);
    else this.#addDocument(this.#snapshotDocument(this.#parts, this.#start));
  }

  #addDocument(document: ManifestDocument): void {
    this.#objects += document.objects.length;
    this.#documents.push({ document, line: this.#line, index: this.#documents.length });
    if (this.#documents.length > snapshotLimits.documents) {
      this.#stopAt(say`has more than ${snapshotLimits.documents.toLocaleString('en-US')} documents, ${asMuch()}`);
    }
  }

  #startDocument(): void {
    this.#start = this.#window.offset;
    this.#line = this.#window.line;
    this.#begun = false;
    this.#isFresh = true;
    this.#isJson = false;
    this.#parts = new SnapshotParts(this.#kept, this.#line);
    this.#items = 0;
  }

  #snapshotDocument(parts: SnapshotParts, from: number): SnapshotDocument {
    return new SnapshotDocument(parts, ({ start, end }) => this.#again({ start: from + start, end: from + end }));
  }

  /** Objects of a document that was read with all others as a whole. */
  #keptWhole(placed: PlacedDocument, from: number): PlacedDocument {
    const parts = new SnapshotParts(this.#kept, placed.line);
    parts.whole(placed.document);
    return parts.objects.length === 0 ? placed : { ...placed, document: this.#snapshotDocument(parts, from) };
  }

  /** @param fault of a part that was added */
  #added(fault: SnapshotFault | null): void {
    if (fault !== null) this.#stop(fault);
    if (this.#objects + this.#parts.size > snapshotLimits.objects) {
      this.#stopAt(say`has more than ${snapshotLimits.objects.toLocaleString('en-US')} objects, ${asMuch()}`);
    }
    if (this.#kept.isFull) this.#stopAt(say`has more in it than Podium keeps of a cluster`);
  }

  #isStopped(): boolean {
    return this.#fault !== null;
  }

  #stopHere(message: string): void {
    this.#stop(faultAtLine(this.#window.line, message));
  }

  /** What was read cannot be used; where the text is not large, reading it as a whole may still tell more. */
  #stop(fault: SnapshotFault): void {
    this.#fault ??= fault;
  }

  /** As `#stop`, for what reading as a whole must not be tried with. */
  #stopAt(message: string): void {
    this.#fault = faultOfWhole(message);
    this.#whole = null;
  }
}

const asMuch = (): string => say`which is as many as Podium reads`;
const jsonStart = /[ \t]{0,1000}\{/y;
const itemsLine = /^items:[ \t]*(?:#.*)?\r?\n$/;
const yamlFault = (): string =>
  say`is larger than ${mebibytes(snapshotLimits.yaml)}, which is as much YAML as Podium reads; JSON may have ${mebibytes(snapshotLimits.file)}`;

function mebibytes(amount: number): string {
  const mebibyte = 1024 * 1024;
  return amount % (1024 * mebibyte) === 0 ? `${amount / 1024 / mebibyte} GiB` : `${amount / mebibyte} MiB`;
}
