import { say } from '../../util/say.ts';
import { duration, list } from '../../util/words.ts';
import type { Assumption, Report } from '../../report-model/report.ts';
import type { CronJob } from '../../kubernetes/objects.ts';
import { cronTimes } from '../cluster/cron-times.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';

type ScheduledReport = Pick<Report, 'steps' | 'pods' | 'workloads' | 'events'>;

function assumption(mark: Assumption['mark'], text: string, detail: string): Assumption {
  return { mark, text, detail };
}

/** What is assumed of CronJobs: when they start, and which never do. */
export function schedules(
  report: ScheduledReport,
  { inventory: { calendar }, workloads }: SimulatedCluster,
): Assumption[] {
  if (calendar?.start != null) {
    return [
      assumption(
        '=',
        say`second 0 is ${new Date(calendar.start).toISOString().replace('.000Z', 'Z')}, and CronJobs start at their times for ${duration(calendar.until)}`,
        say`Jobs run as long as the scenario says in \`lasts\`, else until a finish or their activeDeadlineSeconds. None fails.`,
      ),
      ...neverDue(workloads, calendar.start, calendar.start + calendar.until * 1000),
    ];
  }
  const started = new Set(report.steps.map(({ pod }) => report.pods[pod]?.workload ?? -1));
  const names = report.workloads.flatMap(({ kind, name }, index) =>
    kind === 'CronJob' && started.has(index) ? [name] : [],
  );
  const idle = calendar === undefined && report.events.length === 0 ? [] : waitingSchedules(workloads, started);
  return [
    ...(names.length === 0
      ? []
      : [
          assumption(
            '?',
            say`one run of ${list(names)} starts now`,
            say`A CronJob starts at its time; the simulation shows what one run would meet.`,
          ),
        ]),
    ...(idle.length === 0
      ? []
      : [
          assumption(
            '≥',
            say`no run of ${list(idle)} starts`,
            say`The time of day is not known: with \`start\` in a scenario, CronJobs start at their times.`,
          ),
        ]),
  ];
}

/** CronJobs that do not start while they may. */
function neverDue(workloads: SimulatedCluster['workloads'], start: number, end: number): Assumption[] {
  const idle: string[] = [];
  const lost: string[] = [];
  const refused: Assumption[] = [];
  for (const { kind, name, declared, refusal } of workloads) {
    if (kind !== 'CronJob' || declared === undefined) continue;
    if (refusal !== '') {
      refused.push(assumption('!', say`no run of ${name}, as the API server refuses it`, refusal));
      continue;
    }
    const cronJob = declared.object as CronJob;
    if (cronJob.spec.suspend === true) continue;
    const next = cronTimes(cronJob, start);
    if (next === null) lost.push(say`${name} (${cronJob.spec.timeZone ?? cronJob.spec.schedule})`);
    else if (next(start - 1, end) === null) idle.push(say`${name} (${cronJob.spec.schedule})`);
  }
  return [
    ...refused,
    ...(idle.length === 0
      ? []
      : [
          assumption(
            '=',
            say`no run of ${list(idle)} is due until then`,
            say`Their schedules have no time in that while.`,
          ),
        ]),
    ...(lost.length === 0
      ? []
      : [
          assumption(
            '!',
            say`no run of ${list(lost)}: when is not known`,
            say`The time zone or the schedule cannot be read. The API server refuses time zones that it does not know.`,
          ),
        ]),
  ];
}

/** CronJobs that would start some time, and have not. */
function waitingSchedules(workloads: SimulatedCluster['workloads'], started: ReadonlySet<number>): readonly string[] {
  return workloads.flatMap(({ kind, name, declared }, index) => {
    if (kind !== 'CronJob' || declared === undefined || started.has(index)) return [];
    return (declared.object as CronJob).spec.suspend === true ? [] : [name];
  });
}
