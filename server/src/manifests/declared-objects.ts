import type { Declared } from '../kubernetes/objects.ts';
import type { ManifestFile } from './manifest.ts';
import { placedRange } from './text-positions.ts';

/** All objects of a file, decoded, each with its place: the range of its name, or of what is nearest to it. */
export function declaredObjects({ uri, documents }: ManifestFile): Declared[] {
  return documents.flatMap((placed) =>
    placed.document.objects.map((object) => {
      const range = placedRange(placed, object.locateNearest(['metadata', 'name'], 'value'));
      const decoded = object.decoded.object;
      // What is read from a cluster was accepted once.
      const isStored = decoded.metadata?.uid !== undefined;
      return { object: decoded, origin: { uri, range }, ...(isStored ? {} : { value: object.value }) };
    }),
  );
}
