/** A map over the rows of a table whose values are made when they are read, and kept. */
export class LazyMap<Key, Value> implements ReadonlyMap<Key, Value> {
  readonly size: number;
  readonly #keyOf: (row: number) => Key;
  readonly #rowOf: (key: Key) => number;
  readonly #valueOf: (row: number) => Value;
  readonly #made = new Map<number, Value>();

  /** `rowOf` answers -1 for a key that is not there. */
  constructor(size: number, keyOf: (row: number) => Key, rowOf: (key: Key) => number, valueOf: (row: number) => Value) {
    this.size = size;
    this.#keyOf = keyOf;
    this.#rowOf = rowOf;
    this.#valueOf = valueOf;
  }

  has(key: Key): boolean {
    return this.#rowOf(key) >= 0;
  }

  get(key: Key): Value | undefined {
    const row = this.#rowOf(key);
    return row < 0 ? undefined : this.#value(row);
  }

  forEach(visit: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  *keys(): MapIterator<Key> {
    for (let row = 0; row < this.size; row++) yield this.#keyOf(row);
  }

  *values(): MapIterator<Value> {
    for (let row = 0; row < this.size; row++) yield this.#value(row);
  }

  *entries(): MapIterator<[Key, Value]> {
    for (let row = 0; row < this.size; row++) yield [this.#keyOf(row), this.#value(row)];
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }

  #value(row: number): Value {
    let value = this.#made.get(row);
    if (value === undefined) {
      value = this.#valueOf(row);
      this.#made.set(row, value);
    }
    return value;
  }
}
