import type { Path } from '../kubernetes/json.ts';
import type { CursorPlace, EntryPart, OffsetRange } from './manifest.ts';
import type { SourceEntry, SourceNode } from './source-tree.ts';
import { behindAlias, entryOf, lastStartingAt } from './source-tree.ts';
import { lineAt } from './text-positions.ts';

/** The range of a path below a node; undefined when nothing is written there. */
export function locate(root: SourceNode, path: Path, part: EntryPart): OffsetRange | undefined {
  const { node, entry } = follow(root, path);
  if (node === undefined) return undefined;
  return entry === undefined ? valueRange(node) : entryRange(entry, part);
}

/** The node at a path below a node. */
export function nodeAt(root: SourceNode, path: Path): SourceNode | undefined {
  return follow(root, path).node;
}

/** Where a path leads, and the entry of a map that it ends with. */
function follow(
  root: SourceNode,
  path: Path,
): { readonly node: SourceNode | undefined; readonly entry: SourceEntry | undefined } {
  let node: SourceNode = root;
  let entry: SourceEntry | undefined;
  for (const step of path) {
    const parent = behindAlias(node);
    let child: SourceNode | undefined;
    entry = undefined;
    if (parent?.kind === 'map') {
      entry = entryOf(parent, String(step));
      child = entry?.value;
    } else if (parent?.kind === 'list' && typeof step === 'number') {
      child = parent.items[step];
    }
    if (child === undefined) return { node: undefined, entry };
    node = child;
  }
  return { node, entry };
}

function entryRange(entry: SourceEntry, part: EntryPart): OffsetRange {
  const { keyStart, keyEnd, value } = entry;
  switch (part) {
    case 'key':
      return { start: keyStart, end: keyEnd };
    case 'value':
      // Where no value is written, the key is what one can point at.
      return isWritten(value) ? valueRange(value) : { start: keyStart, end: keyEnd };
    case 'entry':
      return { start: keyStart, end: isWritten(value) ? Math.max(keyEnd, value.end) : keyEnd };
  }
}

/** An alias is found where its value is written. */
function valueRange(node: SourceNode): OffsetRange {
  const written = behindAlias(node) ?? node;
  return { start: written.start, end: written.end };
}

function isWritten(node: SourceNode): boolean {
  return !(node.kind === 'scalar' && node.style === 'empty');
}

/** A key or scalar under the cursor. */
export interface TreePlace {
  readonly path: Path;
  readonly on: 'key' | 'value';
  readonly range: OffsetRange;
}

/** The innermost key or scalar at an offset, ends included; null between things. */
export function placeAt(root: SourceNode, offset: number): TreePlace | null {
  const path: (string | number)[] = [];
  let node: SourceNode = root;
  for (;;) {
    if (offset < node.start || offset > node.end) return null;
    if (node.kind === 'map') {
      const entry: SourceEntry | undefined = node.entries[lastStartingAt(node.entries, offset, (e) => e.keyStart)];
      if (entry === undefined) return null;
      // What a merge key holds belongs to the map itself.
      if (!entry.merge || entry.value.kind !== 'map' || offset <= entry.keyEnd) path.push(entry.name);
      if (offset <= entry.keyEnd) return { path, on: 'key', range: { start: entry.keyStart, end: entry.keyEnd } };
      node = entry.value;
    } else if (node.kind === 'list') {
      const index = lastStartingAt(node.items, offset, (item) => item.start);
      if (index === -1) return null;
      path.push(index);
      node = node.items[index]!;
    } else {
      return isWritten(node) ? { path, on: 'value', range: { start: node.start, end: node.end } } : null;
    }
  }
}

/** As `CursorPlace`, with the path from the root of the tree. */
export type TreeCursor = Omit<CursorPlace, 'object' | 'whole'>;

/** Finds the place of the cursor in text that may be half typed. Columns decide where nothing is written yet. */
export function cursorAt(
  root: SourceNode | null,
  text: string,
  lineStarts: readonly number[],
  offset: number,
  unclosed: readonly OffsetRange[],
): TreeCursor {
  const nowhere: TreeCursor = { path: [], on: 'inside', range: { start: offset, end: offset } };
  if (root === null) return nowhere;
  const open = unclosed.find((range) => offset >= range.start && offset <= range.end);
  if (open !== undefined) return { ...betweenThings(root, text, lineStarts, open.start), range: open };
  return placeAt(root, offset) ?? betweenThings(root, text, lineStarts, offset);
}

function betweenThings(root: SourceNode, text: string, lineStarts: readonly number[], offset: number): TreeCursor {
  const columnOf = (at: number): number => at - lineStarts[lineAt(lineStarts, at)]!;
  const line = lineAt(lineStarts, offset);
  const column = offset - lineStarts[line]!;
  const isBlank = text.slice(lineStarts[line], offset).trim() === '';
  const onThisLine = (at: number): boolean => lineAt(lineStarts, at) === line;
  const path: (string | number)[] = [];
  const found = (on: 'value' | 'inside'): TreeCursor => ({ path, on, range: { start: offset, end: offset } });

  let node: SourceNode = root;
  for (;;) {
    let child: SourceNode;
    let parentColumn: number;
    if (node.kind === 'map') {
      const entry = node.entries[lastStartingAt(node.entries, offset, (entry) => entry.keyStart)];
      if (entry === undefined) return found('inside');
      parentColumn = columnOf(entry.keyStart);
      child = entry.value;
      if (!isWritten(child)) {
        const sameLine = onThisLine(entry.keyStart);
        if (!sameLine && column <= parentColumn) return found('inside');
        path.push(entry.name);
        return found(sameLine ? 'value' : 'inside');
      }
      if (!goesInto(child, parentColumn)) return found('inside');
      path.push(entry.name);
    } else if (node.kind === 'list') {
      let index = lastStartingAt(node.items, offset, (item) => item.start);
      // An empty item stands where the comment behind its dash begins.
      const next = node.items[index + 1];
      if (next !== undefined && !isWritten(next) && text.slice(offset, next.start).trim() === '') index++;
      if (index === -1) return found('inside');
      child = node.items[index]!;
      if (!isWritten(child)) {
        if (!onThisLine(child.start)) return found('inside');
        path.push(index);
        return found('value');
      }
      parentColumn = -1;
      if (!goesInto(child, parentColumn)) return found('inside');
      path.push(index);
    } else {
      return found('inside');
    }
    node = child;
  }

  function goesInto(child: SourceNode, parentColumn: number): boolean {
    if (child.kind !== 'map' && child.kind !== 'list') return false;
    const opens = text.charCodeAt(child.start);
    if (opens === 0x7b || opens === 0x5b) return offset < child.end;
    if (!isBlank) return onThisLine(child.end) || offset < child.end || column >= columnOf(child.start);
    const childColumn = columnOf(child.start);
    if (child.kind === 'list') return column > childColumn || (column === childColumn && childColumn > parentColumn);
    return column >= childColumn;
  }
}
