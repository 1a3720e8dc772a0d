/** A copy of an object without some of its keys. */
export function omit<T extends object, Key extends keyof T>(object: T, ...keys: readonly Key[]): Omit<T, Key> {
  const left = Object.entries(object).filter(([key]) => !(keys as readonly PropertyKey[]).includes(key));
  return Object.fromEntries(left) as Omit<T, Key>;
}
