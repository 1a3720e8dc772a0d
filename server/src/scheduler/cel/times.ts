import { CelError, Duration, Timestamp, type Value } from './values.ts';

const second = 1_000_000_000n;
const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', 60n * second],
  ['h', 3600n * second],
]);
const durationShape = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** Null for what is no duration. Source: Go's time.ParseDuration */
export function durationOf(text: string): Duration | null {
  if (!durationShape.test(text)) return null;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit] of text
    .replace(/^[-+]/, '')
    .matchAll(/(\d*)(?:\.(\d*))?([a-zµμ]+)/gy)) {
    const scale = units.get(unit!)!;
    nanos += BigInt(whole || '0') * scale;
    if (fraction !== '') nanos += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  return new Duration(text.startsWith('-') ? -nanos : nanos);
}

const timeShape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Null for what is no time. Source: Go's time.Parse with RFC3339 */
export function timestampOf(text: string): Timestamp | null {
  const found = timeShape.exec(text);
  if (found === null) return null;
  const fraction = found[7] ?? '';
  const milliseconds = Date.parse(fraction === '' ? text : text.replace(`.${fraction}`, ''));
  const [, , , day, hour, , seconds] = found.map(Number);
  if (Number.isNaN(milliseconds) || hour! > 23 || seconds! > 59) return null;
  // A day that the month does not have rolls over.
  const [year, month] = [Number(found[1]), Number(found[2])];
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return null;
  const nanos = BigInt(`${fraction}000000000`.slice(0, 9));
  return new Timestamp(BigInt(milliseconds) * 1_000_000n + nanos);
}

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

export function timestampText({ nanos }: Timestamp): string {
  const rest = ((nanos % second) + second) % second;
  const date = new Date(Number((nanos - rest) / 1_000_000n)).toISOString().slice(0, 19);
  const fraction = rest === 0n ? '' : `.${withoutLastZeros(String(rest).padStart(9, '0'))}`;
  return `${date}${fraction}Z`;
}

/** Seconds, as `duration` is converted to text. */
export function durationText({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const rest = size % second;
  const fraction = rest === 0n ? '' : `.${withoutLastZeros(String(rest).padStart(9, '0'))}`;
  return `${nanos < 0n ? '-' : ''}${size / second}${fraction}s`;
}

/** The milliseconds that a time zone is ahead of UTC at a time. Names of zones are looked up in the runtime's tables. */
function offsetOf(zone: string, time: number): number {
  const found = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (found !== null) {
    const minutes = Number(found[2]) * 60 + Number(found[3]);
    return (found[1] === '-' ? -minutes : minutes) * 60_000;
  }
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(time);
    const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local - Math.floor(time / 1000) * 1000;
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const parts: ReadonlyMap<string, (date: Date) => number> = new Map([
  ['getFullYear', (date: Date) => date.getUTCFullYear()],
  ['getMonth', (date: Date) => date.getUTCMonth()],
  ['getDayOfYear', (date: Date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000)],
  ['getDayOfMonth', (date: Date) => date.getUTCDate() - 1],
  ['getDate', (date: Date) => date.getUTCDate()],
  ['getDayOfWeek', (date: Date) => date.getUTCDay()],
  ['getHours', (date: Date) => date.getUTCHours()],
  ['getMinutes', (date: Date) => date.getUTCMinutes()],
  ['getSeconds', (date: Date) => date.getUTCSeconds()],
  ['getMilliseconds', (date: Date) => date.getUTCMilliseconds()],
]);

const durationParts: ReadonlyMap<string, bigint> = new Map([
  ['getHours', 3600n * second],
  ['getMinutes', 60n * second],
  ['getSeconds', second],
  ['getMilliseconds', 1_000_000n],
]);

/** A part of a time, or how often a unit is in a duration. */
export function timePart(name: string, time: Duration | Timestamp, zone: Value | undefined): bigint {
  if (time instanceof Duration) {
    const whole = name === 'getMilliseconds' ? time.nanos % second : time.nanos;
    return whole / durationParts.get(name)!;
  }
  const rest = ((time.nanos % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const milliseconds = Number((time.nanos - rest) / 1_000_000n);
  const offset = typeof zone === 'string' ? offsetOf(zone, milliseconds) : 0;
  return BigInt(parts.get(name)!(new Date(milliseconds + offset)));
}

export const timeParts: ReadonlySet<string> = new Set(parts.keys());
