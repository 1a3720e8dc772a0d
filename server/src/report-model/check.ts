import { own } from '../util/own.ts';
import { isObject } from '../util/values.ts';
/**
 * Checks of plain data, from which types are derived. For values with tens of thousands of parts, where a zod schema
 * would take longer than drawing them: it makes a copy of every part.
 */
export interface Check<T> {
  (value: unknown): value is T;
  /** The same with its texts for people told otherwise; not there where it can have none. */
  readonly retell?: (value: unknown, tell: Teller) => unknown;
}

/** Tells a text in another language. */
export type Teller = (text: string) => string;

/** What a check has found. */
export type Checked<C> = C extends Check<infer T> ? T : never;

export const text: Check<string> = (value) => typeof value === 'string';
/** A text for people, in words of ours: the page shows it in the language of the editor. Names and messages are none. */
export const prose: Check<string> = Object.assign((value: unknown): value is string => typeof value === 'string', {
  retell: (value: unknown, tell: Teller) => tell(value as string),
});
export const flag: Check<boolean> = (value) => typeof value === 'boolean';
export const number: Check<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
/** A position in a list. */
export const index: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export function oneOf<const T extends string | number>(...values: readonly T[]): Check<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return (value): value is T => known.has(value);
}

export function nullOr<T>(check: Check<T>): Check<T | null> {
  const either = (value: unknown): value is T | null => value === null || check(value);
  return withRetelling(either, check.retell && ((value, tell) => (value === null ? null : check.retell!(value, tell))));
}

export function either<const C extends readonly Check<unknown>[]>(...checks: C): Check<Checked<C[number]>> {
  const some = (value: unknown): value is Checked<C[number]> => checks.some((check) => check(value));
  if (!checks.some(({ retell }) => retell)) return some;
  return withRetelling(some, (value, tell) => {
    const retell = checks.find((check) => check(value))?.retell;
    return retell === undefined ? value : retell(value, tell);
  });
}

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  const every = (value: unknown): value is readonly T[] => Array.isArray(value) && value.every((each) => check(each));
  const { retell } = check;
  return withRetelling(every, retell && ((value, tell) => (value as T[]).map((each) => retell(each, tell))));
}

/** An object whose values are all alike. */
export function recordOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => {
    if (!isObject(value)) return false;
    for (const key in value) if (!check(value[key])) return false;
    return true;
  };
}

type Fields = Readonly<Record<string, Check<unknown>>>;
type Shape<F extends Fields> = { readonly [Key in keyof F]: Checked<F[Key]> };

/** An object with these fields; others do not matter. */
export function shape<F extends Fields>(fields: F): Check<Shape<F>> {
  const keys = Object.keys(fields) as (keyof F & string)[];
  const checks = Object.values(fields);
  const fits = (value: unknown): value is Shape<F> => {
    if (!isObject(value)) return false;
    for (let at = 0; at < keys.length; at++) if (!checks[at]!(value[keys[at]!])) return false;
    return true;
  };
  const told = Object.entries(fields).flatMap(([key, { retell }]) => (retell === undefined ? [] : [{ key, retell }]));
  if (told.length === 0) return fits;
  return withRetelling(fits, (value, tell) => {
    const of = value as Readonly<Record<string, unknown>>;
    return { ...of, ...Object.fromEntries(told.map(({ key, retell }) => [key, retell(own(of, key), tell)])) };
  });
}

/** An object that may have these fields besides, which are no texts for people. */
export function perhaps<T, O extends Fields>(check: Check<T>, optional: O): Check<T & Partial<Shape<O>>> {
  const others = Object.entries(optional);
  const fits = (value: unknown): value is T & Partial<Shape<O>> =>
    check(value) &&
    others.every(([key, each]) => isObject(value) && (own(value, key) === undefined || each(own(value, key))));
  return withRetelling(fits, check.retell);
}

/** A value of a table of fields with its texts for people told otherwise; anything else in it stays as it is. */
export function retold<T, Value extends T>({ retell }: Check<T>, value: Value, tell: Teller): Value {
  return retell === undefined ? value : (retell(value, tell) as Value);
}

function withRetelling<T>(check: (value: unknown) => value is T, retell: Check<T>['retell']): Check<T> {
  return retell === undefined ? check : Object.assign(check, { retell });
}
