import * as z from 'zod/mini';
import { addTo } from '../../util/maps.ts';
import { compareText } from '../../util/words.ts';
import { escapeUnsafe } from '../../util/unsafe-characters.ts';
import { keyOf, type ProblemIdentity } from './problem-identity.ts';

/** Grows when a field changes its meaning or goes. */
const formatVersion = 1;

const fileSchema = z.object({
  version: z.literal(formatVersion),
  problems: z.array(
    z.object({ rule: z.string(), path: z.string(), object: z.string(), place: z.string(), count: z.int() }),
  ),
});

/** Problems that are known, so that only others make a check fail: how many there are of each identity. */
export class Baseline {
  readonly #counts = new Map<string, { readonly identity: ProblemIdentity; count: number }>();
  /** The keys of each file. */
  readonly #byPath = new Map<string, string[]>();
  /** What messages call it. */
  readonly name: string;

  constructor(identities: Iterable<ProblemIdentity>, name = '') {
    this.name = name;
    for (const identity of identities) this.#add(identity, 1);
  }

  /** Reads what `toText` has written; throws a sentence without a full stop for what is none. */
  static parse(text: string, name: string): Baseline {
    const baseline = new Baseline([], name);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new Error('is not JSON');
    }
    const { data } = z.safeParse(fileSchema, value);
    if (data === undefined) throw new Error(`is no baseline of version ${formatVersion}`);
    for (const { count, ...identity } of data.problems) baseline.#add(identity, count);
    return baseline;
  }

  #add(identity: ProblemIdentity, count: number): void {
    const key = keyOf(identity);
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += count;
      return;
    }
    this.#counts.set(key, { identity, count });
    addTo(this.#byPath, identity.path, key);
  }

  get size(): number {
    return [...this.#counts.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** What is in both. */
  intersection(other: Baseline): Baseline {
    const both = new Baseline([], this.name);
    for (const [key, { identity, count }] of this.#counts) {
      const others = other.#counts.get(key)?.count ?? 0;
      if (others > 0) both.#add(identity, Math.min(count, others));
    }
    return both;
  }

  /** Whether any problem of a file is known. */
  knowsFile(path: string): boolean {
    return this.#byPath.has(path);
  }

  /** How many there are of each identity, by its key: of all files, or of one. */
  counts(path?: string): Map<string, number> {
    const keys = path === undefined ? this.#counts.keys() : (this.#byPath.get(path) ?? []);
    return new Map([...keys].map((key) => [key, this.#counts.get(key)!.count]));
  }

  /** As a file with a line for each problem, sorted, so that versions of it can be compared and merged. */
  toText(): string {
    const sorted = [...this.#counts].sort(([a], [b]) => compareText(a, b));
    const lines = sorted.map(
      ([, { identity, count }]) => `    ${escapeUnsafe(JSON.stringify({ ...identity, count }))}`,
    );
    return `{\n  "version": ${formatVersion},\n  "problems": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`;
  }
}

/** Finds out, one problem after the other, which of them are known: of all files, or of one. */
export class KnownProblems {
  readonly #left: Map<string, number>;

  constructor(baseline: Baseline, path?: string) {
    this.#left = baseline.counts(path);
  }

  /** Whether a problem is known that was not counted yet. */
  take(identity: ProblemIdentity): boolean {
    const key = keyOf(identity);
    const count = this.#left.get(key) ?? 0;
    if (count > 0) this.#left.set(key, count - 1);
    return count > 0;
  }

  /** How many were not found. */
  get gone(): number {
    return [...this.#left.values()].reduce((sum, count) => sum + count, 0);
  }
}
