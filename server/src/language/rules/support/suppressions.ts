import type { ManifestDocument, OffsetRange } from '../../../manifests/manifest.ts';
import { lineAt } from '../../../manifests/text-positions.ts';
import { getOrInsert } from '../../../util/maps.ts';

/** A code in a comment that turns a rule off: `# podium-disable-next-line CODE`, `# podium-disable CODE`. */
export interface Suppression {
  readonly code: string;
  /** Where the code is written, in offsets of the document. */
  readonly range: OffsetRange;
  /** The line of the document it is about, from 0; null for the whole document. */
  readonly line: number | null;
}

const directive = /^#\s*podium-disable(-next-line)?(?=\s|$)/;
/** After it comes the reason, for people. */
const reason = /\s--\s/;

const known = new WeakMap<ManifestDocument, readonly Suppression[]>();

/** The suppressions of a document, in order. */
export function suppressionsIn(document: ManifestDocument): readonly Suppression[] {
  return getOrInsert(known, document, () => {
    // Most documents have none, and need not be read for comments.
    return document.text.includes('podium-disable') ? read(document) : [];
  });
}

function read(document: ManifestDocument): Suppression[] {
  return document.comments().flatMap(({ text, range }) => {
    const start = directive.exec(text);
    if (start === null) return [];
    const line = start[1] === undefined ? null : lineAfter(document, range.end);
    const [list = ''] = text.slice(start[0].length).split(reason, 1);
    return [...list.matchAll(/[^\s,]+/g)].map((match): Suppression => {
      const at = range.start + start[0].length + match.index;
      return { code: match[0], range: { start: at, end: at + match[0].length }, line };
    });
  });
}

/** The next line that is no comment, so that several suppressions can stand above one line. */
function lineAfter(document: ManifestDocument, offset: number): number {
  const { lineStarts, text } = document;
  let line = lineAt(lineStarts, offset) + 1;
  while (line + 1 < lineStarts.length && /^\s*#/.test(text.slice(lineStarts[line], lineStarts[line + 1]))) line += 1;
  return line;
}

/** By code: the lines for which a rule is turned off; null for all of the document. */
const turnedOff = new WeakMap<readonly Suppression[], ReadonlyMap<string, ReadonlySet<number> | null>>();

function byCode(suppressions: readonly Suppression[]): ReadonlyMap<string, ReadonlySet<number> | null> {
  let found = turnedOff.get(suppressions);
  if (found === undefined) {
    const lines = new Map<string, Set<number> | null>();
    for (const { code, line } of suppressions) {
      const known = lines.get(code);
      if (line === null || known === null) lines.set(code, null);
      else if (known === undefined) lines.set(code, new Set([line]));
      else known.add(line);
    }
    turnedOff.set(suppressions, (found = lines));
  }
  return found;
}

/** Whether a rule is turned off at a place of a document. */
export function isSuppressed(document: ManifestDocument, code: string, offset: number): boolean {
  const lines = byCode(suppressionsIn(document)).get(code);
  return lines === null || lines?.has(lineAt(document.lineStarts, offset)) === true;
}
