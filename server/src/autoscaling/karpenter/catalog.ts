import { compareQuantities, maxQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import type { ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { getOrInsert } from '../../util/maps.ts';
import { none, noAmounts } from './amounts.ts';
import { addBits, type Bits, isEmpty, keepBits, noBits, placesOf, setBit } from './bits.ts';
import { wellKnownLabels } from './labels.ts';
import type { Requirement } from './requirement.ts';
import { areCompatible, meet, type Requirements } from './requirements.ts';

/** Where and how a type can be bought. */
export interface Offering {
  readonly requirements: Requirements;
  readonly capacityType: string;
  readonly price: number;
  readonly isAvailable: boolean;
  /** Of a reservation: which, and how many of it are left. */
  readonly reservation?: { readonly id: string; readonly count: number };
}

/** A type of machine. Source: karpenter pkg/cloudprovider/types.go InstanceType */
export interface InstanceType {
  readonly name: string;
  readonly requirements: Requirements;
  readonly capacity: ResourceAmounts;
  readonly allocatable: ResourceAmounts;
  readonly offerings: readonly Offering[];
}

/** Types that a resource suffices on, by how much of it they have. */
interface Steps {
  /** Ascending, each once. */
  readonly amounts: readonly Quantity[];
  /** For each amount those that have as much or more; behind them those that have more than all, none. */
  readonly atLeast: readonly Bits[];
}

interface Alike<Value> {
  readonly value: Value;
  readonly bits: Bits;
}

/**
 * The types a pool may choose from, indexed: which of them meet a requirement, have room for a request, or are offered.
 * Every question is answered for all types at once.
 */
export class Catalog {
  readonly types: readonly InstanceType[];
  /** Whether a pool may choose from no others, that are not known here. */
  readonly isWhole: boolean;
  readonly all: Bits;
  readonly #wholesome: Bits;
  readonly #byKey = new Map<string, { readonly absent: Bits; readonly groups: readonly Alike<Requirement>[] }>();
  readonly #meeting = new Map<string, Map<string, Bits>>();
  readonly #allocatable = new Map<string, Steps>();
  readonly #capacity = new Map<string, Steps>();
  readonly #offerings: readonly Alike<Requirements>[];
  readonly #offeringKeys: readonly string[];
  readonly #offered = new Map<string, Bits>();

  constructor(types: readonly InstanceType[], isWhole = true) {
    this.types = types;
    this.isWhole = isWhole;
    this.all = this.#where(() => true);
    this.#wholesome = this.#where(({ allocatable }) => [...allocatable.values()].every(({ nanos }) => nanos >= 0n));
    // Types mostly have the same offerings, as the same values.
    const shapes = new Map<Requirements, Alike<Requirements>>();
    for (const [at, { offerings }] of types.entries()) {
      for (const { requirements, isAvailable } of offerings) {
        const known = getOrInsert(shapes, requirements, () => ({ value: requirements, bits: noBits(types.length) }));
        if (isAvailable) setBit(known.bits, at);
      }
    }
    this.#offerings = [...shapes.values()];
    this.#offeringKeys = [...new Set(this.#offerings.flatMap(({ value }) => [...value.keys()]))].sort();
  }

  /** Types whose labels these requirements do not contradict. */
  meeting(requirements: Requirements): Bits {
    const bits = this.all.slice();
    for (const requirement of requirements.values()) keepBits(bits, this.#meetingOne(requirement));
    return bits;
  }

  /** Types that have room for all of it. */
  fitting(requests: ResourceAmounts): Bits {
    const bits = this.#wholesome.slice();
    for (const [name, amount] of requests) {
      const steps = this.#steps(this.#allocatable, name, ({ allocatable }) => allocatable);
      keepBits(bits, steps.atLeast[firstAtLeast(steps.amounts, amount)]!);
    }
    return bits;
  }

  /** Types none of whose capacity is beyond what is left of a limit. Source: filterByRemainingResources */
  within(remaining: ResourceAmounts): Bits {
    const bits = this.all.slice();
    for (const [name, amount] of remaining) {
      const steps = this.#steps(this.#capacity, name, ({ capacity }) => capacity);
      const beyond = steps.atLeast[firstAbove(steps.amounts, amount)]!;
      for (let word = 0; word < bits.length; word++) bits[word]! &= ~beyond[word]!;
    }
    return bits;
  }

  /** Types that are offered where and how it is required. */
  offered(requirements: Requirements): Bits {
    const identity = [...this.#offeringKeys].map((key) => `${key} ${requirements.get(key)?.identity ?? ''}`).join('\n');
    let bits = this.#offered.get(identity);
    if (bits === undefined) {
      bits = noBits(this.types.length);
      for (const { value, bits: alike } of this.#offerings) {
        if (areCompatible(requirements, value, wellKnownLabels)) addBits(bits, alike);
      }
      // Requirements that offerings do not know may be missing from them, and are the same for all.
      this.#offered.set(identity, bits);
    }
    return bits;
  }

  typesOf(bits: Bits): readonly InstanceType[] {
    return placesOf(bits).map((at) => this.types[at]!);
  }

  /** What the types say of a label, each once. */
  requirementsAt(key: string): { readonly groups: readonly Requirement[]; readonly isAbsentSomewhere: boolean } {
    const { absent, groups } = this.#at(key);
    return { groups: groups.map(({ value }) => value), isAbsentSomewhere: !isEmpty(absent) };
  }

  #meetingOne(requirement: Requirement): Bits {
    const known = getOrInsert(this.#meeting, requirement.key, () => new Map());
    let bits = known.get(requirement.identity);
    if (bits === undefined) {
      const { absent, groups } = this.#at(requirement.key);
      bits = absent.slice();
      for (const { value, bits: alike } of groups) if (meet(value, requirement)) addBits(bits, alike);
      known.set(requirement.identity, bits);
    }
    return bits;
  }

  #at(key: string): { readonly absent: Bits; readonly groups: readonly Alike<Requirement>[] } {
    let known = this.#byKey.get(key);
    if (known === undefined) {
      const groups = new Map<string, Alike<Requirement>>();
      for (const [at, { requirements }] of this.types.entries()) {
        const value = requirements.get(key);
        if (value === undefined) continue;
        const group = getOrInsert(groups, value.identity, () => ({ value, bits: noBits(this.types.length) }));
        setBit(group.bits, at);
      }
      known = { absent: this.#where(({ requirements }) => !requirements.has(key)), groups: [...groups.values()] };
      this.#byKey.set(key, known);
    }
    return known;
  }

  #steps(known: Map<string, Steps>, name: string, amountsOf: (type: InstanceType) => ResourceAmounts): Steps {
    let steps = known.get(name);
    if (steps === undefined) {
      const amountOf = (type: InstanceType): Quantity => amountsOf(type).get(name) ?? none;
      const order = [...this.types.keys()].sort((a, b) =>
        compareQuantities(amountOf(this.types[b]!), amountOf(this.types[a]!)),
      );
      const amounts: Quantity[] = [];
      const atLeast: Bits[] = [noBits(this.types.length)];
      for (const at of order) {
        const amount = amountOf(this.types[at]!);
        if (amounts.length === 0 || compareQuantities(amounts.at(-1)!, amount) !== 0) {
          amounts.push(amount);
          atLeast.push(atLeast.at(-1)!.slice());
        }
        setBit(atLeast.at(-1)!, at);
      }
      known.set(name, (steps = { amounts: amounts.reverse(), atLeast: atLeast.reverse() }));
    }
    return steps;
  }

  #where(test: (type: InstanceType) => boolean): Bits {
    const bits = noBits(this.types.length);
    for (const [at, type] of this.types.entries()) if (test(type)) setBit(bits, at);
    return bits;
  }
}

/** The smallest first. */
export function bySize(a: InstanceType, b: InstanceType): number {
  for (const name of ['cpu', 'memory']) {
    const order = compareQuantities(a.capacity.get(name) ?? none, b.capacity.get(name) ?? none);
    if (order !== 0) return order;
  }
  return a.name < b.name ? -1 : 1;
}

/** The largest capacity of each resource. Source: MaxResources */
export function largestCapacity(types: readonly InstanceType[]): ResourceAmounts {
  if (types.length === 0) return noAmounts;
  const largest = new Map<string, Quantity>();
  for (const { capacity } of types) {
    for (const [name, amount] of capacity) {
      const known = largest.get(name);
      largest.set(name, known === undefined ? amount : maxQuantity(known, amount));
    }
  }
  return largest;
}

/** The first of ascending amounts that is not smaller; their number when all are. */
function firstAtLeast(amounts: readonly Quantity[], wanted: Quantity): number {
  let [low, high] = [0, amounts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareQuantities(amounts[middle]!, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstAbove(amounts: readonly Quantity[], wanted: Quantity): number {
  const at = firstAtLeast(amounts, wanted);
  return at < amounts.length && compareQuantities(amounts[at]!, wanted) === 0 ? at + 1 : at;
}
