import { Heap } from './heap.ts';

interface Entry<Item> {
  readonly time: number;
  readonly order: number;
  readonly item: Item;
}

/** Things that will happen at known times. Those of one time happen in the order in which they were put down. */
export class Agenda<Item> {
  readonly #entries = new Heap<Entry<Item>>((a, b) => a.time - b.time || a.order - b.order);
  #count = 0;

  /** @returns takes it off again, unless it has been taken or everything has been shifted */
  add(time: number, item: Item): () => void {
    const entry = { time, order: this.#count, item };
    this.#entries.push(entry);
    this.#count += 1;
    return () => {
      this.#entries.delete(entry);
    };
  }

  /** The next thing that is due. */
  take(now: number): Item | undefined {
    return this.takeIf(now, isAnything);
  }

  /** The next thing that is due, if it is of that kind. */
  takeIf<Kind extends Item>(now: number, isWanted: (item: Item) => item is Kind): Kind | undefined {
    const next = this.#entries.peek();
    if (next === undefined || next.time > now || !isWanted(next.item)) return undefined;
    this.#entries.delete(next);
    return next.item;
  }

  /** Everything comes so much earlier, to a clock that is set back. */
  shift(seconds: number): void {
    const entries: Entry<Item>[] = [];
    for (let next = this.#entries.pop(); next !== undefined; next = this.#entries.pop()) entries.push(next);
    for (const { time, order, item } of entries) this.#entries.push({ time: time - seconds, order, item });
  }

  /** Null when nothing is to come. */
  nextTime(): number | null {
    return this.#entries.peek()?.time ?? null;
  }
}

function isAnything<Item>(item: Item): item is Item {
  return item !== undefined;
}
