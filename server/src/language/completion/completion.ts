import type { CompletionItem, CompletionList, Position } from 'vscode-languageserver';
import { isObject, valueAt } from '../../util/values.ts';
import { knownKinds } from '../../kubernetes/api/kinds.ts';
import type { Json } from '../../kubernetes/json.ts';
import { namespaceOfKind } from '../../kubernetes/names.ts';
import type { CursorPlace, ManifestFile, PlacedDocument } from '../../manifests/manifest.ts';
import { documentAtLine, offsetInDocument } from '../../manifests/text-positions.ts';
import type { Asked, Choice, CompletionContext } from './context.ts';
import { expressionChoices } from './device-expressions.ts';
import { ItemMaker, wordItem } from './items.ts';
import { keysAt } from './keys.ts';
import { structOfAny } from './pool-types.ts';
import { type Slot, slotAt } from './slot.ts';
import { bodyOfAny } from './skeletons.ts';
import { objectSnippets, partSnippets } from './snippets.ts';
import { type TypedObject, typedPlace } from './typed-place.ts';
import { isOpen, mapKeysAt, valuesAt } from './values.ts';

/** More items are not sent at once; with what is typed then, the editor asks again. */
const mostItems = 200;

const nothing: CompletionList = { isIncomplete: false, items: [] };

/** What may be written at a cursor. */
export function completion(file: ManifestFile, position: Position, context: CompletionContext): CompletionList {
  const placed = documentAtLine(file.documents, position.line);
  if (placed === undefined || placed.document.content === 'template') return nothing;
  const offset = offsetInDocument(placed, position);
  const place = inItem(placed.document.pathAt(offset));
  const { types } = context.release;
  const object = objectAt(file, placed, place, context);
  if (object === undefined && !mayBecomeManifest(file, placed, place)) return nothing;
  // Where nothing says what it is, there is only what all objects have.
  const typed = object ?? { ...anyObject, value: place.object?.value ?? place.whole };
  // A blank at its end is no part of a text.
  let end = offset;
  while (placed.document.text[end - 1] === ' ') end -= 1;
  const text = end === offset ? place : inItem(placed.document.pathAt(end));
  if (text.on === 'value' && typedPlace(types, typed, text.path)?.field === 'CELDeviceSelector.expression') {
    const expression = placed.document.text.slice(text.range.start, offset);
    const quote = expression.startsWith("'") ? '"' : "'";
    // In double quotes those of the expression are escaped.
    const { replaced, choices } = expressionChoices(expression.replaceAll('\\"', '"'), context.facts, quote);
    const items = choices.map((choice) => wordItem(placed, choice, offset, replaced));
    return { isIncomplete: false, items: inOrder(items) };
  }
  const slot = slotAt(placed.document, place, offset, (path) => typedPlace(types, typed, path)?.type);
  if (slot === undefined || (object === undefined && !isOfAnyObject(slot, place))) return nothing;
  const at = typedPlace(types, typed, slot.path);
  // What a cluster writes into a status is for nobody to choose.
  if (at === undefined || at.fields.some((field) => field.endsWith('.status'))) return nothing;
  const items = new ItemMaker(placed, slot, context);
  const asked: Asked = { place: at, path: slot.path, object: typed, uri: file.uri, context };
  if (slot.on === 'value') return valueList(asked, slot, items);
  const { type } = at;
  const current = slot.written === '' ? undefined : slot.written;
  if (type.kind === 'map') {
    const there = valueAt(typed.value, slot.path);
    const free = (choice: Choice): boolean =>
      !isObject(there) || choice.label === current || !Object.hasOwn(there, choice.label);
    return bounded(mapKeysAt(asked), slot, (choice) => items.mapKey(choice, type.value), free);
  }
  if (type.kind !== 'struct') return nothing;
  const keys = context.isBesideSchema ? [] : keysAt(type, asked, current);
  const canHoldLines = slot.form === 'block' && !slot.hasColon && slot.quote === '';
  const isFirst = object === undefined && slot.path.length === 0 && slot.column === 0 && isBlank(place.whole, current);
  const snippets = isFirst ? objectSnippets(file.uri, context) : partSnippets(asked, current);
  return {
    isIncomplete: false,
    items: inOrder([
      ...keys.map((key) => items.key(key)),
      ...(canHoldLines ? snippets.map((snippet) => items.snippet(snippet)) : []),
    ]),
  };
}

