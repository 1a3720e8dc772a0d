/** What a map is asked here: also of a `WeakMap`, and of `KeptWith`. */
interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key, made and kept where there is none: `Map.prototype.getOrInsertComputed` of newer runtimes. */
export function getOrInsert<Key, Value>(map: Entries<Key, Value>, key: Key, make: (key: Key) => NoInfer<Value>): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  map.set(key, made);
  return made;
}

/** Adds an item to the list of a key. */
export function addTo<Key, Item>(lists: Entries<Key, Item[]>, key: Key, item: NoInfer<Item>): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The items by key, each list in their order: `Map.groupBy` of newer runtimes. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
