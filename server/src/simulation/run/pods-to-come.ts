import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** Pods that controllers make later: once the pod of their name is gone, once another runs, or when a pause is over. */
export class PodsToCome {
  /** By the pod that has to be gone before. */
  readonly #successors = new Map<SimulatedPod, SimulatedPod>();
  /** By the pod that has to run before. */
  readonly #followers = new Map<SimulatedPod, SimulatedPod>();
  /** When the pause of a pod is over, as far as it is known. */
  readonly #paused = new Map<SimulatedPod, () => number>();
  readonly #withdrawn = new Set<SimulatedPod>();

  /** A pod comes once another is gone. */
  succeed(old: SimulatedPod, successor: SimulatedPod): void {
    this.#successors.set(old, successor);
  }

  /** As `succeed`; what was to come before does not. */
  succeedInstead(old: SimulatedPod, successor: SimulatedPod): void {
    const earlier = this.#successors.get(old);
    if (earlier !== undefined) this.#withdrawn.add(earlier);
    this.#successors.set(old, successor);
  }

  hasSuccessor(old: SimulatedPod): boolean {
    return this.#successors.has(old);
  }

  /** What comes now that a pod is gone, and what was to come once that ran waits for this. */
  takeSuccessor(old: SimulatedPod): SimulatedPod | undefined {
    const successor = this.#successors.get(old);
    if (successor === undefined) return undefined;
    this.#successors.delete(old);
    const follower = this.takeFollower(old);
    if (follower !== undefined) this.#followers.set(successor, follower);
    return successor;
  }

  /** A pod comes once another runs. */
  follow(other: SimulatedPod, follower: SimulatedPod): void {
    this.#followers.set(other, follower);
  }

  /** Those that come once another runs, in order. */
  followers(): readonly SimulatedPod[] {
    return [...this.#followers.values()];
  }

  /** Pods with what comes once they run. */
  awaits(): Iterable<readonly [other: SimulatedPod, follower: SimulatedPod]> {
    return this.#followers;
  }

  /** What comes now that a pod runs. */
  takeFollower(other: SimulatedPod): SimulatedPod | undefined {
    const follower = this.#followers.get(other);
    this.#followers.delete(other);
    return follower;
  }

  /** A pod does not come before a time of the clock, which later failures of its Job may put off. */
  pause(pod: SimulatedPod, until: () => number): void {
    this.#paused.set(pod, until);
  }

  /** Undefined for a pod that has no pause, or none any more. */
  pausedUntil(pod: SimulatedPod): number | undefined {
    return this.#paused.get(pod)?.();
  }

  endPause(pod: SimulatedPod): void {
    this.#paused.delete(pod);
  }

  /** Pods of a workload that come once those of their names are gone. */
  awaited(workload: number): readonly SimulatedPod[] {
    const awaited = new Set([...this.#successors.values(), ...this.#paused.keys()]);
    return [...awaited].filter((pod) => pod.workload === workload);
  }

  /** Some of these are not wanted any more. */
  withdraw(isMeant: (pod: SimulatedPod) => boolean): void {
    for (const [old, pod] of this.#successors) {
      if (!isMeant(pod)) continue;
      this.#withdrawn.add(pod);
      this.#successors.delete(old);
    }
    for (const [other, pod] of this.#followers) if (isMeant(pod)) this.#followers.delete(other);
    for (const pod of this.#paused.keys()) {
      if (!isMeant(pod)) continue;
      this.#withdrawn.add(pod);
      this.#paused.delete(pod);
    }
  }

  /** Whether a pod that was to come does not. */
  isWithdrawn(pod: SimulatedPod): boolean {
    return this.#withdrawn.has(pod);
  }
}
