/**
 * Objects that are looked into by a name from a file: `constructor` and `__proto__` are names like any other. A test
 * (`test/unit/house/lookups.test.ts`) refuses every other look-up by a text.
 */

/** What an object itself has under a name, and never what its prototype has. */
export function own<Value>(
  record: Readonly<Record<string, Value>> | null | undefined,
  name: string,
): Value | undefined {
  return record !== null && record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Gives an object something under a name; `__proto__` would set the prototype otherwise. */
export function put<Value>(record: Record<string, Value>, name: string, value: Value): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    record[name] = value;
  }
}
