import type { CronJob, Job, KubeObject } from '../../kubernetes/objects.ts';

/** How often pods of Jobs have failed, as their controller counts it: a pod that somebody evicts has failed, too. */
export class JobFailures {
  readonly #failures = new Map<number, number>();

  /**
   * A pod of a Job is evicted: whether the Job has failed for good, so that nothing comes in its place.
   * Source: pkg/controller/job/job_controller.go (syncJob: backoffLimit), pod_failure_policy.go (matchPodFailurePolicy)
   */
  ends(workload: number, object: KubeObject | undefined): boolean {
    const { spec, status } = jobOf(object);
    const rule = (spec?.podFailurePolicy?.rules ?? []).find(({ onPodConditions = [] }) =>
      onPodConditions.some(({ type, status = 'True' }) => type === 'DisruptionTarget' && status === 'True'),
    );
    const before = this.#failures.get(workload) ?? status?.failed ?? 0;
    const failures = before + (rule?.action === 'FailJob' ? Infinity : rule?.action === 'Ignore' ? 0 : 1);
    this.#failures.set(workload, failures);
    return failures > (spec?.backoffLimit ?? defaultBackoffLimit);
  }
}

/** The Job, or that of a CronJob. */
function jobOf(object: KubeObject | undefined): Pick<Job, 'spec' | 'status'> {
  switch (object?.kind) {
    case 'Job':
      return object as Job;
    case 'CronJob':
      return (object as CronJob).spec.jobTemplate;
    default:
      return {};
  }
}

/** Source: SetDefaults_Job in pkg/apis/batch/v1/defaults.go */
const defaultBackoffLimit = 6;
