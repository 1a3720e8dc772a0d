import type { CelProblem } from './syntax.ts';

export interface Token {
  readonly kind: 'bytes' | 'end' | 'float' | 'ident' | 'int' | 'mark' | 'string' | 'uint' | 'quoted';
  /** As written. */
  readonly text: string;
  readonly at: number;
  /** Of a string or bytes: without quotes, escapes resolved; code units of bytes are bytes. */
  readonly content?: string;
}

const marks = ['==', '!=', '<=', '>=', '&&', '||', ...Array.from('[]{}()<>=.,?:+-*/%!')];
const number = /^(?:0x[0-9a-fA-F]+[uU]?|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+[uU]?)/;
const string =
  /^([rRbB]{0,2})("""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^\\"\n\r]|\\.)*"|'(?:[^\\'\n\r]|\\.)*')/u;
const rawString = /^([rRbB]{0,2})("""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')/u;

/** Cuts an expression into tokens. Source: parser/gen/CEL.g4 */
export function tokensOf(text: string): {
  readonly tokens: readonly Token[];
  readonly problems: readonly CelProblem[];
} {
  const tokens: Token[] = [];
  const problems: CelProblem[] = [];
  let rest = text;
  let at = 0;
  const take = (length: number): string => {
    const taken = rest.slice(0, length);
    rest = rest.slice(length);
    at += Array.from(taken).length;
    return taken;
  };
  while (rest !== '') {
    const blank = /^(?:[\t\n\f\r ]+|\/\/[^\n]*)/.exec(rest);
    if (blank !== null) {
      take(blank[0].length);
      continue;
    }
    const start = at;
    const literal = stringAt(rest);
    if (literal !== null) {
      const { length, isBytes, content } = literal;
      if (content === null) {
        problems.push({ at: start, message: 'Syntax error: invalid escape sequence' });
      }
      const written = take(length);
      tokens.push({ kind: isBytes ? 'bytes' : 'string', text: written, at: start, content: content ?? '' });
      continue;
    }
    const numeric = number.exec(rest);
    if (numeric !== null) {
      const written = take(numeric[0].length);
      tokens.push({ kind: numericKind(written), text: written, at: start });
      continue;
    }
    const ident = /^[A-Za-z_]\w*/.exec(rest);
    if (ident !== null) {
      tokens.push({ kind: 'ident', text: take(ident[0].length), at: start });
      continue;
    }
    const quoted = /^`[\w.\-/ ]+`/.exec(rest);
    if (quoted !== null) {
      tokens.push({ kind: 'quoted', text: take(quoted[0].length), at: start });
      continue;
    }
    const mark = marks.find((each) => rest.startsWith(each));
    if (mark !== undefined && mark !== '=') {
      tokens.push({ kind: 'mark', text: take(mark.length), at: start });
      continue;
    }
    const unknown = take(String.fromCodePoint(rest.codePointAt(0)!).length);
    problems.push({ at: start, message: `Syntax error: token recognition error at: '${unknown}'` });
  }
  tokens.push({ kind: 'end', text: '<EOF>', at });
  return { tokens, problems };
}

function numericKind(text: string): Token['kind'] {
  if (/[uU]$/.test(text)) return 'uint';
  return !text.startsWith('0x') && /[.eE]/.test(text) ? 'float' : 'int';
}

interface StringToken {
  readonly length: number;
  readonly isBytes: boolean;
  readonly content: string | null;
}

function stringAt(rest: string): StringToken | null {
  if (!/^[rRbB]{0,2}["']/.test(rest)) return null;
  const prefix = /^[rRbB]*/.exec(rest)![0].toLowerCase();
  const isRaw = prefix.includes('r');
  const found = (isRaw ? rawString : string).exec(rest);
  if (found === null) return null;
  const body = found[2]!;
  const quotes = body.startsWith('"""') || body.startsWith("'''") ? 3 : 1;
  const inner = body.slice(quotes, -quotes).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const isBytes = prefix.includes('b');
  const content = isRaw ? inner : unescaped(inner, isBytes);
  return { length: found[0].length, isBytes, content: isBytes && content !== null ? bytesText(content) : content };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['?', '?'],
]);

/** Null where there is an escape that is none. Escapes of bytes are marked, so that they are not encoded. */
function unescaped(text: string, isBytes: boolean): string | null {
  let wrong = 0;
  const result = text.replaceAll(
    /\\(?:([xX])([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))/g,
    (_all, _x, hex?: string, four?: string, eight?: string, octal?: string, other?: string) => {
      const known = other === undefined ? undefined : escapes.get(other);
      if (known !== undefined) return known;
      const code = hex ?? four ?? eight;
      const value = code === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(code, 16);
      if (Number.isNaN(value) || value > 0x10ffff || (isBytes && (four ?? eight) !== undefined)) {
        wrong += 1;
        return '';
      }
      return isBytes ? String.fromCharCode(0xf700 + value) : String.fromCodePoint(value);
    },
  );
  return wrong > 0 ? null : result;
}

/** One code unit for each byte. */
function bytesText(text: string): string {
  let result = '';
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (code >= 0xf700 && code <= 0xf7ff) result += String.fromCharCode(code - 0xf700);
    else for (const byte of new TextEncoder().encode(char)) result += String.fromCharCode(byte);
  }
  return result;
}
