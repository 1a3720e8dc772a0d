import { namespaceOf, nameOf, workloadKey } from '../../../kubernetes/names.ts';
import type { CronJob, Job, KubeObject } from '../../../kubernetes/objects.ts';
import { cronTimes } from '../../cluster/cron-times.ts';
import type { ControlPlane } from './control-plane.ts';
import { JobController } from './job.ts';

/** Source: pkg/controller/cronjob/cronjob_controllerv2.go. A changed template is for later runs only. */
export class CronJobController {
  readonly #plane: ControlPlane;
  /** The time of second 0, in milliseconds since 1970. */
  readonly #start: number;
  readonly #runs: JobController[] = [];
  #object: CronJob;
  #made = 0;

  constructor(plane: ControlPlane, object: KubeObject, start: number) {
    this.#plane = plane;
    this.#object = object as CronJob;
    this.#start = start;
  }

  get name(): string {
    return nameOf(this.#object);
  }

  change(object: KubeObject): void {
    this.#object = object as CronJob;
  }

  begin(): void {
    this.#await(this.#start + this.#plane.fleet.now * 1000);
  }

  #await(after: number): void {
    const next = cronTimes(this.#object, after)?.(after, after + longestWait) ?? null;
    if (next === null) return;
    this.#plane.fleet.callAt((next - this.#start) / 1000, () => {
      this.#run(next);
      this.#await(next);
    });
  }

  #run(due: number): void {
    const { spec, metadata } = this.#object;
    if (spec.suspend === true) return;
    const active = this.#runs.filter((run) => !run.isFinished);
    if (active.length > 0 && spec.concurrencyPolicy === 'Forbid') {
      const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.#plane.fleet.onEvent({
        what: 'event',
        owner: null,
        pod: null,
        revision: null,
        reason: 'JobAlreadyActive',
        message,
      });
      return;
    }
    if (spec.concurrencyPolicy === 'Replace') {
      for (const run of active) this.#plane.remove(workloadKey('Job', run.namespace, run.name));
    }
    const { name = '' } = metadata ?? {};
    const namespace = namespaceOf(this.#object);
    const job: Job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        ...spec.jobTemplate.metadata,
        name: `${name}-${Math.floor(due / 60_000)}`,
        namespace,
        ownerReferences: [
          {
            apiVersion: 'batch/v1',
            kind: 'CronJob',
            name,
            uid: metadata?.uid ?? `CronJob/${namespace}/${name}`,
            controller: true,
          },
        ],
      },
      ...(spec.jobTemplate.spec === undefined ? {} : { spec: spec.jobTemplate.spec }),
    };
    this.#plane.put(job);
    const made = this.#plane.tops.get(workloadKey('Job', namespace, nameOf(job)));
    if (!(made instanceof JobController)) return;
    this.#made += 1;
    made.cron = { name, run: this.#made };
    this.#runs.push(made);
  }
}

/** In milliseconds: schedules that are due more seldom are of no interest to a change. */
const longestWait = 24 * 60 * 60 * 1000;
