import type { PodClass } from './pod-class.ts';

interface Count {
  readonly owner: object;
  total: number;
  readonly byNode: Map<number, number>;
}

const nowhere: ReadonlyMap<number, number> = new Map<number, number>();

/** How many pods of each class run on each node. A branch shares what it does not change. */
export class ClassCounts {
  #owner: object = {};
  #counts: (Count | undefined)[] = [];
  #shared = false;

  /** Node index → number of pods of this class on it; only nodes that have some. */
  nodesOf(podClass: PodClass): ReadonlyMap<number, number> {
    return this.#counts[podClass.id]?.byNode ?? nowhere;
  }

  totalOf(podClass: PodClass): number {
    return this.#counts[podClass.id]?.total ?? 0;
  }

  add(podClass: PodClass, node: number, change: 1 | -1): void {
    const count = this.#own(podClass);
    count.total += change;
    const left = (count.byNode.get(node) ?? 0) + change;
    if (left === 0) count.byNode.delete(node);
    else count.byNode.set(node, left);
  }

  branch(): ClassCounts {
    const copy = new ClassCounts();
    copy.#counts = this.#counts;
    copy.#shared = true;
    this.#shared = true;
    this.#owner = {};
    return copy;
  }

  #own({ id }: PodClass): Count {
    if (this.#shared) {
      this.#counts = this.#counts.slice();
      this.#shared = false;
    }
    const known = this.#counts[id];
    if (known?.owner === this.#owner) return known;
    const owned: Count = { owner: this.#owner, total: known?.total ?? 0, byNode: new Map(known?.byNode) };
    while (this.#counts.length < id) this.#counts.push(undefined);
    this.#counts[id] = owned;
    return owned;
  }
}
