import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import type { CronJob, Job, Pod } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { expandWorkload } from '../../kubernetes/workloads.ts';
import type { ReplacingControllers } from '../run/replacements.ts';
import type { Run } from '../run/run.ts';
import type { Calendar } from '../cluster/input.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import type { SimulatedWorkload } from '../cluster/workload-set.ts';
import { cronTimes, mostRecent, type NextTime } from '../cluster/cron-times.ts';

/** A Job at work. */
interface JobRun {
  readonly spec: Pick<NonNullable<Job['spec']>, 'completions' | 'parallelism'>;
  /** All that it may make, in order. */
  readonly drafts: readonly Pod[];
  /** Its pods, each replaced by what was made in its place. */
  pods: readonly SimulatedPod[];
  succeeded: number;
}

/** A CronJob and its Jobs that have not ended. */
interface Schedule {
  readonly next: NextTime;
  /** The last time that was dealt with. */
  last: number;
  /** The last time of which it was told that it has to wait. */
  told: number;
  active: JobRun[];
  /** When it last ran, or was made, as long as it has missed a time since. */
  since?: string | undefined;
}

/** What the runs ask of the scenario that they are part of. */
export interface JobSurroundings {
  readonly run: Run;
  readonly controllers: ReplacingControllers;
  readonly calendar: Calendar;
  /** A CronJob as the cluster has it, with its status; undefined for one that is only written down. */
  stored(workload: SimulatedWorkload): CronJob | undefined;
  /** As it is now; undefined for one that is no more. */
  workload(index: number): SimulatedWorkload | undefined;
  report(text: string, lines: readonly string[]): void;
}

/** More runs of CronJobs are not started: each costs a look at the whole cluster. */
const mostRuns = 10_000;

/** The Job controller and the CronJob controller: pods that finish make place for the next, schedules come due. */
export class JobRuns {
  readonly #around: JobSurroundings;
  readonly #schedules = new Map<number, Schedule>();
  readonly #jobs = new Map<number, JobRun>();
  #started = 0;

  constructor(around: JobSurroundings) {
    this.#around = around;
  }

  /** From second 0 on. */
  begin(workloads: readonly SimulatedWorkload[]): void {
    const { run, calendar } = this.#around;
    for (const pod of run.pods.all()) if (run.place(pod).state === 'running') this.placed(pod);
    if (calendar.start === null) return;
    for (const [index, workload] of workloads.entries()) {
      const { kind, declared, refusal } = workload;
      if (kind !== 'CronJob' || declared === undefined || refusal !== '') continue;
      const cronJob = declared.object as CronJob;
      const { metadata, status } = this.#around.stored(workload) ?? cronJob;
      const known = { ...cronJob, ...(metadata && { metadata }), ...(status && { status }) };
      const next = cronTimes(known, calendar.start);
      if (next === null) continue;
      const active = [...new Set(this.#live(index).map(jobNameOf))].map((name): JobRun => {
        const pods = this.#live(index).filter((pod) => jobNameOf(pod) === name);
        return { spec: cronJob.spec.jobTemplate.spec ?? {}, drafts: [], pods, succeeded: 0 };
      });
      // A time that is second 0 itself is due.
      const schedule: Schedule = { next, last: calendar.start - 1, told: 0, active };
      this.#schedules.set(index, schedule);
      this.#await(index, calendar.start - 1);
      this.#catchUp(index, schedule, status?.lastScheduleTime ?? metadata?.creationTimestamp);
    }
  }

