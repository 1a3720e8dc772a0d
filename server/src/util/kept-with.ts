/** What is kept with objects for as long as these are there. */
export interface KeptWith<Holder extends object, Value> {
  get(holder: Holder): Value | undefined;
  /** Once for each object. */
  set(holder: Holder, value: Value): void;
}

/** What it is called with, so that a class built on it gives a private field to objects that it has not made. */
const Itself = function (object: object): object {
  return object;
} as unknown as new (object: object) => object;

/**
 * What is worked out for objects, kept in a field of them that nobody else sees. A `WeakMap` does the same, but is one
 * table: of a hundred thousand objects V8 takes tens of milliseconds to enlarge it, and it looks through it whenever it
 * collects garbage. Of few objects, or where it is replaced, a `WeakMap` is the plainer choice.
 */
export function keptWith<Holder extends object, Value>(): KeptWith<Holder, Value> {
  class Keeper extends Itself {
    readonly #value: Value;

    constructor(holder: Holder, value: Value) {
      super(holder);
      this.#value = value;
    }

    static get(holder: object): Value | undefined {
      return #value in holder ? holder.#value : undefined;
    }
  }
  return {
    get: (holder) => Keeper.get(holder),
    set: (holder, value) => void new Keeper(holder, value),
  };
}
