import type { Device } from '../../kubernetes/objects.ts';
import { integerQuantity, isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { semverOf } from './kubernetes-functions.ts';
import { CelMap, QuantityValue, type Value } from './values.ts';

const emptyMap = new CelMap([]);
/** The same device is asked for by many selectors, and has one driver. */
const deviceValues = new WeakMap<Device, CelMap | string>();

/** What `device` is in an expression, or the text of what is wrong with the device. */
export function deviceValue(driver: string, device: Device): CelMap | string {
  let value = deviceValues.get(device);
  if (value === undefined) deviceValues.set(device, (value = makeDeviceValue(driver, device)));
  return value;
}

/** Source: DeviceMatches in dynamic-resource-allocation/cel/compile.go */
function makeDeviceValue(driver: string, device: Device): CelMap | string {
  const attributes: (readonly [string, Value])[] = [];
  for (const [name, { int, bool, string, version }] of Object.entries(device.attributes ?? {})) {
    const plain = int === undefined ? (bool ?? string) : BigInt(int);
    if (plain !== undefined) {
      attributes.push([name, plain]);
      continue;
    }
    if (version === undefined) return `attribute ${name}: unsupported attribute value`;
    const parsed = semverOf(version);
    if (typeof parsed === 'string') return `attribute ${name}: parse semantic version: ${parsed}`;
    attributes.push([name, parsed]);
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
