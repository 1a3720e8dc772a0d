import { own } from '../util/own.ts';
import { isObject } from '../util/values.ts';
/**
 * Checks of plain data, from which types are derived. For values with tens of thousands of parts, where a zod schema
 * would take longer than drawing them: it makes a copy of every part.
 */
export interface Check<T> {
  (value: unknown): value is T;
  /** The same with its texts for people told otherwise; not there where it can have none. */
  readonly mapProse?: (value: unknown, translate: Translate) => unknown;
}

/** Tells a text in another language. */
export type Translate = (text: string) => string;

/** What a check has found. */
export type Checked<C> = C extends Check<infer T> ? T : never;

export const text: Check<string> = (value) => typeof value === 'string';
/** A text for people, in words of ours: the page shows it in the language of the editor. Names and messages are none. */
export const prose: Check<string> = Object.assign((value: unknown): value is string => typeof value === 'string', {
  mapProse: (value: unknown, translate: Translate) => translate(value as string),
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
  return withMapping(
    either,
    check.mapProse && ((value, translate) => (value === null ? null : check.mapProse!(value, translate))),
  );
}

export function either<const C extends readonly Check<unknown>[]>(...checks: C): Check<Checked<C[number]>> {
  const some = (value: unknown): value is Checked<C[number]> => checks.some((check) => check(value));
  if (!checks.some(({ mapProse }) => mapProse)) return some;
  return withMapping(some, (value, translate) => {
    const mapProse = checks.find((check) => check(value))?.mapProse;
    return mapProse === undefined ? value : mapProse(value, translate);
  });
}

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  const every = (value: unknown): value is readonly T[] => Array.isArray(value) && value.every((each) => check(each));
  const { mapProse } = check;
  return withMapping(
    every,
    mapProse && ((value, translate) => (value as T[]).map((each) => mapProse(each, translate))),
  );
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
  return withMapping(fits, mappingOf(fields));
}

/** Tells the texts of fields otherwise, of those that are there. */
function mappingOf(fields: Fields): Check<unknown>['mapProse'] {
  const withProse = Object.entries(fields).flatMap(([key, { mapProse }]) =>
    mapProse === undefined ? [] : [{ key, mapProse }],
  );
  if (withProse.length === 0) return undefined;
  return (value, translate) => {
    const of = value as Readonly<Record<string, unknown>>;
    const there = withProse.filter(({ key }) => own(of, key) !== undefined);
    return {
      ...of,
      ...Object.fromEntries(there.map(({ key, mapProse }) => [key, mapProse(own(of, key), translate)])),
    };
  };
}

/** An object that may have these fields besides. */
export function perhaps<T, O extends Fields>(check: Check<T>, optional: O): Check<T & Partial<Shape<O>>> {
  const others = Object.entries(optional);
  const fits = (value: unknown): value is T & Partial<Shape<O>> =>
    check(value) &&
    others.every(([key, each]) => isObject(value) && (own(value, key) === undefined || each(own(value, key))));
  const ofOthers = mappingOf(optional);
  if (ofOthers === undefined || check.mapProse === undefined) return withMapping(fits, check.mapProse ?? ofOthers);
  const { mapProse } = check;
  return withMapping(fits, (value, translate) => ofOthers(mapProse(value, translate), translate));
}

/** A value of a table of fields with its texts for people told otherwise; anything else in it stays as it is. */
export function translated<T, Value extends T>({ mapProse }: Check<T>, value: Value, translate: Translate): Value {
  return mapProse === undefined ? value : (mapProse(value, translate) as Value);
}

function withMapping<T>(check: (value: unknown) => value is T, mapProse: Check<T>['mapProse']): Check<T> {
  return mapProse === undefined ? check : Object.assign(check, { mapProse });
}
