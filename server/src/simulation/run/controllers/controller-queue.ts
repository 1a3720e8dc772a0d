import type { Run } from '../run.ts';
import type { Owner } from './fleet-pod.ts';

/** Between what a controller hears and what it does, in seconds. Small, but the scheduler works in between. */
const latency = 0.002;
/**
 * A ReplicaSet that is made smaller hears of it later than a new one that was made in the same sync of its Deployment:
 * each is a request to the API server, and the new pods are at the scheduler before the old ones are deleted.
 */
const shrinkLatency = 0.009;
/** A Deployment hears of what became of its ReplicaSets when they have done what it wrote. */
const deploymentLatency = 0.012;
/** Jobs look at their pods once a second, before a kubelet says what a second did. Source: syncJobBatchPeriod in job_controller.go */
const jobLatency = 0.99;
/** A DaemonSet that has made pods sees them, and writes its status, before it looks again. */
const daemonLatency = 0.03;

/** The controllers that have heard of something, each until it has looked. */
export class ControllerQueue {
  readonly #run: Run;
  readonly #queued = new Map<Owner, number>();
  /** Until when a controller that has made pods does not look again. */
  readonly #busy = new Map<Owner, number>();

  constructor(run: Run) {
    this.#run = run;
  }

  /** Calls a controller soon. */
  add(owner: Owner, after = owner.kind === 'Deployment' ? deploymentLatency : latency): void {
    const at = Math.max(this.#run.clock + after, this.#busy.get(owner) ?? 0);
    if ((this.#queued.get(owner) ?? Infinity) <= at) return;
    this.#queued.set(owner, at);
    this.#run.callAt(at, () => {
      // One that was to come later may have come earlier.
      if (this.#queued.get(owner) !== at) return;
      this.#queued.delete(owner);
      owner.sync();
      for (const pod of owner.pods) if (pod.isGone) owner.pods.delete(pod);
    });
  }

  /** As `add`, for a ReplicaSet whose size was written. */
  addScaled(owner: Owner, isSmaller: boolean): void {
    this.add(owner, isSmaller ? shrinkLatency : latency);
  }

  /** As `add`, of one whose pod has changed. */
  addChanged(owner: Owner): void {
    this.add(owner, owner.kind === 'Job' ? jobLatency : latency);
  }

  /**
   * Nothing happens where it is never.
   * @returns calls it off
   */
  addAt(owner: Owner, at: number | null): () => void {
    if (at === null) return () => undefined;
    return this.#run.callAt(at, () => {
      this.add(owner);
    });
  }

  /** A controller has made a pod. */
  hasMade(owner: Owner): void {
    if (owner.kind === 'DaemonSet') this.#busy.set(owner, this.#run.clock + daemonLatency);
  }
}
