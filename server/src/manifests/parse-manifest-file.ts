import { detached, looksLikeManifest, shownLineEnd, tooLarge } from './document-text.ts';
import type { ReadLimits } from './limits.ts';
import { editorLimits } from './limits.ts';
import type { ManifestDocument, ManifestFile, ManifestProblem, PlacedDocument } from './manifest.ts';
import { readDocument } from './read-document.ts';
import { splitDocuments } from './split-documents.ts';

/**
 * Reads a file. Documents whose text is in `previous` are taken over as they are, by identity, so that one edit costs
 * the reading of one document. Never throws.
 *
 * @param version the editor's version; null for a file read from disk
 * @param previous the file as it was read last
 */
export function parseManifestFile(
  uri: string,
  text: string,
  version: number | null = null,
  previous?: ManifestFile,
  limits: ReadLimits = editorLimits,
): ManifestFile {
  if (text.length > limits.fileLength) {
    // Large files of other programs are none of our business.
    const problems = looksLikeManifest(text) ? [tooLarge('file-too-large', 'file', text, limits.fileLength)] : [];
    return { uri, version, documents: [], problems };
  }
  const known = new Map<string, ManifestDocument>();
  for (const { document } of previous?.documents ?? []) known.set(document.text, document);

  const spans = splitDocuments(text, limits.documents);
  const problems: ManifestProblem[] = [];
  const rest = spans[limits.documents];
  if (rest !== undefined) {
    spans.length = limits.documents;
    problems.push(tooManyDocuments(text, rest.start, limits.documents));
  }
  const documents = spans.map((span, index): PlacedDocument => {
    const documentText = text.slice(span.start, span.end);
    let document = known.get(documentText);
    if (document === undefined) {
      document = readDocument(detached(documentText), limits, previous?.documents);
      known.set(document.text, document);
    }
    return { document, offset: span.start, line: span.line, index };
  });
  return { uri, version, documents, problems };
}

function tooManyDocuments(text: string, start: number, limit: number): ManifestProblem {
  const count = limit.toLocaleString('en-US');
  return {
    code: 'too-many-documents',
    severity: 'warning',
    message: `This file has more than ${count} documents; Podium does not read those from here on.`,
    range: { start, end: shownLineEnd(text, start) },
  };
}
