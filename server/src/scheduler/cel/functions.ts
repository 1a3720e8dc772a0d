import { conversions } from './conversions.ts';
import { typeNames } from './declarations.ts';
import { kubernetesFunctions } from './kubernetes-functions.ts';
import { arithmetic, compare, contains, negated } from './operators.ts';
import { indexInText, lastIndexInText, textFunctions } from './text-functions.ts';
import { timePart, timeParts } from './times.ts';
import {
  Bytes,
  CelError,
  charactersIn,
  CelMap,
  type Duration,
  equal,
  type Fn,
  isList,
  noOverload,
  noValue,
  Optional,
  type Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from './values.ts';

type List = readonly Value[];

function size(value: Value): Value {
  if (typeof value === 'string') return BigInt(charactersIn(value));
  if (isList(value)) return BigInt(value.length);
  if (value instanceof CelMap) return BigInt(value.size);
  if (value instanceof Bytes) return BigInt(value.text.length);
  throw new CelError(`${noOverload}: size`);
}

/** An element, or the value of a key. */
export function at(container: Value, key: Value): Value {
  const found = find(container, key);
  if (found !== undefined) return found;
  if (isList(container)) {
    if (typeof key !== 'bigint') throw new CelError(`unsupported index type: '${typeNameOf(key)}'`);
    throw new CelError(`index out of bounds: ${key}`);
  }
  throw new CelError(`no such key: ${keyText(key)}`);
}

function keyText(key: Value): string {
  if (key instanceof Uint) return String(key.value);
  return typeof key === 'object' ? typeNameOf(key) : String(key);
}

/** Undefined where there is none. */
export function find(container: Value, key: Value): Value | undefined {
  if (container instanceof CelMap) return container.get(key);
  if (isList(container) && typeof key === 'bigint' && key >= 0n) return container[Number(key)];
  return undefined;
}

/** `[?key]` and `.?key`, also of what may have no value. */
export function findOptional(container: Value, key: Value): Optional {
  if (container instanceof Optional) {
    return container.value === undefined ? noValue : findOptional(container.value, key);
  }
  const found = find(container, key);
  return found === undefined ? noValue : new Optional(found);
}

function extreme(name: string, preferred: -1 | 1): Fn {
  return (list) => {
    const [first, ...others] = list as List;
    if (first === undefined) throw new CelError(`${name} called on empty list`);
    return others.reduce((best, each) => (compare(each, best) === preferred ? each : best), first);
  };
}

function sum(list: Value): Value {
  const [first, ...others] = list as List;
  if (first === undefined) return 0n;
  return others.reduce((total, each) => arithmetic('+', total, each), first);
}

function isSorted(list: Value): Value {
  return (list as List).every((each, place, all) => place === 0 || compare(all[place - 1]!, each) !== 1);
}

function sorted(list: Value, keys: Value): Value {
  const by = keys as List;
  if (by.some((each) => typeNameOf(each) !== typeNameOf(by[0]!))) {
    throw new CelError('list elements must have the same type');
  }
  const order = by.map((key, place) => ({ key, place })).sort((a, b) => compare(a.key, b.key) ?? 0);
  return order.map(({ place }) => (list as List)[place]!);
}

function slice(list: Value, from: Value, to: Value): Value {
  const [start, end, length] = [from as bigint, to as bigint, BigInt((list as List).length)];
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new CelError(`${call}, negative indexes not supported`);
  if (start > end) throw new CelError(`${call}, start index must be less than or equal to end index`);
  if (length < end) throw new CelError(`${call}, list is length ${length}`);
  return (list as List).slice(Number(start), Number(end));
}

function flatten(list: Value, depth: Value = 1n): Value {
  if ((depth as bigint) < 0n) throw new CelError('level must be non-negative');
  const flat = (items: List, left: bigint): Value[] =>
    items.flatMap((each): Value[] => (isList(each) && left > 0n ? flat(each, left - 1n) : [each]));
  return flat(list as List, depth as bigint);
}

function distinct(list: Value): Value {
  const kept: Value[] = [];
  for (const each of list as List) if (!kept.some((other) => equal(each, other))) kept.push(each);
  return kept;
}

function has(list: Value, value: Value): boolean {
  return (list as List).some((each) => equal(each, value));
}

function insert(map: Value, key: Value, value?: Value): Value {
  const entries: Iterable<readonly [Value, Value]> =
    value === undefined ? (key as CelMap).entries() : [[key, value] as const];
  let result = map as CelMap;
  for (const [each, of] of entries) {
    if (result.has(each)) throw new CelError(`insert failed: key ${keyText(each)} already exists`);
    result = result.with(each, of);
  }
  return result;
}

function isZero(value: Value): boolean {
  if (typeof value === 'object' && value !== null) {
    return isList(value) ? value.length === 0 : value instanceof CelMap && value.size === 0;
  }
  return value === null || value === '' || value === false || value === 0 || value === 0n;
}

function valueOf(optional: Value): Value {
  const { value } = optional as Optional;
  if (value === undefined) throw new CelError('optional.none() dereference');
  return value;
}

function unwrapped(list: Value): Value {
  return (list as readonly Optional[]).flatMap(({ value }) => (value === undefined ? [] : [value]));
}

function optionalAt(place: number): Fn {
  return (list) => {
    const found = (list as List).at(place);
    return found === undefined ? noValue : new Optional(found);
  };
}

function typeOfValue(value: Value): Value {
  const name = typeNameOf(value);
  return new TypeValue(typeNames.get(name) ?? { kind: 'opaque', name, params: [] });
}

/** Whether a list includes a value, or is it. Source: includesFunc in dynamic-resource-allocation/cel/compile.go */
function includes(target: Value, value: Value): Value {
  return isList(target) ? has(target, value) : equal(target, value);
}

/** Function → what it does. Operators that look at their sides first are part of the plan. */
export const functions: ReadonlyMap<string, Fn> = new Map<string, Fn>([
  ...(['+', '-', '*', '/', '%'] as const).map(
    (mark) => [`_${mark}_`, (a: Value, b: Value) => arithmetic(mark, a, b)] as const,
  ),
  ['_<_', (a, b) => compare(a, b) === -1],
  ['_>_', (a, b) => compare(a, b) === 1],
  ['_<=_', (a, b) => (compare(a, b) ?? 1) <= 0],
  ['_>=_', (a, b) => (compare(a, b) ?? -1) >= 0],
  ['-_', negated],
  ['_[_]', (container, key) => (container instanceof Optional ? findOptional(container, key) : at(container, key))],
  ['_[?_]', (container, key) => findOptional(container, key)],
  ['@in', (value, container) => contains(value, container)],
  ['size', size],
  ['type', typeOfValue],
  ['indexOf', (value, part, from) => (isList(value) ? indexIn(value, part) : indexInText(value, part, from))],
  [
    'lastIndexOf',
    (value, part, from) => (isList(value) ? lastIndexIn(value, part) : lastIndexInText(value, part, from)),
  ],
  ['min', extreme('min', -1)],
  ['max', extreme('max', 1)],
  ['sum', sum],
  ['isSorted', isSorted],
  ['sort', (list) => sorted(list, list)],
  ['@sortByAssociatedKeys', (list, keys) => sorted(list, keys)],
  ['slice', (list, from, to) => slice(list, from, to)],
  ['flatten', flatten],
  ['lists.range', (count) => Array.from({ length: Math.max(0, Number(count)) }, (_, place) => BigInt(place))],
  ['reverse', (list) => (list as List).toReversed()],
  ['distinct', distinct],
  ['sets.contains', (list, others) => (others as List).every((each) => has(list, each))],
  [
    'sets.equivalent',
    (list, others) =>
      (others as List).every((each) => has(list, each)) && (list as List).every((each) => has(others, each)),
  ],
  ['sets.intersects', (list, others) => (others as List).some((each) => has(list, each))],
  ['optional.of', (value) => new Optional(value)],
  ['optional.ofNonZeroValue', (value) => (isZero(value) ? noValue : new Optional(value))],
  ['optional.none', () => noValue],
  ['optional.unwrap', unwrapped],
  ['unwrapOpt', unwrapped],
  ['value', valueOf],
  ['hasValue', (optional) => (optional as Optional).value !== undefined],
  ['or', (optional, other) => ((optional as Optional).value === undefined ? other! : optional)],
  ['orValue', (optional, other) => (optional as Optional).value ?? other!],
  ['first', optionalAt(0)],
  ['last', optionalAt(-1)],
  ['cel.@mapInsert', (map, key, value) => insert(map, key, value)],
  ['includes', (target, value) => includes(target, value)],
  ...conversions,
  ...textFunctions,
  ...kubernetesFunctions,
  ...[...timeParts].map(
    (name) => [name, (time: Value, zone?: Value) => timePart(name, time as Duration | Timestamp, zone)] as [string, Fn],
  ),
]);

function indexIn(list: List, value: Value): bigint {
  return BigInt(list.findIndex((each) => equal(each, value)));
}

function lastIndexIn(list: List, value: Value): bigint {
  return BigInt(list.findLastIndex((each) => equal(each, value)));
}
