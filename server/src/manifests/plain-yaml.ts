/**
 * A short way for the YAML that most manifests are written in: maps and lists by indentation, scalars on one line,
 * block scalars, simple brackets. It takes a tenth of the time that the library takes, and leaves no waste. Whatever is
 * unusual or wrong is left to the library (`yaml-reader.ts`): then there is no answer here. Where there is one, it is
 * the library's, which a test holds.
 */
import { CST } from 'yaml';
import type { Json } from '../kubernetes/json.ts';
import type { ManifestProblem, OffsetRange } from './manifest.ts';
import { MapBuilder } from './map-builder.ts';
import type { SourceList, SourceMap, SourceNode, SourceScalar } from './source-tree.ts';
import { markerAt } from './split-documents.ts';
import { hasTemplatedField, isOfHelm, mayHoldValues } from './template-actions.ts';
import { isNotFinite, resolvePlainScalar } from './yaml-scalars.ts';

/** What is read so: a tree without problems. */
export interface PlainReading {
  readonly root: SourceNode;
  readonly comments: readonly OffsetRange[];
}

/** Longer texts are read in steps, between which others are answered. */
const longest = 128 * 1024;
/** Levels of nesting; deeper texts are for who counts them as well. */
const deepest = 60;
/** A key of the library has fewer than 1024 characters on its line. */
const longestKey = 512;

/** Characters that are refused, end a line, or stand for something to the library or its adapter. */
// oxlint-disable-next-line no-control-regex -- These are what is looked for.
const unusual = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uD800-\uDFFF\uE0F2\uFEFF\uFFFE\uFFFF]/;

const space = 0x20;
const hash = 0x23;
const dash = 0x2d;
const colon = 0x3a;

/** What a plain scalar or key may not begin with; `-`, `?` and `:` may where no blank follows. */
const indicators: ReadonlySet<number> = new Set(Array.from(',[]{}#&*!|>\'"%@`\t', (sign) => sign.charCodeAt(0)));

/** Text of a plain scalar or key in brackets. */
const word = /[A-Za-z0-9_./$][A-Za-z0-9_./$~+=()^<>;-]*(?: +[A-Za-z0-9_./$~+=()^<>;-]+)*(?= *[,\]}]|:)/y;
/** Escapes that JSON and YAML share, and that go-yaml takes. */
const doubleQuoted = /"(?:[^"\\\n\t]|\\[nt"\\])*"/y;
const singleQuoted = /'(?:[^'\n\t]|'')*'/y;
const doubleQuotedLines = /"(?:[^"\\\t]|\\[nt"\\])*"/y;
const singleQuotedLines = /'(?:[^'\t]|'')*'/y;

/** Reads one document (see `splitDocuments`); null for what is better left to the library. Never throws. */
export function readPlainYaml(text: string): PlainReading | null {
  if (text.length > longest || unusual.test(text)) return null;
  const hasActions = text.includes('{{');
  if (hasActions && isOfHelm(text) && !mayHoldValues(text)) return null;
  const reader = new PlainReader(text);
  const root = reader.root();
  return root === null || (hasActions && hasTemplatedField(root)) ? null : { root, comments: reader.comments };
}

