import { inEnglish, joined, say, sayAmount, saySentence } from './say.ts';

/** `1 pod`, `3 pods`, `1,000 pods`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  const figure = grouped(amount);
  return sayAmount(`${figure} ${amount === 1 ? one : many}`, `{0} ${many}`, figure);
}

/** `1000000` → `1,000,000`. The same in every locale, so that it can be quoted. */
export function grouped(value: number): string {
  if (value >= 0 && value < 1000) return String(value);
  const [whole = '', fraction] = String(Math.abs(value)).split('.');
  let digits = whole;
  for (let at = whole.includes('e') ? 0 : whole.length - 3; at > 0; at -= 3) {
    digits = `${digits.slice(0, at)},${digits.slice(at)}`;
  }
  return `${value < 0 ? '-' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `1 of 3`; in other languages what is a part of something is said otherwise than what belongs to it. */
export function outOf(part: string | number, whole: string | number): string {
  return say`${part}${say` of `}${whole}`;
}

/** `a`, `a and b`, `a, b and c`; long lists are cut: `a, b and 9 more`. */
export function list(names: readonly string[], atMost = 4): string {
  if (names.length > atMost) {
    return say`${joined(names.slice(0, atMost - 1), ', ')} and ${grouped(names.length - atMost + 1)} more`;
  }
  if (names.length < 2) return names.join('');
  return say`${joined(names.slice(0, -1), ', ')} and ${names.at(-1)!}`;
}

const units = [
  [86_400, (amount: number) => count(amount, 'day')],
  [3_600, (amount: number) => count(amount, 'hour')],
  [60, (amount: number) => count(amount, 'minute')],
] as const;

/** A time in its largest unit: `3 hours`. */
export function duration(seconds: number): string {
  const unit = units.find(([length]) => seconds >= length);
  return unit === undefined ? say`less than a minute` : unit[1](Math.floor(seconds / unit[0]));
}

/** A time on the simulated clock, as long as it takes: `90 s`, `21 min`, `2 min 5 s`, `3 h 20 min`, `2 d 2 h`. */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds * 10) / 10;
  if (whole < 120) return say`${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = Math.round(whole % 60);
  if (minutes < 60) return rest === 0 ? say`${minutes} min` : say`${minutes} min ${rest} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? say`${hours} h` : say`${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? say`${days} d` : say`${days} d ${hours % 24} h`;
}

/** What has a time of day at second 0, in milliseconds since 1970 as a clock there shows it; undefined where nobody says. */
export interface TimeOfDay {
  readonly clockStart?: number | undefined;
}

/** When something happens: the time of day where it is known, with the date after the first 24 hours; else `clockText`. */
export function momentText({ clockStart }: TimeOfDay, seconds: number): string {
  if (clockStart === undefined) return clockText(seconds);
  const iso = new Date(clockStart + Math.round(seconds) * 1000).toISOString();
  return `${seconds < 86_400 ? '' : `${iso.slice(5, 10)} `}${iso.slice(11, iso.startsWith('00', 17) ? 16 : 19)}`;
}

interface Named {
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  /** Empty where the API server makes one, which begins with what the object says. */
  readonly name: string;
  readonly object?: { readonly metadata?: { readonly generateName?: string } };
}

/** `batch/train-1`; of an object of the cluster the name alone. */
export function qualifiedName({ namespace, name, object }: Named): string {
  const shown = name === '' ? (object?.metadata?.generateName ?? '') : name;
  return namespace === '' ? shown : `${namespace}/${shown}`;
}

/** `Job batch/train`. */
export function titleOf(object: Named & { readonly kind: string }): string {
  return `${object.kind} ${qualifiedName(object)}`;
}

/** With a full stop, where no other mark ends it. */
export function withStop(text: string): string {
  return /[.!?…]$/.test(inEnglish(text)) ? text : say`${text}.`;
}

/** Orders texts as Go does, by their units, in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The beginning of a sentence: its first word with a capital, unless that is a name, as paths and fields are. */
export function upperFirst(text: string): string {
  return saySentence(text);
}

/** A text in which an answer of the API server only names the field and what is wrong with it: `requests: must be …`. */
export function withCauseOnly(text: string): string {
  const [verb = ''] = / is (?:invalid|forbidden): \[?/.exec(text) ?? [];
  const at = verb === '' ? -1 : text.indexOf(verb);
  const [before = '', name, ...others] = text.slice(0, Math.max(at, 0)).split('"');
  if (name === undefined || others.length !== 1) return text;
  const [path = '', ...rest] = text.slice(at + verb.length).split(': ');
  const field = /^[\w.[\]]+$/.test(path) ? path.slice(path.lastIndexOf('.') + 1) : path;
  const cause = rest[0] === 'Invalid value' ? rest.slice(2) : rest;
  let start = before.trimEnd().length;
  while (start > 0 && /[\w.]/.test(before[start - 1]!)) start--;
  return `${before.slice(0, start).replace(/Error creating: $/, '')}${[field, ...cause].join(': ')}`;
}

/** What a commit is called beside other words: of a whole hash as much as tells it apart. */
export function gitName(commit: string): string {
  return `git ${/^[0-9a-f]{40}$/.test(commit) ? commit.slice(0, 12) : commit}`;
}
