import { addTo } from '../../util/maps.ts';
import { isObject, valueAt } from '../../util/values.ts';
import type { Path } from '../../kubernetes/json.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { DeviceClass, ResourceClaim, ResourceSlice } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { type DeviceEngine, deviceEngine } from '../../scheduler/framework/device-engine.ts';
import { derived } from './derived.ts';
import type { Fact, FactsReader } from './fact.ts';

/** A device that a slice offers, and the claim that has it. */
export interface KnownDevice {
  readonly slice: ResourceSlice;
  readonly device: NonNullable<ResourceSlice['spec']['devices']>[number];
  readonly takenBy: readonly string[];
}

/** Devices of the slices that are declared, with the claims that have them. */
export const knownDevices = derived(['ResourceSlice', 'ResourceClaim'], (slices, claims): readonly KnownDevice[] => {
  const takenBy = new Map<string, string[]>();
  for (const { object } of claims) {
    const claim = object as ResourceClaim;
    for (const { driver, pool, device, adminAccess } of claim.status?.allocation?.devices?.results ?? []) {
      if (adminAccess === true) continue;
      const id = `${driver}/${pool}/${device}`;
      addTo(takenBy, id, keyOf(claim));
    }
  }
  return slices.flatMap(({ object }) => {
    const slice = object as ResourceSlice;
    return (slice.spec.devices ?? []).map((device) => ({
      slice,
      device,
      takenBy: takenBy.get(`${slice.spec.driver}/${slice.spec.pool.name}/${device.name}`) ?? [],
    }));
  });
});

/** What a selector says against a device; null where the device passes. */
export interface JudgedDevice {
  readonly known: KnownDevice;
  readonly against: ReturnType<DeviceEngine['judge']>;
}

/**
 * What each device has to do with the selector at a path; those of the request's class alone, where the class is known.
 * Undefined where the selector is not to be run.
 */
export function judgedDevices(
  { object }: Pick<Fact, 'object'>,
  path: Path,
  facts: FactsReader,
  release: Release,
): readonly JudgedDevice[] | undefined {
  const engine = deviceEngine();
  const expression = valueAt(object, path);
  if (engine === undefined || typeof expression !== 'string') return undefined;
  const request = valueAt(object, path.slice(0, path.lastIndexOf('selectors')));
  const className = isObject(request) ? request['deviceClassName'] : undefined;
  const all = knownDevices(facts);
  const ofClass =
    typeof className === 'string' ? all.filter((each) => isOfClass(className, each, facts, release)) : all;
  return (ofClass.length === 0 ? all : ofClass).map((known) => ({
    known,
    against: engine.judge(expression, known, release),
  }));
}

/** Whether a device passes the selectors of a class. */
export function isOfClass(name: string, device: KnownDevice, facts: FactsReader, release: Release): boolean {
  const found = facts.ofKind('DeviceClass').find((each) => each.name === name);
  const engine = deviceEngine();
  if (found === undefined || engine === undefined) return false;
  const { selectors = [] } = (found.object as DeviceClass).spec;
  return selectors.every(({ cel }) => engine.judge(cel?.expression ?? '', device, release) === null);
}

/** Whether a DeviceClass is behind an extended resource. Source: DRAExtendedResource */
export function isDeviceResource(resource: string, facts: FactsReader, { featureGates }: Release): boolean {
  return (
    featureGates.has('DRAExtendedResource') &&
    facts
      .ofKind('DeviceClass')
      .some(
        ({ name, object }) =>
          resource === `deviceclass.resource.kubernetes.io/${name}` ||
          resource === (object as DeviceClass).spec.extendedResourceName,
      )
  );
}

/** Names of attributes or capacities of the devices that are there, `domain` and `id`. */
export function namesInDevices(
  facts: FactsReader,
  of: 'attributes' | 'capacity',
): ReadonlyMap<string, ReadonlySet<string>> {
  const domains = new Map<string, Set<string>>();
  for (const { slice, device } of knownDevices(facts)) {
    for (const name of Object.keys(device[of] ?? {})) {
      const slash = name.indexOf('/');
      const domain = slash === -1 ? slice.spec.driver : name.slice(0, slash);
      const ids = domains.get(domain) ?? new Set<string>();
      domains.set(domain, ids.add(name.slice(slash + 1)));
    }
  }
  return domains;
}
