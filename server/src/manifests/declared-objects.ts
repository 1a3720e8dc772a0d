import type { JsonObject } from '../kubernetes/json.ts';
import { type Decoded, decodeObject } from '../kubernetes/decode/index.ts';
import type { Declared } from '../kubernetes/objects.ts';
import type { ManifestFile, ManifestObject, PlacedDocument } from './manifest.ts';
import { placedRange } from './text-positions.ts';
import { type IndexedObject, objectsOf, type WorkspaceIndex } from './workspace-index.ts';

/** By value: a document that is read again keeps the values of list items that did not change. */
const decoded = new WeakMap<JsonObject, Decoded>();

/** A manifest as an object of its kind, decoded at the first call. */
export function decodedObject(object: ManifestObject): Decoded {
  let known = decoded.get(object.value);
  if (known === undefined) decoded.set(object.value, (known = decodeObject(object.value)));
  return known;
}

/** An object with its place: the range of its name, or of what is nearest to it. */
export function declaredObject(file: ManifestFile, placed: PlacedDocument, object: ManifestObject): Declared {
  const range = placedRange(placed, object.locateNearest(['metadata', 'name'], 'value'));
  return { object: decodedObject(object).object, origin: { uri: file.uri, range } };
}

/** All objects of a workspace or of one file, decoded. */
export function* declaredObjects(source: WorkspaceIndex | ManifestFile): Generator<Declared> {
  const objects: Iterable<IndexedObject> = 'documents' in source ? objectsOf(source) : source.objects();
  for (const { file, placed, object } of objects) yield declaredObject(file, placed, object);
}
