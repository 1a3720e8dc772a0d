import {
  addQuantities,
  compareQuantities,
  integerQuantity,
  type Quantity,
  subtractQuantities,
} from '../../kubernetes/quantity.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { Device } from '../../kubernetes/objects.ts';
import type { DeviceAllocation } from '../../kubernetes/release.ts';
import { readQuantity } from './capacity.ts';
import { poolIdOf, type PoolDevice } from './inventory.ts';

/** Counter set → counter → how much. */
type Counts = Map<string, Map<string, Quantity>>;

const zero = integerQuantity(0);

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
    available = new Map(
      sets.map(([set, counters]) => [
        set,
        new Map(Object.entries(counters).map(([name, { value }]) => [name, readQuantity(value)])),
      ]),
    );
    const id = poolIdOf(pool);
    const take = (device: Device): void => {
      if (!this.#isTaken(`${id}/${device.name}`)) return;
      forEachCounter(device, (set, name, amount) => {
        const left = available.get(set)?.get(name);
        if (left !== undefined) available.get(set)!.set(name, subtractQuantities(left, amount));
      });
    };
    const own = countersOfSlices ? devices : pool.devices.map(({ device }) => device);
    const others = countersOfSlices ? [] : pool.elsewhere.flatMap(({ spec }) => spec.devices ?? []);
    for (const device of [...own, ...others]) take(device);
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
    const available = this.#available.of(device);
    const key = this.#available.keyOf(device);
    const consumed = this.#byKey.get(key) ?? new Map<string, Map<string, Quantity>>();
    this.#byKey.set(key, consumed);
    forEachCounter(device.device, (set, name, amount) => {
      const counters = consumed.get(set) ?? new Map<string, Quantity>();
      consumed.set(set, counters);
      const before = counters.get(name);
      counters.set(name, before === undefined ? amount : addQuantities(before, amount));
    });
    for (const [set, counters] of available) {
      for (const [name, left] of counters) {
        if (compareQuantities(left, consumed.get(set)?.get(name) ?? zero) >= 0) continue;
        this.giveBack(device);
        return false;
      }
    }
    return true;
  }

  /** What is taken, as a text. */
  state(): string {
    const texts: string[] = [];
    for (const [key, sets] of this.#byKey) {
      for (const [set, counters] of sets) {
        for (const [name, { nanos }] of counters) if (nanos !== 0n) texts.push(`${key} ${set} ${name} ${nanos}`);
      }
    }
    return texts.join();
  }

  giveBack(device: PoolDevice): void {
    const consumed = this.#byKey.get(this.#available.keyOf(device));
    forEachCounter(device.device, (set, name, amount) => {
      const counters = consumed?.get(set);
      if (counters !== undefined) counters.set(name, subtractQuantities(counters.get(name) ?? zero, amount));
    });
  }
}

function forEachCounter(device: Device, act: (set: string, name: string, amount: Quantity) => void): void {
  for (const { counterSet, counters = {} } of device.consumesCounters ?? []) {
    for (const [name, { value }] of Object.entries(counters)) act(counterSet, name, readQuantity(value));
  }
}
