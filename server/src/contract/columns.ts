/**
 * Plain data as columns: what thousands of rows have in common is said once. A report as JSON says the name of each field
 * in each row; as columns it is a twentieth of that, and nothing of it is lost. Whoever makes them looks at the values
 * alone, so that a new field needs nothing here.
 *
 * A column gives the values of one field, row after row:
 *
 *     = value              the same in all rows
 *     # figures            whole numbers
 *     0 figures            whole numbers from 0 on, and nulls
 *     ! figures            true and false
 *     " column figures     texts, by their positions among those that there are
 *     < end figures figures letters    texts: how many letters the one before begins with too, and how many of its own
 *                          come then; `end` is behind each
 *     - column column      texts whose first parts, up to the last dash, repeat
 *     w column             texts, as lists of their words
 *     n figures column     which rows have a value, the others null; and u, where the field is not there
 *     [ figures column     lists: their lengths, and what is in them
 *     { keys columns       objects
 *     ^ key figures column objects that are as another field of their row, but for some
 *     * values             anything else
 *
 * Figures are differences, each from the number before, in digits of five bits, as source maps write them; `.` before
 * one says that it comes several times.
 */

export type Column = readonly [kind: string, ...parts: unknown[]];

type Row = Readonly<Record<string, unknown>>;

export function inColumns(value: unknown): Column {
  return columnOf([value]);
}

function columnOf(values: readonly unknown[]): Column {
  const [first] = values;
  if (typeof first !== 'object' || first === null) {
    if (values.every((value) => value === first)) return first === undefined ? ['*', []] : ['=', first];
  }
  const kinds = new Set(values.map(kindOf));
  if (kinds.delete('undefined')) return withHoles('u', values, undefined);
  if (kinds.has('null') && kinds.size === 2 && kinds.has('index')) {
    return ['0', figures(values.map((value) => (value === null ? -1 : (value as number))))];
  }
  if (kinds.delete('null')) return withHoles('n', values, null);
  const [kind, other] = kinds;
  if (other === 'whole' || (kind === 'whole' && other !== undefined)) {
    return kinds.size === 2 && kinds.has('index') ? ofNumbers(values as readonly number[]) : ofOthers(values);
  }
  if (other !== undefined) return ofOthers(values);
  switch (kind) {
    case 'index':
    case 'whole':
      return ofNumbers(values as readonly number[]);
    case 'boolean':
      return ['!', figures(values.map(Number))];
    case 'text':
      return ofTexts(values as readonly string[]);
    case 'list': {
      const lists = values as readonly (readonly unknown[])[];
      return ['[', figures(lists.map(({ length }) => length)), columnOf(lists.flat())];
    }
    case 'object':
      return ofObjects(values as readonly Row[]);
    default:
      return ofOthers(values);
  }
}

/** Beyond this a difference would not be exact. */
const largest = 2 ** 50;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Math.abs(value) > largest) return 'number';
    return value < 0 ? 'whole' : 'index';
  }
  if (typeof value === 'string') return 'text';
  return Array.isArray(value) ? 'list' : typeof value;
}

function withHoles(kind: 'n' | 'u', values: readonly unknown[], hole: null | undefined): Column {
  const there = values.filter((value) => value !== hole);
  return [kind, figures(values.map((value) => (value === hole ? 0 : 1))), columnOf(there)];
}

function ofNumbers(values: readonly number[]): Column {
  const plain: Column = ['#', figures(values)];
  const [known, at] = distinct(values);
  if (known.length > values.length / 2) return plain;
  return shorter(plain, ['"', ['#', figures(known)], at]);
}

function ofOthers(values: readonly unknown[]): Column {
  const [known, at] = distinct(values);
  return known.length > values.length / 2 ? ['*', values] : ['"', ['*', known], at];
}

function ofTexts(values: readonly string[]): Column {
  const [known, at] = distinct(values);
  return known.length > values.length / 2 ? ofOwnTexts(values) : ['"', ofOwnTexts(known), at];
}

/** Texts of which few are there twice. */
function ofOwnTexts(values: readonly string[]): Column {
  const words = values.map((value) => value.split(' '));
  if (words.reduce((sum, { length }) => sum + length, 0) > values.length * 2) return ['w', columnOf(words)];
  const dashes = values.map((value) => value.lastIndexOf('-') + 1);
  const starts = values.map((value, index) => value.slice(0, dashes[index]));
  if (new Set(starts).size <= values.length / 2 && starts.some((start) => start !== '')) {
    return ['-', columnOf(starts), ofLetters(values.map((value, index) => value.slice(dashes[index])))];
  }
  return ofLetters(values);
}

