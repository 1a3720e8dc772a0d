import { isNumber } from '../../util/exact-integer.ts';
import { getOrInsert } from '../../util/maps.ts';
import { own } from '../../util/own.ts';
import type { ApiTypes, FieldType, StructType } from '../../kubernetes/api/index.ts';
import { isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import { latestRelease } from '../../kubernetes/releases/index.ts';

/** The API server works on internal types, whose fields differ in names and pointers from those of the API. */

/** External names whose internal ones differ in more than capitals: struct → field → Go's name. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AzureDiskVolumeSource: { diskURI: 'DataDiskURI' },
  GlusterfsVolumeSource: { endpoints: 'EndpointsName' },
  GlusterfsPersistentVolumeSource: { endpoints: 'EndpointsName' },
  ISCSIVolumeSource: { chapAuthDiscovery: 'DiscoveryCHAPAuth', chapAuthSession: 'SessionCHAPAuth' },
  ISCSIPersistentVolumeSource: { chapAuthDiscovery: 'DiscoveryCHAPAuth', chapAuthSession: 'SessionCHAPAuth' },
  RBDVolumeSource: { monitors: 'CephMonitors', image: 'RBDImage', pool: 'RBDPool', user: 'RadosUser' },
  RBDPersistentVolumeSource: { monitors: 'CephMonitors', image: 'RBDImage', pool: 'RBDPool', user: 'RadosUser' },
  NodeSpec: { externalID: 'DoNotUseExternalID' },
};

/** Fields of a pod's spec that stand in its security context inside. Source: pkg/apis/core/v1/conversion.go */
export const hostFields = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'] as const;

/** The struct that the API server works on, where it is another than that of the API. */
export function internalOf(types: ApiTypes, type: StructType): StructType {
  const group = type.group.slice(0, type.group.indexOf('/'));
  return types.struct(`internal/${group}`, type.goName) ?? type;
}

/** The names of the API by the lower case of the internal ones. */
export function externalNames(type: StructType): ReadonlyMap<string, string> {
  const changes = own(renamed, type.goName) ?? {};
  const names = [...type.fields.keys()].map((name): [string, string] => [
    (own(changes, name) ?? name).toLowerCase(),
    name,
  ]);
  if (type.goName === 'PodSecurityContext') {
    names.push(...hostFields.map((name): [string, string] => [name.toLowerCase(), name]));
  }
  return new Map(names);
}

const known = new WeakMap<StructType, ReadonlySet<string>>();

/** The fields of a struct, by their names in the API, that are pointers inside the server. */
export function pointersOf(type: StructType): ReadonlySet<string> {
  return getOrInsert(known, type, () => findPointers(type));
}

function findPointers(type: StructType): ReadonlySet<string> {
  const internal = internalOf(latestRelease.types, type);
  const external = externalNames(type);
  const found = new Set([...type.fields.values()].filter(({ pointer }) => pointer).map(({ name }) => name));
  for (const field of internal.fields.values()) {
    const name = external.get(field.name.toLowerCase());
    if (name === undefined) continue;
    if (field.pointer) found.add(name);
    else found.delete(name);
  }
  return found;
}

function isNothing(amount: string): boolean {
  const quantity = parseQuantity(amount);
  return !isQuantityError(quantity) && quantity.nanos === 0n;
}

/** Whether a value is what Go has where nothing is written. */
export function isZero(value: unknown, type: FieldType): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isNumber(value)) return false;
  if (typeof value !== 'object') return type.kind === 'quantity' && typeof value === 'string' && isNothing(value);
  return Object.entries(value).every(([name, inner]: [string, unknown]) => {
    if (type.kind !== 'struct') return false;
    const field = type.fields.get(name);
    if (inner === undefined || inner === null || field === undefined) return true;
    return !pointersOf(type).has(name) && isZero(inner, field.type);
  });
}
