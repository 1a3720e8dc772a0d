import { detached, looksLikeManifest, shownLineEnd, tooLarge } from './document-text.ts';
import type { ReadLimits } from './limits.ts';
import { editorLimits } from './limits.ts';
import type { ManifestDocument, ManifestFile, ManifestProblem, PlacedDocument } from './manifest.ts';
import { readDocument, readDocumentInSteps } from './read-document.ts';
import { type DocumentSpan, splitDocuments, splitFrom } from './split-documents.ts';

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
  const edited = previous === undefined ? null : readAround(text, previous, limits);
  if (edited !== null) return { uri, version, documents: edited, problems: [] };

  const spans = splitDocuments(text, limits.documents);
  const problems: ManifestProblem[] = [];
  const rest = spans[limits.documents];
  if (rest !== undefined) {
    spans.length = limits.documents;
    problems.push(tooManyDocuments(text, rest.start, limits.documents));
  }
  return { uri, version, documents: readSpans(text, spans, 0, previous?.documents ?? [], limits), problems };
}

/** Reads documents; those whose text is known are taken over. */
function readSpans(
  text: string,
  spans: readonly DocumentSpan[],
  firstIndex: number,
  earlier: readonly PlacedDocument[],
  limits: ReadLimits,
): PlacedDocument[] {
  const known = new Map<string, PlacedDocument>();
  for (const placed of earlier) known.set(placed.document.text, placed);
  return spans.map(({ start, end, line }, position) => {
    const documentText = text.slice(start, end);
    const index = firstIndex + position;
    const found = known.get(documentText);
    if (found?.line === line && found.index === index) return found;
    const document = found?.document ?? readDocument(detached(documentText), limits, earlier);
    const placed = { document, line, index };
    if (found === undefined) known.set(document.text, placed);
    return placed;
  });
}

/**
 * Reads a file that was read before: what stands before and after the place that has changed is not looked at again.
 * Null when that is not possible.
 */
function readAround(text: string, previous: ManifestFile, limits: ReadLimits): PlacedDocument[] | null {
  const { documents, problems } = previous;
  // With a problem of the whole file, not all of its text is in its documents.
  if (documents.length === 0 || problems.length > 0) return null;
  const starts = [0];
  for (const { document } of documents) starts.push(starts.at(-1)! + document.text.length);
  const shift = text.length - starts.at(-1)!;
  const standsAt = (index: number, start: number): boolean => {
    const { document } = documents[index]!;
    return text.slice(start, start + document.text.length) === document.text;
  };

  let same = 0;
  while (same < documents.length && standsAt(same, starts[same]!)) same++;
  // The end of a document depends on what follows, and a last line without a line break goes on there.
  const before = Math.max(0, same - 2);
  let after = documents.length;
  while (
    after > same &&
    starts[after - 1]! + shift >= starts[same]! &&
    standsAt(after - 1, starts[after - 1]! + shift)
  ) {
    after--;
  }
  // The first document alone may be blank, and would not be one of its own behind another.
  after = Math.max(1, after);

  const indexOfStart = new Map<number, number>();
  for (let index = after; index < documents.length; index++) indexOfStart.set(starts[index]! + shift, index);
  const from = { start: starts[before]!, line: documents[before]!.line };
  const part = splitFrom(text, from, limits.documents, (at) => indexOfStart.has(at));
  const joined = indexOfStart.get(part.end) ?? documents.length;
  const count = before + part.spans.length;
  if (count + documents.length - joined > limits.documents) return null;

  const read = readSpans(text, part.spans, before, documents.slice(before, joined), limits);
  const lineShift = part.line - (documents[joined]?.line ?? 0);
  const indexShift = count - joined;
  const isMoved = lineShift !== 0 || indexShift !== 0;
  const behind = documents.slice(joined);
  return [
    ...documents.slice(0, before),
    ...read,
    ...(isMoved
      ? behind.map(({ document, line, index }) => ({ document, line: line + lineShift, index: index + indexShift }))
      : behind),
  ];
}

/**
 * As `parseManifestFile` for a file read from disk, in steps: yields after each document, and after each item of a long
 * list, so that a server can answer others meanwhile.
 */
export function* parseManifestFileInSteps(
  uri: string,
  text: string,
  previous: ManifestFile | undefined,
  limits: ReadLimits,
): Generator<void, ManifestFile> {
  const earlier = previous?.documents ?? [];
  const known = new Map<string, ManifestDocument>();
  for (const { document } of earlier) known.set(document.text, document);
  const documents: PlacedDocument[] = [];
  const spans =
    text.length > limits.fileLength ? [] : splitDocuments(text, limits.documents).slice(0, limits.documents);
  for (const { start, end, line } of spans) {
    const documentText = text.slice(start, end);
    const document = known.get(documentText) ?? (yield* readDocumentInSteps(detached(documentText), limits, earlier));
    documents.push({ document, line, index: documents.length });
    yield;
  }
  // Everything is known now; what is too much of it is told as ever.
  return parseManifestFile(uri, text, null, { uri, version: null, documents, problems: [] }, limits);
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