/**
 * The values for a slot. Whoever types one to its end goes on with Enter, and has chosen nothing: the list has to be gone
 * by then, without an answer that may come too late. So what a value is found by leaves out its end.
 */
function valueList(asked: Asked, slot: Slot, items: ItemMaker): CompletionList {
  const make = kindMaker(asked, slot, items) ?? ((choice: Choice) => items.value(choice));
  return listOf([...valuesAt(asked)], slot, make, asked);
}

function listOf(
  choices: readonly Choice[],
  slot: Slot,
  make: (choice: Choice) => CompletionItem,
  { place: { field }, context: { isTyped = false } }: Asked,
): CompletionList {
  const isComplete = slot.typed === slot.written && choices.some(({ label }) => label === slot.written);
  if (isTyped && isComplete) return nothing;
  const byWords = isTyped && isOpen(field);
  const meant = byWords ? choices.filter(({ label }) => label.startsWith(slot.typed)) : choices;
  const list = bounded(meant, slot, make);
  // Whoever asks about a value that is complete wants to see it.
  if (slot.quote !== '' || isComplete) return list;
  return { ...list, items: foundUntilComplete(list.items, slot.typed, byWords) };
}

/** What an item is found by that only shows where nothing is typed: an empty text would count as none. */
const notFound = ' ';

/**
 * Items that an editor finds by what is typed until that is one of them as a whole. Then it closes the list by itself, and
 * asks anew with the next letter: asked for again with each letter, a list stays open until the answer is there, and an
 * Enter before it takes what no longer fits.
 *
 * @param byWords until a word of it is typed: not `orders-db` by `db`, which an editor finds as well, nor by `orders`
 */
function foundUntilComplete(items: readonly CompletionItem[], typed: string, byWords: boolean): CompletionItem[] {
  const whole = items.map(({ label }) => label).filter((label) => label.startsWith(typed));
  return items.map((item) => {
    const { label } = item;
    const word = byWords ? label.slice(typed.length).search(/[-._/]/) : -1;
    let end = word === -1 ? label.length : Math.max(0, typed.length + word - 1);
    // Editors look for the letters that are typed in their order, large or small.
    const begins = (): string => label.slice(0, end).toLowerCase();
    while (end > 0 && whole.some((each) => hasLetters(begins(), each.toLowerCase()))) end -= 1;
    return end === label.length ? item : { ...item, filterText: label.slice(0, end) || notFound };
  });
}

/** Of the kind of a document: undefined for other values, and where there is no room for what goes with it. */
function kindMaker(
  { path, object, uri, context }: Asked,
  { form, quote, column }: Slot,
  items: ItemMaker,
): ((choice: Choice) => CompletionItem) | undefined {
  const isOfDocument = path.length === 1 && path[0] === 'kind' && form === 'block' && quote === '';
  // In a List it stands deeper.
  if (!isOfDocument || column > 'kind: '.length || !isObject(object.value)) return undefined;
  const written = Object.keys(object.value);
  const isBare = written.every((key) => key === 'apiVersion' || key === 'kind');
  const version = textAt(object.value, 'apiVersion');
  return (choice) => {
    const body = isBare ? bodyOfAny(version || choice.detail, choice.label, uri, context) : [];
    return items.kind(choice, written.includes('apiVersion') ? '' : choice.detail, body);
  };
}

/** Has the fields that every object has. */
const anyObject = { apiVersion: 'v1', kind: 'Namespace', namespace: '' } as const;

/** Has the metadata of an object whose kind is not known, which may be in a namespace. */
const unknownObject = { apiVersion: 'v1', kind: 'LimitRange' } as const;

/** In an item of a List that does not say its version and kind yet, as in a document of its own. */
function inItem(place: CursorPlace): CursorPlace {
  const { object, whole, path } = place;
  const isOfList = textAt(whole, 'kind') === 'List' && path[0] === 'items' && typeof path[1] === 'number';
  if (!isOfList || (object !== null && object.path.length > 0)) return place;
  return { ...place, object: null, whole: (valueAt(whole, path.slice(0, 2)) ?? {}) as Json, path: path.slice(2) };
}