function ofLetters(values: readonly string[]): Column {
  let end = values[0] ?? '';
  for (const value of values) while (!value.endsWith(end)) end = end.slice(1);
  const own = values.map((value) => value.slice(0, value.length - end.length));
  const shared = own.map((value, index) => commonStart(value, own[index - 1] ?? ''));
  return shorter(
    lettersOf(
      end,
      own,
      own.map(() => 0),
    ),
    lettersOf(end, own, shared),
  );
}

function lettersOf(end: string, own: readonly string[], shared: readonly number[]): Column {
  const rest = own.map((value, index) => value.slice(shared[index]));
  return ['<', end, figures(shared), figures(rest.map(({ length }) => length)), rest.join('')];
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function ofObjects(values: readonly Row[]): Column {
  const keys: string[] = [];
  const known = new Set<string>();
  for (const value of values) {
    for (const key in value) {
      if (known.has(key)) continue;
      known.add(key);
      keys.push(key);
    }
  }
  const fields = keys.map((key) => values.map((value) => (Object.hasOwn(value, key) ? value[key] : undefined)));
  const columns = fields.map((field, index) => likeAnother(keys, fields, index) ?? columnOf(field));
  return ['{', keys, columns];
}

/** Where most of a field is as in one before it in the same row. */
function likeAnother(keys: readonly string[], fields: readonly (readonly unknown[])[], at: number): Column | null {
  const field = fields[at]!;
  const shape = shapeOf(field[0]);
  if (shape === null || field.length === 1) return null;
  for (let before = 0; before < at; before++) {
    const other = fields[before]!;
    if (shapeOf(other[0]) !== shape) continue;
    const differs = field.map((value, row) => !isLike(value, other[row]));
    const own = field.filter((_value, row) => differs[row]);
    if (own.length <= field.length / 2) return ['^', keys[before], figures(differs.map(Number)), columnOf(own)];
  }
  return null;
}

function shapeOf(value: unknown): string | null {
  return kindOf(value) === 'object' ? Object.keys(value as Row).join() : null;
}

/** Of flat objects; others are taken for different. */
function isLike(one: unknown, other: unknown): boolean {
  if (kindOf(one) !== 'object' || kindOf(other) !== 'object') return false;
  const [left, right] = [one as Row, other as Row];
  for (const key in left) if (!Object.hasOwn(right, key) || left[key] !== right[key]) return false;
  for (const key in right) if (!Object.hasOwn(left, key)) return false;
  return true;
}

/** The values that there are, and the position of each among them. */
function distinct<Value>(values: readonly Value[]): readonly [readonly Value[], string] {
  const positions = new Map<Value, number>();
  const at = values.map((value) => {
    let position = positions.get(value);
    if (position === undefined) {
      position = positions.size;
      positions.set(value, position);
    }
    return position;
  });
  return [[...positions.keys()], figures(at)];
}

function shorter(one: Column, other: Column): Column {
  return JSON.stringify(other).length < JSON.stringify(one).length ? other : one;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const repeats = '.';
/** Fewer than this are not worth the two figures. */
const fewest = 3;

/** Whole numbers as differences. */
function figures(values: readonly number[]): string {
  const written: string[] = [];
  let before = 0;
  for (let at = 0; at < values.length;) {
    const difference = values[at]! - before;
    let next = at + 1;
    while (next < values.length && difference === values[next]! - values[next - 1]!) next++;
    if (next - at >= fewest) {
      written.push(repeats, figure(difference), figure(next - at));
    } else {
      next = at + 1;
      written.push(figure(difference));
    }
    before = values[next - 1]!;
    at = next;
  }
  return written.join('');
}

function figure(value: number): string {
  let left = value < 0 ? -value * 2 + 1 : value * 2;
  let written = '';
  do {
    const digit = left % 32;
    left = (left - digit) / 32;
    written += digits[left > 0 ? digit + 32 : digit]!;
  } while (left > 0);
  return written;
}

type Read = () => unknown;

/** Rows that are read between two yields. */
const atOnce = 1_000;

/** What was made into columns; its lists are read in steps. Of what are none, anything may come. */
export function* fromColumns(column: unknown): Generator<void, unknown> {
  const [kind, keys, columns] = partsOf(column);
  if (kind !== '{') return readerOf(column)();
  const fields: [string, unknown][] = [];
  for (const [index, key] of listOf(keys).entries()) {
    yield;
    fields.push([String(key), yield* fieldOf(listOf(columns)[index])]);
  }
  return Object.fromEntries(fields);
}

function* fieldOf(column: unknown): Generator<void, unknown> {
  const [kind, lengths, rows] = partsOf(column);
  if (kind !== '[') return readerOf(column)();
  const length = figuresOf(lengths)();
  const read = readerOf(rows);
  const list: unknown[] = [];
  while (list.length < length) {
    if (list.length % atOnce === atOnce - 1) yield;
    list.push(read());
  }
  return list;
}

/** Reads a column row after row. */
function readerOf(column: unknown): Read {
  const [kind, first, second, third, letters] = partsOf(column);
  switch (kind) {
    case '=':
      return () => first;
    case '#':
      return figuresOf(first);
    case '0':
      return mapped(figuresOf(first), (value) => (value < 0 ? null : value));
    case '!':
      return mapped(figuresOf(first), (value) => value === 1);
    case '"': {
      const known: unknown[] = [];
      const read = readerOf(first);
      return mapped(figuresOf(second), (at) => {
        while (known.length <= at) known.push(read());
        return known[at];
      });
    }
    case '<':
      return lettersReader(String(first), figuresOf(second), figuresOf(third), String(letters));
    case '-': {
      const [start, end] = [readerOf(first), readerOf(second)];
      return () => `${String(start())}${String(end())}`;
    }
    case 'w':
      return mapped(readerOf(first), (words) => listOf(words).join(' '));
    case 'n':
    case 'u': {
      const read = readerOf(second);
      return mapped(figuresOf(first), (isThere) => (isThere === 1 ? read() : kind === 'n' ? null : undefined));
    }
    case '[': {
      const read = readerOf(second);
      return mapped(figuresOf(first), (length) => Array.from({ length }, read));
    }
    case '{':
      return objectReader(listOf(first).map(String), listOf(second));
    case '*': {
      let at = 0;
      return () => listOf(first)[at++];
    }
    default:
      return () => undefined;
  }
}

function mapped<From, To>(read: () => From, map: (value: From) => To): () => To {
  return () => map(read());
}

function lettersReader(end: string, shared: () => number, lengths: () => number, letters: string): Read {
  let at = 0;
  let before = '';
  return () => {
    const start = at;
    const kept = before.slice(0, shared());
    at += lengths();
    before = kept + letters.slice(start, at);
    return before + end;
  };
}

function objectReader(keys: readonly string[], columns: readonly unknown[]): Read {
  const readers = columns.map((column): ((row: Row) => unknown) => {
    const [kind, key, differs, own] = partsOf(column);
    if (kind !== '^') return readerOf(column);
    const [isOther, read] = [figuresOf(differs), readerOf(own)];
    return (row) => (isOther() === 1 ? read() : row[String(key)]);
  });
  return () => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      const value = readers[index]?.(row);
      // Manifests name resources as they like.
      if (value === undefined) continue;
      if (key === '__proto__') Object.defineProperty(row, key, { value, enumerable: true });
      else row[key] = value;
    }
    return row;
  };
}

function figuresOf(written: unknown): () => number {
  const text = String(written);
  let at = 0;
  let before = 0;
  let difference = 0;
  let left = 0;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; at < text.length; scale *= 32) {
      const digit = valueOf(text.charCodeAt(at++));
      value += (digit % 32) * scale;
      if (digit < 32) break;
    }
    return value % 2 === 1 ? (1 - value) / 2 : value / 2;
  };
  return () => {
    if (left === 0) {
      const isRepeated = text[at] === repeats;
      if (isRepeated) at++;
      difference = next();
      left = isRepeated ? next() : 1;
    }
    left--;
    before += difference;
    return before;
  };
}

const digitValues = new Map(Array.from(digits, (digit, value) => [digit.charCodeAt(0), value]));

function valueOf(code: number): number {
  return digitValues.get(code) ?? 0;
}

function partsOf(column: unknown): readonly unknown[] {
  return Array.isArray(column) ? column : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
