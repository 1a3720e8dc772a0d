import type { JsonObject } from '../../kubernetes/json.ts';
import type { OffsetRange, PlacedDocument } from '../../manifests/manifest.ts';
import { asMap, asText } from '../../manifests/read-data.ts';
import { isDelivery } from '../files/delivery-kinds.ts';
import { readMarked } from '../files/read-marked.ts';

/** An ApplicationSet as it is written, and where its kind stands in the document. */
export interface WrittenSet {
  readonly value: JsonObject;
  readonly head: OffsetRange;
}

/** `{{` in an ApplicationSet is its own template language; the manifest reader would take it for a chart's template. */
export function writtenSet({ document: { content, text } }: PlacedDocument): WrittenSet | null {
  if (content !== 'template') return null;
  const found = /^kind:[ \t]*ApplicationSet\b/m.exec(text);
  if (found === null) return null;
  const value = asMap(readMarked(text).value);
  if (!isDelivery({ apiVersion: asText(value['apiVersion']), kind: 'ApplicationSet' })) return null;
  return { value, head: { start: found.index, end: found.index + found[0].length } };
}
