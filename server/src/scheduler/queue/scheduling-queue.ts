import type { PodKey } from '../decision.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { backoffExpiry, defaultBackoff, isBackingOff, type BackoffLimits } from './backoff.ts';
import { Heap } from './heap.ts';
import { UnschedulablePods } from './unschedulable-pods.ts';

/** How many pods wait where: the metric `scheduler_pending_pods` by its label `queue`. */
export interface QueueCounts {
  readonly active: number;
  readonly backoff: number;
  readonly unschedulable: number;
  readonly gated: number;
}

/** A pod with what the queue knows of it. Times in seconds. Source: QueuedPodInfo in pkg/scheduler/framework/types.go */
export interface QueuedPod {
  readonly pod: PodInfo;
  /** When it came in, or last failed. */
  readonly timestamp: number;
  /** Counts who came in or failed before it, within one moment too: of equal priority the earlier goes first. */
  readonly order: number;
  readonly attempts: number;
  /** Counts who was let in to be tried before it. Source: InitialAttemptTimestamp */
  readonly admitted: number;
  readonly unschedulableCount: number;
  readonly consecutiveErrors: number;
  /** The plugins that turned it down the last time. */
  readonly rejectedBy: ReadonlySet<string>;
  /** Whole seconds; null when it need not wait. */
  readonly backoffExpiry: number | null;
}

type Waiting = { -readonly [Key in keyof QueuedPod]: QueuedPod[Key] };

/** Source: pkg/scheduler/backend/queue/scheduling_queue.go (DefaultPodMaxInUnschedulablePodsDuration, Run) */
const maxUnschedulableSeconds = 300;
const flushPeriodSeconds = 30;

const nobody: ReadonlySet<string> = new Set();
const all = (): boolean => true;

/**
 * The pods that wait for a node: those to try now, those that back off, those that wait for an event, and those whose
 * gates are closed. Time is told by the caller, in seconds, and must not go back. Nominations are kept by the cluster
 * state (`nominatedTo`).
 * Source: pkg/scheduler/backend/queue
 */
export class SchedulingQueue {
  readonly #backoff: BackoffLimits;
  readonly #pods = new Map<PodKey, Waiting>();
  readonly #active = new Heap<Waiting>(compareActive);
  readonly #backingOff = new Heap<Waiting>(compareBackoff);
  /** Pods whose attempt failed without a plugin to blame. They are not taken out early. */
  readonly #backingOffErrors = new Heap<Waiting>(compareBackoff);
  readonly #unschedulable = new UnschedulablePods<Waiting>();
  readonly #gated = new Set<Waiting>();
  #count = 0;
  #admissions = 0;

  constructor(backoff: BackoffLimits = defaultBackoff) {
    this.#backoff = backoff;
  }

  counts(): QueueCounts {
    return {
      active: this.#active.size,
      backoff: this.#backingOff.size + this.#backingOffErrors.size,
      unschedulable: this.#unschedulable.size,
      gated: this.#gated.size,
    };
  }

  /** A pod that is new to the scheduler. */
  add(pod: PodInfo, now: number): void {
    this.delete(pod.key);
    const waiting = this.#newcomer(pod, now);
    this.#pods.set(pod.key, waiting);
    this.#activate(waiting, now);
  }

  /** A new pod that PreEnqueue holds back. */
  addGated(pod: PodInfo, now: number): void {
    this.delete(pod.key);
    const waiting = this.#newcomer(pod, now);
    this.#pods.set(pod.key, waiting);
    this.#gated.add(waiting);
  }

  /** The gates of a pod are gone. It was never tried, so it has no back-off to wait for. */
  openGates(pod: PodInfo, now: number): void {
    const waiting = this.#pods.get(pod.key);
    if (waiting === undefined || !this.#gated.delete(waiting)) return;
    waiting.pod = pod;
    this.#activate(waiting, now);
  }

  /**
   * The pod to try next; undefined when all wait. An empty active queue takes the next one out of back-off early.
   * The pod stays known until it is deleted or comes back by `addUnschedulable`.
   */
  pop(): QueuedPod | undefined {
    const waiting = this.#active.pop() ?? this.#backingOff.pop();
    return waiting === undefined ? undefined : this.#popped(waiting);
  }

  #popped(waiting: Waiting): QueuedPod {
    waiting.attempts += 1;
    waiting.backoffExpiry = null;
    return waiting;
  }

