import { addQuantities, compareQuantities, type Quantity } from '../../kubernetes/quantity.ts';
import type { IpAddress, IpNetwork } from './addresses.ts';
import { formatType, type Type } from './types.ts';

/** A value of CEL: int is a bigint, double a number. */
export type Value =
  | bigint
  | boolean
  | null
  | number
  | string
  | Bytes
  | CelMap
  | Duration
  | Format
  | IpAddress
  | IpNetwork
  | Optional
  | QuantityValue
  | readonly Value[]
  | Semver
  | Timestamp
  | TypeValue
  | Uint
  | Url;

/** A function; a member has its target first. Arguments have the types of an overload. */
export type Fn = (...args: readonly [Value, ...(readonly Value[])]) => Value;

/** Ends an evaluation, unless `&&`, `||` or a fold does without. */
export class CelError extends Error {}

/** As Go counts them. A text may have millions: no list is made of them. */
export function charactersIn(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** Longer ones, which texts of selectors have no use for, are too much for JavaScript. */
export const longestText = 2 ** 27;

/** Ends an evaluation, whatever is around it. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

export const noOverload = 'no such overload';

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Each code unit is one byte. */
export class Bytes {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export class TypeValue {
  readonly type: Type;

  constructor(type: Type) {
    this.type = type;
  }

  get name(): string {
    return this.type.name;
  }
}

/** Nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** Nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Optional {
  /** Undefined when there is none. */
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const noValue = new Optional(undefined);

export class QuantityValue {
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }

  plus(other: Quantity, sign: 1 | -1): QuantityValue {
    const added = sign === 1 ? other : { ...other, text: '', nanos: -other.nanos, format: other.format };
    return new QuantityValue(addQuantities(this.quantity, added));
  }
}

/** Source: github.com/blang/semver/v4 */
export class Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly pre: readonly string[];

  constructor(major: bigint, minor: bigint, patch: bigint, pre: readonly string[]) {
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    this.pre = pre;
  }

  compare(other: Semver): -1 | 0 | 1 {
    const numbers = [
      [this.major, other.major],
      [this.minor, other.minor],
      [this.patch, other.patch],
    ] as const;
    for (const [a, b] of numbers) if (a !== b) return a < b ? -1 : 1;
    if (this.pre.length === 0 || other.pre.length === 0) {
      return this.pre.length === other.pre.length ? 0 : this.pre.length === 0 ? 1 : -1;
    }
    for (const [at, a] of this.pre.entries()) {
      const b = other.pre[at];
      if (b === undefined) return 1;
      if (a === b) continue;
      const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
      if (isNumber !== isOther) return isNumber ? -1 : 1;
      return (isNumber ? BigInt(a) < BigInt(b) : a < b) ? -1 : 1;
    }
    return this.pre.length < other.pre.length ? -1 : 0;
  }
}

/** Source: apiserver/pkg/cel/format.go */
export class Format {
  readonly name: string;
  readonly validate: (text: string) => readonly string[];
  readonly regexSize: number;

  constructor(name: string, regexSize: number, validate: (text: string) => readonly string[]) {
    this.name = name;
    this.regexSize = regexSize;
    this.validate = validate;
  }
}

export class Url {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly text: string;

  constructor(parts: Omit<Url, never>) {
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.hostname = parts.hostname;
    this.port = parts.port;
    this.path = parts.path;
    this.query = parts.query;
    this.text = parts.text;
  }
}

/** Keys are bool, int, uint, or string; a number is found under each of its types. */
export class CelMap {
  readonly #entries = new Map<string, readonly [Value, Value]>();
  /** What any other key has; `in` and size do not see it. */
  readonly #fallback: Value | undefined;

  constructor(entries: Iterable<readonly [Value, Value]>, fallback?: Value) {
    for (const entry of entries) this.#entries.set(keyText(entry[0]), entry);
    this.#fallback = fallback;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(keyText(key))?.[1] ?? this.#fallback;
  }

  has(key: Value): boolean {
    return this.#entries.has(keyText(key));
  }

  *keys(): Generator<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }

  entries(): Iterable<readonly [Value, Value]> {
    return this.#entries.values();
  }

  with(key: Value, value: Value): CelMap {
    return new CelMap([...this.#entries.values(), [key, value]]);
  }
}

function keyText(key: Value): string {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === 'number') return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`;
  return `o${typeof key === 'boolean' ? String(key) : typeNameOf(key)}`;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether two values are equal; values of Kubernetes throw for those of another type. Source: types.Equal */
export function equal(a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (typeof a !== 'object') return a === b;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((each, at) => equal(each, b[at]!));
  if (a instanceof CelMap) {
    return (
      b instanceof CelMap &&
      a.size === b.size &&
      [...a.entries()].every(([key, value]) => {
        const other = b.has(key) ? b.get(key) : undefined;
        return other !== undefined && equal(value, other);
      })
    );
  }
  if (a instanceof Bytes) return b instanceof Bytes && a.text === b.text;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Optional) {
    if (!(b instanceof Optional)) return false;
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return equal(a.value, b.value);
  }
  return equalOfKubernetes(a, b);
}

function equalOfKubernetes(a: Exclude<Value, string | null>, b: Value): boolean {
  if (a instanceof QuantityValue && b instanceof QuantityValue) return compareQuantities(a.quantity, b.quantity) === 0;
  if (a instanceof Semver && b instanceof Semver) return a.compare(b) === 0;
  if (a instanceof Format && b instanceof Format) return a.name === b.name;
  if (a instanceof Url && b instanceof Url) return a.text === b.text;
  const [own, other] = [a as { readonly text?: string }, b as { readonly text?: string }];
  if (typeNameOf(a) === typeNameOf(b)) return own.text === other.text;
  throw new CelError(noOverload);
}

type NumberValue = bigint | number | Uint;

export function isNumber(value: Value): value is NumberValue {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** NaN is neither below nor above, nor the same: then it is undefined. JavaScript compares the two kinds exactly. */
export function compareNumbers(a: NumberValue, b: NumberValue): -1 | 0 | 1 | undefined {
  const [left, right] = [a instanceof Uint ? a.value : a, b instanceof Uint ? b.value : b];
  if (left < right) return -1;
  if (left > right) return 1;
  return Number.isNaN(left) || Number.isNaN(right) ? undefined : 0;
}

/** Classes of Kubernetes and of addresses say their own. */
interface Named {
  readonly celType?: string;
}

export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
  }
  if (value === null) return 'null_type';
  if (isList(value)) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Bytes) return 'bytes';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof QuantityValue) return 'kubernetes.Quantity';
  if (value instanceof Semver) return 'kubernetes.Semver';
  if (value instanceof Format) return 'kubernetes.NamedFormat';
  if (value instanceof Url) return 'kubernetes.URL';
  return (value as Named).celType ?? 'dyn';
}

/** Whether a value may be passed where a type is declared. Source: IsAssignableRuntimeType */
export function isOfType(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
      return true;
    case 'list':
      return isList(value) && (value.length === 0 || isOfType(value[0]!, type.params[0]!));
    case 'map': {
      if (!(value instanceof CelMap)) return false;
      const [first] = value.entries();
      return first === undefined || (isOfType(first[0], type.params[0]!) && isOfType(first[1], type.params[1]!));
    }
    default:
      return typeNameOf(value) === (type.kind === 'null' ? 'null_type' : type.name || formatType(type));
  }
}
