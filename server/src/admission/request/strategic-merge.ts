import { own, put } from '../../util/own.ts';
import { isObject } from '../../util/values.ts';
import type { Field, FieldType } from '../../kubernetes/api/index.ts';
import { sortedKeys } from './identify.ts';
import type { Json } from '../../kubernetes/json.ts';

/**
 * What `kubectl apply` makes of a stored object: what the new version says, without what the old one said and the new
 * one does not, and otherwise as stored.
 * Source: CreateThreeWayMergePatch in apimachinery/pkg/util/strategicpatch/patch.go
 */
export function applied(live: Json | undefined, old: Json | undefined, next: Json, type: FieldType): Json {
  if (type.kind === 'list' && Array.isArray(next)) {
    return appliedList(list(live), list(old), next as readonly Json[], type.item, undefined);
  }
  if (!isObject(next) || (type.kind !== 'struct' && type.kind !== 'map')) return next;
  const result: Record<string, Json> = isObject(live) ? { ...live } : {};
  const before = isObject(old) ? old : {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(next, name)) Reflect.deleteProperty(result, name);
  for (const [name, value] of Object.entries(next)) {
    const field = type.kind === 'struct' ? type.fields.get(name) : undefined;
    const inner = type.kind === 'map' ? type.value : field?.type;
    if (inner === undefined) continue;
    if (value === null) {
      Reflect.deleteProperty(result, name);
    } else if (inner.kind === 'list' && Array.isArray(value) && field !== undefined) {
      put(
        result,
        name,
        appliedList(
          list(own(result, name)),
          list(own(before, name)),
          value as readonly Json[],
          inner.item,
          field.mergeKey,
        ),
      );
    } else if (field?.retainsKeys === true && isObject(value)) {
      const live = own(result, name);
      const kept = isObject(live)
        ? Object.fromEntries(Object.entries(live).filter(([key]) => Object.hasOwn(value, key)))
        : undefined;
      put(result, name, applied(kept, own(before, name), value, inner));
    } else {
      put(result, name, applied(own(result, name), own(before, name), value, inner));
    }
  }
  return result;
}

function appliedList(
  live: readonly Json[],
  old: readonly Json[],
  next: readonly Json[],
  item: FieldType,
  key: string | undefined,
): Json {
  if (key === undefined) return next;
  if (key === '') {
    const extra = live.filter((value) => !next.includes(value) && !old.includes(value));
    return [...next, ...extra];
  }
  const keyOf = (value: Json): Json | undefined => (isObject(value) ? own(value, key) : undefined);
  const merged = next.map((value) => {
    const same = (items: readonly Json[]): Json | undefined => items.find((each) => keyOf(each) === keyOf(value));
    return applied(same(live), same(old), value, item);
  });
  const names = new Set([...next, ...old].map(keyOf));
  return [...merged, ...live.filter((value) => !names.has(keyOf(value)))];
}

/** Whether the patch says nothing: all of the new version is stored so, and nothing of the old one is gone. */
export function isUnchanged(live: Json | undefined, old: Json | undefined, next: Json, type: FieldType): boolean {
  if (!isObject(next) || (type.kind !== 'struct' && type.kind !== 'map')) return sameJson(live, next);
  if (!isObject(live)) return false;
  const before = isObject(old) ? old : {};
  if (Object.keys(before).some((name) => !Object.hasOwn(next, name))) return false;
  return Object.entries(next).every(([name, value]) => {
    const field = type.kind === 'struct' ? type.fields.get(name) : undefined;
    const inner = type.kind === 'map' ? type.value : field?.type;
    if (inner === undefined) return true;
    if (inner.kind === 'list' && Array.isArray(value)) {
      if (!Array.isArray(own(live, name)) || list(own(live, name)).length === 0) return false;
      return isListUnchanged(list(own(live, name)), list(own(before, name)), list(value), inner.item, field);
    }
    if (field?.retainsKeys === true && dropsKeys(own(live, name), value)) return false;
    return isUnchanged(own(live, name), own(before, name), value, inner);
  });
}

/** The patch names the keys that stay where others are stored besides, as defaults are. Source: diffMaps (hasAdditionalNewField) */
function dropsKeys(live: Json | undefined, next: Json): boolean {
  return isObject(live) && isObject(next) && Object.keys(live).some((key) => !Object.hasOwn(next, key));
}

function isListUnchanged(
  live: readonly Json[],
  old: readonly Json[],
  next: readonly Json[],
  item: FieldType,
  field: Field | undefined,
): boolean {
  const key = field?.mergeKey;
  if (key === undefined) return sameJson(live, next);
  if (key === '') return next.every((value) => live.includes(value)) && old.every((value) => next.includes(value));
  const find = (items: readonly Json[], value: Json): Json | undefined =>
    items.find((each) => isObject(each) && isObject(value) && own(each, key) === own(value, key));
  // The order is part of the patch.
  const places = next.map((value) => live.indexOf(find(live, value) ?? null));
  return (
    places.every((place, index) => index === 0 || places[index - 1]! < place) &&
    old.every((value) => find(next, value) !== undefined) &&
    (field?.retainsKeys !== true || !next.some((value) => dropsKeys(find(live, value), value))) &&
    next.every((value) => isUnchanged(find(live, value), find(old, value), value, item))
  );
}

function sameJson(one: Json | undefined, other: Json): boolean {
  return JSON.stringify(one === undefined ? null : sortedKeys(one)) === JSON.stringify(sortedKeys(other));
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
