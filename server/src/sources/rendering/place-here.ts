import type { PlacedDocument } from '../../manifests/manifest.ts';
import { documentAtLine } from '../../manifests/text-positions.ts';
import type { Fetched } from '../files/fetched.ts';
import { pathOf } from '../files/path-of.ts';
import type { MadeObject, ReadingContext } from './made-object.ts';
import { type FindPlace, ObjectOfTemplate, type TemplatePlaces } from '../files/rendered-object.ts';
import type { Source } from '../files/source.ts';

/**
 * Objects whose files were fetched are shown where the user's own files name what was fetched: nobody mends anything in
 * Podium's storage.
 */
export async function placeHere(
  source: Source,
  made: readonly MadeObject[],
  { fetched, parsed }: ReadingContext,
): Promise<MadeObject[]> {
  if (!made.some(({ file }) => isFetched(file.uri, fetched))) return [...made];
  const file = await parsed(source.place.file);
  const placed = file === null ? undefined : documentAtLine(file.documents, source.place.line);
  if (file === null || placed === undefined) return made.filter((each) => !isFetched(each.file.uri, fetched));
  const places = lineOf(placed, source.place.line - placed.line);
  return made.map((each) => {
    if (!isFetched(each.file.uri, fetched)) return each;
    const { value, rendering } = each.object;
    const find: FindPlace = (_value, path) => {
      const found = rendering?.writtenAt(path);
      return found === undefined || isFetched(found.uri, fetched) ? undefined : found;
    };
    return { object: new ObjectOfTemplate(source.name, value, places, find), file, index: placed.index };
  });
}

function isFetched(uri: string, fetched: Fetched): boolean {
  const path = pathOf(uri);
  return path !== null && fetched.holds(path);
}

function lineOf({ document: { text, lineStarts } }: PlacedDocument, line: number): TemplatePlaces {
  const start = lineStarts[Math.max(line, 0)] ?? 0;
  const length = text.slice(start).search(/[\r\n]|$/);
  return { keyOf: () => undefined, head: { start, end: start + length } };
}
