import type { Json } from '../../kubernetes/json.ts';

/** What uses something that is not known here. */
export class NotKnown extends Error {
  override readonly name = 'NotKnown';
}

/** What it takes to find the pieces of a template, in characters that are filled in. */
const pieceCost = 10;
/** Templates that are kept taken apart. */
const mostTemplates = 100;

/** How much may still be filled in, so that no template, however it multiplies texts, takes all time or memory. */
export class FillingRoom {
  #left: number;
  /** Of the last templates: each is filled in for thousands of elements, one after the other. */
  readonly #pieces = new Map<string, readonly Piece[] | null>();

  /** @param characters of all that is made, also on the way */
  constructor(characters: number) {
    this.#left = characters;
  }

  /** Whether there is room for something of a size, which then is taken. */
  take(size: number): boolean {
    this.#left -= size;
    return this.#left >= 0;
  }

  /** The pieces of a template. Throws `NotKnown`, also where looking for them takes too long. */
  pieces(text: string): readonly Piece[] {
    let pieces = this.#pieces.get(text);
    if (pieces === undefined) {
      pieces = this.take(text.length * pieceCost) ? piecesIn(text) : null;
      if (this.#pieces.size >= mostTemplates) this.#pieces.clear();
      this.#pieces.set(text, pieces);
    }
    if (pieces === null) throw new NotKnown();
    return pieces;
  }
}

export type Piece =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'action'; readonly tokens: Token[] };

function piecesIn(text: string): readonly Piece[] | null {
  try {
    return piecesOf(text);
  } catch (error) {
    if (error instanceof NotKnown) return null;
    throw error;
  }
}

/** `{{-` takes the white space before it with it, `-}}` that behind it. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let isTrimmed = false;
  const add = (end: number, isTrimmedAtEnd: boolean): void => {
    let part = text.slice(at, end);
    if (isTrimmed) part = part.trimStart();
    if (isTrimmedAtEnd) part = part.trimEnd();
    if (part !== '') pieces.push({ kind: 'text', text: part });
  };
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    const trimsLeft = /^-\s/.test(text.slice(open + 2, open + 4));
    add(open, trimsLeft);
    const tokens: Token[] = [];
    at = open + (trimsLeft ? 3 : 2);
    const comment = /^\s*\/\*/.test(text.slice(at, at + 20)) ? text.indexOf('*/', at) : -1;
    if (comment !== -1) at = comment + 2;
    isTrimmed = false;
    for (;;) {
      const end = /^(?:\s+-|\s*)\}\}/.exec(text.slice(at, at + 50));
      if (end !== null) {
        isTrimmed = end[0].includes('-');
        at += end[0].length;
        break;
      }
      const token = tokenAt(text, at);
      tokens.push(token);
      at = token.end;
    }
    if (comment === -1) pieces.push({ kind: 'action', tokens });
  }
  add(text.length, false);
  return pieces;
}

export interface Token {
  readonly kind: 'word' | 'path' | 'value' | 'mark';
  /** The value of a literal; the steps of a path, each behind a dot. */
  readonly text: string;
  readonly value?: Json;
  /** Whether nothing stands between it and what is before it: `(index .a 0).b`. */
  readonly isJoined: boolean;
  readonly end: number;
}

const tokenForms: readonly (readonly [kind: Token['kind'], form: RegExp])[] = [
  ['path', /\.(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)?/y],
  ['value', /"(?:[^"\\\n]|\\.)*"|`[^`]*`|-?\d+(?![\w.])|(?:true|false|nil)\b/y],
  ['word', /[A-Za-z_]\w*/y],
  ['mark', /[|()]/y],
];

function tokenAt(text: string, from: number): Token {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at += 1;
  for (const [kind, form] of tokenForms) {
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found === undefined) continue;
    const token = { kind, text: found, isJoined: at === from, end: at + found.length };
    return kind === 'value' ? { ...token, value: literal(found) } : token;
  }
  throw new NotKnown();
}

function literal(written: string): Json {
  if (written.startsWith('`')) return written.slice(1, -1);
  if (written === 'nil') return null;
  try {
    return JSON.parse(written) as Json;
  } catch {
    // An escape that only Go has.
    throw new NotKnown();
  }
}
