import { ExactInteger } from './exact-integer.ts';

/** Of a value of unknown make: whether it is a plain object, whatever it holds. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactInteger);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** What is found by following a path through objects and lists; undefined when the way ends early. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current) && typeof step === 'number') current = (current as readonly unknown[])[step];
    else if (isObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}
