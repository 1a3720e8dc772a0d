import { runToEnd } from '../util/steps.ts';
import type { Path } from '../kubernetes/json.ts';
import type { DocumentReading, KnownItems } from './document-reading.ts';
import { readText } from './document-reading.ts';
import { detached, isBlank, looksLikeManifest, shownLineEnd, tooLarge, withoutVersions } from './document-text.ts';
import type { ReadLimits } from './limits.ts';
import { maxProblems } from './limits.ts';
import type {
  CursorPlace,
  Located,
  ManifestComment,
  ManifestDocument,
  ManifestObject,
  ManifestProblem,
  PlacedDocument,
  TextPosition,
} from './manifest.ts';
import { refusedDirectives } from './yaml-refusals.ts';
import { lineAt, lineStartsOf, positionInText } from './text-positions.ts';

/**
 * Reads one document. Never throws. Yields after some milliseconds' worth of work.
 *
 * @param known items of long lists that were read before
 */
export function* readDocument(
  written: string,
  limits: ReadLimits,
  known: KnownItems = new Map(),
): Generator<void, ManifestDocument> {
  const used: KnownItems = new Map();
  const isRead = mayBeManifest(written) && written.length <= limits.documentLength;
  const start = isRead && limits.cutsSchemas === true ? withoutVersions(written) : written;
  const text = start === written ? written : detached(start);
  const reading = isRead ? yield* readText(text, known, used) : undefined;
  return new ReadDocument(text, limits, reading, used.size === 0 ? noItems : used);
}

/** A document that Podium could not read by a mistake of its own. */
export function failedDocument(text: string, limits: ReadLimits, message: string): ManifestDocument {
  const range = { start: 0, end: shownLineEnd(text, 0) };
  return new ReadDocument(text, limits, null, noItems, [{ code: 'podium-failed', severity: 'error', message, range }]);
}

/**
 * Has documents forget where their keys and values stand until somebody asks, or keep it. It is found again quickly,
 * and takes twice the memory of all the rest.
 */
export function letPlacesGo(documents: readonly PlacedDocument[], isWanted: boolean): void {
  for (const { document } of documents) if (document instanceof ReadDocument) document.letPlacesGo(isWanted);
}

const noItems: KnownItems = new Map();

/** The items of long lists in documents, to be used again. */
export function knownItems(documents: readonly PlacedDocument[]): KnownItems {
  const known: KnownItems = new Map();
  for (const { document } of documents) {
    if (!(document instanceof ReadDocument)) continue;
    for (const [itemText, reading] of document.items) known.set(itemText, reading);
  }
  return known;
}

/** YAML that no `kubectl` is meant for (values of charts, configuration of other programs) is not even parsed. */
function mayBeManifest(text: string): boolean {
  return text.includes('apiVersion') && text.includes('kind');
}

/** The last documents that nobody shows whose lines were asked for: who asks mostly asks more than once. */
const lookedAt: ReadDocument[] = [];
const mostLookedAt = 16;

class ReadDocument implements ManifestDocument {
  readonly text: string;
  readonly content: ManifestDocument['content'];
  readonly objects: readonly ManifestObject[];
  readonly problems: readonly ManifestProblem[];
  /** Null for text that is too large; undefined until somebody asks about text that cannot be a manifest. */
  #reading: DocumentReading | null | undefined;
  /** Items of a long list, by their text. */
  readonly items: KnownItems;
  #lineStarts: readonly number[] | undefined;
  #isWanted = true;
  #comments: readonly ManifestComment[] | undefined;
  #objectsByPath: ReadonlyMap<string, ManifestObject> | undefined;

