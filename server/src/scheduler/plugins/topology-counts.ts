import type { NodeSet } from '../framework/node-set.ts';

interface KeyCounts {
  readonly valueOfNode: Int32Array;
  /** By number of the topology value. */
  readonly counts: Float64Array;
}

/** Sums by topology key and value. Nodes without the key count nowhere. */
export class TopologyCounts {
  readonly #nodes: NodeSet;
  readonly #byKey = new Map<string, KeyCounts>();
  #entries = 0;

  constructor(nodes: NodeSet) {
    this.#nodes = nodes;
  }

  /** No value of any key has a count other than 0. */
  get isEmpty(): boolean {
    return this.#entries === 0;
  }

  /** Whether anything was ever added for a key that a node has. */
  get isTouched(): boolean {
    return this.#byKey.size > 0;
  }

  add(key: string, node: number, amount: number): void {
    const known = this.#byKey.get(key);
    const valueOfNode = known?.valueOfNode ?? this.#nodes.column(key).valueOfNode;
    const value = valueOfNode[node]!;
    if (value === -1) return;
    const counts = known?.counts ?? this.#start(key);
    const before = counts[value]!;
    const after = before + amount;
    counts[value] = after;
    if (before === 0 && after !== 0) this.#entries++;
    else if (before !== 0 && after === 0) this.#entries--;
  }

  /** The count at a node's value of a key; undefined when the node lacks the key. */
  at(key: string, node: number): number | undefined {
    const known = this.#byKey.get(key);
    if (known === undefined) return this.#nodes.column(key).valueOfNode[node] === -1 ? undefined : 0;
    const value = known.valueOfNode[node]!;
    return value === -1 ? undefined : known.counts[value]!;
  }

  /** Whether any key that the node has counts more than 0 at the node's value. */
  anyPositiveAt(node: number): boolean {
    for (const { valueOfNode, counts } of this.#byKey.values()) {
      const value = valueOfNode[node]!;
      if (value !== -1 && counts[value]! > 0) return true;
    }
    return false;
  }

  /** By node index: 1 where `anyPositiveAt`. */
  positiveNodes(): Uint8Array {
    const positive = new Uint8Array(this.#nodes.size);
    if (this.#entries === 0) return positive;
    for (const { valueOfNode, counts } of this.#byKey.values()) {
      for (let node = 0; node < positive.length; node++) {
        const value = valueOfNode[node]!;
        if (value !== -1 && counts[value]! > 0) positive[node] = 1;
      }
    }
    return positive;
  }

  /** Sum over all keys of the counts at the node's values. */
  sumAt(node: number): number {
    let sum = 0;
    for (const { valueOfNode, counts } of this.#byKey.values()) {
      const value = valueOfNode[node]!;
      if (value !== -1) sum += counts[value]!;
    }
    return sum;
  }

  #start(key: string): Float64Array {
    const { valueOfNode, values } = this.#nodes.column(key);
    const counts = new Float64Array(values.length);
    this.#byKey.set(key, { valueOfNode, counts });
    return counts;
  }
}
