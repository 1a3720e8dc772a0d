import { getOrInsert } from '../../util/maps.ts';

/** A thing and how often it is there. */
export interface Counted<Thing> {
  readonly thing: Thing;
  readonly count: number;
}

/** How often each of some things is there. Kept up to date one by one; the order is worked out when it is asked for. */
export class Tally<Thing> {
  readonly #counts = new Map<string, { readonly thing: Thing; count: number }>();
  #list: readonly Counted<Thing>[] | undefined;

  /** Counts a thing once more, or once less; `id` tells it from others. */
  add(id: string, thing: Thing, by: 1 | -1): void {
    this.#list = undefined;
    const known = this.#counts.get(id);
    if (known === undefined) this.#counts.set(id, { thing, count: by });
    else known.count += by;
    if (known?.count === 0) this.#counts.delete(id);
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Most used first, then by name. */
  list(): readonly Counted<Thing>[] {
    this.#list ??= [...this.#counts]
      .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
      .map(([, { thing, count }]) => ({ thing, count }));
    return this.#list;
  }
}

/** The labels of some objects: how often each key is there, and each value of it. */
export class LabelTally {
  readonly #keys = new Tally<string>();
  readonly #values = new Map<string, Tally<string>>();

  add(labels: Iterable<readonly [key: string, value: string]>, by: 1 | -1): void {
    for (const [key, value] of labels) {
      this.#keys.add(key, key, by);
      const values = getOrInsert(this.#values, key, () => new Tally<string>());
      values.add(value, value, by);
      if (values.size === 0) this.#values.delete(key);
    }
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  keys(): readonly Counted<string>[] {
    return this.#keys.list();
  }

  values(key: string): readonly Counted<string>[] {
    return this.#values.get(key)?.list() ?? [];
  }

  /** How many different values a key has. */
  variety(key: string): number {
    return this.#values.get(key)?.size ?? 0;
  }
}
