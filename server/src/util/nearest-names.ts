import { compareText } from './words.ts';

/** Names that are compared letter by letter, of however many: those that have the most letters in common. */
const mostCompared = 200;

/** Names by how few changes turn them into `wanted`, then by name; only those within `atMost` changes. */
export function nearestNames(wanted: string, names: Iterable<string>, atMost = Infinity): string[] {
  const letters = lettersOf(wanted);
  const likely = [...names]
    .map((name) => ({ name, distance: fewestChanges(letters, wanted.length, name) }))
    .filter(({ distance }) => distance <= atMost);
  if (likely.length > mostCompared) likely.sort(byDistance);
  return likely
    .slice(0, mostCompared)
    .map(({ name }) => ({ name, distance: editDistance(wanted, name) }))
    .filter(({ distance }) => distance <= atMost)
    .sort(byDistance)
    .map(({ name }) => name);
}

/** Of shorter ones another letter is another thing: `cpu.example.com` is not meant as `gpu.example.com`. */
const shortName = 4;

/** The name that is meant by one that is not there. What names of one domain begin with tells them apart. */
export function likelyName(wanted: string, names: readonly string[]): string | undefined {
  const turned = names.find((name) => wordsOf(name) === wordsOf(wanted));
  if (turned !== undefined) return turned;
  const [, ending = ''] = /^[^.]+(\..+)$/.exec(wanted) ?? [];
  const begins = wanted.length - ending.length;
  const likely = names.filter((name) => ending === '' || begins > shortName || !name.endsWith(ending));
  return nearestNames(wanted, likely, Math.ceil(begins / 4))[0];
}

/** The same for names of the same words: `nvidia.gpu.com` is `gpu.nvidia.com`. */
function wordsOf(name: string): string {
  return name.split(/[.-]/).sort().join();
}

interface Ranked {
  readonly name: string;
  readonly distance: number;
}

function byDistance(a: Ranked, b: Ranked): number {
  return a.distance - b.distance || compareText(a.name, b.name);
}

function lettersOf(text: string): ReadonlyMap<string, number> {
  const letters = new Map<string, number>();
  for (const letter of text.split('')) letters.set(letter, (letters.get(letter) ?? 0) + 1);
  return letters;
}

/** No fewer changes can turn letters into a name: in whatever order, each that one of them has alone is a change. */
function fewestChanges(letters: ReadonlyMap<string, number>, length: number, name: string): number {
  let shared = 0;
  const left = new Map(letters);
  for (const letter of name.split('')) {
    const count = left.get(letter) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(letter, count - 1);
  }
  return Math.max(length, name.length) - shared;
}

/** Levenshtein distance, where two neighbours that changed places are one change; names are short. */
function editDistance(a: string, b: string): number {
  let earlier: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = row > 1 && column > 1 && swapped ? earlier[column - 2]! + 1 : Infinity;
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1, swap));
    }
    earlier = previous;
    previous = current;
  }
  return previous[b.length]!;
}
