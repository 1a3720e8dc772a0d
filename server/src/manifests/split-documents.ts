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
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Cuts a stream into documents as kubectl does: at `---`, and between JSON objects that follow each other. Every
 * character belongs to exactly one document. Comments and directives before the first `---` belong to the document that
 * it starts. There is always at least one document. At most `limit + 1` are returned, the last of which then holds all
 * the rest.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/yaml/decoder.go (YAMLReader, YAMLOrJSONDecoder)
 */
export function splitDocuments(text: string, limit = Number.POSITIVE_INFINITY): DocumentSpan[] {
  return splitFrom(text, { start: 0, line: 0 }, limit, () => false).spans;
}

/** The documents of a part of a stream, and where it ends: at the end of the text or where a known document starts. */
export interface SplitPart {
  readonly spans: DocumentSpan[];
  readonly end: number;
  /** Line of `end`. */
  readonly line: number;
}

/**
 * Cuts the part of a stream that begins where a document starts. What follows a cut does not depend on what is before
 * it, so the work ends where the start of a known document is met.
 */
export function splitFrom(
  text: string,
  from: Pick<DocumentSpan, 'start' | 'line'>,
  limit: number,
  isKnownStart: (offset: number) => boolean,
): SplitPart {
  const spans: DocumentSpan[] = [];
  let { start, line } = from;
  let startLine = line;
  // A `---` starts a new document unless only blank lines, comments and directives came before it.
  let begun = false;
  let isJson = false;
  // What LSP calls a line also ends at a lone carriage return; most files have none at all.
  let nextReturn = text.indexOf('\r', start);
  const cut = (at: number, atLine: number): boolean => {
    if (at === start) return false;
    spans.push({ start, end: at, line: startLine });
    start = at;
    startLine = atLine;
    begun = false;
    return isKnownStart(at);
  };

  const hasMark = start === 0 && text.charCodeAt(0) === byteOrderMark;
  let position = hasMark ? 1 : start;
  while (position < text.length && spans.length < limit) {
    const lineStart = hasMark && position === 1 ? 0 : position;
    const end = text.indexOf('\n', position);
    const next = end === -1 ? text.length : end + 1;
    let nextLine = line + (end === -1 ? 0 : 1);
    if (nextReturn !== -1 && nextReturn < next) {
      nextLine += loneCarriageReturns(text, nextReturn, next);
      nextReturn = text.indexOf('\r', next);
    }
    const marker = markerAt(text, position);
    if (marker === '---') {
      if (begun && cut(lineStart, line)) return { spans, end: lineStart, line };
      begun = true;
    } else if (begun && isJson && text.charCodeAt(position) === openBrace && endsWithBrace(text, position)) {
      if (cut(lineStart, line)) return { spans, end: lineStart, line };
      begun = true;
    } else if (!begun && marker === null && hasContent(text, position, next)) {
      begun = true;
      // What begins with two is an action of a template.
      isJson = text.charCodeAt(position) === openBrace && text.charCodeAt(position + 1) !== openBrace;
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
  return { spans, end: text.length, line };
}

/** Whether what stands before a place ends with the end of an object. */
function endsWithBrace(text: string, at: number): boolean {
  let before = at - 1;
  while (/\s/.test(text.charAt(before))) before--;
  return text.charCodeAt(before) === closeBrace;
}

/** The marker that a line begins with. */
export function markerAt(text: string, at: number): '---' | '...' | null {
  const first = text.charCodeAt(at);
  if (first !== 0x2d && first !== 0x2e) return null;
  if (text.charCodeAt(at + 1) !== first || text.charCodeAt(at + 2) !== first) return null;
  const after = text.charCodeAt(at + 3);
  const ends = Number.isNaN(after) || after === 0x20 || after === 0x09 || after === newline || after === carriageReturn;
  return ends ? (first === 0x2d ? '---' : '...') : null;
}

/** Whether a line says anything besides comments and directives. */
export function hasContent(text: string, from: number, to: number): boolean {
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
