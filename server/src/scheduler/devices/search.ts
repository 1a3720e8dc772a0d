import type { WantedClaim } from '../framework/device-engine.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { addAmounts, type Amounts, consumedBy, fitsCapacity, subtractAmounts } from './capacity.ts';
import { ConsumedCounters } from './counters.ts';
import type { Pool, PoolDevice } from './inventory.ts';
import { noCapacity, type Request } from './requests.ts';
import type { Given } from './result.ts';
import type { ReadyClaim, SearchEnd, SearchSettings } from './search-settings.ts';
import { untolerated } from './taints.ts';
import { kindsOf, textOf, VainSearches } from './vain-searches.ts';

/** A search that goes on no longer: the real one would not have come to its end, or it is known how it ends. */
export class TooLong extends Error {
  readonly end: SearchEnd;
  readonly isKnown: boolean;

  constructor(end: SearchEnd, isKnown: boolean) {
    super();
    this.end = end;
    this.isKnown = isKnown;
  }
}

/** A request would have more results than a claim may. Source: errAllocationResultMaxSizeExceeded */
const tooMany = 'too many';

/** Source: AllocationResultsMaxSize */
export const mostResults = 32;

/** About what kube-scheduler tries in a millisecond. */
const triesInMillisecond = 800;

/** No search here is longer, whatever the scheduler is allowed. */
const longestSearch = 10_000;

/** Source: DynamicResourcesArgs.filterTimeout */
export function triesIn(milliseconds: number): number {
  return Math.min(milliseconds || longestSearch, longestSearch) * triesInMillisecond;
}

/** Tries after which a search is long. */
const shortSearch = 5_000;

/** Upstream looks at each device before it tries one: so many take as long as a try. */
const devicesPerTry = 32;

/** Counters and amounts are quantities in maps, which are copied and added up. */
const triesOfHeavy = 4;

const fewTries = 64;

/** So that hostile claims cost no memory. */
const mostEnds = 100;

export interface Found {
  /** By claim. */
  readonly given: readonly (readonly Given[])[];
  /** By claim and request: the alternative that was taken. */
  readonly chosen: readonly (readonly Request[])[];
}

const noAmounts: Amounts = new Map();

/**
 * Tries one device after the other for one request after the other, depth first: the first solution is taken. Where a
 * request cannot have as many devices as it wants, and nothing but their number matters, the tries are counted instead.
 * Long for one file, since all steps share what is given so far. Source: allocateOne, allocateDevice
 */
export class Search {
  readonly #settings: SearchSettings;
  readonly #claims: readonly ReadyClaim[];
  readonly #isSelectable: (request: Request, device: PoolDevice, claim: WantedClaim) => boolean;
  /** Of all pools that may be used, in order. */
  readonly #devices: readonly PoolDevice[];
  readonly #given: Given[][];
  readonly #chosen: Request[][];
  /** Device → the claims of this attempt that have it. */
  readonly #giving = new Map<string, Set<number>>();
  readonly #capacity = new Map<string, Amounts>();
  #consumed: ConsumedCounters | null = null;
  readonly #selectable = new Map<Request, Map<PoolDevice, boolean>>();
  #vain: VainSearches<boolean | typeof tooMany> | null = null;
  #tries = 0;
  #isLong = false;
  #mayBeLong = true;
  /** What decides how a long search ends; null where more than its own devices does. */
  #alike: string | null = null;

  constructor(
    settings: SearchSettings,
    pools: readonly Pool[],
    claims: readonly ReadyClaim[],
    isSelectable: (request: Request, device: PoolDevice, claim: WantedClaim) => boolean,
  ) {
    this.#settings = settings;
    this.#claims = claims;
    this.#isSelectable = isSelectable;
    this.#devices = devicesOf(pools);
    this.#given = claims.map(() => []);
    this.#chosen = claims.map(({ requests }) => requests.map(([first]) => first!));
  }

  get #counters(): ConsumedCounters {
    return (this.#consumed ??= new ConsumedCounters(this.#settings.counters));
  }

