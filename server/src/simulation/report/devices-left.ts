import type { Device, ResourceClaim, ResourceSlice } from '../../kubernetes/objects.ts';
import { isQuantityError, parseQuantity, type Quantity, subtractQuantities } from '../../kubernetes/quantity.ts';

type Amounts = Map<string, Quantity>;

/** `driver/pool/name`, as allocations name a device. */
export function deviceId({ spec: { driver, pool } }: ResourceSlice, { name }: Device): string {
  return `${driver}/${pool.name}/${name}`;
}

/** What shares leave of a device, `memory 48Gi`; empty where one of its capacities is used up, or it is not shared. */
export function leftOfShared(id: string, device: Device, claims: readonly ResourceClaim[]): readonly string[] {
  const left = amountsOf(device.capacity ?? {});
  for (const { status } of claims) {
    for (const { driver, pool, device: name, consumedCapacity } of status?.allocation?.devices?.results ?? []) {
      if (`${driver}/${pool}/${name}` !== id) continue;
      if (consumedCapacity === undefined) return [];
      take(
        left,
        amountsOf(Object.fromEntries(Object.entries(consumedCapacity).map(([key, value]) => [key, { value }]))),
      );
    }
  }
  const amounts = [...left];
  return claims.length === 0 || amounts.some(([, { nanos }]) => nanos <= 0n)
    ? []
    : amounts.map(([name, { text }]) => `${name.slice(name.indexOf('/') + 1)} ${text}`);
}

/** Devices that cannot be given as others, which are taken, have the counters of their pool. */
export class CountersLeft {
  /** `driver/pool/set` → counter → what is left. */
  readonly #left = new Map<string, Amounts>();

  constructor(slices: readonly ResourceSlice[], isTaken: (id: string) => boolean) {
    for (const slice of slices) {
      for (const { name, counters } of slice.spec.sharedCounters ?? []) {
        this.#left.set(setOf(slice, name), amountsOf(counters ?? {}));
      }
    }
    for (const slice of slices) {
      for (const device of slice.spec.devices ?? []) {
        if (!isTaken(deviceId(slice, device))) continue;
        for (const { counterSet, counters } of device.consumesCounters ?? []) {
          take(this.#left.get(setOf(slice, counterSet)), amountsOf(counters ?? {}));
        }
      }
    }
  }

  lack(slice: ResourceSlice, { consumesCounters = [] }: Device): boolean {
    return consumesCounters.some(({ counterSet, counters }) => {
      const left = this.#left.get(setOf(slice, counterSet));
      return [...amountsOf(counters ?? {})].some(([name, { nanos }]) => nanos > (left?.get(name)?.nanos ?? 0n));
    });
  }
}

function setOf({ spec: { driver, pool } }: ResourceSlice, set: string): string {
  return `${driver}/${pool.name}/${set}`;
}

function amountsOf(written: Readonly<Record<string, { readonly value?: string }>>): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, { value = '' }] of Object.entries(written)) {
    const amount = parseQuantity(value);
    if (!isQuantityError(amount)) amounts.set(name, amount);
  }
  return amounts;
}

function take(left: Amounts | undefined, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const before = left?.get(name);
    if (before !== undefined) left!.set(name, subtractQuantities(before, amount));
  }
}
