/** Whether two lists have the very same items, one after the other. */
export function sameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some === others || (some.length === others.length && some.every((item, at) => item === others[at]));
}

/** Where two lists are other ones between what they begin and end with alike. */
export function differenceOf(
  some: readonly unknown[],
  others: readonly unknown[],
): { readonly start: number; readonly end: number; readonly otherEnd: number } {
  let start = 0;
  while (start < some.length && start < others.length && some[start] === others[start]) start += 1;
  let [end, otherEnd] = [some.length, others.length];
  while (end > start && otherEnd > start && some[end - 1] === others[otherEnd - 1]) {
    end -= 1;
    otherEnd -= 1;
  }
  return { start, end, otherEnd };
}
