import { isNumber } from '../util/exact-integer.ts';
import { getOrInsert } from '../util/maps.ts';
import { put } from '../util/own.ts';
import { isKnownKind } from '../kubernetes/decode/index.ts';
import { ownPodFields } from '../kubernetes/own-pod-fields.ts';
import type { Json, JsonObject } from '../kubernetes/json.ts';
import { substituteDefaults } from './substitute.ts';
import { readYaml } from './yaml-reader.ts';

/** Fields that scheduling does not look at, and in which `$` may be meant for a shell. */
export const unread: ReadonlySet<string> = new Set([...ownPodFields, 'data']);

const filled = new WeakMap<JsonObject, JsonObject>();

/**
 * An object with `${NAME:=text}` replaced by that text, as Flux does where it knows no value for the name. Kept, so that
 * a value stays the same object.
 */
export function withDefaults(value: JsonObject, apiVersion: string, kind: string): JsonObject {
  if (!isKnownKind(apiVersion, kind)) return value;
  return getOrInsert(filled, value, () => fill(value) as JsonObject);
}

function fill(value: Json): Json {
  if (typeof value === 'string') return value.includes('${') ? read(value) : value;
  if (typeof value !== 'object' || value === null || isNumber(value)) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(fill);
    return items.every((item, index) => item === (value as readonly Json[])[index])
      ? (value as readonly Json[])
      : items;
  }
  let copy: Record<string, Json> | undefined;
  for (const [key, item] of Object.entries(value as JsonObject)) {
    const now = unread.has(key) ? item : fill(item);
    if (now === item) continue;
    copy ??= Object.assign(Object.create(null), value) as Record<string, Json>;
    put(copy, key, now);
  }
  return copy ?? value;
}

/** Flux replaces in the text of an object, which is then read: a number comes out of what was a text. */
function read(text: string): Json {
  const now = substituteDefaults(text);
  if (now === text || now.includes('\n')) return now;
  if (now === '') return null;
  const value = readYaml(now).root?.value;
  return value === undefined || (typeof value === 'object' && value !== null) ? now : value;
}
