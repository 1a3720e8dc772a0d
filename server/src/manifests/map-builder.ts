import { say } from '../util/say.ts';
import { Bare } from '../kubernetes/bare.ts';
import type { ManifestProblem } from './manifest.ts';
import type { SourceEntry } from './source-tree.ts';

/** Collects the entries of one map: which of them count, and which are written twice. */
export class MapBuilder {
  readonly value = new Bare();
  readonly entries: SourceEntry[] = [];
  effective: Map<string, SourceEntry> | null = null;
  readonly #problems: ManifestProblem[];
  /** Keys of this map itself, needed once merge keys add others. */
  #own: Set<string> | null = null;

  constructor(problems: ManifestProblem[]) {
    this.#problems = problems;
  }

  add(entry: SourceEntry): void {
    const { name } = entry;
    const twice = this.#own === null ? name in this.value : this.#own.has(name);
    if (twice) {
      const range = { start: entry.keyStart, end: entry.keyEnd };
      const message = say`The key “${name}” is already in this map; kubectl takes the last value.`;
      this.#problems.push({ code: 'yaml-duplicate-key', severity: 'warning', message, range, isCommon: true });
      this.#startEffective();
    }
    this.#own?.add(name);
    this.entries.push(entry);
    this.effective?.set(name, entry);
    this.value[name] = entry.value.value;
  }

  addMerge(entry: SourceEntry): void {
    this.#own ??= new Set(Object.keys(this.value));
    this.#startEffective();
    this.entries.push(entry);
  }

  override(name: string, entry: SourceEntry): void {
    this.effective?.set(name, entry);
    this.value[name] = entry.value.value;
  }

  #startEffective(): void {
    this.effective ??= new Map(this.entries.map((entry) => [entry.name, entry]));
  }
}
