import type { ResourceClaimSpec } from '../framework/device-engine.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { PoolDevice } from './inventory.ts';

/** What the devices of a claim must have in common, or not. Adding and removing go hand in hand. */
export interface Constraint {
  add(request: string, alternative: string, device: PoolDevice): boolean;
  remove(request: string, alternative: string): void;
  /** What it keeps, as a text. */
  state(): string;
  /** What of a device it looks at. */
  valueOf(device: PoolDevice): unknown;
}

type Attribute = NonNullable<NonNullable<PoolDevice['device']['attributes']>[string]>;

/** A name without the driver's domain counts as one with it. Source: lookupAttribute */
function attributeOf({ device, slice }: PoolDevice, name: string): Attribute | undefined {
  const { attributes = {} } = device;
  if (Object.hasOwn(attributes, name)) return attributes[name];
  const slash = name.indexOf('/');
  if (slash === -1 || name.slice(0, slash) !== slice.spec.driver) return undefined;
  const id = name.slice(slash + 1);
  return Object.hasOwn(attributes, id) ? attributes[id] : undefined;
}

type Values = ReadonlySet<string>;

const none: Values = new Set();
const known = new WeakMap<Attribute, Values>();

/**
 * The values of an attribute, told apart by type; none where it is of a type that is not known, as lists are while their gate
 * is off. Source: attributeAsSet in structured/internal/experimental/allocator_experimental.go
 */
function valuesOf(attribute: Attribute, hasLists: boolean): Values {
  const { int, bool, string, version, ints, bools, strings, versions } = attribute;
  if (!hasLists && (ints ?? bools ?? strings ?? versions) !== undefined) return none;
  let values = known.get(attribute);
  if (values !== undefined) return values;
  const all = { int: ints, bool: bools, string: strings, version: versions };
  const one = { string, int, bool, version };
  const found = [...Object.entries(all), ...Object.entries(one)].find(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  );
  const [type, value] = found ?? ['', []];
  known.set(attribute, (values = new Set([value].flat().map((each) => `${type} ${String(each)}`))));
  return values;
}

function common(a: Values, b: Values): Values {
  if (a.size === 1) {
    for (const value of a) return b.has(value) ? a : none;
  }
  return new Set([...a].filter((value) => b.has(value)));
}

abstract class AttributeConstraint implements Constraint {
  readonly #requests: ReadonlySet<string>;
  readonly #name: string;
  protected readonly hasLists: boolean;
  protected readonly isExact: boolean;
  protected count = 0;

  constructor(name: string, requests: readonly string[], { featureGates, devices }: Release) {
    this.#name = name;
    this.#requests = new Set(requests);
    this.hasLists = featureGates.has('DRAListTypeAttributes');
    this.isExact = devices.accountsExactly;
  }

  add(request: string, alternative: string, device: PoolDevice): boolean {
    if (!this.#concerns(request, alternative)) return true;
    const attribute = attributeOf(device, this.#name);
    if (attribute === undefined || !this.take(request, valuesOf(attribute, this.hasLists))) return false;
    this.count += 1;
    return true;
  }

  remove(request: string, alternative: string): void {
    if (!this.#concerns(request, alternative)) return;
    this.count -= 1;
    this.release(request);
  }

  valueOf(device: PoolDevice): unknown {
    return attributeOf(device, this.#name) ?? null;
  }

  abstract state(): string;
  protected abstract take(request: string, values: Values): boolean;
  protected abstract release(request: string): void;

  #concerns(request: string, alternative: string): boolean {
    if (this.#requests.size === 0 || this.#requests.has(request)) return true;
    return alternative !== '' && this.#requests.has(`${request}/${alternative}`);
  }
}

/** What all devices have in common; leaving a device widens it again since 1.37. Source: matchAttributeConstraint */
class MatchAttribute extends AttributeConstraint {
  /** After each device. */
  readonly #common: Values[] = [];

  protected take(_request: string, values: Values): boolean {
    if (this.count === 0) {
      if (this.hasLists && values.size === 0) return false;
      this.#common.splice(0, Infinity, values);
      return true;
    }
    const left = common(this.#common.at(-1)!, values);
    if (left.size === 0) return false;
    if (this.isExact) this.#common.push(left);
    else this.#common[0] = left;
    return true;
  }

  state(): string {
    return this.count === 0 ? '' : [...this.#common.at(-1)!].join();
  }

  protected release(): void {
    // The next first device decides anew.
    if (this.isExact && this.count > 0) this.#common.pop();
  }
}

/**
 * Before 1.37 values are kept by request: a second device of one takes the place of the first, and its leaving takes both
 * out. Source: constraint.go (distinctAttributeConstraint)
 */
class DistinctAttribute extends AttributeConstraint {
  readonly #values = new Map<string, Values>();

  protected take(request: string, values: Values): boolean {
    const others = this.count === 0 ? [] : [...this.#values.values()];
    const isUnknown = values.size === 0 && (this.hasLists ? this.count > 0 : others.length > 0);
    if (isUnknown || others.some((other) => common(values, other).size > 0)) return false;
    this.#values.set(this.isExact ? `${this.count}` : request, values);
    return true;
  }

  state(): string {
    return `${this.count} ${[...this.#values].map(([of, values]) => `${of}=${[...values].join()}`).join()}`;
  }

  protected release(request: string): void {
    this.#values.delete(this.isExact ? `${this.count}` : request);
  }
}

/** The constraints of a claim, or the position of one that the allocator does not know. */
export function constraintsOf({ devices }: ResourceClaimSpec, release: Release): readonly Constraint[] | number {
  const isOn = release.featureGates.has('DRAConsumableCapacity');
  const distinct = isOn ? 'enforced' : release.devices.distinctAttributeWithoutGate;
  const made: Constraint[] = [];
  for (const [at, { matchAttribute, distinctAttribute, requests = [] }] of (devices?.constraints ?? []).entries()) {
    if (matchAttribute !== undefined) {
      made.push(new MatchAttribute(matchAttribute, requests, release));
    } else if (distinctAttribute !== undefined && distinct !== 'refused') {
      if (distinct === 'enforced') made.push(new DistinctAttribute(distinctAttribute, requests, release));
    } else {
      return at;
    }
  }
  return made;
}
