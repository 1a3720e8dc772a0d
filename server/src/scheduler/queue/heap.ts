/** A binary heap of distinct items, the least first. `compare` must not call two different items equal. */
export class Heap<Item> {
  readonly #compare: (a: Item, b: Item) => number;
  readonly #items: Item[] = [];
  readonly #positions = new Map<Item, number>();

  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  has(item: Item): boolean {
    return this.#positions.has(item);
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    if (this.has(item)) return;
    this.#set(this.#items.length, item);
    this.#up(this.#items.length - 1);
  }

  pop(): Item | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.delete(first);
    return first;
  }

  delete(item: Item): boolean {
    const index = this.#positions.get(item);
    if (index === undefined) return false;
    this.#positions.delete(item);
    const last = this.#items.pop()!;
    if (last !== item) {
      this.#set(index, last);
      this.#up(index);
      this.#down(index);
    }
    return true;
  }

  #up(start: number): void {
    for (let index = start; index > 0;) {
      const parent = (index - 1) >> 1;
      if (this.#compare(this.#items[index]!, this.#items[parent]!) >= 0) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #down(start: number): void {
    for (let index = start; ;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < this.#items.length && this.#compare(this.#items[child]!, this.#items[least]!) < 0) least = child;
      }
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#items[a]!, this.#items[b]!];
    this.#set(a, second);
    this.#set(b, first);
  }

  #set(index: number, item: Item): void {
    this.#items[index] = item;
    this.#positions.set(item, index);
  }
}
