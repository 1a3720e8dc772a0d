/**
 * Repairs as edits of what is written. Ranges come from the manifest; around them only white space, commas, dashes and
 * the rest of the line are looked at, so that what is taken out leaves no hole.
 */
import { say } from '../../../util/say.ts';
import { isObject, valueAt } from '../../../util/values.ts';
import type { Json, JsonObject, Path } from '../../../kubernetes/json.ts';
import type { OffsetRange } from '../../../manifests/manifest.ts';
import type { Fact } from '../../index/fact.ts';
import type { Fix, FixEdit, FixSubject, ObjectRule } from './rule.ts';

/** The repairs of findings that name an object and a place in it. */
export function fixAt(
  fixes: (fact: Fact, path: Path, subject: FixSubject, value: string | undefined) => readonly Fix[],
): NonNullable<ObjectRule['fix']> {
  return ({ fact, path, value }, subject) =>
    fact === undefined || path === undefined ? [] : fixes(fact, path, subject, value);
}

/** Where a finding says what was meant, that is written instead. */
export const changeToMeant = fixAt((fact, path, _subject, meant = '') =>
  meant === '' ? [] : [{ title: say`Change to ${meant}`, preferred: true, edits: [replaceScalar(fact, path, meant)] }],
);

function edit(fact: Fact, range: OffsetRange, text: string): FixEdit {
  return { uri: fact.uri, index: fact.index, range, text };
}

/** Words and amounts. */
const plainText = /^(?:[A-Za-z][A-Za-z0-9_./-]*|[1-9][0-9]*(?:m|[kKMGTPE]i?))$/;
/** Words that YAML 1.1 would not read as text. */
const notText = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** A scalar that reads back as this text, quoted where YAML needs it. */
export function yamlText(text: string): string {
  return plainText.test(text) && !notText.test(text) ? text : JSON.stringify(text);
}

