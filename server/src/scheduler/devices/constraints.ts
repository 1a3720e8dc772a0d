import type { ResourceClaimSpec } from '../framework/device-engine.ts';
import type { PoolDevice } from './inventory.ts';

/** What the devices of a claim must have in common, or not. Adding and removing go hand in hand. */
export interface Constraint {
  add(request: string, alternative: string, device: PoolDevice): boolean;
  remove(request: string, alternative: string): void;
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

/** Values of one type; undefined for one that has no type that is known. */
function areSame(a: Attribute, b: Attribute): boolean | undefined {
  if (a.string !== undefined) return a.string === b.string;
  if (a.int !== undefined) return a.int === b.int;
  if (a.bool !== undefined) return a.bool === b.bool;
  if (a.version !== undefined) return a.version === b.version;
  return undefined;
}

abstract class AttributeConstraint implements Constraint {
  readonly #requests: ReadonlySet<string>;
  readonly #name: string;
  protected count = 0;

  constructor(name: string, requests: readonly string[]) {
    this.#name = name;
    this.#requests = new Set(requests);
  }

  add(request: string, alternative: string, device: PoolDevice): boolean {
    if (!this.#concerns(request, alternative)) return true;
    const attribute = attributeOf(device, this.#name);
    return attribute !== undefined && this.take(request, attribute);
  }

  remove(request: string, alternative: string): void {
    if (!this.#concerns(request, alternative)) return;
    this.count -= 1;
    this.release(request);
  }

  valueOf(device: PoolDevice): unknown {
    return attributeOf(device, this.#name) ?? null;
  }

  protected abstract take(request: string, attribute: Attribute): boolean;
  protected abstract release(request: string): void;

  #concerns(request: string, alternative: string): boolean {
    if (this.#requests.size === 0 || this.#requests.has(request)) return true;
    return alternative !== '' && this.#requests.has(`${request}/${alternative}`);
  }
}

/** Source: matchAttributeConstraint */
class MatchAttribute extends AttributeConstraint {
  #attribute: Attribute | undefined;

  protected take(_request: string, attribute: Attribute): boolean {
    if (this.count === 0) this.#attribute = attribute;
    else if (areSame(attribute, this.#attribute!) !== true) return false;
    this.count += 1;
    return true;
  }

  protected release(): void {
    // The next first device decides anew.
  }
}

/**
 * Values are kept by request: a second device of one takes the place of the first, and its leaving takes both out.
 * Source: constraint.go (distinctAttributeConstraint)
 */
class DistinctAttribute extends AttributeConstraint {
  readonly #attributes = new Map<string, Attribute>();

  protected take(request: string, attribute: Attribute): boolean {
    const others = this.count === 0 ? [] : [...this.#attributes.values()];
    if (others.some((other) => areSame(attribute, other) !== false)) return false;
    this.#attributes.set(request, attribute);
    this.count += 1;
    return true;
  }

  protected release(request: string): void {
    this.#attributes.delete(request);
  }
}

/** The constraints of a claim, or the position of one that the allocator does not know. */
export function constraintsOf(
  { devices }: ResourceClaimSpec,
  distinct: 'enforced' | 'ignored' | 'refused',
): readonly Constraint[] | number {
  const made: Constraint[] = [];
  for (const [at, { matchAttribute, distinctAttribute, requests = [] }] of (devices?.constraints ?? []).entries()) {
    if (matchAttribute !== undefined) {
      made.push(new MatchAttribute(matchAttribute, requests));
    } else if (distinctAttribute !== undefined && distinct !== 'refused') {
      if (distinct === 'enforced') made.push(new DistinctAttribute(distinctAttribute, requests));
    } else {
      return at;
    }
  }
  return made;
}
