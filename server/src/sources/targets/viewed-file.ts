import type {
  CursorPlace,
  Located,
  ManifestComment,
  ManifestDocument,
  ManifestFile,
  ManifestObject,
  PlacedDocument,
  TextPosition,
} from '../../manifests/manifest.ts';
import { getOrInsert } from '../../util/maps.ts';
import { RenderedObject } from '../files/rendered-object.ts';

/** A document whose objects are those that sources make of it, not those that its text says. */
class ViewedDocument implements ManifestDocument {
  readonly text: string;
  readonly content: ManifestDocument['content'];
  readonly objects: readonly ManifestObject[];
  readonly problems: ManifestDocument['problems'];
  readonly #written: ManifestDocument;

  constructor(written: ManifestDocument, objects: readonly ManifestObject[]) {
    this.#written = written;
    this.text = written.text;
    this.content = written.content === 'data' ? 'part' : written.content;
    this.problems = written.problems;
    this.objects = objects;
  }

  get lineStarts(): readonly number[] {
    return this.#written.lineStarts;
  }

  positionAt(offset: number): TextPosition {
    return this.#written.positionAt(offset);
  }

  comments(): readonly ManifestComment[] {
    return this.#written.comments();
  }

  at(offset: number): Located | null {
    const found = this.#written.at(offset);
    const object = found === null ? undefined : this.#madeFrom(found.object);
    return found === null || object === undefined ? null : { ...found, object };
  }

  pathAt(offset: number): CursorPlace {
    const place = this.#written.pathAt(offset);
    return place.object === null ? place : { ...place, object: this.#madeFrom(place.object) ?? place.object };
  }

  #madeFrom({ path }: ManifestObject): ManifestObject | undefined {
    const written = path.join('/');
    return this.objects.find((object) => object.path.join('/') === written);
  }
}

const views = new WeakMap<ManifestDocument, ViewedDocument[]>();

/** The same document for the same objects, so that what was worked out from it stays good. */
function viewOf(document: ManifestDocument, objects: readonly ManifestObject[]): ManifestDocument {
  const known = getOrInsert(views, document, () => []);
  const isSame = (view: ViewedDocument): boolean =>
    view.objects.length === objects.length && view.objects.every((object, index) => object === objects[index]);
  let view = known.find(isSame);
  if (view === undefined) {
    view = new ViewedDocument(document, objects);
    known.push(view);
    // Of an earlier rendering nobody asks again.
    if (known.length > maxViews) known.shift();
  }
  return view;
}

const maxViews = 8;

/** A file after an edit, with the objects that were made of it before. */
export function editedView(view: ManifestFile, file: ManifestFile): ManifestFile {
  const objects = new Map<number, readonly ManifestObject[]>();
  for (const { index, document } of file.documents) {
    const before = view.documents[index]?.document.objects ?? [];
    const made = before.flatMap((object) => (object instanceof RenderedObject ? object.movedTo(document) : []));
    // What was taken as it is written still is.
    objects.set(index, made.length < before.length ? [...document.objects, ...made] : made);
  }
  return viewedFile(file, objects);
}

const viewedFiles = new WeakMap<ManifestFile, ManifestFile[]>();

/**
 * A file with other objects in its documents: by index, and none where nothing is given. The same file for the same
 * objects: of targets that have it in common nothing is taken in or judged twice.
 */
export function viewedFile(file: ManifestFile, objects: ReadonlyMap<number, readonly ManifestObject[]>): ManifestFile {
  const documents = file.documents.map((placed): PlacedDocument => {
    const made = objects.get(placed.index) ?? [];
    const { objects: own, content } = placed.document;
    if (made.length === 0 && own.length === 0 && content !== 'data') return placed;
    return { ...placed, document: viewOf(placed.document, made) };
  });
  const known = getOrInsert(viewedFiles, file, () => []);
  const isSame = (view: ManifestFile): boolean =>
    view.documents.every(({ document }, index) => document === documents[index]!.document);
  let view = known.find(isSame);
  if (view === undefined) {
    view = { ...file, documents };
    known.push(view);
    if (known.length > maxViews) known.shift();
  }
  return view;
}
