import {
  addQuantities,
  compareQuantities,
  integerQuantity,
  type Quantity,
  subtractQuantities,
} from '../../kubernetes/quantity.ts';
import type { Device } from '../../kubernetes/objects.ts';
import { readQuantity } from './capacity.ts';
import { poolIdOf, type PoolDevice } from './inventory.ts';

/** Counter set → counter → how much. */
type Counts = Map<string, Map<string, Quantity>>;

const zero = integerQuantity(0);

/**
 * What is left of the counters of pools, for all nodes of an attempt. As upstream's, it goes by the name of the pool
 * alone: of two drivers with a pool of one name the first decides. Source: checkAvailableCounters
 */
export class AvailableCounters {
  readonly #isTaken: (id: string) => boolean;
  readonly #byPool = new Map<string, Counts>();

  constructor(isTaken: (id: string) => boolean) {
    this.#isTaken = isTaken;
  }

  of({ pool }: PoolDevice): Counts {
    let available = this.#byPool.get(pool.name);
    if (available !== undefined) return available;
    available = new Map(
      [...pool.counters].map(([set, counters]) => [
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
    for (const { device } of pool.devices) take(device);
    for (const { spec } of pool.elsewhere) for (const device of spec.devices ?? []) take(device);
    this.#byPool.set(pool.name, available);
    return available;
  }
}

/** What the devices of one search take. */
export class ConsumedCounters {
  readonly #available: AvailableCounters;
  readonly #byPool = new Map<string, Counts>();

  constructor(available: AvailableCounters) {
    this.#available = available;
  }

  /** Takes what the device consumes, unless some counter of the pool would be overdrawn. */
  take(device: PoolDevice): boolean {
    const available = this.#available.of(device);
    const consumed = this.#byPool.get(device.pool.name) ?? new Map<string, Map<string, Quantity>>();
    this.#byPool.set(device.pool.name, consumed);
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

  giveBack({ device, pool }: PoolDevice): void {
    const consumed = this.#byPool.get(pool.name);
    forEachCounter(device, (set, name, amount) => {
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
