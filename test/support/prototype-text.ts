import type { Place } from './strange-documents.ts';

/** Stands in the place of a text that an object of JavaScript could not have as a key. */
const stand = '@@here@@';

/** A value as JSON with something else at a place of it: under another key, or another value. */
export function withText(value: unknown, { way, on }: Place, other: unknown): string {
  const changed = replaced(value, way, on);
  return JSON.stringify(changed, null, 1).replaceAll(JSON.stringify(stand), JSON.stringify(other));
}

function replaced(value: unknown, [step, ...rest]: Place['way'], on: Place['on']): unknown {
  if (step === undefined) return stand;
  if (Array.isArray(value)) return value.map((each: unknown, at) => (at === step ? replaced(each, rest, on) : each));
  const entries = Object.entries(value as object).map(([key, inner]: [string, unknown]): [string, unknown] => {
    if (key !== step) return [key, inner];
    return rest.length === 0 && on === 'key' ? [stand, inner] : [key, replaced(inner, rest, on)];
  });
  return Object.fromEntries(entries);
}
