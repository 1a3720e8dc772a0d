import type { ManifestFile, OffsetRange, PlacedDocument, TextPosition, TextRange } from './manifest.ts';

/** Offsets at which lines begin; a line ends at `\n`, `\r\n` or a lone `\r`, as in the language server protocol. */
export function lineStartsOf(text: string): number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}

/** The line that an offset stands on. */
export function lineAt(lineStarts: readonly number[], offset: number): number {
  let low = 0;
  let high = lineStarts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lineStarts[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

/** Where an offset of a document stands in its file. */
export function placedPosition(placed: PlacedDocument, offset: number): TextPosition {
  const { line, character } = placed.document.positionAt(offset);
  return { line: placed.line + line, character };
}

/** Where an offset of a text stands; clamped to the text. */
export function positionInText(text: string, lineStarts: readonly number[], offset: number): TextPosition {
  const within = Math.min(Math.max(offset, 0), text.length);
  const line = lineAt(lineStarts, within);
  return { line, character: within - lineStarts[line]! };
}

/** Where a range of a document stands in its file. */
export function placedRange(placed: PlacedDocument, range: OffsetRange): TextRange {
  return { start: placedPosition(placed, range.start), end: placedPosition(placed, range.end) };
}

/** The offset in the document that a position of its file is; clamped to the line and to the document. */
export function offsetInDocument(placed: PlacedDocument, position: TextPosition): number {
  const { lineStarts, text } = placed.document;
  const line = position.line - placed.line;
  if (line < 0) return 0;
  const start = lineStarts[line];
  if (start === undefined) return text.length;
  const next = lineStarts[line + 1];
  return Math.min(start + Math.max(position.character, 0), next === undefined ? text.length : next - 1);
}

/** The document that holds a line of the file. */
export function documentAtLine(documents: readonly PlacedDocument[], line: number): PlacedDocument | undefined {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle]!.line <= line) low = middle + 1;
    else high = middle;
  }
  return documents[Math.max(low - 1, 0)];
}

/** Whether what a change wrote ends at a position: behind it the document is as it was before. */
export function endsChangeAt(before: ManifestFile, after: ManifestFile, position: TextPosition): boolean {
  const placed = documentAtLine(after.documents, position.line);
  const was = before.documents[placed?.index ?? 0]?.document.text;
  if (placed === undefined || was === undefined) return false;
  const { text } = placed.document;
  const most = Math.min(text.length, was.length);
  let same = 0;
  while (same < most && text[text.length - 1 - same] === was[was.length - 1 - same]) same += 1;
  if (text === was) return false;
  // Where a letter was written before the same letter, either may be the new one.
  const behind = text.length - offsetInDocument(placed, position);
  const head = text.slice(0, text.length - behind);
  return behind <= same && was.length - behind < head.length && head.startsWith(was.slice(0, was.length - behind));
}
