import { nameOf } from '../../kubernetes/names.ts';
import type { Device } from '../../kubernetes/objects.ts';
import type { DeviceAllocation } from '../../kubernetes/release.ts';
import { getOrInsert } from '../../util/maps.ts';
import { readQuantity } from './capacity.ts';
import { poolIdOf, type PoolDevice } from './inventory.ts';

/** Counter set and counter → how much, in billionths. */
type Counts = Map<string, bigint>;

/** How far counters reach, and from where they are told apart. */
type Reach = Pick<DeviceAllocation, 'accountsExactly' | 'countersOfSlices'>;

/**
 * What is left of the counters of pools, for all nodes of an attempt. Before 1.37 it goes by the name of the pool alone, as
 * upstream's does: of two drivers with a pool of one name the first decides. Source: checkAvailableCounters
 */
export class AvailableCounters {
  readonly #isTaken: (id: string) => boolean;
  readonly #reach: Reach;
  readonly #known = new Map<string, Counts>();

  constructor(isTaken: (id: string) => boolean, reach: Reach) {
    this.#isTaken = isTaken;
    this.#reach = reach;
  }

  /** Of what the device takes. */
  keyOf({ pool, slice }: PoolDevice): string {
    const { accountsExactly, countersOfSlices } = this.#reach;
    return countersOfSlices ? nameOf(slice) : accountsExactly ? poolIdOf(pool) : pool.name;
  }

  of(of: PoolDevice): Counts {
    const key = this.keyOf(of);
    let available = this.#known.get(key);
    if (available !== undefined) return available;
    const { pool, slice } = of;
    const { sharedCounters = [], devices = [] } = slice.spec;
    const { countersOfSlices } = this.#reach;
    const sets = countersOfSlices
      ? sharedCounters.map(({ name, counters = {} }) => [name, counters] as const)
      : [...pool.counters];
    available = new Map(sets.flatMap(([set, counters]) => countsOf(set, counters)));
    const own = countersOfSlices ? devices : pool.devices.map(({ device }) => device);
    const others = countersOfSlices ? [] : pool.elsewhere.flatMap(({ spec }) => spec.devices ?? []);
    for (const device of [...own, ...others]) {
      if (!this.#isTaken(`${poolIdOf(pool)}/${device.name}`)) continue;
      for (const [counter, amount] of consumedBy(device)) {
        const left = available.get(counter);
        if (left !== undefined) available.set(counter, left - amount);
      }
    }
    this.#known.set(key, available);
    return available;
  }
}

/** What the devices of one search take. */
export class ConsumedCounters {
  readonly #available: AvailableCounters;
  readonly #byKey = new Map<string, Counts>();

  constructor(available: AvailableCounters) {
    this.#available = available;
  }

  /** Takes what the device consumes, unless some counter of the pool would be overdrawn. */
  take(device: PoolDevice): boolean {
    const consumed = this.#add(device, 1n);
    for (const [counter, left] of this.#available.of(device)) {
      if (left >= (consumed.get(counter) ?? 0n)) continue;
      this.giveBack(device);
      return false;
    }
    return true;
  }

  giveBack(device: PoolDevice): void {
    this.#add(device, -1n);
  }

  /** What is taken, as a text. */
  state(): string {
    const texts: string[] = [];
    for (const [key, counts] of this.#byKey) {
      for (const [counter, amount] of counts) if (amount !== 0n) texts.push(`${key} ${counter} ${amount}`);
    }
    return texts.join();
  }

  #add(device: PoolDevice, times: bigint): Counts {
    const key = this.#available.keyOf(device);
    const counts = getOrInsert(this.#byKey, key, () => new Map());
    for (const [counter, amount] of consumedBy(device.device)) {
      counts.set(counter, (counts.get(counter) ?? 0n) + times * amount);
    }
    return counts;
  }
}

type Consumed = readonly (readonly [counter: string, amount: bigint])[];

const consumedByDevice = new WeakMap<Device, Consumed>();

function consumedBy(device: Device): Consumed {
  return getOrInsert(consumedByDevice, device, () =>
    (device.consumesCounters ?? []).flatMap(({ counterSet, counters = {} }) => countsOf(counterSet, counters)),
  );
}

function countsOf(set: string, counters: Readonly<Record<string, { readonly value: string }>>): Consumed {
  return Object.entries(counters).map(([name, { value }]) => [`${set}/${name}`, readQuantity(value).nanos]);
}