/**
 * What the cursor is in, where its type is known: of an object that does not say its version yet, the first that serves
 * its kind.
 */
function objectAt(
  { uri }: ManifestFile,
  { index }: PlacedDocument,
  { object, whole, path }: CursorPlace,
  { facts, release }: CompletionContext,
): TypedObject | undefined {
  if (object !== null) {
    const { apiVersion, kind, namespace, value } = object;
    if (structOfAny(release.types, apiVersion, kind) === undefined) {
      return path[0] === 'metadata' ? { ...unknownObject, namespace, value } : undefined;
    }
    const at = object.path.join('/');
    // What a tool makes of it may be in another namespace than is written.
    const fact = facts.inDocument(uri, index).find(({ manifest }) => manifest.path.join('/') === at);
    return { apiVersion, kind, namespace: fact?.namespace ?? namespaceOfKind(apiVersion, kind, namespace), value };
  }
  const kind = textAt(whole, 'kind');
  const [known] = textAt(whole, 'apiVersion') === '' ? (knownKinds.get(kind) ?? []) : [];
  if (known === undefined || path[0] === 'items') return undefined;
  const { apiVersion } = known;
  return { apiVersion, kind, namespace: namespaceOfKind(apiVersion, kind, undefined), value: whole };
}

function textAt(value: Json, key: string): string {
  const text = valueAt(value, [key]);
  return typeof text === 'string' ? text : '';
}

const ofAnyObject: ReadonlySet<string | number> = new Set(['apiVersion', 'kind', 'metadata', 'spec']);

/** Whether a document is empty, or begins as a manifest does. The values of a chart are none. */
function mayBecomeManifest(
  { uri }: ManifestFile,
  { document }: PlacedDocument,
  { object, whole, path }: CursorPlace,
): boolean {
  if (object !== null) return true;
  if (isObject(whole)) return Object.keys(whole).every((key) => key === path[0] || ofAnyObject.has(key));
  // Of what cannot be read, as it is too large, nothing is known.
  const isBegun = whole === null ? document.content === 'empty' : typeof whole !== 'object';
  return isBegun && !/\.jsonc?$/i.test(uri);
}

/** Of what has no known kind: its version and kind; and as long as it says none, what all objects have at the top. */
function isOfAnyObject({ on, path }: Slot, { object, whole }: CursorPlace): boolean {
  if (on === 'value') return path.length === 1 && (path[0] === 'apiVersion' || path[0] === 'kind');
  if (object !== null || textAt(whole, 'kind') !== '') return false;
  return path.length === 0 || (path.length === 1 && path[0] === 'metadata');
}

function isBlank(whole: Json, current: string | undefined): boolean {
  return !isObject(whole) || Object.keys(whole).every((key) => key === current);
}

/** As many as are sent at once; where there are more, those that what is typed may mean, its beginnings first. */
function bounded(
  choices: Iterable<Choice>,
  { typed }: Slot,
  make: (choice: Choice) => CompletionItem,
  isFree: (choice: Choice) => boolean = () => true,
): CompletionList {
  const seen = new Set<string>();
  const first: Choice[] = [];
  const begun: Choice[] = [];
  const meant: Choice[] = [];
  const letters = typed.toLowerCase();
  for (const choice of choices) {
    if (seen.has(choice.label) || !isFree(choice)) continue;
    seen.add(choice.label);
    if (first.length < mostItems) first.push(choice);
    const label = choice.label.toLowerCase();
    const list = label.startsWith(letters) ? begun : meant;
    if (list.length < mostItems && hasLetters(label, letters)) list.push(choice);
  }
  const isIncomplete = seen.size > mostItems;
  return { isIncomplete, items: inOrder((isIncomplete ? [...begun, ...meant].slice(0, mostItems) : first).map(make)) };
}

/** Whether a text has letters in this order. */
function hasLetters(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) {
    if (at === letters.length) return true;
    if (letter === letters[at]) at += 1;
  }
  return at === letters.length;
}

function inOrder(items: readonly CompletionItem[]): CompletionItem[] {
  return items.map((item, index) => ({ ...item, sortText: String(index).padStart(4, '0') }));
}
