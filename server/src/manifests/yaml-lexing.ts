/**
 * Text to the lexemes of the YAML library, as go-yaml cuts it. The library wants every line of a quoted scalar, or of
 * something in brackets, indented past the key before it, as YAML does; go-yaml looks only for the closing sign.
 * Source: sigs.k8s.io/yaml/goyaml.v2/scannerc.go (yaml_parser_scan_flow_scalar, yaml_parser_unroll_indent)
 */
import { Lexer } from 'yaml';
import type { OffsetRange } from './manifest.ts';

/** What the library's lexer says about the lexemes around: a document, the early end of a collection, a scalar. */
export const lexerMarks = { document: '\u0002', earlyEnd: '\u0018', scalar: '\u001F' } as const;
/** Each sign without a closing one costs a look at all that follows. */
const maxMisses = 8;
const marks: ReadonlySet<string> = new Set(Object.values(lexerMarks));

/**
 * The lexemes of a text, marks of the lexer among them.
 *
 * @param joined parts that are cut as if they stood on one line (see `unindentedParts`)
 */
export function* lexemesOf(text: string, joined: readonly OffsetRange[]): Generator<string, void> {
  if (joined.length === 0) {
    yield* new Lexer().lex(text);
    return;
  }
  let offset = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(onOneLine(text, joined))) {
    if (!isScalar && marks.has(lexeme)) {
      isScalar = lexeme === lexerMarks.scalar;
      yield lexeme;
      continue;
    }
    const written = text.slice(offset, offset + lexeme.length);
    offset += lexeme.length;
    if (isScalar || written === lexeme || lexeme.trim() !== '') yield written;
    else yield* written.match(/\r?\n|[ \t]+|#[^\n\r]*|[^]/g) ?? [];
    isScalar = false;
  }
}

/** The text with as many characters, in which the line breaks and comments of some parts are blank. */
function onOneLine(text: string, parts: readonly OffsetRange[]): string {
  let result = '';
  let done = 0;
  for (const { start, end } of parts) {
    const part = text.slice(start, end);
    const isQuoted = part.startsWith('"') || part.startsWith("'");
    result += text.slice(done, start) + (isQuoted ? part : withoutComments(part)).replaceAll(/[\r\n]/g, ' ');
    done = end;
  }
  return result + text.slice(done);
}

function withoutComments(part: string): string {
  let result = '';
  let done = 0;
  scanFlow(part, 0, (start, end) => {
    result += part.slice(done, start) + ' '.repeat(end - start);
    done = end;
  });
  return result + part.slice(done);
}

/**
 * Of places where the library's lexer gave up, those that go-yaml reads to their closing sign.
 *
 * @param starts offsets of quotes and brackets, in order
 */
export function unindentedParts(text: string, starts: readonly number[]): OffsetRange[] {
  const parts: OffsetRange[] = [];
  let misses = 0;
  for (const start of starts) {
    if (start < (parts.at(-1)?.end ?? 0)) continue;
    const end = isQuote(text[start]) ? endOfQuoted(text, start) : scanFlow(text, start);
    if (end !== null && /[\r\n]/.test(text.slice(start, end)) && mayEndAt(text, end)) parts.push({ start, end });
    else if (++misses === maxMisses) break;
  }
  return parts;
}

/** What may stand behind a value. After anything else the closing sign is the opening one of something else. */
function mayEndAt(text: string, end: number): boolean {
  return /[ \t]*(?:$|[\r\n#,\]}]|:(?:$|\s))/y.test(text.slice(end, end + 100));
}

function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'";
}

/** The offset behind the closing quote; null without one, or where a document ends before. */
function endOfQuoted(text: string, start: number): number | null {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\' && quote === '"') at++;
    else if (sign === '\n' && /(?:---|\.\.\.)(?:\s|$)/y.test(text.slice(at + 1, at + 5))) return null;
    else if (sign !== quote) continue;
    else if (quote === "'" && text[at + 1] === quote) at++;
    else return at + 1;
  }
  return null;
}

/** The offset behind the bracket that closes the one at `start`; null without one. */
function scanFlow(text: string, start: number, onComment?: (start: number, end: number) => void): number | null {
  let depth = 0;
  // A quote within a plain scalar is a part of it.
  let mayQuote = true;
  for (let at = start; at < text.length; at++) {
    const sign = text[at]!;
    if (isQuote(sign) && mayQuote) {
      const end = endOfQuoted(text, at);
      if (end === null) return null;
      at = end - 1;
      mayQuote = false;
    } else if (sign === '#' && /\s/.test(text[at - 1] ?? ' ')) {
      const lineBreak = text.indexOf('\n', at);
      const end = lineBreak === -1 ? text.length : lineBreak;
      onComment?.(at, end);
      at = end - 1;
    } else if (sign === '[' || sign === '{') {
      depth++;
      mayQuote = true;
    } else if (sign === ']' || sign === '}') {
      if (--depth === 0) return at + 1;
      mayQuote = false;
    } else if (sign === ',' || sign === ':') {
      mayQuote = true;
    } else if (!/\s/.test(sign)) {
      mayQuote = false;
    }
  }
  return null;
}
