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

  add(time: number, item: Item): void {
    this.#entries.push({ time, order: this.#count, item });
    this.#count += 1;
  }

  /** The next thing that is due. */
  take(now: number): Item | undefined {
    const next = this.#entries.peek();
    if (next === undefined || next.time > now) return undefined;
    this.#entries.delete(next);
    return next.item;
  }

  /** Null when nothing is to come. */
  nextTime(): number | null {
    return this.#entries.peek()?.time ?? null;
  }
}
