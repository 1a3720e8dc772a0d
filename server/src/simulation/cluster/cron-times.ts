import { readSchedule } from '../../admission/workloads/cron-schedule.ts';
import type { CronJob } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';

/** Milliseconds since 1970 of the first time after another, and not after a third; null when there is none. */
export type NextTime = (after: number, until: number) => number | null;

const minute = 60_000;
/** Clocks are only ever set at quarters of an hour, and no zone is off by less. */
const quarter = 15 * minute;

/**
 * When a CronJob is due; null where its schedule or its time zone cannot be read. One that nobody has made yet is made at
 * `made`, from which `@every` counts. Times that a clock leaves out are
 * left out, times that it has twice come twice.
 * Source: Next and dayMatches in vendor/github.com/robfig/cron/v3/spec.go
 */
export function cronTimes({ spec, metadata, status }: CronJob, made: number): NextTime | null {
  const schedule = readSchedule(spec.schedule);
  const offsetOf = offsets(spec.timeZone ?? 'UTC');
  if (schedule === null || offsetOf === null) return null;
  if ('every' in schedule) {
    const from = Date.parse(status?.lastScheduleTime ?? metadata?.creationTimestamp ?? '');
    return (after, until) => {
      const base = Number.isNaN(from) ? made : from;
      const next = base + (Math.max(0, Math.floor((after - base) / schedule.every)) + 1) * schedule.every;
      return next <= until ? next : null;
    };
  }
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = schedule.fields as readonly [
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
    ReadonlySet<number>,
  ];
  const isDay = (wall: Date): boolean => {
    const ofMonth = daysOfMonth.has(wall.getUTCDate());
    const ofWeek = daysOfWeek.has(wall.getUTCDay());
    return schedule.anyDayOfMonth || schedule.anyDayOfWeek ? ofMonth && ofWeek : ofMonth || ofWeek;
  };
  return (after, until) => {
    for (let time = (Math.floor(after / minute) + 1) * minute; time <= until; time += minute) {
      const wall = new Date(time + offsetOf(time));
      if (!hours.has(wall.getUTCHours()) || !months.has(wall.getUTCMonth() + 1) || !isDay(wall)) {
        // No minute until the clocks may be set is due.
        time = Math.floor(time / quarter) * quarter + quarter - minute;
      } else if (minutes.has(wall.getUTCMinutes())) {
        return time;
      }
    }
    return null;
  };
}

/** How far ahead times are looked for. Source: Next in vendor/github.com/robfig/cron/v3/spec.go (yearLimit) */
const longest = 5 * 366 * 24 * 60 * minute;

/** From this many on the controller warns. Source: mostRecentScheduleTime */
const fewMissed = 100;

/** What a CronJob is due for. */
export interface Due {
  /** Milliseconds since 1970; null for nothing. */
  readonly time: number | null;
  /** It has missed so many times that the controller warns; it is started all the same. */
  readonly tooMany: boolean;
}

/**
 * What a CronJob is due for, as its controller finds it after one time and up to another. It counts what was missed by
 * the distance of the first two, and looks from there on: where later times are farther apart, it may find none.
 * Source: mostRecentScheduleTime in pkg/controller/cronjob/utils.go
 */
export function mostRecent(next: NextTime, after: number, now: number): Due {
  const first = next(after, Math.min(now, after + longest));
  if (first === null) return { time: null, tooMany: false };
  const second = next(first, Math.min(now, first + longest));
  if (second === null) return { time: first, tooMany: false };
  const between = Math.round((second - first) / 1000);
  if (between < 1) return { time: null, tooMany: false };
  const missed = Math.floor(Math.floor((now - first) / 1000) / between) + 1;
  let time: number | null = null;
  const from = first + (missed - 2) * between * 1000;
  for (let each = next(from, now); each !== null; each = next(each, now)) time = each;
  return { time, tooMany: time !== null && missed > fewMissed };
}

const knownOffsets = new Map<string, (time: number) => number>();

/** What the clocks of a zone are ahead of UTC, in milliseconds; null for a zone that is none. */
function offsets(timeZone: string): ((time: number) => number) | null {
  if (timeZone === 'UTC') return () => 0;
  const known = knownOffsets.get(timeZone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  } catch {
    return null;
  }
  const byQuarter = new Map<number, number>();
  const offsetOf = (time: number): number => {
    const at = Math.floor(time / quarter);
    return getOrInsert(byQuarter, at, () => {
      const parts = new Map(format.formatToParts(at * quarter).map(({ type, value }) => [type, Number(value)]));
      const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
      return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute')) - at * quarter;
    });
  };
  knownOffsets.set(timeZone, offsetOf);
  return offsetOf;
}
