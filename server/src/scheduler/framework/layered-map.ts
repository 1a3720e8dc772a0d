const gone = Symbol('gone');

/**
 * A map that can be branched in constant time. A branch shares the layers below and writes into a layer of its own, so
 * that its cost is proportional to what is changed.
 */
export class LayeredMap<Key, Value> {
  /** Shared layers, the oldest first. Never written to. */
  #below: readonly ReadonlyMap<Key, Value | typeof gone>[];
  #top: Map<Key, Value | typeof gone>;
  #size: number;

  /** Takes `entries` over: nobody else may change them. */
  constructor(entries = new Map<Key, Value>()) {
    this.#below = [];
    this.#top = entries;
    this.#size = entries.size;
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const own = this.#top.get(key);
    if (own !== undefined) return own === gone ? undefined : own;
    for (let i = this.#below.length - 1; i >= 0; i--) {
      const value = this.#below[i]!.get(key);
      if (value !== undefined) return value === gone ? undefined : value;
    }
    return undefined;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    if (!this.has(key)) this.#size++;
    this.#top.set(key, value);
  }

  /** Says whether there was such an entry. */
  delete(key: Key): boolean {
    if (!this.has(key)) return false;
    this.#size--;
    if (this.#below.length === 0) this.#top.delete(key);
    else this.#top.set(key, gone);
    return true;
  }

  /** The entries in the order in which their keys first came. */
  *entries(): IterableIterator<[Key, Value]> {
    if (this.#below.length === 0) {
      yield* this.#top.entries() as IterableIterator<[Key, Value]>;
      return;
    }
    const [bottom] = this.#below;
    if (this.#below.length === 1 && this.#top.size === 0) {
      for (const [key, value] of bottom!) if (value !== gone) yield [key, value];
      return;
    }
    const seen = new Set<Key>();
    for (const layer of [...this.#below, this.#top]) {
      for (const key of layer.keys()) {
        if (seen.has(key)) continue;
        seen.add(key);
        const value = this.get(key);
        if (value !== undefined) yield [key, value];
      }
    }
  }

  *values(): IterableIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  /** A copy that does not see later changes of this map, nor this map those of the copy. */
  branch(): LayeredMap<Key, Value> {
    if (this.#top.size > 0) {
      this.#below = compact([...this.#below, this.#top]);
      this.#top = new Map();
    }
    const copy = new LayeredMap<Key, Value>();
    copy.#below = this.#below;
    copy.#size = this.#size;
    return copy;
  }
}

/**
 * Merges a layer into the one below it when that is not at least twice as large. So there are at most log2(entries)
 * layers, and an entry is copied at most that often.
 */
function compact<Key, Value>(
  layers: readonly ReadonlyMap<Key, Value | typeof gone>[],
): readonly ReadonlyMap<Key, Value | typeof gone>[] {
  const kept = [...layers];
  while (kept.length > 1 && kept.at(-1)!.size * 2 > kept.at(-2)!.size) {
    const upper = kept.pop()!;
    const merged = new Map(kept.pop());
    for (const [key, value] of upper) {
      if (value === gone && kept.length === 0) merged.delete(key);
      else merged.set(key, value);
    }
    kept.push(merged);
  }
  return kept;
}
