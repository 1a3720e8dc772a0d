import type { Position, Range } from 'vscode-languageserver';

/** Whether two ranges share a character or touch. */
export function rangesOverlap(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
