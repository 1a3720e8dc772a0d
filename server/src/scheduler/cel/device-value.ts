import type { Device } from '../../kubernetes/objects.ts';
import { integerQuantity, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { semverOf } from './kubernetes-functions.ts';
import { CelMap, QuantityValue, type Value } from './values.ts';

const emptyMap = new CelMap([]);
type DeviceValues = WeakMap<Device, CelMap | string>;

/** The same device is asked for by many selectors, and has one driver. */
const deviceValues: DeviceValues = new WeakMap();
const withLists: DeviceValues = new WeakMap();

/** What `device` is in an expression, or the text of what is wrong with the device. */
export function deviceValue(driver: string, device: Device, readsLists: boolean): CelMap | string {
  const known = readsLists ? withLists : deviceValues;
  let value = known.get(device);
  if (value === undefined) known.set(device, (value = makeDeviceValue(driver, device, readsLists)));
  return value;
}

type Attribute = NonNullable<NonNullable<Device['attributes']>[string]>;

/** The value, or a text of what is wrong with it. Source: getAttributeValue */
function attributeValue(attribute: Attribute, readsLists: boolean): { readonly value: Value } | string {
  const { int, bool, string, version, ints, bools, strings, versions } = attribute;
  const list = readsLists ? (ints?.map(BigInt) ?? bools ?? strings) : undefined;
  const plain = list ?? (int === undefined ? (bool ?? string) : BigInt(int));
  if (plain !== undefined) return { value: plain };
  const texts = readsLists && versions !== undefined ? versions : version === undefined ? null : [version];
  if (texts === null) return 'unsupported attribute value';
  const parsed: Value[] = [];
  for (const text of texts) {
    const each = semverOf(text);
    if (typeof each === 'string') return `parse semantic version: ${each}`;
    parsed.push(each);
  }
  return { value: texts === versions ? parsed : parsed[0]! };
}

/** Source: DeviceMatches in dynamic-resource-allocation/cel/compile.go */
function makeDeviceValue(driver: string, device: Device, readsLists: boolean): CelMap | string {
  const attributes: (readonly [string, Value])[] = [];
  for (const [name, attribute] of Object.entries(device.attributes ?? {})) {
    const read = attributeValue(attribute, readsLists);
    if (typeof read === 'string') return `attribute ${name}: ${read}`;
    attributes.push([name, read.value]);
  }
  const capacity = Object.entries(device.capacity ?? {}).map(([name, { value }]) => {
    const quantity = parseQuantity(value);
    return [name, new QuantityValue(isQuantityError(quantity) ? integerQuantity(0) : quantity)] as const;
  });
  return new CelMap([
    ['driver', driver],
    ['allowMultipleAllocations', device.allowMultipleAllocations === true],
    ['attributes', byDomain(attributes, driver)],
    ['capacity', byDomain(capacity, driver)],
  ]);
}

/** A name without domain is in that of the driver. */
function byDomain(entries: readonly (readonly [string, Value])[], driver: string): CelMap {
  const domains = new Map<string, (readonly [string, Value])[]>();
  for (const [name, value] of entries) {
    const slash = name.indexOf('/');
    const domain = slash === -1 ? driver : name.slice(0, slash);
    const ids = domains.get(domain) ?? [];
    ids.push([slash === -1 ? name : name.slice(slash + 1), value]);
    domains.set(domain, ids);
  }
  return new CelMap(
    [...domains].map(([domain, ids]) => [domain, new CelMap(ids)] as const),
    emptyMap,
  );
}
