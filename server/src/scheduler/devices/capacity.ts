import {
  addQuantities,
  compareQuantities,
  integerQuantity,
  isQuantityError,
  parseQuantity,
  type Quantity,
  quantityValue,
  subtractQuantities,
} from '../../kubernetes/quantity.ts';
import type { Device } from '../../kubernetes/objects.ts';

/** Capacity → how much of it. */
export type Amounts = ReadonlyMap<string, Quantity>;

type DeviceCapacity = NonNullable<NonNullable<Device['capacity']>[string]>;
type Policy = NonNullable<DeviceCapacity['requestPolicy']>;
type Requests = Readonly<Record<string, string>>;

const zero = integerQuantity(0);

export function readQuantity(text: string | number): Quantity {
  const parsed = parseQuantity(text);
  return isQuantityError(parsed) ? zero : parsed;
}

/** What a request takes of each capacity of a device. Source: GetConsumedCapacityFromRequest */
export function consumedBy(requests: Requests, device: Device): Amounts {
  return new Map(
    Object.entries(device.capacity ?? {}).map(([name, capacity]) => [name, consumedOf(requests, name, capacity)]),
  );
}

/** Source: calculateConsumedCapacity */
function consumedOf(requests: Requests, name: string, { value, requestPolicy: policy }: DeviceCapacity): Quantity {
  if (!Object.hasOwn(requests, name)) return readQuantity(policy?.default ?? value);
  const asked = readQuantity(requests[name]!);
  if (policy?.validRange?.min !== undefined) return withinRange(asked, policy.validRange.min, policy.validRange.step);
  const larger = policy?.validValues?.map(readQuantity).find((each) => compareQuantities(asked, each) <= 0);
  return larger ?? asked;
}

/** Source: roundUpRange */
function withinRange(asked: Quantity, min: string, step: string | undefined): Quantity {
  const least = readQuantity(min);
  if (compareQuantities(asked, least) < 0) return least;
  if (step === undefined) return asked;
  const [size, start] = [quantityValue(readQuantity(step)), quantityValue(least)];
  const added = quantityValue(asked) - start;
  const steps = added / size + (added % size === 0n ? 0n : 1n);
  return integerQuantity(start + size * steps, 'BinarySI');
}

/**
 * Whether Go's `==` of two quantities holds: the text that is kept of one that was read is compared too, and big
 * decimals are behind pointers, which differ.
 * Source: violatesPolicy
 */
function isSameStruct(a: Quantity, b: Quantity): boolean {
  if (a.scale === undefined) return false;
  return a.nanos === b.nanos && a.format === b.format && a.scale === b.scale && a.printed === b.printed;
}

function violates(amount: Quantity, policy: Policy | undefined): boolean {
  if (policy === undefined) return false;
  if (policy.default !== undefined && isSameStruct(amount, readQuantity(policy.default))) return false;
  const { validRange: range, validValues = [] } = policy;
  if (range !== undefined) {
    if (range.max !== undefined && compareQuantities(amount, readQuantity(range.max)) > 0) return true;
    if (range.step === undefined) return false;
    const start = quantityValue(readQuantity(range.min ?? '0'));
    return (quantityValue(amount) - start) % quantityValue(readQuantity(range.step)) !== 0n;
  }
  return validValues.length > 0 && !validValues.some((each) => compareQuantities(amount, readQuantity(each)) === 0);
}

/** Whether a request fits into what is left of a device. Source: CmpRequestOverCapacity */
export function fitsCapacity(requests: Requests, device: Device, taken: Amounts, taking: Amounts): boolean {
  const { capacity = {} } = device;
  if (Object.keys(requests).some((name) => !Object.hasOwn(capacity, name))) return false;
  for (const [name, own] of Object.entries(capacity)) {
    const consumed = consumedOf(requests, name, own);
    if (violates(consumed, own.requestPolicy)) return false;
    const sum = addQuantities(addQuantities(taken.get(name) ?? zero, consumed), taking.get(name) ?? zero);
    if (compareQuantities(sum, readQuantity(own.value)) > 0) return false;
  }
  return true;
}

/**
 * Why a request does not fit into what is left of a device: what it asks for and the device lacks, or has too little of.
 * Null where its policy takes no such amount.
 */
export function capacityShortage(requests: Requests, device: Device, taken: Amounts): string | null {
  const { capacity = {} } = device;
  const lacking = Object.keys(requests).find((name) => !Object.hasOwn(capacity, name));
  if (lacking !== undefined) return `no ${lacking}`;
  for (const [name, own] of Object.entries(capacity)) {
    const consumed = consumedOf(requests, name, own);
    const left = subtractQuantities(readQuantity(own.value), taken.get(name) ?? zero);
    if (compareQuantities(consumed, left) > 0) return `${name} ${left.text} < ${consumed.text}`;
  }
  return null;
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  for (const [name, amount] of b) sum.set(name, addQuantities(sum.get(name) ?? zero, amount));
  return sum;
}

/** Null where nothing is left. */
export function subtractAmounts(a: Amounts, b: Amounts): Amounts | null {
  const rest = new Map(a);
  for (const [name, amount] of b) rest.set(name, subtractQuantities(rest.get(name) ?? zero, amount));
  return [...rest.values()].every(({ nanos }) => nanos === 0n) ? null : rest;
}
