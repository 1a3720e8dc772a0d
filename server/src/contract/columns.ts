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
 *     - column column      texts whose first parts repeat: what is before the last dash, null without one, and behind it
 *     w column             texts, as lists of their words
 *     t columns            texts of equally many words: their first, their second, …
 *     n figures column     which rows have a value, the others null; and u, where the field is not there
 *     [ figures column     lists: their lengths, and what is in them
 *     { keys columns       objects
 *     ^ key figures column objects that are as another field of their row, but for some
 *     + key column         objects of whole numbers: how much more they are than those of another field of their row
 *     * values             anything else
 *
 * What figures are says `figures.ts`.
 */
import { figures } from './figures.ts';

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
  const kinds = kindsOf(values);
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

function kindsOf(values: readonly unknown[]): Set<string> {
  const kinds = new Set<string>();
  let last = '';
  for (const value of values) {
    const kind = kindOf(value);
    if (kind === last) continue;
    kinds.add(kind);
    last = kind;
  }
  return kinds;
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
  if (words.reduce((sum, { length }) => sum + length, 0) > values.length * 2) {
    const [first] = words;
    return words.every(({ length }) => length === first?.length)
      ? ['t', first!.map((_word, at) => columnOf(words.map((each) => each[at])))]
      : ['w', columnOf(words)];
  }
  const dashes = values.map((value) => value.lastIndexOf('-'));
  const starts = values.map((value, index) => (dashes[index]! < 0 ? null : value.slice(0, dashes[index])));
  if (new Set(starts).size <= values.length / 2 && starts.some((start) => start !== null)) {
    return ['-', columnOf(starts), ofLetters(values.map((value, index) => value.slice(dashes[index]! + 1)))];
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
  // Manifests name resources as they like: an object may lack what every object has.
  const fields = keys.map((key) =>
    values.map(
      key in Object.prototype ? (value) => (Object.hasOwn(value, key) ? value[key] : undefined) : (value) => value[key],
    ),
  );
  return ['{', keys, fields.map((field, index) => likeAnother(keys, fields, index) ?? columnOf(field))];
}

/** Where a field is like one before it in the same row: most of them the same, or figures that are not far from it. */
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
    if ([...field, ...other].every((value) => hasFigures(value, shape))) {
      const more = field.map((value, row) => difference(value as Amounts, other[row] as Amounts));
      return shorter(columnOf(field), ['+', keys[before], columnOf(more)]);
    }
  }
  return null;
}

type Amounts = Readonly<Record<string, number>>;

function hasFigures(value: unknown, shape: string): boolean {
  return shapeOf(value) === shape && Object.values(value as Row).every((each) => kindOf(each) === 'index');
}

function difference(one: Amounts, other: Amounts): Amounts {
  return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, value - other[key]!]));
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