  constructor(
    text: string,
    limits: ReadLimits,
    reading: DocumentReading | null | undefined,
    items: KnownItems,
    failures: readonly ManifestProblem[] = [],
  ) {
    this.text = text;
    this.items = items;
    this.objects = [];
    this.problems = failures;
    if (reading === null) {
      this.content = 'manifest';
      this.#reading = null;
      return;
    }
    if (reading === undefined) {
      if (!mayBeManifest(text)) {
        this.content = isBlank(text) ? 'empty' : 'data';
        if (this.content === 'empty' && text.includes('%')) this.problems = refusedDirectives(text);
        return;
      }
      this.content = looksLikeManifest(text) ? 'manifest' : 'data';
      const problem = tooLarge('document-too-large', 'document', text, limits.documentLength);
      if (this.content === 'manifest') this.problems = [problem];
      this.#reading = null;
      return;
    }
    this.#reading = reading;
    if (reading.template) {
      this.content = 'template';
      return;
    }
    this.problems = worthTelling(reading.problems, this);
    this.objects = reading.objects();
    const isBroken = this.problems.length > 0 && looksLikeManifest(text);
    if (reading.typed || isBroken) this.content = 'manifest';
    else this.content = isBlank(text) ? 'empty' : 'data';
  }

  letPlacesGo(isWanted: boolean): void {
    this.#isWanted = isWanted;
    this.#forgetLines();
    this.#reading?.letGo(isWanted);
  }

  get lineStarts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      this.#lineStarts = lineStartsOf(this.text);
      if (!this.#isWanted) {
        lookedAt.push(this);
        if (lookedAt.length > mostLookedAt) lookedAt.shift()!.#forgetLines();
      }
    }
    return this.#lineStarts;
  }

  #forgetLines(): void {
    if (!this.#isWanted) this.#lineStarts = undefined;
  }

  positionAt(offset: number): TextPosition {
    return positionInText(this.text, this.lineStarts, offset);
  }

  comments(): readonly ManifestComment[] {
    this.#comments ??= (this.#read()?.comments ?? []).map((range) => ({
      text: this.text.slice(range.start, range.end),
      range,
    }));
    return this.#comments;
  }

  at(offset: number): Located | null {
    const place = this.objects.length === 0 ? null : (this.#read()?.placeAt(offset) ?? null);
    const object = place === null ? null : this.#objectWith(place.path);
    return place && object && { ...place, object, path: place.path.slice(object.path.length) };
  }

  pathAt(offset: number): CursorPlace {
    const reading = this.#read();
    if (reading === null) {
      return { object: null, whole: null, path: [], on: 'inside', range: { start: offset, end: offset } };
    }
    const place = reading.cursorAt(offset);
    const object = this.#objectWith(place.path);
    return { ...place, path: place.path.slice(object?.path.length ?? 0), object, whole: reading.whole };
  }

  #read(): DocumentReading | null {
    if (this.#reading === undefined) this.#reading = runToEnd(readText(this.text));
    return this.#reading;
  }

  /** The innermost object that a path of the document leads into. */
  #objectWith(path: Path): ManifestObject | null {
    const objects = (this.#objectsByPath ??= new Map(this.objects.map((object) => [object.path.join('/'), object])));
    let found = objects.get('') ?? null;
    // Objects of a list are at `items/3`, those of a list in a list at `items/3/items/0`.
    for (let length = 2; length <= path.length && path[length - 2] === 'items'; length += 2) {
      found = objects.get(path.slice(0, length).join('/')) ?? found;
    }
    return found;
  }
}

/** In the order of the text; after an error, other errors of its line are mostly its consequences. */
function worthTelling(
  problems: readonly ManifestProblem[],
  document: Pick<ManifestDocument, 'lineStarts'>,
): readonly ManifestProblem[] {
  if (problems.length < 2) return problems;
  const { lineStarts } = document;
  const found: ManifestProblem[] = [];
  let errorLine = -1;
  for (const problem of problems.toSorted((a, b) => a.range.start - b.range.start)) {
    const line = lineAt(lineStarts, problem.range.start);
    if (problem.severity === 'error' && line === errorLine) continue;
    if (problem.severity === 'error') errorLine = line;
    found.push(problem);
    if (found.length === maxProblems) break;
  }
  return found;
}
