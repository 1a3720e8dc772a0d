import { getOrInsert } from '../../util/maps.ts';

/** A pod that was turned down; the groups below are made by the plugins that did it. */
interface Rejected {
  readonly rejectedBy: ReadonlySet<string>;
}

/**
 * Pods that wait for an event, grouped by the plugins that turned them down: an event concerns whole groups or not at
 * all, so that most events look at no pod. A pod's plugins must not change while it is in here.
 */
export class UnschedulablePods<Pod extends Rejected> {
  /** By the names of the plugins, sorted. */
  readonly #groups = new Map<string, Set<Pod>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(pod: Pod): boolean {
    return this.#groups.get(keyOf(pod))?.has(pod) === true;
  }

  add(pod: Pod): void {
    const key = keyOf(pod);
    const group = this.#groups.get(key);
    if (group?.has(pod) === true) return;
    if (group === undefined) this.#groups.set(key, new Set([pod]));
    else group.add(pod);
    this.#size += 1;
  }

  delete(pod: Pod): boolean {
    const key = keyOf(pod);
    const group = this.#groups.get(key);
    if (group?.delete(pod) !== true) return false;
    if (group.size === 0) this.#groups.delete(key);
    this.#size -= 1;
    return true;
  }

  /** Takes out the pods of the groups that are concerned, as far as they are wanted. */
  take(concerned: (rejectedBy: ReadonlySet<string>) => boolean, wanted: (pod: Pod) => boolean): readonly Pod[] {
    const taken: Pod[] = [];
    for (const group of this.#groups.values()) {
      const [first] = group;
      if (first === undefined || !concerned(first.rejectedBy)) continue;
      for (const pod of group) if (wanted(pod)) taken.push(pod);
    }
    for (const pod of taken) this.delete(pod);
    return taken;
  }
}

const keys = new WeakMap<ReadonlySet<string>, string>();

function keyOf({ rejectedBy }: Rejected): string {
  return getOrInsert(keys, rejectedBy, () => [...rejectedBy].sort().join(' '));
}
