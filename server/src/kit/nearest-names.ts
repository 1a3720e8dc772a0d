import { compareText } from './words.ts';

/** Names by how few changes turn them into `wanted`, then by name; only those within `atMost` changes. */
export function nearestNames(wanted: string, names: Iterable<string>, atMost = Infinity): string[] {
  return [...names]
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .filter(({ distance }) => distance <= atMost)
    .sort((a, b) => a.distance - b.distance || compareText(a.name, b.name))
    .map(({ name }) => name);
}

/** Levenshtein distance; names are short. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
