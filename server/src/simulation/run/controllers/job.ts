import type { Job } from '../../../kubernetes/objects.ts';
import { awaitsEnd, backoffLimitOf, isOfDisruption } from '../job-failures.ts';
import { inOrderOfDeletion } from './deletion-order.ts';
import type { Fleet } from './fleet.ts';
import { activeOf, firstJobPause } from './fleet.ts';
import { type FleetPod, isActive, type Owner } from './fleet-pod.ts';
import { jobPod } from './pod-maker.ts';
import { Retries } from './retries.ts';
import type { Revision, Revisions } from './revision.ts';

/** Source for this file: pkg/controller/job: job_controller.go, backoff_utils.go, pod_failure_policy.go */

const longestBackoff = 600;

export interface JobCondition {
  readonly type: 'Suspended' | 'FailureTarget' | 'Failed';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function hasEnded({ isGone, phase }: FleetPod): boolean {
  return isGone || phase === 'Failed' || phase === 'Succeeded';
}

export class JobController implements Owner {
  readonly kind = 'Job';
  readonly namespace: string;
  readonly name: string;
  readonly workload: number;
  readonly pods = new Set<FleetPod>();
  readonly revisions: Revisions;
  object: Job;
  /** Which run of which CronJob it is, where one made it. */
  cron: { readonly name: string; readonly run: number } | null = null;
  conditions: readonly JobCondition[];
  /** Pods that count towards `backoffLimit`. */
  failed: number;
  status = { active: 0, ready: 0, terminating: 0 };
  #failuresInARow = 0;
  #lastFailure: number | null = null;
  readonly #counted = new Set<FleetPod>();
  readonly #fleet: Fleet;
  readonly #numberOf: (revision: Revision) => number;
  readonly #retries = new Retries();
  #made = 0;

  constructor(
    fleet: Fleet,
    object: Job,
    of: {
      readonly workload: number;
      readonly revisions: Revisions;
      readonly numberOf: (revision: Revision) => number;
    },
  ) {
    this.#fleet = fleet;
    this.object = object;
    this.namespace = object.metadata?.namespace ?? 'default';
    this.name = object.metadata?.name ?? '';
    this.workload = of.workload;
    this.revisions = of.revisions;
    this.#numberOf = of.numberOf;
    const { active = 0, ready = 0, terminating = 0 } = object.status ?? {};
    this.status = { active, ready, terminating };
    this.failed = object.status?.failed ?? 0;
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
    const failure = this.isFinished ? null : this.#countFailures();
    if (failure !== null && !this.#isEnding) {
      const [reason, message] = failure;
      this.#set({ type: 'FailureTarget', status: 'True', reason, message });
    }
    if (this.#isEnding || this.isFinished) {
      for (const pod of activeOf(this)) {
        this.#counted.add(pod);
        this.failed += 1;
      }
      this.#deleteAll();
      const target = this.conditions.find(({ type }) => type === 'FailureTarget');
      // It has failed when no pod of it is left that still ends (JobManagedBy, delayed terminal condition).
      if (!this.isFinished && target !== undefined && [...this.pods].every(hasEnded)) {
        const { reason, message } = target;
        this.#set({ type: 'Failed', status: 'True', reason, message });
        this.#fleet.onEvent({ what: 'event', owner: this, pod: null, revision: null, reason, message });
      }
    } else if (this.isSuspended) {
      this.#suspend();
    } else {
      this.#resume();
      this.#manage();
    }
    for (const pod of this.#counted) this.#fleet.untrack(pod);
    this.#count();
  }

  /** When the pause after the last failure is over. Source: backoff_utils.go */
  get #pausedUntil(): number {
    if (this.#lastFailure === null || this.#failuresInARow === 0) return 0;
    return this.#lastFailure + Math.min(longestBackoff, firstJobPause * 2 ** (this.#failuresInARow - 1));
  }

  get #isEnding(): boolean {
    return this.conditions.some(({ type }) => type === 'FailureTarget');
  }

