import type { Json, JsonObject } from '../kubernetes/json.ts';
import { getOrInsert } from '../util/maps.ts';
import type { OffsetRange } from './manifest.ts';

/**
 * What a document says and where: made by the YAML reader and by the JSON reader, used by everything above. Offsets
 * count from the start of the text that was read. Every node carries its resolved value, so a value that is used
 * through aliases exists once.
 */
export type SourceNode = SourceMap | SourceList | SourceScalar | SourceAlias;

export interface SourceScalar extends OffsetRange {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** `empty`: nothing is written, as in `key:`; start and end are where a value would go. */
  readonly style: 'plain' | 'quoted' | 'block' | 'empty';
}

export interface SourceList extends OffsetRange {
  readonly kind: 'list';
  readonly value: readonly Json[];
  readonly items: readonly SourceNode[];
}

export interface SourceMap extends OffsetRange {
  readonly kind: 'map';
  readonly value: JsonObject;
  /** In the order of the text. */
  readonly entries: readonly SourceEntry[];
  /** Which entry gives each key its value; only there when keys are written twice or come through merge keys. */
  readonly effective: ReadonlyMap<string, SourceEntry> | null;
}

interface SourceAlias extends OffsetRange {
  readonly kind: 'alias';
  readonly value: Json;
  /** Null when the anchor is missing or may not be used. */
  readonly target: SourceNode | null;
}

export interface SourceEntry {
  /** The key as Kubernetes reads it: `on` becomes `true`, `8080` stays `8080`. */
  readonly name: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: SourceNode;
  /** True for `<<`. */
  readonly merge: boolean;
}

/** The node an alias stands for. */
export function behindAlias(node: SourceNode): SourceNode | null {
  let current: SourceNode | null = node;
  while (current?.kind === 'alias') current = current.target;
  return current;
}

/** Maps with more entries than this get an index of their keys at the first look-up. */
const indexFrom = 12;
const keyIndexes = new WeakMap<SourceMap, ReadonlyMap<string, SourceEntry>>();

/** The entry that gives a key its value. */
export function entryOf(map: SourceMap, name: string): SourceEntry | undefined {
  if (map.effective !== null) return map.effective.get(name);
  if (map.entries.length < indexFrom) return map.entries.find((entry) => entry.name === name);
  const index = getOrInsert(keyIndexes, map, () => new Map(map.entries.map((entry) => [entry.name, entry])));
  return index.get(name);
}

/** The last of `items` that starts at or before an offset; -1 when all start after it. */
export function lastStartingAt<T>(items: readonly T[], offset: number, startOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startOf(items[middle]!) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
