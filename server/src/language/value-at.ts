import { isObject } from '../kit/values.ts';
import type { Path } from '../kubernetes/json.ts';

/** What is found by following a path through objects and lists; undefined when the way ends early. */
export function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current) && typeof step === 'number') current = (current as readonly unknown[])[step];
    else if (isObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}
