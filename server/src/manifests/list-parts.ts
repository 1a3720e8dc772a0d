import type { OffsetRange } from './manifest.ts';

/** A document whose top-level `items` is a block list, cut into its items and what stands around them. */
export interface ListParts {
  /** Each from the beginning of the line with its `-` to the beginning of the next. */
  readonly items: readonly OffsetRange[];
}

/**
 * Cuts a list into its items, by indentation alone: inside an item everything stands further to the right than its
 * `-`. Null when the document is not such a list.
 */
export function findListParts(text: string): ListParts | null {
  const header = /^items:[ \t]*(?:#.*)?\r?\n/m.exec(text);
  if (header === null) return null;
  const items: OffsetRange[] = [];
  let indent = -1;
  let itemStart = -1;
  let position = header.index + header[0].length;
  while (position < text.length) {
    const lineBreak = text.indexOf('\n', position);
    const next = lineBreak === -1 ? text.length : lineBreak + 1;
    let at = position;
    while (text.charCodeAt(at) === 0x20) at++;
    const first = text.charCodeAt(at);
    const isBlank = at >= next || first === 0x0a || first === 0x0d || first === 0x23; /* # */
    if (!isBlank) {
      const column = at - position;
      const isItem = first === 0x2d /* - */ && /[ \t\r\n]/.test(text.charAt(at + 1) || '\n');
      if (indent === -1) {
        if (!isItem) return null;
        indent = column;
        itemStart = position;
      } else if (column === indent && isItem) {
        items.push({ start: itemStart, end: position });
        itemStart = position;
      } else if (column <= indent) {
        break;
      }
    }
    position = next;
  }
  if (itemStart === -1) return null;
  items.push({ start: itemStart, end: position });
  return { items };
}
