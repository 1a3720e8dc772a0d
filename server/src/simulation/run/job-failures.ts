import type { CronJob, Job, KubeObject, Pod } from '../../kubernetes/objects.ts';
import { own } from '../../util/own.ts';

/**
 * How often pods of a Job have failed, as its controller counts it: a pod that is evicted has failed, too.
 * Source: pkg/controller/job: job_controller.go (syncJob), indexed_job_utils.go, pod_failure_policy.go
 */
export class JobFailures {
  readonly #spec: Job['spec'];
  readonly #failedIndexes = new Set<string>();
  readonly #ofIndexes = new Map<string, number>();
  #failed: number;
  #hasEnded = false;

  constructor({ spec, status }: Pick<Job, 'spec' | 'status'>) {
    this.#spec = spec;
    this.#failed = status?.failed ?? 0;
  }

  /** Only a pod that has ended counts as failed, and is replaced. Source: onlyReplaceFailedPods */
  get awaitsEnd(): boolean {
    return awaitsEnd(this.#spec);
  }

  /**
   * A pod is evicted: whether another one comes in its place, or the Job has failed, so that its other pods are deleted.
   * @param index that of an Indexed Job
   */
  afterFailureOf(index: string | undefined): 'replaced' | 'not replaced' | 'end of the Job' {
    if (this.#hasEnded) return 'not replaced';
    const { podFailurePolicy, backoffLimitPerIndex: perIndex, maxFailedIndexes, completions } = this.#spec ?? {};
    const rule = (podFailurePolicy?.rules ?? []).find(({ onPodConditions }) => isOfDisruption(onPodConditions));
    if (rule?.action === 'Ignore') return 'replaced';
    this.#failed += 1;
    this.#hasEnded = rule?.action === 'FailJob' || this.#failed > backoffLimitOf(this.#spec);
    if (perIndex !== undefined && index !== undefined) {
      const failures = (this.#ofIndexes.get(index) ?? 0) + 1;
      this.#ofIndexes.set(index, failures);
      if (rule?.action === 'FailIndex' || failures > perIndex) this.#failedIndexes.add(index);
      const most = maxFailedIndexes ?? (completions ?? Infinity) - 1;
      this.#hasEnded ||= this.#failedIndexes.size > most;
    }
    if (this.#hasEnded) return 'end of the Job';
    return index !== undefined && this.#failedIndexes.has(index) ? 'not replaced' : 'replaced';
  }
}

interface PodCondition {
  readonly type?: string;
  readonly status?: string;
}

/** Whether a rule is about pods that are evicted. */
export function isOfDisruption(conditions: readonly PodCondition[] | undefined): boolean {
  return (conditions ?? []).some(({ type, status = 'True' }) => type === 'DisruptionTarget' && status === 'True');
}

/** Source: onlyReplaceFailedPods */
export function awaitsEnd(spec: Job['spec']): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** Source: SetDefaults_Job in pkg/apis/batch/v1/defaults.go */
export function backoffLimitOf(spec: Job['spec']): number {
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

/** The index of a pod of an Indexed Job. */
export function indexOf({ metadata }: Pod): string | undefined {
  return own(metadata?.annotations ?? {}, 'batch.kubernetes.io/job-completion-index');
}
