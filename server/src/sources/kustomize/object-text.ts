import type { FilePlace, ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { documentAtLine } from '../../manifests/text-positions.ts';
import type { TextOfFile } from './patch-places.ts';

/** An object of a file, with places in the text of its document. */
export interface ObjectText extends TextOfFile {
  readonly object: ManifestObject;
  /** A place in the document's text, as one of the file. */
  inFile(place: FilePlace | undefined): FilePlace | undefined;
}

/** The object that a line of a file is of. */
export function objectTextAt(
  file: ManifestFile | null,
  line: number,
  isIt: (object: ManifestObject) => boolean,
): ObjectText | null {
  const placed = file === null ? undefined : documentAtLine(file.documents, line);
  const object = placed?.document.objects.find(isIt);
  if (file === null || placed === undefined || object === undefined) return null;
  return {
    uri: file.uri,
    text: placed.document.text,
    data: { value: object.value, locate: (path, part = 'value') => object.locate(path, part) },
    object,
    inFile(place) {
      if (place === undefined) return undefined;
      const { start, end } = place.range;
      const moved = (position: typeof start): typeof start => ({ ...position, line: position.line + placed.line });
      return { uri: place.uri, range: { start: moved(start), end: moved(end) } };
    },
  };
}
