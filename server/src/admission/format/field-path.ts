import type { Path } from '../../kubernetes/json.ts';

/**
 * A place in an object, known under two names: as the API server prints it (`text`), and as the keys that lead to it
 * in the manifest (`path`). The two differ where upstream's path names no key of the manifest; see `printedAs`.
 *
 * Immutable, and cheap to make: neither name is put together before somebody asks for it.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/validation/field/path.go
 */
export class FieldPath {
  /** The object itself. */
  static readonly root = new FieldPath(undefined, '', undefined, undefined);

  readonly #parent: FieldPath | undefined;
  readonly #suffix: string;
  readonly #step: string | number | undefined;
  readonly #printed: FieldPath | undefined;
  #text: string | undefined;

  private constructor(
    parent: FieldPath | undefined,
    suffix: string,
    step: string | number | undefined,
    printed: FieldPath | undefined,
  ) {
    this.#parent = parent;
    this.#suffix = suffix;
    this.#step = step;
    this.#printed = printed;
  }

  /** The path to a known field, from the top of the object: `FieldPath.to('spec', 'selector')`. */
  static to(...names: readonly string[]): FieldPath {
    return FieldPath.root.child(...names);
  }

  /** A path that reads as its keys do: the place of a pod template inside its workload, for example. */
  static from(path: Path): FieldPath {
    let place = FieldPath.root;
    for (const step of path) place = typeof step === 'number' ? place.index(step) : place.child(step);
    return place;
  }

  /** A field of a struct; several names step down one by one. */
  child(...names: readonly string[]): FieldPath {
    return names.reduce<FieldPath>((place, name) => new FieldPath(place, name, name, undefined), this);
  }

  /** An item of a list. */
  index(index: number): FieldPath {
    return new FieldPath(this, `[${index}]`, index, undefined);
  }

  /** An entry of a free map, which prints in brackets: `limits[nvidia.com/gpu]`. */
  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`, key, undefined);
  }

  /** The same place in the manifest, printed as upstream prints it: under another, often a shorter, path. */
  printedAs(other: FieldPath): FieldPath {
    return new FieldPath(this, '', undefined, other);
  }

  /** Upstream's notation: `spec.tolerations[0].operator`. */
  get text(): string {
    return (this.#text ??= this.#written());
  }

  #written(): string {
    if (this.#printed !== undefined) return this.#printed.text;
    const parent = this.#parent?.text ?? '';
    return parent === '' || this.#suffix.startsWith('[') ? parent + this.#suffix : `${parent}.${this.#suffix}`;
  }

  /** The keys and indexes from the top of the manifest's object. */
  get path(): Path {
    const parent = this.#parent?.path ?? [];
    return this.#step === undefined ? parent : [...parent, this.#step];
  }
}
