import type { PodInfo } from './pod-info.ts';

const noPods: readonly PodInfo[] = [];

/**
 * Pending, ungated pods by the node they are nominated to. A branch shares what it does not change.
 * Source: pkg/scheduler/backend/queue/nominator.go
 */
export class Nominations {
  /** By node index, in the order of nomination. */
  #byNode: (readonly PodInfo[] | undefined)[] = [];
  #shared = false;
  #size = 0;

  /** How many nodes have pods nominated to them. */
  get size(): number {
    return this.#size;
  }

  /** The pods nominated to a node. The same list as long as they are the same. */
  to(node: number): readonly PodInfo[] {
    return this.#byNode[node] ?? noPods;
  }

  add(node: number, pod: PodInfo): void {
    const before = this.to(node);
    if (before.length === 0) this.#size++;
    this.#set(node, [...before, pod]);
  }

  remove(node: number, pod: PodInfo): void {
    const before = this.to(node);
    const left = before.filter((each) => each.uid !== pod.uid);
    if (left.length === before.length) return;
    if (left.length === 0) this.#size--;
    this.#set(node, left.length === 0 ? undefined : left);
  }

  branch(): Nominations {
    const copy = new Nominations();
    copy.#byNode = this.#byNode;
    copy.#size = this.#size;
    copy.#shared = true;
    this.#shared = true;
    return copy;
  }

  #set(node: number, pods: readonly PodInfo[] | undefined): void {
    if (this.#shared) {
      this.#byNode = this.#byNode.slice();
      this.#shared = false;
    }
    while (this.#byNode.length < node) this.#byNode.push(undefined);
    this.#byNode[node] = pods;
  }
}
