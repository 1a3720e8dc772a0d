import { isHalfRead } from './declared-objects.ts';
import type { ManifestDocument, ManifestFile } from './manifest.ts';

/** Of documents that cannot be read as they are typed: what they were when they last could be. */
const lastWhole = new WeakMap<ManifestDocument, ManifestDocument>();

/** Remembers what documents were before they were edited so that they cannot be read. */
export function rememberWhole(before: ManifestFile | null, { documents }: ManifestFile): void {
  if (before?.documents.length !== documents.length) return;
  for (const { document, index } of documents) {
    if (isReadable(document) || lastWhole.has(document)) continue;
    const was = before.documents[index]!.document;
    const whole = isReadable(was) ? was : lastWhole.get(was);
    if (whole !== undefined) lastWhole.set(document, whole);
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

/** Whether what a document was before counts instead of it. */
export function countsAsBefore(document: ManifestDocument): boolean {
  return lastWhole.has(document);
}

/** Whether that is so of any document of a file. */
export function isHalfTyped({ documents }: ManifestFile): boolean {
  return documents.some(({ document }) => countsAsBefore(document));
}

/** A file as it counts: while something is half typed in a document, its last text that could be read. */
export function wholeFile(file: ManifestFile): ManifestFile {
  if (!isHalfTyped(file)) return file;
  const documents = file.documents.map((placed) => {
    const document = lastWhole.get(placed.document);
    return document === undefined ? placed : { ...placed, document };
  });
  return { ...file, documents };
}
