/** Whether two lists have the very same items, one after the other. */
export function sameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some === others || (some.length === others.length && some.every((item, at) => item === others[at]));
}
