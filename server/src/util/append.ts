/** Adds all items of lists to a list, however many: `push(...items)` fails with more than the stack holds, some 100,000. */
export function append<Item>(list: Item[], ...parts: readonly Iterable<Item>[]): void {
  for (const part of parts) for (const item of part) list.push(item);
}
