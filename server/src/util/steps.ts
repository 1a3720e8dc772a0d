/** Runs work that is cut into steps without pausing. */
export function runToEnd<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** How many items are sorted, or merged, in one step. */
const sortedAtOnce = 1_024;

/** A sorted copy of a list, equals in the order in which they were, made in steps. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  let parts: Item[][] = [];
  for (let start = 0; start < items.length; start += sortedAtOnce) {
    parts.push(items.slice(start, start + sortedAtOnce).sort(compare));
    yield;
  }
  while (parts.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < parts.length; at += 2) {
      merged.push(yield* mergeInSteps(parts[at]!, parts[at + 1] ?? [], compare));
    }
    parts = merged;
  }
  return parts[0] ?? [];
}

function* mergeInSteps<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  const merged: Item[] = [];
  let [inFirst, inSecond] = [0, 0];
  while (inFirst < first.length || inSecond < second.length) {
    const isFirst =
      inSecond === second.length || (inFirst < first.length && compare(first[inFirst]!, second[inSecond]!) <= 0);
    merged.push(isFirst ? first[inFirst++]! : second[inSecond++]!);
    if (merged.length % sortedAtOnce === 0) yield;
  }
  return merged;
}
