import type { Job } from '../../../kubernetes/objects.ts';
import { openIndexes } from '../../../kubernetes/job-indexes.ts';
import { awaitsEnd, type JobFailure, JobFailures } from '../job-failures.ts';
import { inOrderOfDeletion } from './deletion-order.ts';
import { Controller, type OfWorkload } from './controller.ts';
import type { Fleet } from './fleet.ts';
import { activeOf } from './fleet.ts';
import type { FleetPod } from './fleet-pod.ts';
import { jobPod } from './pod-maker.ts';

/** Source for this file: pkg/controller/job/job_controller.go */

export interface JobCondition {
  readonly type: 'Suspended' | 'FailureTarget' | 'Failed';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function hasEnded({ isGone, phase }: FleetPod): boolean {
  return isGone || phase === 'Failed' || phase === 'Succeeded';
}

export class JobController extends Controller<Job> {
  readonly kind = 'Job';
  /** Which run of which CronJob it is, where one made it. */
  cron: { readonly name: string; readonly run: number } | null = null;
  conditions: readonly JobCondition[];
  status = { active: 0, ready: 0, terminating: 0 };
  readonly #failures: JobFailures;
  readonly #counted = new Set<FleetPod>();
  #made = 0;

  constructor(fleet: Fleet, object: Job, of: OfWorkload) {
    super(fleet, object, of);
    const { active = 0, ready = 0, terminating = 0 } = object.status ?? {};
    this.status = { active, ready, terminating };
    this.#failures = new JobFailures(object);
    this.conditions = (object.status?.conditions ?? []).map(({ type, status, reason = '', message = '' }) => ({
      type: type as JobCondition['type'],
      status: status as JobCondition['status'],
      reason,
      message,
    }));
  }

  get isFinished(): boolean {
    return this.conditions.some(({ type, status }) => type === 'Failed' && status === 'True');
  }

  /** Pods that count towards `backoffLimit`. */
  get failed(): number {
    return this.#failures.failed;
  }

  get isSuspended(): boolean {
    return this.object.spec?.suspend === true;
  }

  /** How many of its pods are to be at work. Source: manageJob */
  get wanted(): number {
    const { parallelism = 1, completions } = this.object.spec ?? {};
    const succeeded = this.object.status?.succeeded ?? 0;
    if (this.isSuspended) return 0;
    // Where one success is enough, none is made after it.
    if (completions === undefined) return succeeded > 0 ? activeOf(this).length : parallelism;
    return Math.max(0, Math.min(parallelism, completions - succeeded));
  }

  get #isIndexed(): boolean {
    return this.object.spec?.completionMode === 'Indexed';
  }

