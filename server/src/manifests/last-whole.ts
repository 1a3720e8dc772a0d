import { isHalfRead } from './declared-objects.ts';
import type { ManifestDocument, ManifestFile } from './manifest.ts';

/** Of documents that were edited: what they were when they last could be read and nothing in them was unfinished. */
const lastWhole = new WeakMap<ManifestDocument, ManifestDocument>();

/** Documents that can be read and are not finished: an error waits there for whoever types. */
const unfinished = new WeakSet<ManifestDocument>();

/** Remembers what documents were before they were edited. */
export function rememberWhole(before: ManifestFile | null, { documents }: ManifestFile): void {
  if (before?.documents.length !== documents.length) return;
  for (const { document, index } of documents) {
    const was = before.documents[index]!.document;
    if (was === document || lastWhole.has(document)) continue;
    // What is not judged yet is no more finished than what was there before.
    if (unfinished.has(was)) unfinished.add(document);
    const whole = lastWhole.get(was) ?? (isReadable(was) ? was : undefined);
    if (whole !== undefined) lastWhole.set(document, whole);
  }
}

/** A file has been judged: of its documents only this one is unfinished. Answers whether something else counted before. */
export function setUnfinished({ documents }: ManifestFile, typed: ManifestDocument | undefined): boolean {
  return documents
    .map(({ document }) => {
      if (document !== typed) return unfinished.delete(document);
      const isNew = !unfinished.has(document);
      unfinished.add(document);
      return isNew;
    })
    .includes(true);
}

/** A file has been judged and nothing in it waits: what can be read of it is whole. */
export function setFinished({ documents }: ManifestFile): void {
  for (const { document } of documents) {
    if (lastWhole.has(document) && isReadable(document)) lastWhole.delete(document);
  }
}

/** Whether YAML can be made of a document, and objects of their kinds of that. */
function isReadable(document: ManifestDocument): boolean {
  return !isHalfRead(document) && document.objects.every(({ decoded }) => decoded.problems.length === 0);
}

/** What cannot be read was saved so, and is what counts. Answers whether something else counted before. */
export function forgetWhole({ documents }: ManifestFile): boolean {
  return documents.map(({ document }) => lastWhole.delete(document)).includes(true);
}

/** Whether what a document was before counts instead of it, as it cannot be read. */
export function countsAsBefore(document: ManifestDocument): boolean {
  return lastWhole.has(document) && !isReadable(document);
}

/** Whether what a document was before counts in simulations. */
function isHalf(document: ManifestDocument): boolean {
  return countsAsBefore(document) || (unfinished.has(document) && lastWhole.has(document));
}

/** Whether that is so of any document of a file. */
export function isHalfTyped({ documents }: ManifestFile): boolean {
  return documents.some(({ document }) => isHalf(document));
}

/** A file as it is applied: of a document that cannot be read its last text that could be. */
export function wholeFile(file: ManifestFile): ManifestFile {
  return withBefore(file, countsAsBefore);
}

/** A file as it counts in simulations: of a document that is half typed what it was before. */
export function finishedFile(file: ManifestFile): ManifestFile {
  return withBefore(file, isHalf);
}

function withBefore(file: ManifestFile, counts: (document: ManifestDocument) => boolean): ManifestFile {
  if (!file.documents.some(({ document }) => counts(document))) return file;
  const documents = file.documents.map((placed) =>
    counts(placed.document) ? { ...placed, document: lastWhole.get(placed.document)! } : placed,
  );
  return { ...file, documents };
}
