/** What go-yaml, by which kubectl reads, takes otherwise than the YAML library does, beside the structure of a text. */
import { say } from '../util/say.ts';
import { shownLineEnd } from './document-text.ts';
import type { ManifestProblem, OffsetRange } from './manifest.ts';

/** Source: sigs.k8s.io/yaml/goyaml.v2/readerc.go (yaml_parser_update_buffer) */
// oxlint-disable-next-line no-control-regex -- These are what is looked for.
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]/;

/** Characters that may stand nowhere. */
export function refusedText(text: string): ManifestProblem[] {
  const at = text.search(control);
  if (at === -1) return [];
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  const message = say`kubectl refuses a document with a control character (U+${code}).`;
  return [refusal({ start: at, end: at + 1 }, message)];
}

/**
 * kubectl cuts a stream at its `---` before it reads: nothing but a comment may stand behind one, and a directive is a
 * document of its own, without the `---` that it needs.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/yaml/decoder.go (YAMLReader)
 */
export function refusedHead(text: string): ManifestProblem[] {
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak === -1 ? text.length : lineBreak;
    const range = { start, end: shownLineEnd(text, start) };
    const line = text.slice(start, range.end);
    const isMarker = /^---(?:\s|$)/.test(line);
    const content = (isMarker ? line.slice(3) : line).trim();
    if (isMarker && content !== '' && !content.startsWith('#')) {
      return [refusal(range, say`Start the document on the line after “---”.`)];
    }
    if (line.startsWith('%')) {
      // Without any `---` the library tells of it.
      if (!text.includes('\n---', start)) return [];
      return [refusedDirective(range)];
    }
    if (content !== '' && !content.startsWith('#')) return [];
    start = end + 1;
  }
  return [];
}

/** Directives of which a document consists, as where one stands behind a `---`. */
export function refusedDirectives(text: string): ManifestProblem[] {
  const start = text.search(/^%/m);
  return start === -1 ? [] : [refusedDirective({ start, end: shownLineEnd(text, start) })];
}

function refusedDirective(range: OffsetRange): ManifestProblem {
  return refusal(range, say`kubectl refuses a directive, as it reads it without the “---”.`);
}

/** A blank line or a comment behind a tab, of a lexeme that begins a line or of a block scalar. */
export function refusedTab(lexeme: string, offset: number): ManifestProblem[] {
  const at = lexeme.search(/^\t/m);
  if (at === -1) return [];
  const start = offset + at;
  return [refusal({ start, end: start + 1 }, say`Tabs cannot be used for indentation in YAML. Use spaces.`)];
}

/**
 * Escapes of JSON that YAML has too, and go-yaml has not.
 * Source: sigs.k8s.io/yaml/goyaml.v2/scannerc.go (yaml_parser_scan_flow_scalar)
 */
export function refusedEscapes(lexeme: string, offset: number): ManifestProblem[] {
  if (!lexeme.includes('\\')) return [];
  const found: ManifestProblem[] = [];
  for (const { 0: escape, index } of lexeme.matchAll(/\\(?:u[Dd][89A-Fa-f]|[^])/g)) {
    const isCutShort = escape.length > 2;
    if (!isCutShort && escape !== '\\/') continue;
    const message = isCutShort
      ? say`kubectl refuses half a character (a surrogate) in YAML; write the character itself, or \\U and eight digits.`
      : say`kubectl does not know the escape “\\/” in YAML; write “/”.`;
    found.push(refusal({ start: offset + index, end: offset + index + escape.length }, message));
  }
  return found;
}

/** kubectl reads one document between two `---`, and nothing of what follows its `...`. */
export function otherDocument(text: string, start: number): ManifestProblem {
  const lineBreak = text.indexOf('\n', start);
  const message = say`kubectl does not read what follows “...” without a “---” before it.`;
  const range = { start, end: lineBreak === -1 ? text.length : lineBreak };
  return { ...refusal(range, message), severity: 'warning' };
}

// From the area of Unicode that stands for nothing.
const apostropheMark = '\uE0F2';

/** go-yaml knows the escape `\'`, the library does not: its backslash is hidden from it. */
export function withMarkedApostrophes(lexeme: string): string {
  if (!lexeme.startsWith('"') || !lexeme.includes("\\'")) return lexeme;
  return lexeme.replaceAll(/\\[^]/g, (escape) => (escape === "\\'" ? `${apostropheMark}'` : escape));
}

export function withApostrophes(value: string): string {
  return value.includes(apostropheMark) ? value.replaceAll(apostropheMark, '') : value;
}

function refusal(range: OffsetRange, message: string): ManifestProblem {
  return { code: 'yaml-syntax', severity: 'error', message, range };
}
