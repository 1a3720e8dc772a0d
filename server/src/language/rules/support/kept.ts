import { getOrInsert } from '../../../util/maps.ts';

/**
 * Keeps the last result of a function for each list. It is used again while the other argument is the same object;
 * further arguments are not compared.
 */
export function keptBy<Item, Other extends object, More extends readonly unknown[], Result>(
  compute: (list: readonly Item[], other: Other, ...more: More) => Result,
): (list: readonly Item[], other: Other, ...more: More) => Result {
  const known = new WeakMap<readonly Item[], { readonly other: Other; readonly result: Result }>();
  return (list, other, ...more) => {
    const last = known.get(list);
    if (last?.other === other) return last.result;
    const result = compute(list, other, ...more);
    known.set(list, { other, result });
    return result;
  };
}

/** Keeps what is worked out from a list, by a text that says what was asked of it. */
export function keptByKey<Result>(): (list: readonly unknown[], key: string, compute: () => Result) => Result {
  const known = new WeakMap<readonly unknown[], Map<string, Result>>();
  return (list, key, compute) => {
    const byKey = getOrInsert(known, list, () => new Map());
    return getOrInsert(byKey, key, () => compute());
  };
}
