import {
  Bytes,
  CelError,
  CelMap,
  compareNumbers,
  Duration,
  equal,
  isList,
  isNumber,
  noOverload,
  Timestamp,
  Uint,
  type Value,
} from './values.ts';

function int(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new CelError('integer overflow');
  return value;
}

function uint(value: bigint): Uint {
  if (BigInt.asUintN(64, value) !== value) throw new CelError('unsigned integer overflow');
  return new Uint(value);
}

type Arithmetic = '+' | '-' | '*' | '/' | '%';

/** Values that have an operator at all; others fail with its name. Source: the traits of common/types */
function hasOperator(operator: Arithmetic, value: Value): boolean {
  if (isNumber(value)) return operator !== '%' || typeof value !== 'number';
  const isTime = value instanceof Duration || value instanceof Timestamp;
  if (operator === '-') return isTime;
  return operator === '+' && (isTime || typeof value === 'string' || isList(value) || value instanceof Bytes);
}

export function arithmetic(operator: Arithmetic, a: Value, b: Value): Value {
  if (!hasOperator(operator, a)) throw new CelError(`${noOverload}: _${operator}_`);
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(whole(operator, a, b));
  if (typeof a === 'number' && typeof b === 'number') return ofDoubles(operator, a, b);
  if (a instanceof Uint && b instanceof Uint) return uint(whole(operator, a.value, b.value));
  if (operator === '+') {
    if (typeof a === 'string' && typeof b === 'string') return a + b;
    if (isList(a) && isList(b)) return [...a, ...b];
    if (a instanceof Bytes && b instanceof Bytes) return new Bytes(a.text + b.text);
    if (a instanceof Duration && b instanceof Duration) return new Duration(a.nanos + b.nanos);
    if (a instanceof Duration && b instanceof Timestamp) return new Timestamp(a.nanos + b.nanos);
    if (a instanceof Timestamp && b instanceof Duration) return new Timestamp(a.nanos + b.nanos);
  }
  if (operator === '-') {
    if (a instanceof Timestamp && b instanceof Timestamp) return new Duration(a.nanos - b.nanos);
    if (a instanceof Timestamp && b instanceof Duration) return new Timestamp(a.nanos - b.nanos);
    if (a instanceof Duration && b instanceof Duration) return new Duration(a.nanos - b.nanos);
  }
  throw new CelError(noOverload);
}

function whole(operator: Arithmetic, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      if (b === 0n) throw new CelError('division by zero');
      return a / b;
    case '%':
      if (b === 0n) throw new CelError('modulus by zero');
      return a % b;
  }
}

function ofDoubles(operator: Arithmetic, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      return a / b;
  }
}

export function negated(value: Value): Value {
  if (typeof value === 'bigint') return int(-value);
  if (typeof value === 'number') return -value;
  if (value instanceof Duration) return new Duration(-value.nanos);
  throw new CelError(`${noOverload}: -_`);
}

/** How two values are ordered; undefined beside NaN. */
export function compare(a: Value, b: Value): -1 | 0 | 1 | undefined {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return orderOf(utf8(a), utf8(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return orderOf(Number(a), Number(b));
  if (a instanceof Bytes && b instanceof Bytes) return orderOf(a.text, b.text);
  if (a instanceof Duration && b instanceof Duration) return orderOf(a.nanos, b.nanos);
  if (a instanceof Timestamp && b instanceof Timestamp) return orderOf(a.nanos, b.nanos);
  throw new CelError(noOverload);
}

/** Go compares bytes; code units say the same up to the surrogates. */
function utf8(text: string): string {
  return /[\uD800-\uFFFF]/.test(text)
    ? Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
    : text;
}

function orderOf<T extends bigint | number | string>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function contains(value: Value, container: Value): boolean {
  if (container instanceof CelMap) return container.has(value);
  if (isList(container)) return container.some((each) => equal(value, each));
  throw new CelError(`${noOverload}: @in`);
}