  get #awaitsEnd(): boolean {
    return awaitsEnd(this.object.spec);
  }

  sync(): void {
    this.#failures.spec = this.object.spec;
    const failure = this.isFinished ? null : this.#countFailures();
    if (failure !== null && !this.#isEnding) {
      this.#set({ type: 'FailureTarget', status: 'True', ...failure });
    }
    if (this.#isEnding || this.isFinished) {
      for (const pod of activeOf(this)) {
        this.#counted.add(pod);
        this.#failures.failed += 1;
      }
      this.#deleteAll();
      const target = this.conditions.find(({ type }) => type === 'FailureTarget');
      // It has failed when no pod of it is left that still ends (JobManagedBy, delayed terminal condition).
      if (!this.isFinished && target !== undefined && [...this.pods].every(hasEnded)) {
        const { reason, message } = target;
        this.#set({ type: 'Failed', status: 'True', reason, message });
        this.fleet.onEvent({ what: 'event', owner: this, pod: null, revision: null, reason, message });
      }
    } else if (this.isSuspended) {
      this.#suspend();
    } else {
      this.#resume();
      this.#manage();
    }
    for (const pod of this.#counted) this.fleet.untrack(pod);
    this.#count();
  }

  get #isEnding(): boolean {
    return this.conditions.some(({ type }) => type === 'FailureTarget');
  }

  /** Why the Job has failed, if it has. */
  #countFailures(): JobFailure | null {
    let failure: JobFailure | null = null;
    for (const pod of this.pods) {
      const isRejected = pod.rejection !== null;
      if (this.#counted.has(pod) || this.isSuspended || (pod.disruption === null && !isRejected)) continue;
      const hasEnded = this.#awaitsEnd || isRejected;
      const hasFailed = hasEnded ? pod.phase === 'Failed' : pod.isDeleting;
      if (!hasFailed) continue;
      this.#counted.add(pod);
      const ofPod = this.#failures.count({
        key: pod.simulated.key,
        index: pod.ordinal ?? undefined,
        isDisrupted: pod.disruption !== null,
        at: (hasEnded ? pod.ended : pod.deleted) ?? this.fleet.now,
      });
      failure ??= ofPod;
    }
    return failure ?? this.#failures.limitExceeded();
  }

  #suspend(): void {
    this.#deleteAll();
    if (this.#isSaid('Suspended', 'True')) return;
    this.#set({ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' });
    const [reason, message] = ['Suspended', 'Job suspended'];
    this.fleet.onEvent({ what: 'event', owner: this, pod: null, revision: null, reason, message });
  }

  #resume(): void {
    if (!this.#isSaid('Suspended', 'True')) return;
    this.#set({ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' });
    const [reason, message] = ['Resumed', 'Job resumed'];
    this.fleet.onEvent({ what: 'event', owner: this, pod: null, revision: null, reason, message });
  }

  #isSaid(type: JobCondition['type'], status: JobCondition['status']): boolean {
    return this.conditions.some((each) => each.type === type && each.status === status);
  }

  #set(condition: JobCondition): void {
    const others = this.conditions.filter(({ type }) => type !== condition.type);
    this.conditions = [...others, condition];
  }

  #deleteAll(): void {
    for (const pod of activeOf(this)) this.fleet.delete(pod);
  }

  /** Source: manageJob */
  #manage(): void {
    const active = activeOf(this);
    const { wanted } = this;
    if (active.length > wanted) {
      const ordered = inOrderOfDeletion(active, this.fleet.now);
      for (const pod of ordered.slice(0, active.length - wanted)) this.fleet.delete(pod);
      return;
    }
    const ending = this.#awaitsEnd ? [...this.pods].filter((pod) => pod.isDeleting && !hasEnded(pod)).length : 0;
    const missing = wanted - active.length - ending;
    if (missing <= 0) return;
    const indexes = this.#isIndexed ? this.#freeIndexes() : Array<undefined>(missing).fill(undefined);
    let pausedUntil = Infinity;
    for (const index of indexes.slice(0, missing)) {
      // One that failed is made anew after a pause.
      const until = this.#failures.pausedUntil(index);
      if (until > this.fleet.now) pausedUntil = Math.min(pausedUntil, until);
      else if (!this.#make(index)) return;
    }
    if (pausedUntil < Infinity) this.fleet.queue.addAt(this, pausedUntil);
  }

  #make(index: number | undefined): boolean {
    const revision = this.revisions.of(this.object.spec!.template);
    let name: string;
    do {
      name = `${this.name}-${index === undefined ? '' : `${index}-`}${this.#made}`;
      this.#made += 1;
    } while (this.fleet.hasNamed(`${this.namespace}/${name}`));
    const draft = jobPod(this.object, name, index);
    if (draft === undefined) return false;
    const ordinal = index === undefined ? {} : { ordinal: index };
    const made = this.fleet.create(draft, { owner: this, revision, n: this.numberOf(revision), ...ordinal });
    if (typeof made !== 'string') return true;
    const message = `Error creating: ${made}`;
    this.fleet.tellOnce({ what: 'failedCreate', owner: this, pod: null, revision, message });
    this.retry(message);
    return false;
  }

  /** Source: firstPendingIndexes in indexed_job_utils.go */
  #freeIndexes(): readonly number[] {
    const holding = this.#awaitsEnd ? [...this.pods].filter((pod) => !hasEnded(pod)) : activeOf(this);
    const taken = new Set(holding.map(({ ordinal }) => ordinal));
    const isTaken = (index: number): boolean => taken.has(index) || this.#failures.hasFailed(index);
    return openIndexes(this.object, this.wanted, isTaken);
  }

  #count(): void {
    const active = activeOf(this);
    this.status = {
      active: active.length,
      ready: active.filter(({ isReady }) => isReady).length,
      terminating: [...this.pods].filter((pod) => pod.isDeleting && !hasEnded(pod)).length,
    };
  }
}
