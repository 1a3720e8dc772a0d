import { valueAt } from '../../util/values.ts';
import type { FieldType } from '../../kubernetes/api/index.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { CursorPlace, ManifestDocument, OffsetRange } from '../../manifests/manifest.ts';
import { lineAt } from '../../manifests/text-positions.ts';

/** Where something may be written: an entry of a map, with its key, or a value; and how it has to look there. */
export interface Slot {
  readonly on: 'key' | 'value';
  /** Of the map that gets the entry, or of the value. */
  readonly path: Path;
  readonly form: 'block' | 'flow' | 'json';
  /** What is replaced, in offsets of the document. */
  readonly range: OffsetRange;
  /** What of it stands before the cursor, without a quote. */
  readonly typed: string;
  /** What stands there now as a whole, without quotes. */
  readonly written: string;
  readonly quote: '"' | "'" | '';
  /** What has to be written before it: a blank after a colon, the dash of an item. */
  readonly lead: '' | ' ' | '- ';
  /** The column in which the key or value stands, behind what has to be written before it. */
  readonly column: number;
  /** Whether a colon stands behind it. */
  readonly hasColon: boolean;
  readonly newline: '\n' | '\r\n';
}

/** The text around a cursor. */
interface Surroundings extends Pick<Slot, 'form' | 'range' | 'typed' | 'written' | 'quote' | 'hasColon' | 'newline'> {
  /** The text of the line before what is replaced. */
  readonly before: string;
  /** The text of the line behind it. */
  readonly after: string;
}

/**
 * What could be written at a cursor; undefined where nothing fits, as in a comment or behind a value.
 *
 * @param typeOf the type of a path
 */
export function slotAt(
  document: ManifestDocument,
  place: CursorPlace,
  offset: number,
  typeOf: (path: Path) => FieldType | undefined,
): Slot | undefined {
  const around = surroundingsOf(document, place, offset);
  if (around === undefined) return undefined;
  const { path } = place;
  if (place.on === 'key') return isStart(around) ? keySlot(around, path.slice(0, -1)) : undefined;
  if (place.on === 'inside' && !isFree(document, place, around)) return undefined;
  const type = typeOf(path);
  if (type === undefined) return undefined;
  const isMap = type.kind === 'struct' || type.kind === 'map';
  if (place.on === 'inside' && isMap) return keySlot(around, path);
  if (place.on === 'value' && around.form === 'block' && around.quote === '' && isMap) {
    // Behind a dash, or on a line below the key of the map.
    return isStart(around) && (typeof path.at(-1) !== 'string' || isBlank(around.before))
      ? keySlot(around, path)
      : undefined;
  }
  if (type.kind === 'list') return itemSlot(around, path, type.item, place);
  return isMap ? undefined : valueSlot(around, path);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Whether only the dashes of items stand before it on its line, as before the key of a block. */
function isStart({ form, before }: Surroundings): boolean {
  return form !== 'block' || /^ *(?:- *)*$/.test(before);
}

function keySlot(around: Surroundings, path: Path): Slot {
  const lead = around.form === 'block' && around.before.endsWith('-') ? ' ' : '';
  return { ...around, on: 'key', path, lead, column: around.before.length + lead.length };
}

function valueSlot(around: Surroundings, path: Path): Slot | undefined {
  // An alias names an anchor of the file, and nothing that is known here.
  if (around.quote === '' && around.typed.startsWith('*')) return undefined;
  const needsBlank = around.range.start === around.range.end && /[:-]$/.test(around.before);
  const lead = needsBlank && around.quote === '' ? ' ' : '';
  return { ...around, on: 'value', path, lead, column: around.before.length + lead.length };
}

/** An item that is not there yet: with its dash on a line of its own, or between brackets. */
function itemSlot(around: Surroundings, path: Path, item: FieldType, place: CursorPlace): Slot | undefined {
  const items = valueAt(place.object?.value, path);
  const next = [...path, Array.isArray(items) ? items.length : 0];
  const isMap = item.kind === 'struct' || item.kind === 'map';
  if (around.form === 'block') {
    if (!isBlank(around.before) || around.quote !== '') return undefined;
    const slot = { ...around, lead: '- ' as const, column: around.before.length + 2, path: next };
    return { ...slot, on: isMap ? 'key' : 'value' };
  }
  return isMap || place.on !== 'inside' ? undefined : valueSlot(around, next);
}

function surroundingsOf(document: ManifestDocument, place: CursorPlace, offset: number): Surroundings | undefined {
  const { text, lineStarts } = document;
  const { range } = place;
  const lineStart = lineStarts[lineAt(lineStarts, range.start)]!;
  const lineEnd = text.indexOf('\n', range.start);
  if ((lineEnd !== -1 && lineEnd < range.end) || range.end - lineStart > longestLine) return undefined;
  const before = text.slice(lineStart, range.start);
  if (before.includes('\t')) return undefined;
  if (text.includes('#') && document.comments().some(({ range: { start, end } }) => start < offset && offset <= end)) {
    return undefined;
  }
  const after = text.slice(range.end, Math.min(lineEnd === -1 ? text.length : lineEnd, range.end + longestLine));
  const all = text.slice(range.start, range.end);
  const opened = /^["']/.exec(all)?.[0];
  const quote = opened === '"' || opened === "'" ? opened : '';
  return {
    form: formOf(document, place),
    range,
    typed: all.slice(quote.length, offset - range.start),
    written: all.replace(/^["']|["']$/g, ''),
    quote,
    before,
    after,
    hasColon: /^\s*:/.test(after),
    newline: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** Whoever writes more than this in a line is a program. */
const longestLine = 2_000;

/** Between brackets or braces of its own or of what is around it. */
function formOf({ text }: ManifestDocument, { object, path, on }: CursorPlace): Slot['form'] {
  if (/^\uFEFF?\s*\{/.test(text)) return 'json';
  if (object === null) return 'block';
  const last = on === 'inside' ? path.length : path.length - 1;
  for (let length = 0; length <= last; length += 1) {
    const range = object.locate(path.slice(0, length), 'value');
    if (range !== undefined && '{['.includes(text[range.start] ?? ' ')) return 'flow';
  }
  return 'block';
}

/** Whether a new entry may begin where the cursor is, between things. */
function isFree({ text, lineStarts }: ManifestDocument, place: CursorPlace, around: Surroundings): boolean {
  const { object, path, range } = place;
  if (around.form !== 'block') return /[[{,]\s*$/.test(text.slice(Math.max(0, range.start - longestLine), range.start));
  if (!isBlank(around.before) || !/^\s*(?:#.*)?$/.test(around.after)) return false;
  const value = object === null ? place.whole : valueAt(object.value, path);
  if (typeof value !== 'object' || value === null || object === null) return true;
  const first = firstKey(value);
  const other =
    first === undefined ? undefined : object.locate([...path, first], Array.isArray(value) ? 'value' : 'key');
  if (other === undefined) return true;
  const line = lineStarts[lineAt(lineStarts, other.start)]!;
  const column = Array.isArray(value) ? text.slice(line, other.start).lastIndexOf('-') : other.start - line;
  return column === around.before.length;
}

function firstKey(value: object): string | number | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : 0;
  for (const key in value) return key;
  return undefined;
}
