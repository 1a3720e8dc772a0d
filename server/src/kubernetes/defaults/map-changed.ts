/** Like `map`, but returns the list itself when no item changes, so that untouched objects are shared. */
export function mapChanged<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let changed: T[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const before = items[index]!;
    const after = change(before);
    if (after === before) continue;
    changed ??= items.slice();
    changed[index] = after;
  }
  return changed ?? items;
}
