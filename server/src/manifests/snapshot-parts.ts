import { say } from '../util/say.ts';
import { isObject } from '../util/values.ts';
import type { Json, JsonObject, Path } from '../kubernetes/json.ts';
import { detached } from './document-text.ts';
import { type CutItem, endOfString } from './json-cutter.ts';
import { readJson } from './json-reader.ts';
import type { KeptObjects } from './kept-objects.ts';
import { snapshotLimits } from './limits.ts';
import {
  eachObject,
  listTypes,
  type ListTypes,
  nearestOf,
  type ObjectTypes,
  startOf,
  textOf,
} from './manifest-objects.ts';
import type { EntryPart, ManifestDocument, ManifestProblem, OffsetRange, TextPosition } from './manifest.ts';
import { failureOf, faultAtLine, type SnapshotFault } from './snapshot-fault.ts';
import { type FoundPlace, placeInPart, type ReadPart, SnapshotObject } from './snapshot-document.ts';
import { behindAlias, type SourceNode } from './source-tree.ts';
import { hasTemplatedField } from './template-actions.ts';
import { lineAt, lineStartsOf } from './text-positions.ts';
import { locate, nodeAt } from './tree-navigation.ts';
import { readYamlInSteps } from './yaml-reader.ts';

/** Numbers that JavaScript may round. */
const longNumber = /[0-9]{16}/;

/** An item that says neither kind nor version: it has those of its list, which may be said behind it. */
interface UntypedItem {
  readonly value: JsonObject;
  readonly part: ReadPart;
  readonly index: number;
  readonly placeOf: (path: Path) => FoundPlace;
}

/** An item of a list in YAML, from its dash on. Offsets are those of the document. */
export interface YamlItem extends OffsetRange {
  readonly text: string;
  readonly at: TextPosition;
}

/**
 * The objects of one document of a snapshot, which come part by part. What adds to them answers why no answer may rest
 * on them, or null; that a template or an anchor may be meant is for whoever has the whole text.
 */
export class SnapshotParts {
  readonly objects: SnapshotObject[] = [];
  readonly #kept: KeptObjects;
  readonly #line: number;
  readonly #untyped: UntypedItem[] = [];
  #hasPlaceholders = false;
  #unread = 0;

  /** @param line of the document, in its file */
  constructor(kept: KeptObjects, line: number) {
    this.#kept = kept;
    this.#line = line;
  }

  /** How many objects there are, or may be, and items that are none. */
  get size(): number {
    return this.objects.length + this.#untyped.length + this.#unread;
  }

  /** Items that do not say what they are. */
  get unread(): number {
    return this.#unread;
  }

  /** Of a list that comes again the last counts. */
  startList(): void {
    this.objects.length = 0;
    this.#untyped.length = 0;
    this.#unread = 0;
  }

  json({ text, start, end, at }: CutItem, item: number): SnapshotFault | null {
    const part = { start, end, at, item };
    this.#hasPlaceholders ||= text.includes('${');
    let tree: SourceNode | null = null;
    let value: Json;
    if (longNumber.test(text) || text.includes('{{')) {
      tree = readJson(text)?.root ?? null;
      if (tree === null) return this.#notJson(at);
      if (text.includes('{{') && hasTemplatedField(tree)) return this.#template(at);
      ({ value } = tree);
    } else {
      try {
        value = JSON.parse(text) as Json;
      } catch {
        return this.#notJson(at);
      }
    }
    const placeOf = (path: Path): FoundPlace => {
      const name = path.length === 2 ? nameInJson(text, value) : undefined;
      return placeInPart(part, text, name ?? nameIn((tree ??= readJson(text)?.root ?? null), path.slice(2)));
    };
    return this.#take(value, item, part, tree !== null, placeOf);
  }

  *yaml({ text, start, end, at }: YamlItem, item: number): Generator<void, SnapshotFault | null> {
    this.#hasPlaceholders ||= text.includes('${');
    const reading = yield* readYamlInSteps(detached(text));
    if (reading.template) return this.#template(at);
    const problem = reading.problems.find(({ code }) => code !== 'yaml-duplicate-key');
    if (problem !== undefined) return this.#problem(problem, at, text);
    const { root } = reading;
    if (root?.kind !== 'list' || root.items.length !== 1) return this.#fault(at, say`This is not an item of a list.`);
    const node = root.items[0]!;
    if (isLarge(node.value)) return this.#fault(at, say`Its aliases expand to more than Podium keeps.`);
    const part = { start, end, at, item };
    const placeOf = (path: Path): FoundPlace => placeInPart(part, text, nameIn(node, path.slice(2)));
    return this.#take(node.value, item, part, true, placeOf);
  }

  /** A document that was read as a whole. */
  whole(document: ManifestDocument): SnapshotFault | null {
    const part: ReadPart = { start: 0, end: document.text.length, at: { line: 0, character: 0 }, item: null };
    for (const object of document.objects) {
      if (isLarge(object.value)) return this.#fault(part.at, say`Its aliases expand to more than Podium keeps.`);
      const range = object.locateNearest(['metadata', 'name'], 'value');
      const kept = this.#kept.keep(object.value, object, true);
      const place = { ...range, from: document.positionAt(range.start), to: document.positionAt(range.end) };
      this.objects.push(new SnapshotObject(object, kept, part, place));
    }
    return null;
  }

