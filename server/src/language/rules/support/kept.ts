/**
 * A function of a list and of something else that is kept by identity: asked again about the same two, it gives the
 * same answer without working it out. What a list was asked about last is kept. Further arguments do not count.
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
