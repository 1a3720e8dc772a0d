import { say } from '../util/say.ts';
import type { ErrorCode } from 'yaml';
import type { ManifestProblem, OffsetRange } from './manifest.ts';

/** Plain words for what the YAML library says; by its code, or by the start of its message where one code says many things. */
const byMessage: readonly (readonly [start: string, message: () => string])[] = [
  ['Implicit map keys need to be followed by map values', () => say`Expected “:” after this key.`],
  ['Implicit keys need to be on a single line', () => say`A key must stand on one line. Is a “:” missing?`],
  ['Sequence item without - indicator', () => say`Expected “- ” before this list item.`],
  [
    'Nested mappings are not allowed in compact mappings',
    () => say`A second “:” on one line. Quote the value if it is text.`,
  ],
  ['A block sequence may not be used as an implicit map key', () => say`A list cannot stand where a key is expected.`],
  ['All mapping items must start at the same column', () => say`This does not line up with the other keys of its map.`],
  [
    'All sequence items must start at the same column',
    () => say`This does not line up with the other items of its list.`,
  ],
  ['Missing closing', () => say`This quote is never closed.`],
  ['Missing , or : between', () => say`Expected “,” or “:” here.`],
  ['Missing , between', () => say`Expected “,” between these items.`],
  [
    'Block collections are not allowed within flow',
    () => say`Inside { } and [ ] everything must be written with { } and [ ].`,
  ],
  ['Unexpected block-seq-ind on same line with key', () => say`A list must start on the line after its key.`],
  ['Unexpected flow-map-end', () => say`There is no “{” for this “}”.`],
  ['Unexpected flow-seq-end', () => say`There is no “[” for this “]”.`],
  ['Unexpected scalar at node end', () => say`Unexpected text after the value.`],
  ['Block collection cannot start on same line', () => say`Start the document on the line after “---”.`],
  ['Missing directives-end', () => say`Expected “---” after the directives.`],
];
const byCode: Partial<Record<ErrorCode, () => string>> = {
  TAB_AS_INDENT: () => say`Tabs cannot be used for indentation in YAML. Use spaces.`,
  KEY_OVER_1024_CHARS: () => say`A key may have at most 1,024 characters. Is a quote or a “:” missing?`,
  MULTIPLE_ANCHORS: () => say`A value can have only one anchor.`,
  MULTIPLE_TAGS: () => say`A value can have only one tag.`,
  ALIAS_PROPS: () => say`An alias can have neither an anchor nor a tag.`,
};

/** Whether go-yaml refuses it too: a comment may touch what stands before it. */
export function isRefused({ message }: { readonly message: string }): boolean {
  return !message.startsWith('Comments must be separated');
}

/** A problem in plain words, with a range that stays on one line. */
export function explainSyntaxError(
  text: string,
  code: ErrorCode,
  message: string,
  position: readonly [number, number],
): ManifestProblem {
  const explain = byMessage.find(([start]) => message.startsWith(start))?.[1];
  const known = explain?.() ?? flowEnd(message) ?? byCode[code]?.();
  const range = visibleRange(text, position[0], position[1]);
  return { code: 'yaml-syntax', severity: 'error', message: known ?? withFullStop(message), range, isCommon: true };
}

function flowEnd(message: string): string | undefined {
  const end = /must (?:be sufficiently indented and )?end with a ([\]}])/.exec(message)?.[1];
  return end === undefined ? undefined : say`Expected “${end}”.`;
}

function withFullStop(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Keeps a range inside the text, on one line, and on something that can be seen where there is something. */
function visibleRange(text: string, from: number, to: number): OffsetRange {
  let start = Math.min(Math.max(from, 0), text.length);
  if (start === text.length || text[start] === '\n' || text[start] === '\r') {
    // At the end of a line or of the text, point at what stands before.
    let before = start;
    while (before > 0 && (text[before - 1] === '\n' || text[before - 1] === '\r' || text[before - 1] === ' ')) before--;
    if (before > 0) return { start: before - 1, end: before };
  }
  while (start < to && (text[start] === '\n' || text[start] === '\r' || text[start] === ' ')) start++;
  const lineBreak = text.slice(start, Math.min(to, text.length)).search(/[\r\n]/);
  const end = lineBreak === -1 ? Math.min(to, text.length) : start + lineBreak;
  return { start: Math.min(start, text.length), end: Math.max(end, start) };
}
