import { own } from '../../util/own.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { asMap } from '../../manifests/read-data.ts';
import { type FillingRoom, NotKnown, type Piece, type Token } from '../files/go-template-pieces.ts';

/**
 * A text with Go's template actions filled in; null where it uses what is not known here (ranges, variables, most of
 * sprig), and where Go would stop with an error or print `<no value>`.
 * Source: text/template, and argo-cd applicationset/utils/utils.go (Replace: sprig, normalize, slugify)
 */
export function fillGoTemplate(text: string, data: JsonObject, room: FillingRoom): string | null {
  if (!text.includes('{{')) return text;
  try {
    return new Filling(room.pieces(text), data, room).all();
  } catch (error) {
    if (error instanceof NotKnown) return null;
    throw error;
  }
}

/** Characters: what is longer is no field of an object. */
const longestText = 1_000_000;
/** Branches in branches, and brackets in brackets. */
const deepest = 100;

class Filling {
  readonly #pieces: readonly Piece[];
  readonly #data: JsonObject;
  readonly #room: FillingRoom;
  #next = 0;
  #depth = 0;

  constructor(pieces: readonly Piece[], data: JsonObject, room: FillingRoom) {
    this.#pieces = pieces;
    this.#data = data;
    this.#room = room;
  }

  all(): string {
    const text = this.#block(true);
    if (this.#next < this.#pieces.length) throw new NotKnown();
    return text;
  }

  /** Up to the `else` or `end` of the block, which is left to whoever has begun it. */
  #block(isTaken: boolean): string {
    let text = '';
    for (; this.#next < this.#pieces.length; this.#next += 1) {
      const piece = this.#pieces[this.#next]!;
      if (piece.kind === 'text') {
        text += piece.text;
        continue;
      }
      const [first] = piece.tokens;
      const word = first?.kind === 'word' ? first.text : '';
      if (word === 'else' || word === 'end') break;
      if (word === 'if') {
        this.#next += 1;
        if (++this.#depth > deepest) throw new NotKnown();
        text += this.#branches(piece.tokens.slice(1), isTaken);
        this.#depth -= 1;
      } else if (blocks.has(word)) {
        throw new NotKnown();
      } else if (isTaken) {
        const made = printed(this.#valueOf(piece.tokens));
        if (!this.#room.take(made.length)) throw new NotKnown();
        text += made;
      }
      if (text.length > longestText) throw new NotKnown();
    }
    return isTaken ? text : '';
  }

  #valueOf(tokens: readonly Token[]): Json {
    return new Pipeline(tokens, this.#data, this.#room).result();
  }

  #branches(condition: readonly Token[], isTaken: boolean): string {
    let isOpen = isTaken;
    let test: readonly Token[] | null = condition;
    let text = '';
    for (;;) {
      const isThis: boolean = isOpen && (test === null || !isEmpty(this.#valueOf(test)));
      isOpen &&= !isThis;
      text += this.#block(isThis);
      const piece = this.#pieces[this.#next];
      if (piece?.kind !== 'action') throw new NotKnown();
      const [first, second, ...rest] = piece.tokens;
      if (first?.text === 'end') return text;
      if (test === null || (second !== undefined && second.text !== 'if')) throw new NotKnown();
      test = second === undefined ? null : rest;
      this.#next += 1;
    }
  }
}

const blocks = new Set(['range', 'with', 'define', 'block', 'template', 'break', 'continue']);

class Pipeline {
  readonly #tokens: readonly Token[];
  readonly #data: JsonObject;
  readonly #room: FillingRoom;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], data: JsonObject, room: FillingRoom) {
    this.#tokens = tokens;
    this.#data = data;
    this.#room = room;
  }

  result(): Json {
    const value = this.#pipeline();
    if (this.#at < this.#tokens.length) throw new NotKnown();
    return value;
  }

  #pipeline(): Json {
    let value = this.#command(undefined);
    while (this.#tokens[this.#at]?.text === '|') {
      this.#at += 1;
      value = this.#command(value);
    }
    return value;
  }

  /** A function with its arguments, to which what comes through the pipe is the last, or a value. */
  #command(piped: Json | undefined): Json {
    const first = this.#tokens[this.#at];
    if (first?.kind !== 'word') {
      const value = this.#operand();
      if (piped !== undefined || this.#isOperand()) throw new NotKnown();
      return value;
    }
    this.#at += 1;
    const given: Json[] = [];
    while (this.#isOperand()) given.push(this.#operand());
    if (piped !== undefined) given.push(piped);
    const result = Object.hasOwn(functions, first.text) ? functions[first.text]!(...given) : undefined;
    if (result === undefined || !this.#room.take([...given, result].reduce<number>(sizeWith, 0))) throw new NotKnown();
    return result;
  }

  #isOperand(): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && token.text !== '|' && token.text !== ')';
  }

  #operand(): Json {
    const token = this.#tokens[this.#at++];
    if (token?.kind === 'value') return token.value!;
    if (token?.kind === 'path') return field(this.#data, token.text);
    if (token?.text !== '(') throw new NotKnown();
    if (++this.#depth > deepest) throw new NotKnown();
    const value = this.#pipeline();
    this.#depth -= 1;
    if (this.#tokens[this.#at++]?.text !== ')') throw new NotKnown();
    const behind = this.#tokens[this.#at];
    if (behind?.kind !== 'path' || !behind.isJoined) return value;
    this.#at += 1;
    return field(value, behind.text);
  }
}

/** What is not there is nothing, as long as nobody looks into it. */
function field(value: Json, path: string): Json {
  const steps = path.split('.').filter((step) => step !== '');
  return steps.reduce<Json>((at, step) => {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) throw new NotKnown();
    return Object.hasOwn(at, step) ? (own(at as JsonObject, step) ?? null) : null;
  }, value);
}

/** Go prints `<no value>` for nothing, and `map[…]` for maps, which nobody means. */
function printed(value: Json): string {
  if (typeof value === 'object') throw new NotKnown();
  return String(value);
}

/** Source: text/template, exec.go (isTrue), which sprig's `default` and `empty` follow */
function isEmpty(value: Json | undefined): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object') return Object.keys(asMap(value)).length === 0;
  return value === '' || value === 0 || value === false;
}

/**
 * Undefined for arguments that one cannot take.
 * Source: sprig, functions.go: what is worked on is the last, as it comes through the pipe
 */
type TemplateFunction = (...given: readonly (Json | undefined)[]) => Json | undefined;

function ofTexts(count: number, result: (...texts: string[]) => Json | undefined): TemplateFunction {
  return (...given) =>
    given.length === count && given.every((each) => typeof each === 'string') ? result(...given) : undefined;
}

const functions: Readonly<Record<string, TemplateFunction>> = {
  and: (...given) => given[given.findIndex(isEmpty)] ?? (given.some(isEmpty) ? null : given.at(-1)),
  or: (...given) => given.find((each) => !isEmpty(each)) ?? given.at(-1),
  not: (value) => (value === undefined ? undefined : isEmpty(value)),
  eq: (value, ...others) => comparable(value, others)?.some((other) => other === value),
  ne: (value, other) => (other === undefined ? undefined : comparable(value, [other])?.every((each) => each !== value)),
  len: (value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : Array.isArray(value) ? value.length : undefined,
  index: (value, ...keys) =>
    keys.reduce<Json | undefined>((at, key) => (at === undefined ? at : entry(at, key)), value),
  default: (other, value) => (value === undefined || isEmpty(value) ? other : value),
  empty: (value) => (value === undefined ? undefined : isEmpty(value)),
  coalesce: (...given) => given.find((each) => !isEmpty(each)) ?? null,
  ternary: (yes, no, test) => (typeof test === 'boolean' ? (test ? yes : no) : undefined),
  hasKey: (map, key) => (typeof key === 'string' ? Object.hasOwn(asMap(map), key) : undefined),
  toString: (value: Json | undefined) => (typeof value === 'object' || value === undefined ? undefined : String(value)),
  toJson: (value) => (value === undefined ? undefined : JSON.stringify(value)),
  quote: (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined),
  squote: (value) => (typeof value === 'object' || value === undefined ? undefined : `'${String(value)}'`),
  lower: ofTexts(1, (text) => text.toLowerCase()),
  upper: ofTexts(1, (text) => text.toUpperCase()),
  trim: ofTexts(1, (text) => text.trim()),
  trimPrefix: ofTexts(2, (part, text) => (text.startsWith(part) ? text.slice(part.length) : text)),
  trimSuffix: ofTexts(2, (part, text) => (part !== '' && text.endsWith(part) ? text.slice(0, -part.length) : text)),
  contains: ofTexts(2, (part, text) => text.includes(part)),
  hasPrefix: ofTexts(2, (part, text) => text.startsWith(part)),
  hasSuffix: ofTexts(2, (part, text) => text.endsWith(part)),
  replace: ofTexts(3, (from, to, text) => {
    const parts = text.split(from);
    return text.length + parts.length * to.length > longestText ? undefined : text.replaceAll(from, () => to);
  }),
  splitList: ofTexts(2, (mark, text) => text.split(mark)),
  normalize: ofTexts(1, sanitizeName),
  trunc: (count, text) => {
    if (typeof count !== 'number' || typeof text !== 'string') return undefined;
    return count < 0 ? text.slice(count) : text.slice(0, count);
  },
  first: (list) => (Array.isArray(list) ? ((list as readonly Json[])[0] ?? null) : undefined),
  last: (list) => (Array.isArray(list) ? ((list as readonly Json[]).at(-1) ?? null) : undefined),
  join: (mark, list) =>
    typeof mark === 'string' && Array.isArray(list) && list.every((each) => typeof each === 'string')
      ? joined(list, mark)
      : undefined,
};

function joined(list: readonly string[], mark: string): string | undefined {
  const length = list.reduce((sum, each) => sum + each.length, list.length * mark.length);
  return length > longestText ? undefined : list.join(mark);
}

/** What a value costs that a function takes or gives. */
function sizeWith(sum: number, value: Json): number {
  return sum + (typeof value === 'string' || Array.isArray(value) ? value.length : 1);
}

/** Go compares what is of one kind, and stops at anything else. */
function comparable(
  value: Json | undefined,
  others: readonly (Json | undefined)[],
): readonly (Json | undefined)[] | undefined {
  const isAlike = others.length > 0 && others.every((other) => typeof other === typeof value);
  return isAlike && typeof value !== 'object' ? others : undefined;
}

function entry(value: Json, key: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? (value as readonly Json[])[key] : undefined;
  return typeof key === 'string' && typeof value === 'object' && value !== null
    ? field(value, key.includes('.') ? '' : key)
    : undefined;
}

/** Source: argo-cd, applicationset/utils/template_functions.go (SanitizeName) */
export function sanitizeName(written: string): string {
  const name = written
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(0, 253);
  // Step by step, as a pattern for the end looks at each mark of a long row again.
  let start = 0;
  let end = name.length;
  while (start < end && '-.'.includes(name[start]!)) start += 1;
  while (end > start && '-.'.includes(name[end - 1]!)) end -= 1;
  return name.slice(start, end);
}
