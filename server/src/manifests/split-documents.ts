/** One document of a stream, as a part of its text. */
export interface DocumentSpan {
  readonly start: number;
  readonly end: number;
  /** Line of `start`, from 0. */
  readonly line: number;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

/**
 * Cuts a YAML stream into documents: at `---`, and after `...`. Every character belongs to exactly one document.
 * Comments and directives before the first `---` belong to the document that it starts. There is always at least one
 * document. At most `limit + 1` are returned, the last of which then holds all the rest.
 */
export function splitDocuments(text: string, limit = Number.POSITIVE_INFINITY): DocumentSpan[] {
  const spans: DocumentSpan[] = [];
  let start = 0;
  let startLine = 0;
  let line = 0;
  // What LSP calls a line also ends at a lone carriage return; hardly any file has one.
  const hasLoneReturns = /\r(?!\n)/.test(text);
  // A `---` starts a new document unless only blank lines, comments and directives came before it.
  let begun = false;
  const cut = (at: number, atLine: number): void => {
    if (at > start) spans.push({ start, end: at, line: startLine });
    start = at;
    startLine = atLine;
    begun = false;
  };

  let position = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  while (position < text.length && spans.length < limit) {
    const lineStart = position === 1 && start === 0 && line === 0 ? 0 : position;
    const end = text.indexOf('\n', position);
    const next = end === -1 ? text.length : end + 1;
    const marker = markerAt(text, position);
    const nextLine =
      line + (end === -1 ? 0 : 1) + (hasLoneReturns ? loneCarriageReturns(text, position, next) : 0);
    if (marker === '---') {
      if (begun) cut(lineStart, line);
      begun = true;
    } else if (marker === '...') {
      cut(next, nextLine);
    } else if (!begun && hasContent(text, position, next)) {
      begun = true;
    }
    line = nextLine;
    position = next;
  }
  if (start < text.length || spans.length === 0) {
    const last = spans.at(-1);
    const blankRest = !begun && last !== undefined && spans.length < limit && text.slice(start).trim() === '';
    // Blank lines after a final `...` are no document of their own.
    if (blankRest) spans[spans.length - 1] = { start: last.start, end: text.length, line: last.line };
    else spans.push({ start, end: text.length, line: startLine });
  }
  return spans;
}

function markerAt(text: string, at: number): '---' | '...' | null {
  const first = text.charCodeAt(at);
  if (first !== 0x2d && first !== 0x2e) return null;
  if (text.charCodeAt(at + 1) !== first || text.charCodeAt(at + 2) !== first) return null;
  const after = text.charCodeAt(at + 3);
  const ends = Number.isNaN(after) || after === 0x20 || after === 0x09 || after === newline || after === carriageReturn;
  return ends ? (first === 0x2d ? '---' : '...') : null;
}

function hasContent(text: string, from: number, to: number): boolean {
  if (text.charCodeAt(from) === 0x25 /* % */) return false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x20 || code === 0x09 || code === newline || code === carriageReturn) continue;
    return code !== 0x23; /* # */
  }
  return false;
}

function loneCarriageReturns(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    if (text.charCodeAt(i) === carriageReturn && text.charCodeAt(i + 1) !== newline) count++;
  }
  return count;
}
