import { isNumber } from '../../util/exact-integer.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { addressOf } from './kustomization-graph.ts';

/** A kustomization with other paths for some of its entries. */
export function standInValue(kustomization: JsonObject, paths: ReadonlyMap<string, string>): JsonObject {
  const replaced = (value: Json): Json => {
    if (typeof value === 'string') {
      const path = paths.get(value);
      // The key of a generator stays.
      return path === undefined ? value : `${value.slice(0, value.length - addressOf(value).length)}${path}`;
    }
    if (Array.isArray(value)) return (value as readonly Json[]).map(replaced);
    if (typeof value !== 'object' || value === null || isNumber(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item)]));
  };
  return paths.size === 0 ? kustomization : (replaced(kustomization) as JsonObject);
}