  /** What a CronJob has missed before second 0 is made good by one run. */
  #catchUp(index: number, schedule: Schedule, since: string | undefined): void {
    const start = this.#around.calendar.start ?? 0;
    const earliest = Date.parse(since ?? '');
    if (Number.isNaN(earliest) || earliest >= start) return;
    schedule.last = earliest;
    schedule.since = since;
    this.#around.run.callAt(0, () => {
      this.#sync(index, schedule);
    });
  }

  /** A pod has come to run: it ends by itself where somebody says how long it takes. */
  placed(pod: SimulatedPod): void {
    const { run, calendar } = this.#around;
    const workload = this.#around.workload(pod.workload);
    if (workload === undefined) return;
    const lasts = calendar.lasts.get(workloadKey(workload.kind, workload.namespace, workload.name));
    if (lasts === undefined) return;
    const { startedAt } = pod.info;
    const ago = calendar.start === null || startedAt === null ? 0 : Math.max(0, (calendar.start - startedAt) / 1000);
    run.callAt(run.clock + Math.max(0, lasts - ago), () => {
      if (run.place(pod).state === 'running') this.finish(pod);
    });
  }

  /** A pod of a Job succeeds; the controller makes the next one where completions are left. */
  finish(pod: SimulatedPod): void {
    const { run, controllers } = this.#around;
    const index = pod.workload;
    const job = this.#jobOf(pod);
    if (job !== undefined) job.pods = this.#current(job).filter((each) => each !== pod);
    controllers.letGo(index, 1);
    run.delete(pod, 0);
    if (job === undefined) return;
    job.succeeded += 1;
    const { completions, parallelism = 1 } = job.spec;
    // Without completions the first success says that the work is done. Source: manageJob in job_controller.go
    const wanted = completions === undefined ? job.pods.length : Math.min(parallelism, completions - job.succeeded);
    const at = job.succeeded + job.pods.length;
    const more = controllers.make(index, job.drafts.slice(at, at + Math.max(0, wanted - job.pods.length)));
    for (const each of more) run.addArriving(each);
    job.pods = [...job.pods, ...more];
    if (job.pods.length === 0) this.#ended(index, job);
  }

  /** All pods of a workload have been ended. */
  endAll(index: number): void {
    this.#jobs.delete(index);
    for (const job of this.#schedules.get(index)?.active ?? []) this.#ended(index, job);
  }

  #ended(index: number, job: JobRun): void {
    const schedule = this.#schedules.get(index);
    if (schedule === undefined) return;
    schedule.active = schedule.active.filter((each) => each !== job);
    this.#sync(index, schedule);
  }

  /** Waits for the next time after one. */
  #await(index: number, after: number): void {
    const { run, calendar } = this.#around;
    const schedule = this.#schedules.get(index)!;
    const start = calendar.start ?? 0;
    const time = schedule.next(after, start + calendar.until * 1000);
    if (time === null) return;
    run.callAt((time - start) / 1000, () => {
      this.#sync(index, schedule);
      this.#await(index, time);
    });
  }

  /** Source: syncCronJob in pkg/controller/cronjob/cronjob_controllerv2.go */
  #sync(index: number, schedule: Schedule): void {
    const { run, calendar } = this.#around;
    const workload = this.#around.workload(index);
    const cronJob = workload?.declared?.object as CronJob | undefined;
    if (workload === undefined || cronJob === undefined || cronJob.spec.suspend === true) return;
    const start = calendar.start ?? 0;
    const now = start + run.clock * 1000;
    const end = Math.min(now, start + calendar.until * 1000);
    const { concurrencyPolicy, startingDeadlineSeconds } = cronJob.spec;
    const deadline = now - (startingDeadlineSeconds ?? Infinity) * 1000;
    const { time: due, tooMany } = mostRecent(schedule.next, Math.max(schedule.last, deadline), end);
    const textOf = (time: number): string =>
      say`cronjob/${workload.namespace}/${workload.name} is due, ${new Date(time).toISOString().replace('.000Z', 'Z')}`;
    if (due === null) {
      const late = deadline > schedule.last ? mostRecent(schedule.next, schedule.last, end).time : null;
      if (late === null) return;
      schedule.last = late;
      // What was missed before second 0 is no event of this run.
      if (late >= start) {
        this.#around.report(textOf(late), [say`missed: startingDeadlineSeconds is ${startingDeadlineSeconds ?? 0}`]);
      }
      return;
    }
    const text = textOf(due);
    const running = schedule.active.length;
    if (concurrencyPolicy === 'Forbid' && running > 0) {
      if (schedule.told !== due) {
        this.#around.report(text, [say`not started: the run before it has not ended, and concurrencyPolicy is Forbid`]);
      }
      schedule.told = due;
      return;
    }
    schedule.last = due;
    const lines: string[] = [];
    if (schedule.since !== undefined && due < start) {
      lines.push(
        say`the last time that it missed since ${schedule.since}: one run catches up, as if its controller looked now`,
      );
    }
    // Source: nextScheduleTime in pkg/controller/cronjob/utils.go
    if (tooMany) {
      lines.push(
        'TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      );
    }
    if (concurrencyPolicy === 'Replace' && running > 0) {
      lines.push(
        say`${count(running, 'run')} before it ${running === 1 ? 'is' : 'are'} deleted: concurrencyPolicy is Replace`,
      );
      for (const job of schedule.active) for (const pod of this.#current(job)) this.#end(pod);
      schedule.active = [];
    }
    if (this.#started >= mostRuns) {
      if (this.#started++ === mostRuns) {
        this.#around.report(text, [say`not started, nor any later one: at most ${mostRuns} runs are`]);
      }
      return;
    }
    this.#started += 1;
    this.#start(index, schedule, cronJob, due, lines);
    this.#around.report(text, lines);
  }

  #start(index: number, schedule: Schedule, cronJob: CronJob, due: number, lines: string[]): void {
    const { run, controllers, calendar } = this.#around;
    const spec = cronJob.spec.jobTemplate.spec ?? {};
    const drafts = draftsOf(cronJob, due / 60_000);
    const pods = controllers.make(index, drafts.slice(0, replicasOf(cronJob)));
    for (const pod of pods) run.addArriving(pod);
    const job: JobRun = { spec, drafts, pods, succeeded: 0 };
    schedule.active = [...schedule.active, job];
    const activeDeadlineSeconds = cronJob.spec.jobTemplate.spec?.activeDeadlineSeconds;
    if (activeDeadlineSeconds !== undefined) {
      run.callAt(run.clock + activeDeadlineSeconds, () => {
        if (!schedule.active.includes(job)) return;
        for (const pod of this.#current(job)) this.#end(pod);
        this.#ended(index, job);
      });
    }
    const key = workloadKey('CronJob', cronJob.metadata?.namespace ?? 'default', cronJob.metadata?.name ?? '');
    if (!calendar.lasts.has(key) && activeDeadlineSeconds === undefined && this.#started === 1) {
      lines.push(say`its pods do not end by themselves: \`lasts\` does not say how long they run`);
    }
  }

  /** Ends in its grace period, and nothing comes in its place. */
  #end(pod: SimulatedPod): void {
    const { run, controllers } = this.#around;
    if (run.place(pod).state === 'running') controllers.letGo(pod.workload, 1);
    run.delete(pod);
  }

  #jobOf(pod: SimulatedPod): JobRun | undefined {
    const index = pod.workload;
    const scheduled = this.#schedules.get(index)?.active.find((job) => this.#current(job).includes(pod));
    if (scheduled !== undefined) return scheduled;
    const workload = this.#around.workload(index);
    if (workload?.kind !== 'Job' || workload.declared === undefined) return undefined;
    let job = this.#jobs.get(index);
    if (job === undefined) {
      const object = workload.declared.object as Job;
      job = {
        spec: object.spec ?? {},
        drafts: draftsOf(object, 0),
        pods: this.#live(index),
        succeeded: object.status?.succeeded ?? 0,
      };
      this.#jobs.set(index, job);
    }
    return job;
  }

  /** Its pods that have not ended, with those that came in place of evicted ones. */
  #current(job: JobRun): readonly SimulatedPod[] {
    const { controllers } = this.#around;
    job.pods = job.pods
      .map((pod) => {
        let last = pod;
        for (let next = controllers.replacementOf(last); next !== undefined; next = controllers.replacementOf(last)) {
          last = next;
        }
        return last;
      })
      .filter((pod) => this.#isLive(pod));
    return job.pods;
  }

  #live(index: number): readonly SimulatedPod[] {
    return [...this.#around.run.pods.all()].filter((pod) => pod.workload === index && this.#isLive(pod));
  }

  #isLive(pod: SimulatedPod): boolean {
    return ['running', 'pending', 'nominated', 'gated'].includes(this.#around.run.place(pod).state);
  }
}

/** Every pod that a Job may come to make, or the Job of a CronJob that is due in a minute. */
function draftsOf(workload: Job | CronJob, scheduledMinute: number): readonly Pod[] {
  const all = <Spec extends Job['spec']>(spec: Spec): Spec =>
    spec?.completions === undefined
      ? spec
      : { ...spec, parallelism: Math.max(spec.parallelism ?? 1, spec.completions) };
  const wide =
    workload.kind === 'CronJob'
      ? {
          ...workload,
          spec: {
            ...(workload as CronJob).spec,
            jobTemplate: {
              ...(workload as CronJob).spec.jobTemplate,
              spec: all((workload as CronJob).spec.jobTemplate.spec),
            },
          },
        }
      : { ...workload, spec: all((workload as Job).spec) };
  return expandWorkload(wide, { nodes: [], scheduledMinute }).pods;
}

function jobNameOf(pod: SimulatedPod | undefined): string {
  return pod?.pod.metadata?.ownerReferences?.find(({ controller }) => controller === true)?.name ?? '';
}
