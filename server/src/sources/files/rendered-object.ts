import type { JsonObject, Path } from '../../kubernetes/json.ts';
import { type Decoded, decodeObject } from '../../kubernetes/decode/index.ts';
import type {
  EntryPart,
  FilePlace,
  ManifestDocument,
  ManifestObject,
  ObjectRendering,
  OffsetRange,
} from '../../manifests/manifest.ts';
import { asMap, asText } from '../../manifests/read-data.ts';
import { isScalar, isWrittenAs, samePath, valueAtPath } from './json-paths.ts';

/** Finds where a value that is not written with the object comes from. */
export type FindPlace = (value: JsonObject, path: Path) => FilePlace | undefined;

/** What all objects that a tool made have in common. */
export abstract class RenderedObject implements ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly value: JsonObject;
  readonly rendering: ObjectRendering;
  abstract readonly path: Path;
  #decoded: Decoded | undefined;
  /** What ranges were found for, as whoever has one may ask where its value comes from. */
  readonly #paths = new WeakMap<OffsetRange, Path>();

  constructor(source: string, value: JsonObject, find: FindPlace, hasOnlyOwnValues = false) {
    const metadata = asMap(value['metadata']);
    this.apiVersion = asText(value['apiVersion']);
    this.kind = asText(value['kind']);
    this.namespace = asText(metadata['namespace']);
    this.name = asText(metadata['name']);
    this.value = value;
    this.rendering = {
      source,
      hasOnlyOwnValues,
      isWrittenHere: (path) => this.isWrittenHere(path),
      pathOf: (range) => this.#paths.get(range),
      writtenAt: (path) => (this.isWrittenHere(path) ? undefined : find(value, this.#nearestAdded(path))),
    };
  }

  /** Of a value that is missing in an item that the object does not have where it is written, that item. */
  #nearestAdded(path: Path): Path {
    if (valueAtPath(this.value, path) !== undefined) return path;
    for (let length = path.length - 1; length > 0; length--) {
      const item = path.slice(0, length);
      if (typeof item.at(-1) !== 'number' || valueAtPath(this.value, item) === undefined) continue;
      return this.find(item) === undefined ? item : path;
    }
    return path;
  }

  get decoded(): Decoded {
    return (this.#decoded ??= decodeObject(this.value));
  }

  locate(path: Path, part?: EntryPart): OffsetRange | undefined {
    const range = this.find(path, part);
    if (range === undefined) return undefined;
    this.#paths.set(range, path);
    return range;
  }

  locateNearest(path: Path, part?: EntryPart): OffsetRange {
    // A copy, as the same range may stand for more than one path.
    const range = { ...this.nearest(path, part) };
    this.#paths.set(range, path);
    return range;
  }

  /** The same object after the document that it is shown in was edited, until it is made anew. */
  abstract movedTo(document: ManifestDocument): ManifestObject;
  protected abstract find(path: Path, part?: EntryPart): OffsetRange | undefined;
  protected abstract nearest(path: Path, part?: EntryPart): OffsetRange;
  abstract isWrittenHere(path: Path): boolean;
}

/** An object that was made from one that is written: found where that is. */
export class ObjectOfManifest extends RenderedObject {
  readonly path: Path;
  readonly #written: ManifestObject;
  readonly #findElsewhere: FindPlace;

  constructor(source: string, value: JsonObject, written: ManifestObject, find: FindPlace) {
    super(source, value, find);
    this.#written = written;
    this.#findElsewhere = find;
    this.path = written.path;
  }

  override movedTo({ objects }: ManifestDocument): ManifestObject {
    const at = this.path.join('/');
    const written = objects.find(({ kind, path }) => kind === this.kind && path.join('/') === at);
    if (written === undefined || written === this.#written) return this;
    return new ObjectOfManifest(this.rendering.source, this.value, written, this.#findElsewhere);
  }

  protected find(path: Path, part?: EntryPart): OffsetRange | undefined {
    const there = this.#pathThere(path);
    return there === undefined ? undefined : this.#written.locate(there, part);
  }

  protected nearest(path: Path, part?: EntryPart): OffsetRange {
    for (let length = path.length; length > 0; length--) {
      const range = this.find(path.slice(0, length), length === path.length ? part : 'key');
      if (range !== undefined) return range;
    }
    return this.#written.locateNearest([]);
  }

  isWrittenHere(path: Path): boolean {
    const there = this.#pathThere(path);
    return (
      there !== undefined &&
      JSON.stringify(valueAtPath(this.#written.value, there)) === JSON.stringify(valueAtPath(this.value, path))
    );
  }

  /** Undefined where another value is written, as that says nothing of this object; its name is the exception. */
  #pathThere(path: Path): Path | undefined {
    const there = samePath(this.value, path, this.#written.value);
    if (there === undefined || path[0] === 'metadata') return there;
    const here = valueAtPath(this.value, path);
    return isScalar(here) && !isWrittenAs(valueAtPath(this.#written.value, there), here, path) ? undefined : there;
  }
}

/** Finds the line of a template that makes a part of an object. */
export interface TemplatePlaces {
  /** The key of a path, where exactly one line can make it. */
  keyOf(path: Path): OffsetRange | undefined;
  /** The line that says what the object is, or the first. */
  readonly head: OffsetRange;
}

/** An object that a template made: found where one line of the template is the only one that can have made it. */
export class ObjectOfTemplate extends RenderedObject {
  readonly path: Path = [];
  readonly #places: TemplatePlaces;

  constructor(source: string, value: JsonObject, places: TemplatePlaces, find: FindPlace, hasOnlyOwnValues = false) {
    super(source, value, find, hasOnlyOwnValues);
    this.#places = places;
  }

  /** Its template is text without objects, in which it is found when it is made anew. */
  override movedTo(): ManifestObject {
    return this;
  }

  protected find(path: Path): OffsetRange | undefined {
    if (path.length === 0) return { ...this.#places.head };
    return valueAtPath(this.value, path) === undefined ? undefined : this.#places.keyOf(path);
  }

  protected nearest(path: Path): OffsetRange {
    for (let length = path.length; length > 0; length--) {
      const range = this.find(path.slice(0, length));
      if (range !== undefined) return range;
    }
    return this.#places.head;
  }

  isWrittenHere(): boolean {
    return false;
  }
}