  /** Items that say nothing of themselves are what the list says. */
  *finish({ apiVersion, kind }: ObjectTypes): Generator<void, SnapshotFault | null> {
    const list = listTypes(apiVersion, kind, this.#hasPlaceholders);
    if (list.itemKind === '') this.#unread += this.#untyped.length;
    if (this.#untyped.length === 0 || list.itemKind === '') return null;
    for (const { value, part, index, placeOf } of this.#untyped) {
      const fault = this.#collect(value, index, part, list, true, placeOf);
      if (fault !== null) return fault;
      yield;
    }
    this.objects.sort((a, b) => a.part.start - b.part.start);
    return null;
  }

  #take(
    value: Json,
    index: number,
    part: ReadPart,
    isCut: boolean,
    placeOf: (path: Path) => FoundPlace,
  ): SnapshotFault | null {
    if (!isMap(value)) {
      this.#unread += 1;
      return null;
    }
    const types = { apiVersion: textOf(value['apiVersion']), kind: textOf(value['kind']) };
    if (types.apiVersion !== '' || types.kind !== '') {
      if (types.apiVersion === '' || types.kind === '') this.#unread += 1;
      return this.#collect(
        value,
        index,
        part,
        { apiVersion: '', itemKind: '', hasPlaceholders: this.#hasPlaceholders },
        isCut,
        placeOf,
      );
    }
    const kept = this.#kept.keep(value, untypedObject, isCut);
    const place = placeOf(['items', index]);
    // The text is held on to only where there are objects in the item.
    this.#untyped.push({ value: kept.value, part, index, placeOf: 'items' in value ? placeOf : () => place });
    return null;
  }

  #collect(
    value: JsonObject,
    index: number,
    part: ReadPart,
    list: ListTypes,
    isCut: boolean,
    placeOf: (path: Path) => FoundPlace,
  ): SnapshotFault | null {
    let failure: SnapshotFault | null = null;
    eachObject(value, ['items', index], list, (found, path, types) => {
      failure ??= failureOf(found, types);
      const kept = this.#kept.keep(found, types, isCut);
      this.objects.push(new SnapshotObject({ ...types, path }, kept, part, placeOf(path)));
    });
    return failure;
  }

  #problem({ code, message, range }: ManifestProblem, at: TextPosition, text: string): SnapshotFault {
    const limit = snapshotLimits.piece / 1024 / 1024;
    const known = code === 'yaml-alias' ? say` Items that share anchors are read up to ${limit} MiB.` : '';
    const line = at.line + lineAt(lineStartsOf(text), range.start);
    return this.#fault({ line, character: 0 }, say`${message}${known}`);
  }

  #notJson(at: TextPosition): SnapshotFault {
    return this.#fault(at, say`This item is not JSON.`);
  }

  #template(at: TextPosition): SnapshotFault {
    return this.#fault(at, say`This is a template.`);
  }

  #fault({ line }: TextPosition, message: string): SnapshotFault {
    return faultAtLine(this.#line + line, message);
  }
}

const untypedObject: ObjectTypes = { apiVersion: '', kind: '' };

function isMap(value: Json): value is JsonObject {
  return isObject(value);
}

/** Where the name of an object stands, or what is next to it. */
function nameIn(root: SourceNode | null, path: Path): OffsetRange {
  if (root === null) return { start: 0, end: 0 };
  const object = {
    locate: (within: Path, part?: EntryPart) => locate(root, [...path, ...within], part ?? 'entry'),
  };
  return nearestOf(object, ['metadata', 'name'], 'value') ?? startOf(behindAlias(nodeAt(root, path) ?? root) ?? root);
}

/** As `nameIn`, without a tree; undefined where it is written otherwise than most are. */
function nameInJson(text: string, value: Json): OffsetRange | undefined {
  const metadata = isMap(value) ? value['metadata'] : undefined;
  const name = metadata !== undefined && isMap(metadata) ? metadata['name'] : undefined;
  if (typeof name !== 'string') return undefined;
  const written = JSON.stringify(name);
  let depth = 0;
  let isInMetadata = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
      depth++;
    } else if (code === 0x7d /* } */ || code === 0x5d /* ] */) {
      depth--;
    } else if (code === 0x22 /* " */) {
      const end = endOfString(text, at);
      if (end === -1) return undefined;
      if (depth === 1) isInMetadata = text.startsWith('"metadata"', at);
      if (depth === 2 && isInMetadata && text.startsWith('"name"', at)) {
        const start = text.indexOf('"', end + 1);
        if (!text.startsWith(written, start)) return undefined;
        return /^\s*:\s*$/.test(text.slice(end + 1, start)) ? { start, end: start + written.length } : undefined;
      }
      at = end;
    }
  }
  return undefined;
}

/** What aliases repeat is kept once for each time. */
const mostUnits = 4 * snapshotLimits.piece;

function isLarge(value: Json): boolean {
  let units = 0;
  const add = (part: Json): boolean => {
    units += typeof part === 'string' ? part.length : 1;
    if (units > mostUnits) return true;
    if (Array.isArray(part)) return part.some(add);
    return isMap(part) && Object.values(part).some(add);
  };
  return add(value);
}
