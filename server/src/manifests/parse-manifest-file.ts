import { containedInSteps } from '../util/contain.ts';
import { say } from '../util/say.ts';
import { runToEnd } from '../util/steps.ts';
import { detached, looksLikeManifest, shownLineEnd, tooLarge, withLineFeeds } from './document-text.ts';
import type { ReadLimits } from './limits.ts';
import { editorLimits } from './limits.ts';
import type { ManifestDocument, ManifestFile, ManifestProblem, PlacedDocument } from './manifest.ts';
import { failedDocument, knownItems, letPlacesGo, readDocument } from './read-document.ts';
import { type DocumentSpan, splitDocuments, splitFrom } from './split-documents.ts';

/** As `readManifestFile`, without pausing. */
export function parseManifestFile(
  uri: string,
  text: string,
  version: number | null = null,
  previous?: ManifestFile,
  limits: ReadLimits = editorLimits,
): ManifestFile {
  return runToEnd(readManifestFile(uri, text, version, previous, limits));
}

/**
 * Reads a file. Documents whose text is in `previous` are taken over as they are, by identity, so that one edit costs
 * the reading of one document. Never throws. Yields after some milliseconds' worth of work, so that a server can answer
 * others meanwhile.
 *
 * @param version the editor's version; null for a file read from disk
 * @param previous the file as it was read last
 */
export function* readManifestFile(
  uri: string,
  written: string,
  version: number | null,
  previous: ManifestFile | undefined,
  limits: ReadLimits,
): Generator<void, ManifestFile> {
  const text = withLineFeeds(written);
  if (text.length > limits.fileLength) {
    // Large files of other programs are none of our business.
    const problems = looksLikeManifest(text) ? [tooLarge('file-too-large', 'file', text, limits.fileLength)] : [];
    return { uri, version, documents: [], problems };
  }
  const part = (previous && changedPart(text, previous, limits)) ?? wholeFile(text, previous, limits);
  const read = yield* readSpans(text, part, version !== null, limits);
  // What an editor shows is asked about with every edit.
  if (version !== null && previous?.version === null) {
    letPlacesGo(part.before, true);
    letPlacesGo(read, true);
    letPlacesGo(part.behind, true);
  }
  return { uri, version, documents: [...part.before, ...read, ...part.behind], problems: part.problems };
}

/** What of a file is to be read, between documents that stay as they are. */
interface PartToRead {
  readonly before: readonly PlacedDocument[];
  readonly spans: readonly DocumentSpan[];
  readonly behind: readonly PlacedDocument[];
  /** Documents that stood in the place of the spans, some of which may still be there. */
  readonly earlier: readonly PlacedDocument[];
  readonly problems: readonly ManifestProblem[];
}

function wholeFile(text: string, previous: ManifestFile | undefined, limits: ReadLimits): PartToRead {
  const spans = splitDocuments(text, limits.documents);
  const rest = spans[limits.documents];
  const problems = rest === undefined ? [] : [tooManyDocuments(text, rest.start, limits.documents)];
  return {
    before: [],
    spans: spans.slice(0, limits.documents),
    behind: [],
    earlier: previous?.documents ?? [],
    problems,
  };
}

/**
 * Of a file that was read before: what stands before and after the place that has changed is not looked at again. Null
 * when that is not possible.
 */
function changedPart(text: string, previous: ManifestFile, limits: ReadLimits): PartToRead | null {
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

  const lineShift = part.line - (documents[joined]?.line ?? 0);
  const indexShift = count - joined;
  const isMoved = lineShift !== 0 || indexShift !== 0;
  const behind = documents.slice(joined);
  return {
    before: documents.slice(0, before),
    spans: part.spans,
    behind: isMoved
      ? behind.map(({ document, line, index }) => ({ document, line: line + lineShift, index: index + indexShift }))
      : behind,
    earlier: documents.slice(before, joined),
    problems: [],
  };
}

/** Reads documents; those whose text is known are taken over. */
function* readSpans(
  text: string,
  { before, spans, earlier }: PartToRead,
  isShown: boolean,
  limits: ReadLimits,
): Generator<void, PlacedDocument[]> {
  const known = new Map<string, PlacedDocument>();
  for (const placed of earlier) known.set(placed.document.text, placed);
  const items = knownItems(earlier);
  const read: PlacedDocument[] = [];
  for (const { start, end, line } of spans) {
    const documentText = text.slice(start, end);
    const index = before.length + read.length;
    const found = known.get(documentText);
    if (found?.line === line && found.index === index) {
      read.push(found);
      continue;
    }
    const own = documentText.length === text.length ? text : detached(documentText);
    const failed = (message: string): ManifestDocument => failedDocument(own, limits, message);
    const document =
      found?.document ?? (yield* containedInSteps(say`this document`, readDocument(own, limits, items), failed));
    const placed = { document, line, index };
    if (found === undefined && !isShown) letPlacesGo([placed], false);
    if (found === undefined) known.set(document.text, placed);
    read.push(placed);
    yield;
  }
  return read;
}

function tooManyDocuments(text: string, start: number, limit: number): ManifestProblem {
  const count = limit.toLocaleString('en-US');
  return {
    code: 'too-many-documents',
    severity: 'warning',
    message: say`This file has more than ${count} documents; Podium does not read those from here on.`,
    range: { start, end: shownLineEnd(text, start) },
  };
}
