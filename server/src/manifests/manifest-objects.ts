import { isObject } from '../kit/values.ts';
import { type Decoded, decodedOnce } from '../kubernetes/decode/index.ts';
import type { Json, JsonObject, Path } from '../kubernetes/json.ts';
import type { EntryPart, ManifestObject, OffsetRange } from './manifest.ts';
import { withDefaults } from './placeholders.ts';
import type { SourceMap, SourceNode } from './source-tree.ts';
import { behindAlias } from './source-tree.ts';
import { locate } from './tree-navigation.ts';

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
 * The API objects at a node. As for `kubectl`, whatever has a list `items` is a list of objects, and those that name
 * no kind have the kind that the list is named after.
 * Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go (decodeToList)
 *
 * @param base offset of the tree in the document
 */
export function collectObjects(
  node: SourceNode,
  base: number,
  path: Path,
  list: ListTypes,
  objects: ManifestObject[],
): void {
  const map = behindAlias(node);
  if (map?.kind !== 'map') return;
  const types = typesOf(map, list);
  if (types.apiVersion === '' || types.kind === '') return;
  const items = map.entries.findLast((entry) => entry.name === 'items');
  const given = items === undefined ? null : behindAlias(items.value);
  if (given?.kind === 'list' && path.length < maxListDepth) {
    const ofItems = listTypes(types.apiVersion, types.kind, list.hasPlaceholders);
    given.items.forEach((item, index) => {
      collectObjects(item, base, [...path, 'items', index], ofItems, objects);
    });
    return;
  }
  const { apiVersion, kind } = types;
  const value = list.hasPlaceholders ? withDefaults(types.value, apiVersion, kind) : types.value;
  objects.push(new SourceObject(map, base, path, apiVersion, kind, value));
}

/** What a list of this kind says about its items. */
export function listTypes(apiVersion: string, kind: string, hasPlaceholders: boolean): ListTypes {
  return { apiVersion, itemKind: kind === 'List' ? '' : kind.replace(/List$/, ''), hasPlaceholders };
}

/** Values completed with what a list says about its items; kept, so that a value stays the same object. */
const completed = new WeakMap<JsonObject, JsonObject>();

function typesOf(map: SourceMap, list: ListTypes): { apiVersion: string; kind: string; value: JsonObject } {
  const { value } = map;
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
  readonly #node: SourceMap;
  readonly #base: number;

  constructor(node: SourceMap, base: number, path: Path, apiVersion: string, kind: string, value: JsonObject) {
    const metadata = value['metadata'];
    const named = isObject(metadata) ? metadata : undefined;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.namespace = textOf(named?.['namespace']);
    this.name = textOf(named?.['name']);
    this.value = value;
    this.path = path;
    this.#node = node;
    this.#base = base;
  }

  get decoded(): Decoded {
    return decodedOnce(this.value);
  }

  locate(path: Path, part: EntryPart = 'entry'): OffsetRange | undefined {
    const range = locate(this.#node, path, part);
    return range === undefined ? undefined : moved(range, this.#base);
  }

  locateNearest(path: Path, part: EntryPart = 'entry'): OffsetRange {
    for (let length = path.length; length > 0; length--) {
      // What is missing is reported at the key of the map it is missing from, not over the whole map.
      const range = this.locate(path.slice(0, length), length === path.length ? part : 'key');
      if (range !== undefined) return range;
    }
    const kind = this.locate(['kind'], 'entry');
    if (kind !== undefined) return kind;
    const first = this.#node.entries[0];
    const range = first === undefined ? this.#node : { start: first.keyStart, end: first.keyEnd };
    return moved(range, this.#base);
  }
}

/** A range of a part, counted from the start of the whole. */
export function moved(range: OffsetRange, by: number): OffsetRange {
  return { start: range.start + by, end: range.end + by };
}