class PlainReader {
  readonly comments: OffsetRange[] = [];
  readonly #text: string;
  readonly #hasTabs: boolean;
  readonly #problems: ManifestProblem[] = [];
  /** Start and end of the line that is read, and where something is written in it; at the end of the text none is. */
  #lineStart = 0;
  #lineEnd = -1;
  #at = 0;
  #isDone = false;
  /** Set where a line is one that is not read here. */
  #isUnusual = false;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#hasTabs = text.includes('\t');
  }

  root(): SourceNode | null {
    this.#nextLine();
    if (this.#isUnusual && markerAt(this.#text, this.#at) === '---' && this.#endsAt(this.#at + 3)) {
      this.#isUnusual = false;
      this.#nextLine();
    }
    const root = this.#indent === -1 ? null : this.#block(-1);
    return this.#indent === -1 && !this.#isUnusual && this.#problems.length === 0 ? root : null;
  }

  get #indent(): number {
    return this.#isDone ? -1 : this.#at - this.#lineStart;
  }

  /** Goes to the next line that says something. */
  #nextLine(): void {
    const text = this.#text;
    for (;;) {
      this.#lineStart = this.#lineEnd + 1;
      if (this.#lineStart >= text.length) {
        this.#isDone = true;
        return;
      }
      const lineBreak = text.indexOf('\n', this.#lineStart);
      this.#lineEnd = lineBreak === -1 ? text.length : lineBreak;
      let at = this.#lineStart;
      while (text.charCodeAt(at) === space) at++;
      if (at >= this.#lineEnd) continue;
      if (text.charCodeAt(at) === hash) {
        this.#comment(at);
        continue;
      }
      this.#at = at;
      if (at === this.#lineStart && markerAt(text, at) !== null) this.#isUnusual = true;
      if (this.#hasTabs && text.slice(this.#lineStart, this.#lineEnd).includes('\t')) this.#isUnusual = true;
      return;
    }
  }

  #comment(start: number): void {
    this.comments.push({ start, end: this.#lineEnd });
  }

  /** Whether nothing but a comment stands behind a place of the line, which is taken then. */
  #endsAt(from: number): boolean {
    const at = this.#behindBlanks(from);
    if (at === this.#lineEnd) return true;
    if (at === from || this.#text.charCodeAt(at) !== hash) return false;
    this.#comment(at);
    return true;
  }

  #behindBlanks(from: number): number {
    let at = from;
    while (at < this.#lineEnd && this.#text.charCodeAt(at) === space) at++;
    return at;
  }

  /** A map or a list that begins at this place of the line, indented further than its parent. */
  #block(parent: number): SourceNode | null {
    const indent = this.#indent;
    if (this.#isUnusual || indent <= parent || ++this.#depth > deepest) return null;
    const node = this.#isDash(this.#at) ? this.#list(indent) : this.#map(indent);
    this.#depth--;
    return node;
  }

  /** A dash or a colon with a blank behind it. */
  #isDash(at: number): boolean {
    return this.#text.charCodeAt(at) === dash && this.#isBlankOrEnd(at + 1);
  }

  #isBlankOrEnd(at: number): boolean {
    return at >= this.#lineEnd || this.#text.charCodeAt(at) === space;
  }

  #list(indent: number): SourceList | null {
    const start = this.#at;
    const items: SourceNode[] = [];
    const value: Json[] = [];
    let end = start;
    while (this.#indent === indent && this.#isDash(this.#at)) {
      const item = this.#value(this.#at + 1, indent, true);
      if (item === null || this.#indent > indent) return null;
      items.push(item);
      value.push(item.value);
      end = Math.max(end, item.end);
    }
    return { kind: 'list', start, end, value: value.slice(), items: items.slice() };
  }

  #map(indent: number): SourceMap | null {
    const start = this.#at;
    const building = new MapBuilder(this.#problems);
    let end = start;
    while (this.#indent === indent) {
      const keyStart = this.#at;
      const keyEnd = this.#keyEnd(keyStart);
      if (keyEnd === -1) return null;
      const name = this.#keyName(keyStart, keyEnd);
      const value = name === null ? null : this.#value(keyEnd + 1, indent, false);
      if (name === null || value === null || this.#indent > indent) return null;
      building.add({ name, keyStart, keyEnd, merge: false, value });
      end = Math.max(end, keyEnd, value.end);
    }
    const { value, entries, effective } = building;
    // A list that has grown holds room for more.
    return { kind: 'map', start, end, value, entries: entries.slice(), effective };
  }

  /** Where the key ends that starts at a place of the line; -1 where there is none. */
  #keyEnd(start: number): number {
    const text = this.#text;
    const first = text.charCodeAt(start);
    if (first === 0x22 || first === 0x27) {
      const end = this.#quotedEnd(start);
      const isKey = text.charCodeAt(end) === colon && this.#isBlankOrEnd(end + 1);
      return isKey && end - start <= longestKey ? end : -1;
    }
    if (!this.#mayBegin(start)) return -1;
    for (let at = start + 1; at < this.#lineEnd; at++) {
      const sign = text.charCodeAt(at);
      if (sign === colon && this.#isBlankOrEnd(at + 1)) {
        return at - start > longestKey || text.charCodeAt(at - 1) === space ? -1 : at;
      }
      if (sign === hash && text.charCodeAt(at - 1) === space) return -1;
    }
    return -1;
  }

  #keyName(start: number, end: number): string | null {
    const first = this.#text.charCodeAt(start);
    if (first === 0x22 || first === 0x27) return this.#unquoted(start, end);
    const written = this.#text.slice(start, end);
    if (written === '<<' || isNotFinite(written)) return null;
    const value = resolvePlainScalar(written);
    return value === null ? null : String(value);
  }

  /** Whether a plain scalar may begin there. */
  #mayBegin(at: number): boolean {
    const first = this.#text.charCodeAt(at);
    if (indicators.has(first)) return false;
    return (first !== dash && first !== colon && first !== 0x3f) || !this.#isBlankOrEnd(at + 1);
  }

  /** What stands behind a colon or a dash; then the line after it is the next. */
  #value(from: number, parent: number, isItem: boolean): SourceNode | null {
    const text = this.#text;
    const at = this.#behindBlanks(from);
    const sign = text.charCodeAt(at);
    if (at === this.#lineEnd || sign === hash) {
      if (at !== this.#lineEnd) this.#comment(at);
      this.#nextLine();
      if (this.#isUnusual) return null;
      if (this.#indent > parent) return this.#block(parent);
      if (!isItem && this.#indent === parent && this.#isDash(this.#at)) return this.#list(parent);
      return { kind: 'scalar', start: at, end: at, value: null, style: 'empty' };
    }
    if (isItem && (this.#isDash(at) || this.#keyEnd(at) !== -1)) {
      this.#at = at;
      return this.#block(parent);
    }
    const node = this.#inline(at, parent);
    // What is indented further goes on with a scalar.
    return node === null || this.#isUnusual || this.#indent > parent ? null : node;
  }

  #inline(at: number, parent: number): SourceNode | null {
    const sign = this.#text.charAt(at);
    if (sign === '|' || sign === '>') return this.#blockScalar(at, parent);
    if (!/["'[{]/.test(sign)) return this.#plain(at, parent);
    const node = this.#inBrackets(at) ?? this.#quotedLines(at, parent);
    if (node === null || !this.#endsAt(node.end)) return null;
    this.#nextLine();
    return node;
  }

  #plain(start: number, parent: number): SourceScalar | null {
    const text = this.#text;
    if (!this.#mayBegin(start)) return null;
    let end = start;
    for (let at = start; at < this.#lineEnd; at++) {
      const sign = text.charCodeAt(at);
      if (sign === space) continue;
      if (sign === colon && this.#isBlankOrEnd(at + 1)) return null;
      if (sign === hash && text.charCodeAt(at - 1) === space) {
        this.#comment(at);
        break;
      }
      end = at + 1;
    }
    const written = this.comments.length;
    const firstEnd = this.#lineEnd;
    this.#nextLine();
    if (this.#indent <= parent || this.comments.length > written || end < firstEnd) return this.#word(start, end);
    // A text over several lines.
    while (this.#indent > parent) {
      const line = text.slice(this.#at, this.#lineEnd).trimEnd();
      if (!this.#mayBegin(this.#at) || /:(?: |$)| #|^(?:---|\.\.\.)/.test(line)) return null;
      end = this.#at + line.length;
      this.#nextLine();
    }
    if (this.comments.length > written) return null;
    const value = this.#resolved({ type: 'scalar', offset: start, indent: 0, source: text.slice(start, end) });
    if (value === null || isNotFinite(value)) return null;
    return { kind: 'scalar', start, end, value: resolvePlainScalar(value), style: 'plain' };
  }

  /** A quoted text over several lines; goes to its last. */
  #quotedLines(start: number, parent: number): SourceScalar | null {
    const text = this.#text;
    const isDouble = text[start] === '"';
    const pattern = isDouble ? doubleQuotedLines : singleQuotedLines;
    pattern.lastIndex = start;
    if ((!isDouble && text[start] !== "'") || !pattern.test(text)) return null;
    const end = pattern.lastIndex;
    const source = text.slice(start, end);
    const others = source.split('\n').slice(1);
    if (others.some((line) => line.trim() !== '' && line.search(/[^ ]/) <= parent)) return null;
    const type = isDouble ? 'double-quoted-scalar' : 'single-quoted-scalar';
    const value = this.#resolved({ type, offset: start, indent: 0, source });
    const lineBreak = text.indexOf('\n', end);
    this.#lineEnd = lineBreak === -1 ? text.length : lineBreak;
    return value === null ? null : { kind: 'scalar', start, end, value, style: 'quoted' };
  }

  /** What the library makes of a scalar; null of one that it does not like. */
  #resolved(token: CST.FlowScalar | CST.BlockScalar): string | null {
    const refusals: string[] = [];
    const resolved = CST.resolveAsScalar(token, true, (_, code) => {
      refusals.push(code);
    });
    return refusals.length > 0 ? null : resolved.value;
  }

  #word(start: number, end: number): SourceScalar | null {
    const written = this.#text.slice(start, end);
    if (isNotFinite(written)) return null;
    return { kind: 'scalar', start, end, value: resolvePlainScalar(written), style: 'plain' };
  }

  #quotedEnd(start: number): number {
    const pattern = this.#text.charCodeAt(start) === 0x22 ? doubleQuoted : singleQuoted;
    pattern.lastIndex = start;
    return pattern.test(this.#text) ? pattern.lastIndex : -1;
  }

  #unquoted(start: number, end: number): string {
    const written = this.#text.slice(start + 1, end - 1);
    if (this.#text.charCodeAt(start) === 0x27) return written.includes("''") ? written.replaceAll("''", "'") : written;
    return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written;
  }

  /** Something quoted or in brackets, on this line. */
  #inBrackets(start: number): SourceNode | null {
    const sign = this.#text[start];
    if (sign === '[' || sign === '{') {
      if (++this.#depth > deepest) return null;
      const node = sign === '[' ? this.#flowList(start) : this.#flowMap(start);
      this.#depth--;
      return node;
    }
    if (sign === '"' || sign === "'") {
      const end = this.#quotedEnd(start);
      return end === -1 ? null : { kind: 'scalar', start, end, value: this.#unquoted(start, end), style: 'quoted' };
    }
    const end = this.#wordEnd(start);
    return end === -1 ? null : this.#word(start, end);
  }

  #wordEnd(start: number): number {
    word.lastIndex = start;
    return word.test(this.#text) ? word.lastIndex : -1;
  }

  #flowList(start: number): SourceList | null {
    const items: SourceNode[] = [];
    const value: Json[] = [];
    let at = this.#behindBlanks(start + 1);
    if (this.#text[at] === ']') return { kind: 'list', start, end: at + 1, value, items };
    for (;;) {
      const item = this.#inBrackets(at);
      if (item === null) return null;
      items.push(item);
      value.push(item.value);
      at = this.#behindBlanks(item.end);
      if (this.#text[at] === ']') return { kind: 'list', start, end: at + 1, value, items };
      if (this.#text[at] !== ',') return null;
      at = this.#behindBlanks(at + 1);
    }
  }

  #flowMap(start: number): SourceMap | null {
    const building = new MapBuilder(this.#problems);
    let at = this.#behindBlanks(start + 1);
    const isEmpty = this.#text[at] === '}';
    while (!isEmpty) {
      const sign = this.#text[at];
      const keyEnd = sign === '"' || sign === "'" ? this.#quotedEnd(at) : this.#wordEnd(at);
      const name = keyEnd === -1 || keyEnd - at > longestKey ? null : this.#keyName(at, keyEnd);
      if (name === null || this.#text[keyEnd] !== ':' || this.#text[keyEnd + 1] !== ' ') return null;
      const value = this.#inBrackets(this.#behindBlanks(keyEnd + 1));
      if (value === null) return null;
      building.add({ name, keyStart: at, keyEnd, merge: false, value });
      at = this.#behindBlanks(value.end);
      if (this.#text[at] === '}') break;
      if (this.#text[at] !== ',') return null;
      at = this.#behindBlanks(at + 1);
    }
    const { value, entries, effective } = building;
    return { kind: 'map', start, end: at + 1, value, entries, effective };
  }

  /** `|`, `>` and what is indented below; what is done about blank lines behind it (`+`) is left to the library. */
  #blockScalar(start: number, parent: number): SourceScalar | null {
    const text = this.#text;
    const header = text.slice(start, this.#lineEnd);
    if (header.length > 2 || (header.length === 2 && header[1] !== '-')) return null;
    const contentStart = this.#lineEnd + 1;
    let indent = -1;
    let end = contentStart;
    for (let lineStart = contentStart; lineStart < text.length;) {
      const lineBreak = text.indexOf('\n', lineStart);
      const lineEnd = lineBreak === -1 ? text.length : lineBreak;
      let at = lineStart;
      while (text.charCodeAt(at) === space) at++;
      if (at >= lineEnd) {
        // Blanks that belong to the text, or do not, by what stands around them.
        if (at - lineStart > Math.max(0, indent)) return null;
      } else {
        if (indent === -1) indent = at - lineStart;
        if (at - lineStart < indent || indent <= parent || indent === 0) break;
        end = Math.min(lineEnd + 1, text.length);
      }
      lineStart = lineEnd + 1;
    }
    if (end === contentStart) return null;
    const source = text.slice(contentStart, end);
    const props: CST.BlockScalar['props'] = [
      { type: 'block-scalar-header', offset: start, indent: 0, source: header },
      { type: 'newline', offset: contentStart - 1, indent: 0, source: '\n' },
    ];
    const value = this.#resolved({ type: 'block-scalar', offset: start, indent: 0, props, source });
    if (value === null) return null;
    this.#lineEnd = text[end - 1] === '\n' ? end - 1 : end;
    this.#nextLine();
    const written = text.slice(start, end).trimEnd().length;
    return { kind: 'scalar', start, end: start + written, value, style: 'block' };
  }
}