  /** The reason and the message of the failure of the Job, if it has failed. */
  #countFailures(): readonly [string, string] | null {
    let failure: readonly [string, string] | null = null;
    for (const pod of this.pods) {
      const isRejected = pod.rejection !== null;
      if (this.#counted.has(pod) || this.isSuspended || (pod.disruption === null && !isRejected)) continue;
      const hasEnded = this.#awaitsEnd || isRejected;
      const hasFailed = hasEnded ? pod.phase === 'Failed' : pod.isDeleting;
      if (!hasFailed) continue;
      this.#counted.add(pod);
      this.#lastFailure = Math.max(this.#lastFailure ?? 0, (hasEnded ? pod.ended : pod.deleted) ?? this.#fleet.now);
      this.#failuresInARow += 1;
      const action = this.#actionFor(pod);
      if (action === 'FailJob') {
        const name = pod.simulated.key;
        failure ??= [
          'PodFailurePolicy',
          `Pod ${name} has condition DisruptionTarget matching FailJob rule at index ${this.#ruleFor(pod)}`,
        ];
      }
      if (action !== 'Ignore') this.failed += 1;
    }
    if (failure !== null) return failure;
    if (this.failed > backoffLimitOf(this.object.spec)) {
      return ['BackoffLimitExceeded', 'Job has reached the specified backoff limit'];
    }
    return null;
  }

  #ruleFor({ disruption }: FleetPod): number {
    const rules = this.object.spec?.podFailurePolicy?.rules ?? [];
    return disruption === null ? -1 : rules.findIndex(({ onPodConditions }) => isOfDisruption(onPodConditions));
  }

  #actionFor(pod: FleetPod): string {
    const rule = this.#ruleFor(pod);
    return rule < 0 ? 'Count' : (this.object.spec?.podFailurePolicy?.rules[rule]?.action ?? 'Count');
  }

  #suspend(): void {
    this.#deleteAll();
    if (this.#isSaid('Suspended', 'True')) return;
    this.#set({ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' });
    const [reason, message] = ['Suspended', 'Job suspended'];
    this.#fleet.onEvent({ what: 'event', owner: this, pod: null, revision: null, reason, message });
  }

  #resume(): void {
    if (!this.#isSaid('Suspended', 'True')) return;
    this.#set({ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' });
    const [reason, message] = ['Resumed', 'Job resumed'];
    this.#fleet.onEvent({ what: 'event', owner: this, pod: null, revision: null, reason, message });
  }

  #isSaid(type: JobCondition['type'], status: JobCondition['status']): boolean {
    return this.conditions.some((each) => each.type === type && each.status === status);
  }

  #set(condition: JobCondition): void {
    const others = this.conditions.filter(({ type }) => type !== condition.type);
    this.conditions = [...others, condition];
  }

  #deleteAll(): void {
    for (const pod of activeOf(this)) this.#fleet.delete(pod);
  }

  /** Source: manageJob */
  #manage(): void {
    const active = activeOf(this);
    const { wanted } = this;
    if (active.length > wanted) {
      const ordered = inOrderOfDeletion(active, this.#fleet.now);
      for (const pod of ordered.slice(0, active.length - wanted)) this.#fleet.delete(pod);
      return;
    }
    const ending = this.#awaitsEnd ? [...this.pods].filter((pod) => pod.isDeleting && !hasEnded(pod)).length : 0;
    const missing = wanted - active.length - ending;
    if (missing <= 0) return;
    // One that failed is made anew after a pause.
    if (this.#pausedUntil > this.#fleet.now) {
      this.#fleet.enqueueAt(this, this.#pausedUntil);
      return;
    }
    for (let index = 0; index < missing; index++) if (!this.#make()) return;
  }

  #make(): boolean {
    const revision = this.revisions.of(this.object.spec!.template);
    const index = this.#isIndexed ? this.#freeIndex() : null;
    const names = new Set([...this.pods].map(({ simulated }) => simulated.info.name));
    let name: string;
    do {
      name = `${this.name}-${index === null ? '' : `${index}-`}${this.#made}`;
      this.#made += 1;
    } while (names.has(name));
    const draft = jobPod(this.object, name, index);
    if (draft === undefined) return false;
    const ordinal = index === null ? {} : { ordinal: index };
    const made = this.#fleet.create(draft, { owner: this, revision, n: this.#numberOf(revision), ...ordinal });
    if (typeof made !== 'string') return true;
    const message = `Error creating: ${made}`;
    this.#fleet.tellOnce({ what: 'failedCreate', owner: this, pod: null, revision, message });
    this.#fleet.enqueueAt(this, this.#retries.fail(this.#fleet.now));
    return false;
  }

  #freeIndex(): number {
    const taken = new Set([...this.pods].filter(isActive).map(({ ordinal }) => ordinal));
    let index = 0;
    while (taken.has(index)) index += 1;
    return index;
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
