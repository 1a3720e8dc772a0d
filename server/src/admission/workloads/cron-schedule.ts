import { own } from '../../util/own.ts';
/**
 * A CronJob's schedule: its syntax, and what it says.
 * Source: ParseStandard in vendor/github.com/robfig/cron/v3/parser.go, time.ParseDuration of Go
 */

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Names in the order of their numbers, from `min`. */
  readonly names: readonly string[];
}

const fieldBounds: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const descriptors: readonly string[] = ['yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly'];
const every = '@every ';

/** Digits that surely fit the integer that Go reads them into. */
const maxDigits = 18;

const zoned = /^(?:CRON_)?TZ=/;

/** Whether Go knows a time zone: by its name in the database, capitals included. Source: time.LoadLocation */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true;
  try {
    // Offsets, which are no names, and names in other letters are known here, too.
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return !/^[-+]?\d/.test(name) && (timeZone === name || timeZone.toLowerCase() !== name.toLowerCase());
  } catch {
    return false;
  }
}

/** Why a schedule cannot be read, in the parser's words; undefined when it can. */
export function scheduleProblem(schedule: string): string | undefined {
  if (zoned.test(schedule)) {
    const end = schedule.indexOf(' ');
    if (end < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
    const zone = schedule.slice(schedule.indexOf('=') + 1, end);
    if (!isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    return scheduleProblem(schedule.slice(end).trim());
  }
  if (schedule.startsWith('@')) return descriptorProblem(schedule);
  const fields = schedule.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== fieldBounds.length) {
    return `expected exactly ${fieldBounds.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, bounds] of fieldBounds.entries()) {
    // Nothing between two commas is nothing to read.
    for (const expression of (fields[index] ?? '').split(',').filter((part) => part !== '')) {
      const problem = rangeProblem(expression, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** `number | name | * | ?`, with `-` and a second one, with `/` and a step. */
function rangeProblem(expression: string, bounds: Bounds): string | undefined {
  const [range = '', step, ...moreSteps] = expression.split('/');
  const [low = '', high, ...moreHyphens] = range.split('-');
  let start: number | string = bounds.min;
  let end: number | string = bounds.max;
  if (low !== '*' && low !== '?') {
    start = numberOrName(low, bounds);
    if (typeof start === 'string') return start;
    if (moreHyphens.length > 0) return `too many hyphens: ${expression}`;
    end = high === undefined ? start : numberOrName(high, bounds);
    if (typeof end === 'string') return end;
  }
  if (moreSteps.length > 0) return `too many slashes: ${expression}`;
  const stepWidth = step === undefined ? 1 : wholeNumber(step);
  if (typeof stepWidth === 'string') return stepWidth;
  // `5/10` means from 5 to the end.
  if (step !== undefined && high === undefined) end = bounds.max;
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${expression}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return stepWidth === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** A number, or the reason why it is none. */
function numberOrName(text: string, { min, names }: Bounds): number | string {
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? wholeNumber(text) : min + index;
}

function wholeNumber(text: string): number | string {
  const problem = !/^[-+]?[0-9]+$/.test(text)
    ? 'invalid syntax'
    : text.replace(/^[-+]?0*/, '').length > maxDigits
      ? 'value out of range'
      : undefined;
  if (problem !== undefined) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: ${problem}`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : Math.abs(number);
}

function descriptorProblem(schedule: string): string | undefined {
  if (descriptors.includes(schedule.slice(1))) return undefined;
  if (!schedule.startsWith(every)) return `unrecognized descriptor: ${schedule}`;
  const problem = durationProblem(schedule.slice(every.length));
  return problem === undefined ? undefined : `failed to parse duration ${schedule}: ${problem}`;
}

/** `1h30m` */
function durationProblem(text: string): string | undefined {
  const quoted = JSON.stringify(text);
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return undefined;
  do {
    const number = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)/.exec(rest)?.[0];
    if (number === undefined) return `time: invalid duration ${quoted}`;
    rest = rest.slice(number.length);
    const unit = /^[^.0-9]*/.exec(rest)?.[0] ?? '';
    if (unit === '') return `time: missing unit in duration ${quoted}`;
    if (!/^(?:ns|[uµμ]s|ms|s|m|h)$/.test(unit)) {
      return `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
    }
    rest = rest.slice(unit.length);
  } while (rest !== '');
  return undefined;
}

/** When a schedule is due: the values of minute, hour, day of month, month and day of week, or a number of milliseconds. */
export type Schedule =
  | { readonly fields: readonly ReadonlySet<number>[]; readonly anyDayOfMonth: boolean; readonly anyDayOfWeek: boolean }
  | { readonly every: number };

const descriptorSchedules: Readonly<Record<string, string>> = {
  yearly: '0 0 1 1 *',
  annually: '0 0 1 1 *',
  monthly: '0 0 1 * *',
  weekly: '0 0 * * 0',
  daily: '0 0 * * *',
  midnight: '0 0 * * *',
  hourly: '0 * * * *',
};

/** Reads a schedule; null for one that has a problem. */
export function readSchedule(schedule: string): Schedule | null {
  if (scheduleProblem(schedule) !== undefined) return null;
  if (schedule.startsWith(every)) {
    // Source: vendor/github.com/robfig/cron/v3/constantdelay.go (Every): whole seconds, at least one
    return { every: Math.max(1000, Math.trunc(millisecondsOf(schedule.slice(every.length)) / 1000) * 1000) };
  }
  const fields = (own(descriptorSchedules, schedule.slice(1)) ?? schedule).split(/\s+/).filter((field) => field !== '');
  const read = fields.map((field, index) => readField(field, fieldBounds[index]!));
  return {
    fields: read.map(({ values }) => values),
    anyDayOfMonth: read[2]!.any,
    anyDayOfWeek: read[4]!.any,
  };
}

/** A star with a step is not "any". Source: getRange in vendor/github.com/robfig/cron/v3/parser.go (starBit) */
function readField(field: string, bounds: Bounds): { readonly values: ReadonlySet<number>; readonly any: boolean } {
  const values = new Set<number>();
  let any = false;
  for (const expression of field.split(',').filter((part) => part !== '')) {
    const [range = '', step] = expression.split('/');
    const [low = '', high] = range.split('-');
    const isStar = low === '*' || low === '?';
    const width = step === undefined ? 1 : Number(step);
    if (isStar && width <= 1) any = true;
    const start = isStar ? bounds.min : Number(numberOrName(low, bounds));
    const given = high === undefined ? start : Number(numberOrName(high, bounds));
    const end = isStar || (step !== undefined && high === undefined) ? bounds.max : given;
    for (let value = start; value <= end; value += width) values.add(value);
  }
  return { values, any };
}

const unitMilliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function millisecondsOf(duration: string): number {
  const parts = duration.split(/(?<=[hms])(?=[0-9.])/);
  return parts.reduce((sum, part) => {
    const unit = part.slice(part.search(/[a-zµμ]/));
    return sum + Number.parseFloat(part) * (own(unitMilliseconds, unit) ?? 0);
  }, 0);
}
