import type { QueueCounts } from './report.ts';
import type { SimulatedPod } from './simulated-pod.ts';

/** Source: DefaultPodInitialBackoffDuration, DefaultPodMaxBackoffDuration in pkg/scheduler/backend/queue */
const initialBackoffSeconds = 1;
const maxBackoffSeconds = 10;

interface Attempts {
  count: number;
  lastClock: number;
}

/**
 * The pods that wait, in the sets of the scheduler's queue. A pod that failed waits in `unschedulable` until something
 * changes; then it is tried again, at once if it must: an empty active queue takes pods out of back-off early.
 * Source: pkg/scheduler/backend/queue/scheduling_queue.go
 */
export class PodQueue {
  /** Sorted, next one last. */
  readonly #ready: SimulatedPod[] = [];
  readonly #backoff = new Set<SimulatedPod>();
  readonly #unschedulable = new Set<SimulatedPod>();
  readonly #gated = new Set<SimulatedPod>();
  readonly #attempts = new Map<SimulatedPod, Attempts>();

  /** Takes a pod in that has not been tried. */
  add(pod: SimulatedPod): void {
    let low = 0;
    let high = this.#ready.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareInQueue(pod, this.#ready[middle]!) > 0) high = middle;
      else low = middle + 1;
    }
    this.#ready.splice(low, 0, pod);
  }

  pop(): SimulatedPod | undefined {
    const pod = this.#ready.pop();
    if (pod !== undefined) this.#backoff.delete(pod);
    return pod;
  }

  /** The pod was tried and fits nowhere. */
  failed(pod: SimulatedPod, clock: number): void {
    const attempts = this.#attempts.get(pod);
    if (attempts === undefined) this.#attempts.set(pod, { count: 1, lastClock: clock });
    else {
      attempts.count += 1;
      attempts.lastClock = clock;
    }
    this.#unschedulable.add(pod);
  }

  gate(pod: SimulatedPod): void {
    this.#gated.add(pod);
  }

  /** Something changed: every pod that failed is tried again. */
  retryAll(clock: number): void {
    for (const pod of this.#unschedulable) {
      const attempts = this.#attempts.get(pod);
      if (attempts !== undefined && clock < backoffEnd(attempts)) this.#backoff.add(pod);
      this.add(pod);
    }
    this.#unschedulable.clear();
  }

  /** Nobody is in back-off any more. */
  forgetAttempts(): void {
    this.#attempts.clear();
  }

  get unschedulable(): ReadonlySet<SimulatedPod> {
    return this.#unschedulable;
  }

  counts(): QueueCounts {
    return {
      active: this.#ready.length - this.#backoff.size,
      backoff: this.#backoff.size,
      unschedulable: this.#unschedulable.size,
      gated: this.#gated.size,
    };
  }
}

function backoffEnd({ count, lastClock }: Attempts): number {
  return lastClock + Math.min(maxBackoffSeconds, initialBackoffSeconds * 2 ** (count - 1));
}

/**
 * Higher priority first, then the older, then by name. Pods that are only written down have no creation time and count
 * as created now, after all that exist. Source: pkg/scheduler/framework/plugins/queuesort/priority_sort.go
 */
function compareInQueue(a: SimulatedPod, b: SimulatedPod): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  const created = compareText(creationTime(a), creationTime(b));
  return created === 0 ? compareText(a.key, b.key) : created;
}

function creationTime(pod: SimulatedPod): string {
  const written = pod.pod.metadata?.creationTimestamp ?? '';
  return written === '' ? '\uffff' : written;
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
