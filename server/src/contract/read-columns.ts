import { figuresOf } from './figures.ts';

type Row = Readonly<Record<string, unknown>>;
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
      return () => {
        const before = start();
        return typeof before === 'string' ? `${before}-${String(end())}` : end();
      };
    }
    case 'w':
      return mapped(readerOf(first), (words) => listOf(words).join(' '));
    case 't': {
      const words = listOf(first).map(readerOf);
      return () => words.map((read) => read()).join(' ');
    }
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
    const [kind, key, ...parts] = partsOf(column);
    switch (kind) {
      case '^': {
        const [differs, read] = [figuresOf(parts[0]), readerOf(parts[1])];
        return (row) => (differs() === 1 ? read() : row[String(key)]);
      }
      case '+': {
        const read = readerOf(parts[0]);
        return (row) => sum(read(), row[String(key)]);
      }
      default:
        return readerOf(column);
    }
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

function sum(more: unknown, other: unknown): unknown {
  const [amounts, before] = [more as Record<string, number>, other as Readonly<Record<string, number>>];
  for (const key in amounts) amounts[key] = amounts[key]! + (before[key] ?? 0);
  return amounts;
}

function partsOf(column: unknown): readonly unknown[] {
  return Array.isArray(column) ? column : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
