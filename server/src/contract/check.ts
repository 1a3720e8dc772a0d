import { isObject } from '../kit/values.ts';
/**
 * Checks of plain data, from which types are derived. For values with tens of thousands of parts, where a zod schema
 * would take longer than drawing them: it makes a copy of every part.
 */
export type Check<T> = (value: unknown) => value is T;

/** What a check has found. */
export type Checked<C> = C extends Check<infer T> ? T : never;

export const text: Check<string> = (value) => typeof value === 'string';
export const flag: Check<boolean> = (value) => typeof value === 'boolean';
export const number: Check<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
/** A position in a list. */
export const index: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export function oneOf<const T extends string | number>(...values: readonly T[]): Check<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return (value): value is T => known.has(value);
}

export function nullOr<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

export function either<const C extends readonly Check<unknown>[]>(...checks: C): Check<Checked<C[number]>> {
  return (value): value is Checked<C[number]> => checks.some((check) => check(value));
}

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(check);
}

/** An object whose values are all alike. */
export function recordOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => {
    if (!isObject(value)) return false;
    for (const key in value) if (!check(value[key])) return false;
    return true;
  };
}

/** An object with these fields; others do not matter. */
export function shape<F extends Readonly<Record<string, Check<unknown>>>>(
  fields: F,
): Check<{ readonly [Key in keyof F]: Checked<F[Key]> }> {
  const keys = Object.keys(fields);
  const checks = Object.values(fields);
  return (value): value is { readonly [Key in keyof F]: Checked<F[Key]> } => {
    if (!isObject(value)) return false;
    for (let at = 0; at < keys.length; at++) if (!checks[at]!(value[keys[at]!])) return false;
    return true;
  };
}
