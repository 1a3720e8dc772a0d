import type { CronJob, Job, KubeObject, Pod } from '../../kubernetes/objects.ts';
import { countIndexes } from '../../kubernetes/job-indexes.ts';

/** Seconds from the first failure to the pod in its place. Source: DefaultJobPodFailureBackOff in job_controller.go */
export const firstJobPause = 10;
/** Source: MaxJobPodFailureBackOff in job_controller.go */
const longestPause = 600;

/** A pod of a Job has failed; one that is evicted has failed, too. */
interface FailedPod {
  /** `namespace/name`. */
  readonly key: string;
  /** Of an Indexed Job. */
  readonly index: number | undefined;
  /** Somebody evicted it. */
  readonly isDisrupted: boolean;
  /** Seconds on the clock. */
  readonly at: number;
}

/** Why a Job fails, as its conditions have it. */
export interface JobFailure {
  readonly reason: string;
  readonly message: string;
}

/** Failures that follow each other, and when the last one was. */
interface Streak {
  readonly failures: number;
  readonly last: number;
}

/**
 * What the controller of a Job counts of its pods that fail.
 * Source: pkg/controller/job: job_controller.go (syncJob), indexed_job_utils.go, pod_failure_policy.go, backoff_utils.go
 */
export class JobFailures {
  /** Those that count towards `backoffLimit`. */
  failed: number;
  /** From the first failure that ends it on. */
  hasEnded = false;
  spec: Job['spec'];
  readonly #before: number;
  readonly #failedIndexes = new Set<number>();
  readonly #ofIndexes = new Map<number, number>();
  /** By index where each has its own limit. */
  readonly #streaks = new Map<number | undefined, Streak>();

  constructor({ spec, status }: Pick<Job, 'spec' | 'status'>) {
    this.spec = spec;
    this.failed = status?.failed ?? 0;
    this.#before = countIndexes(status?.failedIndexes);
  }

  /** Why the Job fails with this pod; null where it goes on, or has ended before. */
  count(pod: FailedPod): JobFailure | null {
    const failure = this.#count(pod);
    if (this.hasEnded) return null;
    this.hasEnded = failure !== null;
    return failure;
  }

  /** That more pods have failed than may. */
  limitExceeded(): JobFailure | null {
    if (this.failed <= backoffLimitOf(this.spec)) return null;
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }

  #count({ key, index, isDisrupted, at }: FailedPod): JobFailure | null {
    const { podFailurePolicy, backoffLimitPerIndex: perIndex, maxFailedIndexes, completions } = this.spec ?? {};
    const counted = perIndex === undefined ? undefined : index;
    const { failures = 0, last = at } = this.#streaks.get(counted) ?? {};
    this.#streaks.set(counted, { failures: failures + 1, last: Math.max(last, at) });
    const rules = isDisrupted ? (podFailurePolicy?.rules ?? []) : [];
    const rule = rules.findIndex(({ onPodConditions }) => isOfDisruption(onPodConditions));
    const action = rules[rule]?.action;
    if (action === 'Ignore') return null;
    this.failed += 1;
    if (action === 'FailJob') {
      const message = `Pod ${key} has condition DisruptionTarget matching FailJob rule at index ${rule}`;
      return { reason: 'PodFailurePolicy', message };
    }
    if (perIndex !== undefined && index !== undefined) {
      const ofIndex = (this.#ofIndexes.get(index) ?? 0) + 1;
      this.#ofIndexes.set(index, ofIndex);
      if (action === 'FailIndex' || ofIndex > perIndex) this.#failedIndexes.add(index);
      const failed = this.#before + this.#failedIndexes.size;
      if (failed > (maxFailedIndexes ?? Infinity)) {
        const message = 'Job has exceeded the specified maximal number of failed indexes';
        return { reason: 'MaxFailedIndexesExceeded', message };
      }
      if (failed === completions) return { reason: 'FailedIndexes', message: 'Job has failed indexes' };
    }
    return this.limitExceeded();
  }

  /** Whether no pod comes for this index any more. */
  hasFailed(index: number | undefined): boolean {
    return index !== undefined && this.#failedIndexes.has(index);
  }

  /** When the pause after the last failure is over, in seconds on the clock. */
  pausedUntil(index: number | undefined): number {
    const streak = this.#streaks.get(this.spec?.backoffLimitPerIndex === undefined ? undefined : index);
    if (streak === undefined) return 0;
    return streak.last + Math.min(longestPause, firstJobPause * 2 ** (streak.failures - 1));
  }
}

interface PodCondition {
  readonly type?: string;
  readonly status?: string;
}

/** Whether a rule is about pods that are evicted. */
function isOfDisruption(conditions: readonly PodCondition[] | undefined): boolean {
  return (conditions ?? []).some(({ type, status = 'True' }) => type === 'DisruptionTarget' && status === 'True');
}

/** Whether only a pod that has ended counts as failed, and is replaced. Source: onlyReplaceFailedPods */
export function awaitsEnd(spec: Job['spec']): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** Source: SetDefaults_Job in pkg/apis/batch/v1/defaults.go */
function backoffLimitOf(spec: Job['spec']): number {
  return spec?.backoffLimit ?? (spec?.backoffLimitPerIndex === undefined ? 6 : Infinity);
}

/** The Job that has made a pod; empty where that is not known. */
export function jobNameOf({ metadata }: Pod): string {
  return metadata?.ownerReferences?.find(({ kind }) => kind === 'Job')?.name ?? '';
}

/** The Job, or that of a CronJob. */
export function jobIn(object: KubeObject | undefined): Pick<Job, 'spec' | 'status'> {
  switch (object?.kind) {
    case 'Job':
      return object as Job;
    case 'CronJob':
      return (object as CronJob).spec.jobTemplate;
    default:
      return {};
  }
}
