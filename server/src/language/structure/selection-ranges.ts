import type { Position, SelectionRange } from 'vscode-languageserver';
import type { EntryPart, ManifestFile, OffsetRange, PlacedDocument } from '../../manifests/manifest.ts';
import { readData } from '../../manifests/read-data.ts';
import { documentAtLine, offsetInDocument, placedRange } from '../../manifests/text-positions.ts';
import type { Path } from '../../kubernetes/json.ts';

type Locate = (path: Path, part: EntryPart) => OffsetRange | undefined;

/** What grows around each cursor: the value, its pair, the mapping, the item, …, the object, the document. */
export function selectionRanges(file: ManifestFile, positions: readonly Position[]): SelectionRange[] {
  const locates = new Map<PlacedDocument, Locate>();
  return positions.map((position) => {
    const here: SelectionRange = { range: { start: position, end: position } };
    const placed = documentAtLine(file.documents, position.line);
    if (placed === undefined) return here;
    const ranges = rangesAround(placed, offsetInDocument(placed, position), locates);
    return (
      ranges.reduceRight<SelectionRange | undefined>(
        (parent, range) => ({ range: placedRange(placed, range), ...(parent === undefined ? {} : { parent }) }),
        undefined,
      ) ?? here
    );
  });
}

/** From the innermost to the document, each larger than the one before. */
function rangesAround(
  placed: PlacedDocument,
  offset: number,
  locates: Map<PlacedDocument, Locate>,
): readonly OffsetRange[] {
  const { document } = placed;
  const { text } = document;
  const { object, path, range } = document.at(offset) ?? document.pathAt(offset);
  let locate: Locate | undefined = object === null ? locates.get(placed) : (at, part) => object.locate(at, part);
  if (locate === undefined) {
    // What is no object, as a scenario, is read once for all cursors in it.
    const data = readData(text);
    locate = (at, part) => data.locate(at, part);
    locates.set(placed, locate);
  }
  const found: OffsetRange[] = [];
  const add = (candidate: OffsetRange | undefined): void => {
    if (candidate === undefined) return;
    const { start } = candidate;
    const end = start + text.slice(start, candidate.end).trimEnd().length;
    const inner = found.at(-1) ?? { start: offset, end: offset };
    // What comes through an alias is written elsewhere, and is not around the cursor.
    const isAround = start <= inner.start && end >= inner.end && end - start > inner.end - inner.start;
    if (isAround) found.push({ start, end });
  };
  add(range);
  for (let depth = path.length; depth > 0; depth -= 1) {
    add(locate(path.slice(0, depth), 'value'));
    add(locate(path.slice(0, depth), 'entry'));
  }
  add(locate([], 'value'));
  add({ start: text.length - text.trimStart().length, end: text.length });
  return found;
}
