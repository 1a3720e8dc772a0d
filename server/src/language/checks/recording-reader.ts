import type { Fact, FactsReader } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { type Kind, kinds } from '../index/kinds.ts';

/** A number for each set of kinds, of which there are fewer than a number has bits. */
const bitOf: ReadonlyMap<Kind, number> = new Map(kinds.map((kind, index) => [kind, 2 ** index]));

/** Reads facts and remembers of which kinds, to tell later whether the outcome would be the same. */
export class RecordingReader implements FactsReader {
  readonly #facts: Facts;
  #read = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get owner(): object {
    return this.#facts;
  }

  ofKind(kind: Kind): readonly Fact[] {
    const bit = bitOf.get(kind)!;
    if (Math.floor(this.#read / bit) % 2 === 0) this.#read += bit;
    return this.#facts.ofKind(kind);
  }

  /** What has been read since it was last asked; undefined where that is nothing. */
  taken(): Reading | undefined {
    const read = this.#read;
    this.#read = 0;
    return read === 0 ? undefined : readingOf(this.#facts, read);
  }
}

const readings = new WeakMap<Facts, { readonly state: number; readonly known: Map<number, Reading> }>();

/** A reading of some kinds as they are now: one for all who have read the same. */
function readingOf(facts: Facts, read: number): Reading {
  let current = readings.get(facts);
  if (current?.state !== facts.contentState) {
    readings.set(facts, (current = { state: facts.contentState, known: new Map<number, Reading>() }));
  }
  let reading = current.known.get(read);
  if (reading === undefined) current.known.set(read, (reading = new Reading(facts, read)));
  return reading;
}

/** The kinds that something was made from, as they were. */
export class Reading {
  readonly #facts: Facts;
  readonly #versions: readonly (readonly [kind: Kind, version: number])[];
  #state: number;
  #isCurrent = true;

  constructor(facts: Facts, read: number) {
    this.#facts = facts;
    this.#versions = kinds
      .filter((kind) => Math.floor(read / bitOf.get(kind)!) % 2 === 1)
      .map((kind) => [kind, facts.contentVersion(kind)]);
    this.#state = facts.contentState;
  }

  /** Whether everything that was read would be the same now. */
  isCurrent(): boolean {
    const { contentState } = this.#facts;
    if (contentState !== this.#state) {
      this.#state = contentState;
      this.#isCurrent = this.#versions.every(([kind, version]) => this.#facts.contentVersion(kind) === version);
    }
    return this.#isCurrent;
  }
}
