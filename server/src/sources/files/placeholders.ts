import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { unread } from '../../manifests/placeholders.ts';

const placeholder = /\$\{[A-Za-z_][^${}]{0,200}\}|%[A-Z][A-Z0-9_]{0,100}%/;

/** The first placeholder of an object without a value, in a field that scheduling looks at. */
export function openPlaceholder(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return placeholder.exec(value)?.[0];
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return firstOf(value as readonly Json[]);
  return firstOf(Object.entries(value as JsonObject).flatMap(([key, item]) => (unread.has(key) ? [] : [item])));
}

function firstOf(values: readonly Json[]): string | undefined {
  for (const value of values) {
    const found = openPlaceholder(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
