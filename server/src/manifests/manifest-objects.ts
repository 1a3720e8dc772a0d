import { isList, isObject } from '../util/values.ts';
import { type Decoded, decodedOnce } from '../kubernetes/decode/index.ts';
import type { Json, JsonObject, Path } from '../kubernetes/json.ts';
import type { EntryPart, ManifestFile, ManifestObject, OffsetRange } from './manifest.ts';
import { withDefaults } from './placeholders.ts';
import type { SourceMap, SourceNode } from './source-tree.ts';
import { behindAlias } from './source-tree.ts';
import { locate, nodeAt } from './tree-navigation.ts';

/** What an object says that it is. */
export type ObjectTypes = Pick<ManifestObject, 'apiVersion' | 'kind'>;

/** What the items of a list inherit when they name neither apiVersion nor kind. */
export interface ListTypes {
  readonly apiVersion: string;
  /** Empty when the list does not say. */
  readonly itemKind: string;
  /** Whether there are placeholders in the text, for which values may be given beside them. */
  readonly hasPlaceholders: boolean;
}

/** Lists in lists are followed this far, counted in steps of the path. */
const maxListDepth = 6;

/**
 * The API objects in a value. As for `kubectl`, whatever has a list `items` is a list of objects, and those that name
 * no kind have the kind that the list is named after.
 * Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go (decodeToList)
 *
 * @param path of the value in its document
 */
export function eachObject(
  written: Json | undefined,
  path: Path,
  list: ListTypes,
  found: (value: JsonObject, path: Path, types: ObjectTypes) => void,
): void {
  if (!isObject(written)) return;
  const { apiVersion, kind, value } = typesOf(written, list);
  if (apiVersion === '' || kind === '') return;
  const { items } = written;
  if (!isList(items) || path.length >= maxListDepth) {
    found(list.hasPlaceholders ? withDefaults(value, apiVersion, kind) : value, path, { apiVersion, kind });
    return;
  }
  const ofItems = listTypes(apiVersion, kind, list.hasPlaceholders);
  for (const [index, item] of items.entries()) eachObject(item, [...path, 'items', index], ofItems, found);
}

/** Where things stand. It may be made anew each time that somebody asks. */
export interface Tree {
  readonly root: SourceNode | null;
}

/**
 * The API objects of a tree.
 *
 * @param base offset of the tree in the document
 * @param path of its root in the document
 */
export function collectObjects(tree: Tree, base: number, path: Path, list: ListTypes, objects: ManifestObject[]): void {
  const { root } = tree;
  if (root === null) return;
  eachObject(behindAlias(root)?.value, path, list, (value, at, types) => {
    const inTree = at.length === path.length ? noPath : at.slice(path.length);
    if (mapAt(root, inTree) !== null) objects.push(new SourceObject(tree, inTree, base, at, types, value));
  });
}

const noPath: Path = [];
const namePath: Path = ['metadata', 'name'];

function mapAt(root: SourceNode | null, path: Path): SourceMap | null {
  const there = root === null ? undefined : nodeAt(root, path);
  const map = there === undefined ? null : behindAlias(there);
  return map?.kind === 'map' ? map : null;
}

/** What a list of this kind says about its items. */
export function listTypes(apiVersion: string, kind: string, hasPlaceholders: boolean): ListTypes {
  return { apiVersion, itemKind: kind === 'List' ? '' : kind.replace(/List$/, ''), hasPlaceholders };
}

/** Values completed with what a list says about its items; kept, so that a value stays the same object. */
const completed = new WeakMap<JsonObject, JsonObject>();

function typesOf(value: JsonObject, list: ListTypes): ObjectTypes & { readonly value: JsonObject } {
  const apiVersion = textOf(value['apiVersion']);
  const kind = textOf(value['kind']);
  if (apiVersion !== '' || kind !== '' || list.itemKind === '') return { apiVersion, kind, value };
  const types = { apiVersion: list.apiVersion, kind: list.itemKind };
  let whole = completed.get(value);
  if (whole?.['kind'] !== types.kind || whole['apiVersion'] !== types.apiVersion) {
    whole = Object.assign(Object.create(null), value, types) as JsonObject;
    completed.set(value, whole);
  }
  return { ...types, value: whole };
}

/** Whether a document says what it is. */
export function hasTypes(root: SourceNode | null): boolean {
  return root?.kind === 'map' && textOf(root.value['apiVersion']) !== '' && textOf(root.value['kind']) !== '';
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

class SourceObject implements ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly value: JsonObject;
  readonly path: Path;
  readonly #tree: Tree;
  /** Where it is in the tree. */
  readonly #inTree: Path;
  readonly #base: number;
  /** The place that is asked for of every object, in simulations and lists, where its tree is there anyway. */
  readonly #nameStart: number;
  readonly #nameEnd: number;

  constructor(
    tree: Tree,
    inTree: Path,
    base: number,
    path: Path,
    { apiVersion, kind }: ObjectTypes,
    value: JsonObject,
  ) {
    const metadata = value['metadata'];
    const named = isObject(metadata) ? metadata : undefined;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.namespace = textOf(named?.['namespace']);
    this.name = textOf(named?.['name']);
    this.value = value;
    this.path = path;
    this.#tree = tree;
    this.#inTree = inTree;
    this.#base = base;
    const { start, end } = this.#nearest(namePath, 'value');
    this.#nameStart = start;
    this.#nameEnd = end;
  }

  get decoded(): Decoded {
    return decodedOnce(this.value);
  }

  locate(path: Path, part: EntryPart = 'entry'): OffsetRange | undefined {
    const range = locate(this.#node(), path, part);
    return range === undefined ? undefined : moved(range, this.#base);
  }

  locateNearest(path: Path, part: EntryPart = 'entry'): OffsetRange {
    if (part === 'value' && path.length === 2 && path[0] === 'metadata' && path[1] === 'name') {
      return { start: this.#nameStart, end: this.#nameEnd };
    }
    return this.#nearest(path, part);
  }

  #nearest(path: Path, part: EntryPart): OffsetRange {
    return nearestOf(this, path, part) ?? moved(startOf(this.#node()), this.#base);
  }

  /** It is there whenever somebody looks, as the text is the same. */
  #node(): SourceMap {
    return mapAt(this.#tree.root, this.#inTree)!;
  }
}

/** Where a map starts: its first key. */
export function startOf(node: SourceNode): OffsetRange {
  const first = node.kind === 'map' ? node.entries[0] : undefined;
  return first === undefined ? node : { start: first.keyStart, end: first.keyEnd };
}

/** What is written next to a path of an object: its nearest parent, or else what names its kind. */
export function nearestOf(
  object: Pick<ManifestObject, 'locate'>,
  path: Path,
  part: EntryPart,
): OffsetRange | undefined {
  for (let length = path.length; length > 0; length--) {
    // What is missing is reported at the key of the map it is missing from, not over the whole map.
    const range = object.locate(path.slice(0, length), length === path.length ? part : 'key');
    if (range !== undefined) return range;
  }
  return object.locate(['kind'], 'entry');
}

/** A range of a part, counted from the start of the whole. */
export function moved(range: OffsetRange, by: number): OffsetRange {
  return { start: range.start + by, end: range.end + by };
}

export function hasObjects({ documents }: ManifestFile): boolean {
  return documents.some(({ document }) => document.objects.length > 0);
}

/** Whether a source has made some of its objects. */
export function hasRendered({ documents }: ManifestFile): boolean {
  return documents.some(({ document }) => document.objects.some(({ rendering }) => rendering !== undefined));
}
