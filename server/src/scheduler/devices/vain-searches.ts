import { getOrInsert } from '../../util/maps.ts';
import { AttemptFailure } from './attempt-failure.ts';
import type { Amounts } from './capacity.ts';
import type { PoolDevice } from './inventory.ts';
import type { Request } from './requests.ts';
import type { ReadyClaim, SearchSettings } from './search-settings.ts';
import { untolerated } from './taints.ts';

/** What came of looking for all devices that are still wanted, where that was in vain, and how many tries it took. */
export interface Vain<Result> {
  readonly found: Result;
  readonly tries: number;
}

/** So that hostile claims cost no memory. */
const mostKept = 100_000;

const fewAsked = 20_000;
const triesPerLook = 10;

/** Who has a device in this search, and what its shares take. */
export interface Held {
  readonly by: ReadonlySet<number> | undefined;
  readonly amounts: Amounts | undefined;
}

/**
 * What a search has looked for in vain, by what was left then: devices that no request tells apart are of one kind, and it
 * does not matter which of a kind are left. Upstream tries them all again; here it is only counted that it does.
 */
export class VainSearches<Result> {
  readonly #kinds: readonly number[];
  readonly #known = new Map<string, Vain<Result>>();
  #asked = 0;
  #spared = 0;

  constructor(kinds: readonly number[]) {
    this.#kinds = kinds;
  }

  /** What is left of each kind before a position and from there on. */
  left(start: number, heldOf: (index: number) => Held): string {
    const counts = new Map<string, number>();
    for (const [index, kind] of this.#kinds.entries()) {
      if (kind === -1) continue;
      const { by, amounts } = heldOf(index);
      const holders = by === undefined || by.size === 0 ? '' : [...by].join('.');
      const used = amounts === undefined ? '' : textOf(amounts);
      const key = `${index < start ? '-' : ''}${kind}:${holders}:${used}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts]
      .map(([key, count]) => `${key}*${count}`)
      .sort()
      .join(' ');
  }

  get(key: string): Vain<Result> | undefined {
    const known = this.#known.get(key);
    this.#asked += 1;
    if (known !== undefined) this.#spared += known.tries;
    return known;
  }

  /** Whether it spares more than it takes to look. */
  get pays(): boolean {
    return this.#asked < fewAsked || this.#spared > this.#asked * triesPerLook;
  }

  set(key: string, vain: Vain<Result>): void {
    if (this.#known.size < mostKept) this.#known.set(key, vain);
  }
}

export function textOf(amounts: Amounts): string {
  return [...amounts].map(([name, { nanos }]) => `${name}=${nanos}`).join();
}

/** The kinds of some devices. */
interface Kinds {
  /** By device its place among the kinds, -1 for one that no request takes. */
  readonly ofDevices: readonly number[];
  /** All that requests, constraints and shares can tell of each kind. */
  readonly texts: readonly string[];
}

/** Null where the kinds cannot be told, as a selector fails. */
export function kindsOf(
  devices: readonly PoolDevice[],
  claims: readonly ReadyClaim[],
  { taken, hasCapacity, counters }: SearchSettings,
  isSelectable: (request: Request, device: PoolDevice, claim: ReadyClaim['claim']) => boolean,
): Kinds | null {
  const numbers = new Map<string, number>();
  try {
    const ofDevices = devices.map((candidate) => {
      const { device, id } = candidate;
      const { consumesCounters = [], allowMultipleAllocations, capacity } = device;
      const asked = claims.map(({ claim, requests, constraints }) => [
        requests.flat().map((request) => {
          if (!isSelectable(request, candidate, claim)) return null;
          return [untolerated(device, request.tolerations) === undefined, request.all?.indexOf(candidate)];
        }),
        constraints.map((constraint) => constraint.valueOf(candidate)),
      ]);
      if (asked.every(([requests]) => requests!.every((each) => each === null))) return -1;
      const shares = hasCapacity
        ? [allowMultipleAllocations, capacity, textOf(taken.capacity.get(id) ?? new Map())]
        : [];
      const takes = consumesCounters.length === 0 ? [] : [counters.keyOf(candidate), consumesCounters];
      const key = JSON.stringify([asked, taken.devices.has(id), taken.capacity.has(id), shares, takes]);
      return getOrInsert(numbers, key, () => numbers.size);
    });
    return { ofDevices, texts: [...numbers.keys()] };
  } catch (error) {
    if (error instanceof AttemptFailure) return null;
    throw error;
  }
}