/** Whether a document is JSON, which has neither comments nor text without quotes. */
export function isJson(text: string): boolean {
  return /^\uFEFF?(?:---[^\n]*\n)?\s*[{[]/.test(text);
}

/** A text in place of the scalar of a range, in the quotes that it has; an empty one has them only because it is empty. */
export function scalarInstead(text: string, { start, end }: OffsetRange, written: string): string {
  const quote = end - start === 2 && !isJson(text) ? '' : text[start];
  if (quote === "'") return `'${written.replaceAll("'", "''")}'`;
  return quote === '"' || isJson(text) ? JSON.stringify(written) : yamlText(written);
}

/** Writes another text in place of a scalar, in the quotes that it has. */
export function replaceScalar(fact: Fact, path: Path, text: string): FixEdit {
  const range = fact.manifest.locateNearest(path, 'value');
  return edit(fact, range, scalarInstead(fact.document.text, range, text));
}

/** Writes a number, a boolean or an amount in place of a scalar. */
export function replaceWord(fact: Fact, path: Path, word: string): FixEdit {
  const range = fact.manifest.locateNearest(path, 'value');
  const isText = isJson(fact.document.text) && !/^(?:true|false|-?\d+)$/.test(word);
  return edit(fact, range, isText ? JSON.stringify(word) : word);
}

/** Puts quotes around a scalar as it is written. */
export function quoteScalar(fact: Fact, path: Path): FixEdit {
  const range = fact.manifest.locateNearest(path, 'value');
  return edit(fact, range, JSON.stringify(fact.document.text.slice(range.start, range.end)));
}

/** Takes out a key with its value, or an item of a list. */
export function removeEntry(fact: Fact, path: Path): FixEdit {
  const { text } = fact.document;
  const range = fact.manifest.locateNearest(path, 'entry');
  const parent = fact.manifest.locate(path.slice(0, -1), 'value');
  const isFlow = parent !== undefined && '{['.includes(text[parent.start] ?? ' ');
  return edit(fact, isFlow ? inFlow(text, range) : inBlock(text, range), '');
}

/** Adds an entry with a text as its value, before the first one of a map that is not empty. */
export function insertFirst(fact: Fact, mapPath: Path, key: string, value: string): FixEdit {
  const { text } = fact.document;
  const map = fact.manifest.locateNearest(mapPath, 'value');
  const entry = `${yamlText(key)}: ${yamlText(value)}`;
  if (text[map.start] === '{') {
    if (/^\{\s*\}/.test(text.slice(map.start))) return edit(fact, map, flowText({ [key]: value }, isJson(text)));
    const at = text.slice(map.start + 1).search(/\S/) + map.start + 1;
    return edit(fact, { start: at, end: at }, `${flowEntry(key, value, isJson(text))}, `);
  }
  const lineStart = text.lastIndexOf('\n', map.start - 1) + 1;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = ' '.repeat(map.start - lineStart);
  return edit(fact, { start: map.start, end: map.start }, entry + newline + indent);
}

/**
 * Writes a value at a path of an object: in place of the scalar that is there, else behind the last entry of the nearest
 * map that is written, with the maps between them.
 */
export function setValue(fact: Fact, path: Path, value: Json): FixEdit {
  const there = fact.manifest.locate(path, 'value');
  if (there !== undefined && there.end > there.start) {
    return typeof value === 'string'
      ? replaceScalar(fact, path, value)
      : edit(fact, there, flowText(value, isJson(fact.document.text)));
  }
  let depth = path.length - 1;
  const mapAt = (length: number) => fact.manifest.locate(path.slice(0, length), 'value');
  while (depth > 0 && (mapAt(depth) === undefined || isBlank(mapAt(depth)))) depth -= 1;
  const inner = path.slice(depth + 1).reduceRight<Json>((wrapped, key) => ({ [key]: wrapped }), value);
  return insertLast(fact, path.slice(0, depth), String(path[depth]), inner);
}

/**
 * Writes a map at a path of an object: what stays of one that is there is left alone, with its comments and its form.
 */
export function replaceMap(fact: Fact, path: Path, value: JsonObject): readonly FixEdit[] {
  const { text } = fact.document;
  const old = valueAt(fact.manifest.value, path);
  const there = fact.manifest.locate(path, 'value');
  if (!isObject(old) || there === undefined || Object.keys(old).length === 0) return [setValue(fact, path, value)];
  const isFlow = text[there.start] === '{';
  const gone = Object.keys(old).filter((key) => !Object.hasOwn(value, key));
  const added = Object.keys(value).filter((key) => !Object.hasOwn(old, key));
  const most = isFlow || added.length > 0 ? 0 : Object.keys(old).length - 1;
  if (gone.length <= most) {
    const kept = Object.entries(value).filter(
      ([key, each]) => Object.hasOwn(old, key) && JSON.stringify(old[key]) !== JSON.stringify(each),
    );
    return [
      ...gone.map((key) => removeEntry(fact, [...path, key])),
      ...kept.flatMap(([key, each]) =>
        isObject(each) ? replaceMap(fact, [...path, key], each) : [setValue(fact, [...path, key], each)],
      ),
      ...added.map((key) => insertLast(fact, path, key, value[key]!)),
    ];
  }
  if (isFlow) return [setValue(fact, path, value)];
  const indent = ' '.repeat(there.start - (text.lastIndexOf('\n', there.start - 1) + 1));
  const style = styleOf(text);
  const lines = Object.entries(value).flatMap(([key, each]) => blockLines(key, each, style).split('\n'));
  return [edit(fact, { start: there.start, end: trimEnd(text, there) }, lines.join(newlineOf(text) + indent))];
}

function isBlank(range: OffsetRange | undefined): boolean {
  return range === undefined || range.start === range.end;
}

/** Adds an item behind the last one of a list, in the form that the first has. */
export function appendItem(fact: Fact, listPath: Path, item: Json): FixEdit {
  const { text } = fact.document;
  const list = fact.manifest.locateNearest(listPath, 'value');
  if (text[list.start] === '[') {
    const written = flowText(item, isJson(text));
    const at = endOfLast(fact, listPath);
    if (at === undefined) return edit(fact, list, `[${written}]`);
    return edit(fact, { start: at, end: at }, `, ${written}`);
  }
  const first = fact.manifest.locate([...listPath, 0], 'value');
  const isFlow = first !== undefined && text[first.start] === '{';
  return insertLine(fact, list, `- ${isFlow ? flowText(item, false) : itemLines(item, styleOf(text))}`);
}

/** Adds an entry behind the last one of a map, or before the template, behind which nobody would look for it. */
function insertLast(fact: Fact, mapPath: Path, key: string, value: Json): FixEdit {
  const { text } = fact.document;
  const map = fact.manifest.locateNearest(mapPath, 'value');
  if (text[map.start] === '{') {
    const last = endOfLast(fact, mapPath);
    if (last === undefined) return edit(fact, map, flowText({ [key]: value }, isJson(text)));
    const [lead = ' '] = /^\s*/.exec(text.slice(map.start + 1)) ?? [];
    const separator = lead.includes('\n') ? `,${lead}` : ', ';
    return edit(fact, { start: last, end: last }, separator + flowEntry(key, value, isJson(text)));
  }
  const lines = blockLines(key, value, styleOf(text));
  const template = ['template', 'jobTemplate'].flatMap(
    (each) => fact.manifest.locate([...mapPath, each], 'entry') ?? [],
  );
  return insertLine(fact, map, lines, template[0]?.start);
}

/** The end of the last entry of a map or item of a list: a comment may follow. */
function endOfLast({ manifest, document: { text } }: Fact, path: Path): number | undefined {
  const ends = Object.keys(valueAt(manifest.value, path) ?? {}).flatMap((key) => {
    const step = Array.isArray(valueAt(manifest.value, path)) ? Number(key) : key;
    const range = manifest.locate([...path, step], 'entry');
    return range === undefined ? [] : trimEnd(text, range);
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** Below the last line of a block collection or above an entry of it, in the column in which the collection begins. */
function insertLine(fact: Fact, block: OffsetRange, lines: string, before?: number): FixEdit {
  const { text } = fact.document;
  const newline = newlineOf(text);
  const indent = ' '.repeat(block.start - (text.lastIndexOf('\n', block.start - 1) + 1));
  const written = lines.split('\n').map((line) => indent + line);
  if (before !== undefined && before > block.start) {
    const at = aboveComments(text, text.lastIndexOf('\n', before) + 1);
    return edit(fact, { start: at, end: at }, written.join(newline) + newline);
  }
  const rest = /^[^\r\n]*/.exec(text.slice(trimEnd(text, block)))?.[0].length ?? 0;
  const at = trimEnd(text, block) + rest;
  return edit(fact, { start: at, end: at }, newline + written.join(newline));
}

/** The start of a line, or of the first of the comments that stand right above it. */
function aboveComments(text: string, lineStart: number): number {
  const above = text.lastIndexOf('\n', lineStart - 2) + 1;
  return above < lineStart && /^[ \t]*#/.test(text.slice(above, lineStart)) ? aboveComments(text, above) : lineStart;
}

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Writes an object as a document of its own behind that of another, as that is written. */
export function appendDocument({ uri, index, document: { text } }: Fact, object: JsonObject): FixEdit {
  const style = styleOf(text);
  const lines = Object.entries(object).map(([key, value]) => `${blockLines(key, value, style)}\n`);
  const lead = text.endsWith('\n') ? '' : '\n';
  const range = { start: text.length, end: text.length };
  return { uri, index, range, text: [lead, '---\n', ...lines].join('').replaceAll('\n', newlineOf(text)) };
}

/** By how much a document indents the entries of a map and the items of a list. */
interface Style {
  readonly map: string;
  readonly list: string;
}

/** As the first map and the first list under a key have it. */
function styleOf(text: string): Style {
  const map = /^( *)[\w./-]+:[ \t]*\r?\n( +)[\w"']/m.exec(text);
  const list = /^( *)[\w./-]+:[ \t]*\r?\n( *)- /m.exec(text);
  return { map: deeper(map, 2), list: deeper(list, 2) };
}

function deeper(found: RegExpExecArray | null, usual: number): string {
  const [, outer = '', inner = ''] = found ?? [];
  return ' '.repeat(found === null ? usual : inner.length - outer.length);
}

/** A value on one line. */
function flowText(value: Json, asJson: boolean): string {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' && !asJson ? yamlText(value) : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map((each) => flowText(each, asJson)).join(', ')}]`;
  const entries = Object.entries(value).map(([key, each]) => flowEntry(key, each, asJson));
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function flowEntry(key: string, value: Json, asJson: boolean): string {
  return `${asJson ? JSON.stringify(key) : yamlText(key)}: ${flowText(value, asJson)}`;
}

function blockLines(key: string, value: Json, style: Style): string {
  const lead = `${yamlText(key)}:`;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return `${lead} ${flowText(value, false)}`;
  }
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => `- ${itemLines(item, style)}`);
    return `${lead}\n${items.join('\n').replace(/^/gm, style.list)}`;
  }
  const inner = Object.entries(value).map(([name, each]) => blockLines(name, each, style));
  return `${lead}\n${inner.join('\n').replace(/^/gm, style.map)}`;
}

/** An item behind its dash: a map with each entry on its line. */
function itemLines(item: Json, style: Style): string {
  if (!isObject(item)) return flowText(item, false);
  const lines = Object.entries(item).flatMap(([name, each]) => blockLines(name, each, style).split('\n'));
  return lines.join('\n  ');
}

function inBlock(text: string, range: OffsetRange): OffsetRange {
  const lineStart = text.lastIndexOf('\n', range.start - 1) + 1;
  const lead = text.slice(lineStart, range.start);
  const end = lineEndAfter(text, trimEnd(text, range));
  if (lead.trim() === '') return { start: lineStart, end };
  return lead.trim() === '-' ? afterDash(text, range, lineStart, end) : range;
}

/** An entry that shares its line with the dash of its list item: a following key of the item moves up to the dash. */
function afterDash(text: string, range: OffsetRange, lineStart: number, end: number): OffsetRange {
  const indent = range.start - lineStart;
  const next = /^[ ]*/.exec(text.slice(end))?.[0].length ?? 0;
  const character = text[end + next];
  const continues = next === indent && character !== undefined && character !== '-' && character !== '\n';
  return continues ? { start: range.start, end: end + next } : { start: lineStart, end };
}

/** An entry between brackets goes with one comma. */
function inFlow(text: string, range: OffsetRange): OffsetRange {
  const before = lastNonSpace(text, range.start);
  if (text[before] === ',') return { start: before, end: range.end };
  const after = /^\s*,[ \t]*/.exec(text.slice(range.end));
  return { start: range.start, end: range.end + (after?.[0].length ?? 0) };
}

function lastNonSpace(text: string, offset: number): number {
  let index = offset - 1;
  while (index >= 0 && /\s/.test(text[index]!)) index -= 1;
  return index;
}

/** The range of a block collection may reach over the blank lines after it. */
function trimEnd(text: string, range: OffsetRange): number {
  let end = range.end;
  while (end > range.start && /\s/.test(text[end - 1]!)) end -= 1;
  return end;
}

function lineEndAfter(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline < 0 ? text.length : newline + 1;
}

/** Writes another name in place of a key. */
export function renameKey(fact: Fact, path: Path, name: string): FixEdit {
  const range = fact.manifest.locateNearest(path, 'key');
  const quote = fact.document.text[range.start];
  return edit(fact, range, quote === '"' || quote === "'" ? quote + name + quote : name);
}

/** Writes an entry of one line in place of the one that holds it and nothing else. */
export function liftEntry(fact: Fact, path: Path): FixEdit | undefined {
  const { text } = fact.document;
  const [entry, holder] = [path, path.slice(0, -1)].map((each) => fact.manifest.locate(each, 'entry'));
  if (entry === undefined || holder === undefined) return undefined;
  const written = text.slice(entry.start, entry.end).trimEnd();
  if (written.includes('\n')) return undefined;
  const end = holder.start + text.slice(holder.start, holder.end).trimEnd().length;
  return edit(fact, { start: holder.start, end }, written);
}

/**
 * Puts entries of a map into a new one under a key, in their own place. Undefined where others stand between them.
 */
export function wrapEntries(
  text: string,
  map: OffsetRange,
  entries: readonly OffsetRange[],
  others: readonly OffsetRange[],
  key: string,
): { readonly range: OffsetRange; readonly text: string } | undefined {
  const start = Math.min(...entries.map((each) => each.start));
  const end = Math.max(...entries.map((each) => trimEnd(text, each)));
  if (others.some((other) => other.start > start && other.start < end)) return undefined;
  const written = text.slice(start, end);
  if (text[map.start] === '{') return { range: { start, end }, text: `${key}: { ${written} }` };
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  return { range: { start, end }, text: `${key}:${newline}${indent}  ${written.replaceAll(/\n(?=[^\r\n])/g, '\n  ')}` };
}

/**
 * Moves an entry of one line into another map: before its first entry, or into a new map in the entry's own place.
 * Undefined where more than one line would have to move.
 */
export function moveEntry(fact: Fact, path: Path, mapPath: Path): readonly FixEdit[] | undefined {
  const { text } = fact.document;
  const entry = fact.manifest.locate(path, 'entry');
  const parent = fact.manifest.locate(path.slice(0, -1), 'value');
  if (entry === undefined || parent === undefined || '{['.includes(text[parent.start] ?? ' ')) return undefined;
  const written = text.slice(entry.start, entry.end).trimEnd();
  if (written.includes('\n')) return undefined;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const indentOf = (offset: number): string => ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
  const map = fact.manifest.locate(mapPath, 'value');
  if (map === undefined) {
    if (mapPath.length !== path.length) return undefined;
    const made = `${String(mapPath.at(-1))}:${newline}${indentOf(entry.start)}  ${written}`;
    return [edit(fact, { start: entry.start, end: entry.start + written.length }, made)];
  }
  if (map.start === map.end || '{['.includes(text[map.start] ?? ' ')) return undefined;
  const insertion = edit(fact, { start: map.start, end: map.start }, written + newline + indentOf(map.start));
  return [removeEntry(fact, path), insertion];
}
