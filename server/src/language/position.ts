import type { Position, Range } from 'vscode-languageserver';
import type { ManifestFile, OffsetRange, PlacedDocument } from '../manifests/manifest.ts';

/** The index of the last start that is not after `offset`. `starts` ascends and begins with 0. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The place in the file of an offset that counts from the start of its document. */
export function positionAt(placed: PlacedDocument, offset: number): Position {
  const { lineStarts } = placed.document;
  const line = lineAt(lineStarts, offset);
  return { line: placed.line + line, character: offset - lineStarts[line]! };
}

export function rangeAt(placed: PlacedDocument, range: OffsetRange): Range {
  return { start: positionAt(placed, range.start), end: positionAt(placed, range.end) };
}

/** The document a line of the file belongs to. */
export function documentAtLine(file: ManifestFile, line: number): PlacedDocument | undefined {
  let low = 0;
  let high = file.documents.length - 1;
  if (high < 0) return undefined;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (file.documents[middle]!.line <= line) low = middle;
    else high = middle - 1;
  }
  return file.documents[low];
}

/** Offset in the document of a position of the file; beyond the end of a line it stays on that line. */
export function offsetAt(placed: PlacedDocument, position: Position): number {
  const { lineStarts, text } = placed.document;
  const line = Math.min(Math.max(position.line - placed.line, 0), lineStarts.length - 1);
  const end = line + 1 < lineStarts.length ? lineStarts[line + 1]! - 1 : text.length;
  return Math.min(lineStarts[line]! + position.character, Math.max(end, lineStarts[line]!));
}

export function rangesOverlap(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
