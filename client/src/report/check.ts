/**
 * Checks of plain data that tell the compiler what they have found. For values with tens of thousands of parts, where
 * a zod schema would take longer than drawing them; it allocates for every field.
 */
export type Check<T> = (value: unknown) => value is T;

export const isText: Check<string> = (value) => typeof value === 'string';
export const isFlag: Check<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Check<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
/** A position in a list. */
export const isIndex: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export function isOneOf<const T extends string | number>(...values: readonly T[]): Check<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return (value): value is T => known.has(value);
}

export function isNullOr<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

export function isListOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(check);
}

/** An object whose values are all alike. */
export function isRecordOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => isObject(value) && hasOnly(value, check);
}

/** An object with these fields; others do not matter. */
export function isShape<T extends object>(fields: { readonly [Key in keyof T]-?: Check<T[Key]> }): Check<T> {
  const keys = Object.keys(fields);
  const checks = Object.values<Check<unknown>>(fields);
  return (value): value is T => {
    if (!isObject(value)) {
      return false;
    }
    for (let at = 0; at < keys.length; at++) {
      if (!checks[at]!(value[keys[at]!])) {
        return false;
      }
    }
    return true;
  };
}

function hasOnly(value: Readonly<Record<string, unknown>>, check: Check<unknown>): boolean {
  for (const key in value) {
    if (!check(value[key])) {
      return false;
    }
  }
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
