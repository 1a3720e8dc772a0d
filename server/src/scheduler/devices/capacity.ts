import {
  addQuantities,
  compareQuantities,
  integerQuantity,
  isQuantityError,
  milliQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from '../../kubernetes/quantity.ts';
import type { Device } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { AttemptFailure } from './attempt-failure.ts';

/** Capacity → how much of it. */
export type Amounts = ReadonlyMap<string, Quantity>;

type DeviceCapacity = NonNullable<NonNullable<Device['capacity']>[string]>;
type Policy = NonNullable<DeviceCapacity['requestPolicy']>;
type Range = NonNullable<Policy['validRange']>;
type Requests = Readonly<Record<string, string>>;

const zero = integerQuantity(0);

/** A search reads the same few amounts at each try. */
const readBefore = new Map<string | number, Quantity>();
const mostRead = 1_000;

export function readQuantity(text: string | number): Quantity {
  const known = readBefore.get(text);
  if (known !== undefined) return known;
  const parsed = parseQuantity(text);
  const quantity = isQuantityError(parsed) ? zero : parsed;
  if (readBefore.size < mostRead) readBefore.set(text, quantity);
  return quantity;
}

/** What a request takes of each capacity of a device. Source: GetConsumedCapacityFromRequest */
export function consumedBy(requests: Requests, device: Device, release: Release): Amounts {
  return new Map(
    Object.entries(device.capacity ?? {}).map(([name, capacity]) => [
      name,
      consumedOf(requests, name, capacity, release),
    ]),
  );
}

/** Source: calculateConsumedCapacity */
function consumedOf(
  requests: Requests,
  name: string,
  { value, requestPolicy: policy }: DeviceCapacity,
  release: Release,
): Quantity {
  const asked = readQuantity(Object.hasOwn(requests, name) ? requests[name]! : (policy?.default ?? value));
  // errNegativeCapacity
  if (asked.nanos < 0n && release.devices.accountsExactly) {
    throw new AttemptFailure(`capacity "${name}": capacity value is negative`);
  }
  if (!Object.hasOwn(requests, name)) return asked;
  const range = policy?.validRange;
  if (range?.min !== undefined) return withinRange(asked, range, name, release);
  const larger = policy?.validValues?.map(readQuantity).find((each) => compareQuantities(asked, each) <= 0);
  return larger ?? asked;
}

const largest = 2n ** 63n - 1n;

/** In thousandths, where an amount is a number of them that upstream can count. Source: safeMilliValue */
function thousandths(amount: Quantity): bigint | null {
  const milli = quantityMilliValue(amount);
  return compareQuantities(milliQuantity(milli), amount) === 0 ? milli : null;
}

/** Whether steps of a range are counted in thousandths. Source: useMilli */
function countsThousandths({ min, max, step }: Range, { featureGates }: Release): boolean {
  return (
    featureGates.has('DRAFractionalCapacityRange') &&
    [min, max, step].every((bound) => bound === undefined || thousandths(readQuantity(bound)) !== null) &&
    (step === undefined || thousandths(readQuantity(step))! >= 1n)
  );
}

/** Source: roundUpRange */
function withinRange(asked: Quantity, range: Range, capacity: string, release: Release): Quantity {
  const { min, step } = range;
  const least = readQuantity(min ?? '0');
  if (compareQuantities(asked, least) < 0) return least;
  if (step === undefined) return asked;
  const stride = readQuantity(step);
  const isMilli = countsThousandths(range, release);
  const { accountsExactly } = release.devices;
  const count = isMilli ? quantityMilliValue : quantityValue;
  const refused = (why: string): AttemptFailure =>
    new AttemptFailure(
      `capacity "${capacity}": capacity request cannot be represented in the device's range arithmetic: ${why}`,
    );
  if (isMilli && thousandths(asked) === null) throw refused(`request ${asked.text} is not a representable milli value`);
  const tooMuch = accountsExactly && asked.nanos > largest * 1_000_000_000n;
  if (!isMilli && tooMuch) throw refused(`request ${asked.text} exceeds MaxInt64`);
  const [size, start] = [count(stride), count(least)];
  // No API server stores such a step: 1.36 panics, 1.37 refuses it.
  if (size === 0n) return asked;
  const added = count(asked) - start;
  const sum = start + size * (added / size + (added % size === 0n ? 0n : 1n));
  if (accountsExactly && sum > largest) {
    const limit = isMilli ? 'the milli-value range' : 'MaxInt64';
    throw refused(`rounding request ${asked.text} up to the next step passes ${limit}`);
  }
  const format = accountsExactly ? stride.format : 'BinarySI';
  if (!isMilli) return integerQuantity(sum, format);
  return sum % 1000n === 0n ? integerQuantity(sum / 1000n, format) : milliQuantity(sum, format);
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

function violates(amount: Quantity, policy: Policy | undefined, release: Release): boolean {
  if (policy === undefined) return false;
  if (policy.default !== undefined && isSameStruct(amount, readQuantity(policy.default))) return false;
  const { validRange: range, validValues = [] } = policy;
  if (range !== undefined) {
    if (range.max !== undefined && compareQuantities(amount, readQuantity(range.max)) > 0) return true;
    if (range.step === undefined) return false;
    const isMilli = countsThousandths(range, release);
    if (isMilli && thousandths(amount) === null) return true;
    const [value, start, step] = [amount, readQuantity(range.min ?? '0'), readQuantity(range.step)].map(
      isMilli ? quantityMilliValue : quantityValue,
    ) as [bigint, bigint, bigint];
    return step !== 0n && (value - start) % step !== 0n;
  }
  return validValues.length > 0 && !validValues.some((each) => compareQuantities(amount, readQuantity(each)) === 0);
}

/** Whether a request fits into what is left of a device. Source: CmpRequestOverCapacity */
export function fitsCapacity(
  requests: Requests,
  device: Device,
  taken: Amounts,
  taking: Amounts,
  release: Release,
): boolean {
  const { capacity = {} } = device;
  if (Object.keys(requests).some((name) => !Object.hasOwn(capacity, name))) return false;
  // What ends the attempt does so whatever other capacities say.
  const all = consumedBy(requests, device, release);
  for (const [name, own] of Object.entries(capacity)) {
    const consumed = all.get(name)!;
    if (violates(consumed, own.requestPolicy, release)) return false;
    const sum = addQuantities(addQuantities(taken.get(name) ?? zero, consumed), taking.get(name) ?? zero);
    if (compareQuantities(sum, readQuantity(own.value)) > 0) return false;
  }
  return true;
}

/**
 * Why a request does not fit into what is left of a device: what it asks for and the device lacks, or has too little of.
 * Null where its policy takes no such amount.
 */
export function capacityShortage(requests: Requests, device: Device, taken: Amounts, release: Release): string | null {
  const { capacity = {} } = device;
  const lacking = Object.keys(requests).find((name) => !Object.hasOwn(capacity, name));
  if (lacking !== undefined) return `no ${lacking}`;
  for (const [name, own] of Object.entries(capacity)) {
    const consumed = consumedOf(requests, name, own, release);
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
