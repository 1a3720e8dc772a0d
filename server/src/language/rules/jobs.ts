import { say } from '../../util/say.ts';
import { count, titleOf } from '../../util/words.ts';
import type { CronJob, Job } from '../../kubernetes/objects.ts';
import { cronTimes } from '../../simulation/cluster/cron-times.ts';
import type { Fact } from '../index/fact.ts';
import { podPriority } from '../index/priority-classes.ts';
import { preemptors, systemPriority } from '../index/priority-ranking.ts';
import { fixAt, replaceScalar, replaceWord, setValue } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

type JobSpec = NonNullable<Job['spec']>;

export const jobLostWhenEvicted: ObjectRule = {
  code: 'job-lost-when-evicted',
  title: 'A Job without retries fails for good when its pod is preempted',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const job = jobSpecOf(fact);
    if (job?.spec.backoffLimit !== 0 || ignoresDisruptions(job.spec)) return;
    const own = podPriority(facts, fact);
    if (own?.admitted !== true) return;
    const { count: above, highest } = preemptors(facts, own.priority, [fact], systemPriority);
    if (highest === undefined) return;
    const message = say`With backoffLimit: 0 the Job fails for good when its pod is evicted, and ${count(above, 'workload')} of higher priority may preempt it, ${titleOf(highest.fact)} (${highest.priority}) first. A podFailurePolicy that ignores DisruptionTarget does not count evictions as failures.`;
    yield findingAt(fact, [...job.path, 'backoffLimit'], message, { related: () => [highest.fact] });
  },
  fix: fixAt((fact, path) => {
    const job = jobSpecOf(fact);
    if (job === undefined) return [];
    const retry = { title: say`Set backoffLimit: 1`, edits: [replaceWord(fact, path, '1')] };
    // The API server allows the policy with this alone; of several rules the first that matches counts.
    if (fact.template?.spec.restartPolicy !== 'Never' || job.spec.podFailurePolicy !== undefined) return [retry];
    const policy = { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] };
    return [
      {
        title: say`Do not count evictions as failures`,
        preferred: true,
        edits: [setValue(fact, [...path.slice(0, -1), 'podFailurePolicy'], policy)],
      },
      retry,
    ];
  }),
};

/** What a half-written one may lack. */
function written({ spec }: CronJob): Partial<CronJob['spec']> {
  return spec;
}

function jobSpecOf({ kind, object }: Fact): { readonly spec: JobSpec; readonly path: readonly string[] } | undefined {
  if (kind === 'Job') {
    const { spec } = object as Job;
    return spec === undefined ? undefined : { spec, path: ['spec'] };
  }
  const spec = kind === 'CronJob' ? written(object as CronJob).jobTemplate?.spec : undefined;
  return spec === undefined ? undefined : { spec, path: ['spec', 'jobTemplate', 'spec'] };
}

function ignoresDisruptions({ podFailurePolicy }: JobSpec): boolean {
  return (podFailurePolicy?.rules ?? []).some(
    ({ action, onPodConditions = [] }) =>
      action === 'Ignore' && onPodConditions.some(({ type }) => type === 'DisruptionTarget'),
  );
}

/** Runs that come so soon after each other may well overlap, in seconds. */
const soon = 600;

export const cronRunsPileUp: ObjectRule = {
  code: 'cron-runs-pile-up',
  title: 'A CronJob may start its next run before earlier ones have finished',
  severity: 'information',
  scope: 'object',
  *check({ fact }) {
    if (fact.kind !== 'CronJob') return;
    const cron = fact.object as CronJob;
    const { concurrencyPolicy = 'Allow', suspend = false } = cron.spec;
    const gap = concurrencyPolicy === 'Allow' && !suspend ? shortestGap(cron) : null;
    if (gap === null) return;
    const deadline = written(cron).jobTemplate?.spec?.activeDeadlineSeconds;
    if (deadline === undefined ? gap > soon : deadline <= gap) return;
    const message =
      deadline === undefined
        ? say`It starts every ${count(gap, 'second')} whether earlier runs have ended or not, and nothing ends them: while its pods are pending, they pile up.`
        : say`It starts every ${count(gap, 'second')}, and a run may take ${count(deadline, 'second')}: ${Math.ceil(deadline / gap)} runs may be there at once, or more while pods are pending.`;
    const path = ['spec', cron.spec.concurrencyPolicy === undefined ? 'schedule' : 'concurrencyPolicy'];
    yield findingAt(fact, path, message, deadline === undefined ? { severity: 'hint' } : {});
  },
  fix: fixAt((fact) => {
    const path = ['spec', 'concurrencyPolicy'];
    const isWritten = (fact.object as CronJob).spec.concurrencyPolicy !== undefined;
    const edit = isWritten ? replaceScalar(fact, path, 'Forbid') : setValue(fact, path, 'Forbid');
    return [{ title: say`Set concurrencyPolicy: Forbid`, edits: [edit] }];
  }),
};

/** Any moment does: schedules repeat. */
const from = Date.UTC(2026, 0, 5);
const day = 86_400_000;

/** The fewest seconds between two runs of the first few; null where they are far apart, or cannot be read. */
function shortestGap(cron: CronJob): number | null {
  const next = cronTimes(cron, from);
  let shortest: number | null = null;
  let last = next?.(from, from + day) ?? null;
  for (let runs = 0; next !== null && last !== null && runs < 12; runs += 1) {
    const time = next(last, last + day);
    if (time !== null) shortest = Math.min(shortest ?? Infinity, (time - last) / 1000);
    last = time;
  }
  return shortest;
}
