import { isNumber } from '../../util/exact-integer.ts';
import { isObject } from '../../util/values.ts';
import type { FieldType, StructType } from '../../kubernetes/api/index.ts';
import type { Path } from '../../kubernetes/json.ts';
import { compareQuantities, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { latestRelease } from '../../kubernetes/releases/index.ts';
import { isZero, pointersOf } from './internal-types.ts';

/**
 * The equality by which the API server tells whether an update changes something: an absent list or map equals an empty
 * one, an absent value its zero value, and quantities are equal as numbers. Where the server's internal type has a
 * pointer, absent and zero differ. Both sides have their defaults.
 * Source: Semantic in staging/src/k8s.io/apimachinery/pkg/api/equality/semantic.go
 */
export function semanticallyEqual(one: unknown, other: unknown, type: ComparedType): boolean {
  return equal(one, other, structOf(type), false);
}

/** As group and Go's name: `core/v1 PodSpec`. */
export type ComparedType = `${string}/${string} ${string}`;

/**
 * The way to a value of `one` that makes it differ from `other`, for an editor to mark: as deep as both have the same
 * shape, and what is written in `one` before what is missing there. Empty when nothing narrower can be named.
 */
export function firstDifference(one: unknown, other: unknown, type: ComparedType): Path {
  return difference(one, other, structOf(type));
}

/** Pointers do not differ between minors, and the newest one has all fields. */
function structOf(type: ComparedType): StructType {
  const [group = '', name = ''] = type.split(' ');
  const struct = latestRelease.types.struct(group, name);
  if (struct === undefined) throw new TypeError(`no type ${type}`);
  return struct;
}

type Values = Readonly<Record<string, unknown>>;

function difference(one: unknown, other: unknown, type: FieldType): Path {
  if (type.kind === 'list' && Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    const index = one.findIndex((item, at) => !equal(item, other[at], type.item, false));
    return index < 0 ? [] : [index, ...difference(one[index], other[index], type.item)];
  }
  if (!isObject(one) || !isObject(other)) return [];
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [inner, pointer] = innerType(type, name);
    if (inner === undefined) continue;
    if (!equal(own(one, name), own(other, name), inner, pointer)) {
      return [name, ...difference(own(one, name), own(other, name), inner)];
    }
  }
  return [];
}

function innerType(type: FieldType, name: string): readonly [FieldType | undefined, boolean] {
  if (type.kind === 'map') return [type.value, false];
  if (type.kind !== 'struct') return [undefined, false];
  return [type.fields.get(name)?.type, pointersOf(type).has(name)];
}

function equal(one: unknown, other: unknown, type: FieldType, pointer: boolean): boolean {
  const absent = isAbsent(one);
  if (absent || isAbsent(other)) {
    if (absent && isAbsent(other)) return true;
    return !pointer && isZero(absent ? other : one, type);
  }
  switch (type.kind) {
    case 'list':
      if (!Array.isArray(one) || !Array.isArray(other)) return false;
      return one.length === other.length && one.every((item, at) => equal(item, other[at], type.item, false));
    case 'map':
    case 'struct': {
      if (!isObject(one) || !isObject(other)) return false;
      const names = new Set([...Object.keys(one), ...Object.keys(other)]);
      return [...names].every((name) => {
        const [inner, isPointer] = innerType(type, name);
        if (type.kind === 'map' && isAbsent(own(one, name)) !== isAbsent(own(other, name))) return false;
        return inner === undefined || equal(own(one, name), own(other, name), inner, isPointer);
      });
    }
    case 'quantity':
      return sameQuantity(one, other);
    case 'raw':
      return JSON.stringify(one) === JSON.stringify(other);
    default:
      return one === other || (isNumber(one) && isNumber(other) && String(one) === String(other));
  }
}

function sameQuantity(one: unknown, other: unknown): boolean {
  const [first, second] = [parseQuantity(String(one)), parseQuantity(String(other))];
  if (isQuantityError(first) || isQuantityError(second)) return one === other;
  return compareQuantities(first, second) === 0;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function own(record: Values, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