  /** Null when there is no solution. Throws `TooLong` after so many tries; a search that may not be long ends before. */
  run(mayBeLong: boolean): Found | null {
    this.#mayBeLong = mayBeLong;
    try {
      if (this.#claim(0)) return { given: this.#given, chosen: this.#chosen };
      this.#keep('none');
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
      if (error.end === 'timeout') {
        this.#keep('timeout');
        throw error;
      }
    }
    return null;
  }

  #keep(end: SearchEnd): void {
    const { ends } = this.#settings;
    if (this.#alike !== null && ends.size < mostEnds) ends.set(this.#alike, end);
  }

  /** Whether the same is left as once before, or on another node, it pays to know in a long search. */
  #remember(): void {
    this.#isLong = true;
    const { release, hasCapacity, ends } = this.#settings;
    // There it matters at which place of its slice a device is.
    const isByPlace =
      release.devices.countersOfSlices &&
      hasCapacity &&
      this.#devices.some(({ device }) => device.capacity !== undefined);
    const kinds = isByPlace ? null : kindsOf(this.#devices, this.#claims, this.#settings, this.#isSelectable);
    const isAlone = this.#devices.every(
      ({ device, pool }) => pool.invalid === null && (device.consumesCounters ?? []).length === 0,
    );
    if (kinds !== null && isAlone) this.#alike = JSON.stringify([kinds.ofDevices, kinds.texts]);
    const known = this.#alike === null ? undefined : ends.get(this.#alike);
    if (known !== undefined) throw new TooLong(known, true);
    if (!this.#mayBeLong) {
      this.#alike = null;
      throw new TooLong('none', true);
    }
    this.#vain = kinds && new VainSearches(kinds.ofDevices);
  }

  #claim(claim: number): boolean {
    if (claim >= this.#claims.length) return true;
    return this.#request(claim, 0) === true;
  }