  /** Takes a pod out wherever it waits, unless it is held back: it is tried together with another. */
  take(key: PodKey): QueuedPod | undefined {
    const waiting = this.#pods.get(key);
    if (waiting === undefined) return undefined;
    const parts = [this.#active, this.#backingOff, this.#backingOffErrors, this.#unschedulable];
    if (!parts.some((part) => part.delete(waiting))) return undefined;
    return this.#popped(waiting);
  }

  /** See `admitted`. */
  admittedOf(key: PodKey): number {
    return this.#pods.get(key)?.admitted ?? Infinity;
  }

  /** A pod that waits for an event is tried again, now or after its back-off. */
  wake(key: PodKey, now: number): void {
    const waiting = this.#pods.get(key);
    if (waiting !== undefined && this.#unschedulable.delete(waiting)) this.#activate(waiting, now);
  }

  /** A popped pod found no node. Without plugins to blame it backs off and comes back by itself. */
  addUnschedulable(pod: PodInfo, rejectedBy: ReadonlySet<string>, now: number): void {
    const waiting = this.#pods.get(pod.key);
    if (waiting === undefined) return;
    waiting.pod = pod;
    waiting.timestamp = now;
    waiting.order = this.#count++;
    waiting.rejectedBy = rejectedBy;
    if (rejectedBy.size > 0) {
      waiting.unschedulableCount += 1;
      waiting.consecutiveErrors = 0;
    } else {
      waiting.consecutiveErrors += 1;
    }
    waiting.backoffExpiry = backoffExpiry(waiting, this.#backoff);
    if (rejectedBy.size > 0) this.#unschedulable.add(waiting);
    else this.#activate(waiting, now);
  }

  /**
   * The pod has changed, for example its nomination. It keeps its place, unless it waits for an event and the change
   * may help it.
   */
  update(pod: PodInfo, now: number, helps: (waiting: QueuedPod) => boolean): void {
    const waiting = this.#pods.get(pod.key);
    if (waiting === undefined) return;
    waiting.pod = pod;
    if (!this.#unschedulable.has(waiting) || !helps(waiting)) return;
    this.#unschedulable.delete(waiting);
    this.#activate(waiting, now);
  }

  /** The pod is placed, or gone. */
  delete(key: PodKey): void {
    const waiting = this.#pods.get(key);
    if (waiting === undefined) return;
    this.#pods.delete(key);
    for (const part of [this.#active, this.#backingOff, this.#backingOffErrors, this.#unschedulable, this.#gated]) {
      part.delete(waiting);
    }
  }

  /**
   * Something happened: pods that it may help are tried again, now or after their back-off. `concerned` is asked once
   * for all pods that the same plugins turned down.
   */
  move(
    concerned: (rejectedBy: ReadonlySet<string>) => boolean,
    mayHelp: (waiting: QueuedPod) => boolean,
    now: number,
  ): void {
    for (const waiting of this.#unschedulable.take(concerned, mayHelp)) this.#activate(waiting, now);
  }

  /**
   * The clock starts again at 0, and nobody backs off any more. Whoever waits has come before everybody who comes from
   * now on. A pod that failed long before the new 0 counts as one that failed just before it.
   */
  restart(now: number): void {
    for (const waiting of this.#pods.values()) {
      if (this.#active.has(waiting)) continue;
      waiting.timestamp = Math.max(-1, waiting.timestamp - now);
      waiting.attempts = 0;
      waiting.unschedulableCount = 0;
      waiting.consecutiveErrors = 0;
      const backedOff = this.#backingOff.delete(waiting) || this.#backingOffErrors.delete(waiting);
      waiting.backoffExpiry = null;
      if (backedOff) this.#active.push(waiting);
    }
  }

  /** What happens by time alone: back-off ends, and nobody waits for an event forever. */
  flush(now: number): void {
    for (const heap of [this.#backingOff, this.#backingOffErrors]) {
      for (let next = heap.peek(); next !== undefined && !isBackingOff(next.backoffExpiry, now); next = heap.peek()) {
        heap.delete(next);
        this.#active.push(next);
      }
    }
    for (const waiting of this.#unschedulable.take(all, (each) => flushedAt(each) <= now)) this.#activate(waiting, now);
  }

  /** When `flush` will next move one of the wanted pods; null for never. */
  nextFlush(wanted: (waiting: QueuedPod) => boolean): number | null {
    let next = Infinity;
    for (const waiting of this.#pods.values()) {
      if (!wanted(waiting)) continue;
      if (this.#unschedulable.has(waiting)) {
        next = Math.min(next, flushedAt(waiting));
      } else if (waiting.backoffExpiry !== null && !this.#active.has(waiting)) {
        next = Math.min(next, waiting.backoffExpiry + 1);
      }
    }
    return next === Infinity ? null : next;
  }

  #newcomer(pod: PodInfo, now: number): Waiting {
    return {
      pod,
      timestamp: now,
      order: this.#count++,
      attempts: 0,
      admitted: Infinity,
      unschedulableCount: 0,
      consecutiveErrors: 0,
      rejectedBy: nobody,
      backoffExpiry: null,
    };
  }

  #activate(waiting: Waiting, now: number): void {
    if (waiting.admitted === Infinity) waiting.admitted = this.#admissions++;
    if (!isBackingOff(waiting.backoffExpiry, now)) this.#active.push(waiting);
    else if (waiting.rejectedBy.size > 0) this.#backingOff.push(waiting);
    else this.#backingOffErrors.push(waiting);
  }
}

/** The first check after the pod has waited for more than five minutes. */
function flushedAt({ timestamp }: QueuedPod): number {
  return (Math.floor((timestamp + maxUnschedulableSeconds) / flushPeriodSeconds) + 1) * flushPeriodSeconds;
}

/**
 * Higher priority first, then who came into the queue or failed earlier; no two do at the same time, and neither names
 * nor `creationTimestamp` count. Source: pkg/scheduler/framework/plugins/queuesort/priority_sort.go
 */
function compareActive(a: QueuedPod, b: QueuedPod): number {
  return b.pod.priority - a.pod.priority || a.order - b.order;
}

/** Source: lessBackoffCompletedWithPriority */
function compareBackoff(a: QueuedPod, b: QueuedPod): number {
  return (a.backoffExpiry ?? 0) - (b.backoffExpiry ?? 0) || compareActive(a, b);
}
