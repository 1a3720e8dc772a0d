import type { Pod } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { Kin } from '../../scheduler/index.ts';
import type { SimulatedPod } from './simulated-pod.ts';

/** What clusters of one release share. */
export interface Known {
  readonly adopted: WeakMap<Pod, SimulatedPod>;
  /** Of the first cluster that was made. */
  kin: Kin | undefined;
}

/** Classes of pods are never forgotten one by one; after so many, edited labels are most of them. */
const mostClasses = 20_000;

/**
 * Running pods as a cluster makes them of objects, kept for the next cluster of the same objects: an operation that is tried
 * leaves nearly all of them as they are. One for each workspace, whose inputs carry it along.
 */
export class KnownPods {
  readonly #byRelease = new Map<Release, Known>();

  of(release: Release): Known {
    let known = this.#byRelease.get(release);
    if (known === undefined || (known.kin?.classes.all.length ?? 0) > mostClasses) {
      known = { adopted: new WeakMap(), kin: undefined };
      this.#byRelease.set(release, known);
    }
    return known;
  }
}