  /** One request and all that follow. */
  #request(claim: number, at: number): boolean | typeof tooMany {
    const alternatives = this.#claims[claim]!.requests[at];
    if (alternatives === undefined) return this.#claim(claim + 1);
    if (alternatives[0]!.parent === '') return this.#devicesOf(claim, at, 0, 0, 0);
    let exceedsAll = true;
    for (const [place, alternative] of alternatives.entries()) {
      const before = this.#chosen[claim]![at]!;
      this.#chosen[claim]![at] = alternative;
      const found = this.#devicesOf(claim, at, place, 0, 0);
      if (found === true) return true;
      this.#chosen[claim]![at] = before;
      if (found === tooMany) continue;
      exceedsAll = false;
    }
    return exceedsAll ? tooMany : false;
  }

  /** The device at `place` of a request and those that follow, beginning the search at a device. */
  #devicesOf(claim: number, at: number, alternative: number, place: number, start: number): boolean | typeof tooMany {
    const { requests } = this.#claims[claim]!;
    const request = requests[at]![alternative]!;
    if (request.all?.length === 0) return false;
    if (place >= request.count) return this.#request(claim, at + 1);
    if (this.#given[claim]!.length + request.count - place > mostResults) return tooMany;
    const vain = this.#vain;
    if (vain === null) return this.#tried(claim, at, alternative, place, start);
    const before = this.#accounts();
    const left = vain.left(start, (index) => {
      const { id } = this.#devices[index]!;
      return { by: this.#giving.get(id), amounts: this.#capacity.get(id) };
    });
    const key = [claim, at, alternative, place, this.#given[claim]!.length, before, left].join('/');
    const known = vain.get(key);
    if (!vain.pays) this.#vain = null;
    if (known !== undefined) {
      this.#count(known.tries);
      return known.found;
    }
    const triesBefore = this.#tries;
    const shares = this.#shares();
    const found = this.#tried(claim, at, alternative, place, start);
    // What upstream forgets to give back makes a difference later.
    if (found !== true && this.#accounts() === before && this.#shares() === shares) {
      vain.set(key, { found, tries: this.#tries - triesBefore });
    }
    return found;
  }

  /** What constraints and counters keep. */
  #accounts(): string {
    const kept = this.#claims.flatMap(({ constraints }) => constraints.map((constraint) => constraint.state()));
    return [...kept, this.#consumed?.state() ?? ''].join(';');
  }

  #shares(): string {
    return [...this.#capacity].map(([id, amounts]) => `${id} ${textOf(amounts)}`).join(';');
  }

  #count(tries: number): void {
    this.#tries += tries;
    if (this.#tries > this.#settings.mostTries) throw new TooLong('timeout', false);
    if (this.#tries > shortSearch && !this.#isLong) this.#remember();
  }

  #tried(claim: number, at: number, alternative: number, place: number, start: number): boolean | typeof tooMany {
    const request = this.#claims[claim]!.requests[at]![alternative]!;
    this.#count((this.#devices.length - start) / devicesPerTry);
    const { continuesBehindLastDevice, keepsAlternativeOfAll } = this.#settings.release.devices;
    if (request.all !== null) {
      const device = request.all[place]!;
      const undo = this.#give(claim, request, device, place, true);
      if (undo === null) return false;
      const found = this.#devicesOf(claim, at, keepsAlternativeOfAll ? alternative : 0, place + 1, 0);
      if (found !== true) undo();
      return found;
    }
    if (this.#lacks(claim, request, request.count - place, start)) return false;
    for (let index = start; index < this.#devices.length; index++) {
      const device = this.#devices[index]!;
      if (!this.#isCandidate(claim, request, device)) continue;
      const undo = this.#give(claim, request, device, place, false);
      if (undo === null) continue;
      const next = continuesBehindLastDevice ? index + 1 : 0;
      const found = this.#devicesOf(claim, at, alternative, place + 1, next);
      if (found === true) return true;
      undo();
      if (found === tooMany) return tooMany;
    }
    return false;
  }

  /** Whether a device may be tried: it is free, and the request takes such a device. */
  #isCandidate(claim: number, request: Request, device: PoolDevice): boolean {
    const { release, hasCapacity } = this.#settings;
    const { pool } = device;
    if (pool.invalid !== null && !release.devices.skipsBadPools) {
      throw new AttemptFailure(`pool ${pool.name} is invalid: ${pool.invalid}`);
    }
    if (this.#isInUse(claim, request, device)) return false;
    if (!this.#selects(claim, request, device)) return false;
    return !hasCapacity || this.#hasRoom(request, device);
  }

  #isInUse(claim: number, { isAdmin }: Request, { id }: PoolDevice): boolean {
    const giving = this.#giving.get(id);
    if (isAdmin) return giving?.has(claim) === true;
    return this.#settings.taken.devices.has(id) || (giving?.size ?? 0) > 0;
  }

  #selects(claim: number, request: Request, device: PoolDevice): boolean {
    // Most searches end before it pays to remember.
    if (this.#tries < fewTries) return this.#isSelectable(request, device, this.#claims[claim]!.claim);
    let known = this.#selectable.get(request);
    if (known === undefined) this.#selectable.set(request, (known = new Map<PoolDevice, boolean>()));
    let selects = known.get(device);
    if (selects === undefined) {
      selects = this.#isSelectable(request, device, this.#claims[claim]!.claim);
      known.set(device, selects);
    }
    return selects;
  }

  #hasRoom({ capacity }: Request, { id, device, isTakenWhole }: PoolDevice): boolean {
    if (isTakenWhole && capacity === noCapacity) return true;
    const { taken, release } = this.#settings;
    const [before, now] = [taken.capacity.get(id) ?? noAmounts, this.#capacity.get(id) ?? noAmounts];
    return fitsCapacity(capacity, device, before, now, release);
  }

  /** Gives a device, and says how to take it back; null when it cannot be given. Source: allocateDevice */
  #give(claim: number, request: Request, device: PoolDevice, place: number, must: boolean): (() => void) | null {
    const { consumesCounters = [], allowMultipleAllocations } = device.device;
    const isHeavy = consumesCounters.length > 0 || allowMultipleAllocations === true;
    this.#count(isHeavy ? triesOfHeavy : 1);
    const { release, hasCapacity, hasCounters, hasTaints, taken } = this.#settings;
    const { accountsExactly } = release.devices;
    const { id } = device;
    const isShare = hasCapacity && allowMultipleAllocations === true;
    if (!(isShare && request.isAdmin) && this.#isInUse(claim, request, device)) return null;
    const takesCounters = consumesCounters.length > 0;
    if (takesCounters && !hasCounters) return null;
    const before = taken.capacity.get(id);
    const isShared =
      isShare && ((before !== undefined && (accountsExactly || before.size > 0)) || this.#capacity.has(id));
    const countsHere = takesCounters && !isShared;
    if (countsHere && !this.#counters.take(device)) return null;
    // What refuses the device from here on leaves the counters taken before 1.37, as upstream does.
    const refused = (): null => {
      if (countsHere && accountsExactly) this.#counters.giveBack(device);
      return null;
    };
    if (hasTaints && untolerated(device.device, request.tolerations) !== undefined) return refused();
    const { claim: wanted, constraints } = this.#claims[claim]!;
    const [base, alternative] = request.parent === '' ? [request.name, ''] : [request.parent, request.name];
    const refusing = constraints.findIndex((constraint) => !constraint.add(base, alternative, device));
    if (refusing !== -1) {
      if (must) {
        throw new AttemptFailure(
          `claim ${wanted.namespace}/${wanted.name}, request ${request.name}: cannot add device ${id} because a claim constraint would not be satisfied`,
        );
      }
      for (const constraint of constraints.slice(0, refusing)) constraint.remove(base, alternative);
      return refused();
    }
    // Only a device of "all" can lack room here, and then the constraints are as before (recorded with 1.36.3). 1.34 asks
    // another device of the slice (pull request 133706).
    const asked = release.devices.countersOfSlices ? siblingOf(device, place) : device;
    if (hasCapacity && !this.#hasRoom(request, asked)) {
      for (const constraint of constraints) constraint.remove(base, alternative);
      return refused();
    }
    const giving = this.#giving.get(id) ?? new Set<number>();
    this.#giving.set(id, giving);
    if (!isShare) giving.add(claim);
    const consumed = isShare ? consumedBy(request.capacity, device.device, release) : noAmounts;
    const sharedBefore = this.#capacity.get(id);
    if (isShare) this.#capacity.set(id, addAmounts(sharedBefore ?? noAmounts, consumed));
    this.#given[claim]!.push({ request, device, isShare, consumed });
    return () => {
      for (const constraint of constraints) constraint.remove(base, alternative);
      giving.delete(claim);
      if (countsHere && (!isShare || accountsExactly)) this.#counters.giveBack(device);
      if (isShare && accountsExactly) {
        if (sharedBefore === undefined) this.#capacity.delete(id);
        else this.#capacity.set(id, sharedBefore);
      } else if (isShare && consumed.size > 0) {
        const rest = subtractAmounts(this.#capacity.get(id) ?? noAmounts, consumed);
        if (rest === null) this.#capacity.delete(id);
        else this.#capacity.set(id, rest);
      }
      this.#given[claim]!.pop();
    };
  }

  /**
   * Whether too few devices are left for a request. Selectors are asked of each, as the real search does, which goes
   * through all selections of those that there are before it knows: as often as that counts.
   */
  #lacks(claim: number, request: Request, wanted: number, start: number): boolean {
    if (wanted < 2 || this.#claims[claim]!.constraints.length > 0) return false;
    const { release, hasCounters, hasTaints } = this.#settings;
    const { continuesBehindLastDevice } = release.devices;
    let usable = 0;
    for (let index = continuesBehindLastDevice ? start : 0; index < this.#devices.length; index++) {
      const device = this.#devices[index]!;
      if (!this.#isCandidate(claim, request, device)) continue;
      const takesCounters = (device.device.consumesCounters ?? []).length > 0;
      // Counters that are taken and not given back make a difference.
      if (takesCounters && hasCounters) return false;
      if (takesCounters || (hasTaints && untolerated(device.device, request.tolerations) !== undefined)) continue;
      // Shares of a device are given again and again where the search begins anew.
      if (!continuesBehindLastDevice && device.device.allowMultipleAllocations === true) return false;
      usable += 1;
      if (usable >= wanted) return false;
    }
    this.#count(continuesBehindLastDevice ? 2 ** usable : orderings(usable));
    return true;
  }
}

function siblingOf(device: PoolDevice, place: number): PoolDevice {
  const other = device.slice.spec.devices?.[place];
  return device.pool.devices.find((each) => each.device === other) ?? device;
}

const flat = new WeakMap<readonly Pool[], readonly PoolDevice[]>();

function devicesOf(pools: readonly Pool[]): readonly PoolDevice[] {
  let devices = flat.get(pools);
  if (devices === undefined) flat.set(pools, (devices = pools.flatMap((pool) => pool.devices)));
  return devices;
}

/** How many rows can be made of some of so many things. */
function orderings(count: number): number {
  let sum = 0;
  let rows = 1;
  for (let length = 1; length <= count; length++) {
    rows *= count - length + 1;
    sum += rows;
  }
  return sum;
}
