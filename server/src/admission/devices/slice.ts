import { isObject, valueAt } from '../../util/values.ts';
import type { KubeObject, ResourceSlice } from '../../kubernetes/objects.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Release } from '../../kubernetes/release.ts';
import {
  type Batches,
  inBatches,
  invalid,
  required,
  invalidFormat,
  requiredFormat,
  tooLong,
  tooMany,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { byteLength, dnsLabelProblems, dnsSubdomainProblems } from '../format/names.ts';
import {
  bindingErrors,
  capacityErrors,
  consumptionErrors,
  counterSetErrors,
  doubles,
  errorsOfTaint,
  isCutShort,
  keyPlaces,
  qualifiedNameErrors,
  taintErrors,
} from './device-parts.ts';
import { driverProblems } from '../volumes/csi-driver.ts';
import { judgeNodeSelector } from '../pods/node-affinity.ts';

/** Source for this file: validateResourceSliceSpec in pkg/apis/resource/validation/validation.go */

type Spec = ResourceSlice['spec'];
type Device = NonNullable<Spec['devices']>[number];
type Attribute = NonNullable<Device['attributes']>[string];
/** What says which nodes reach a slice or a device. */
type Reach = Pick<Spec, 'nodeName' | 'nodeSelector' | 'allNodes' | 'perDeviceNodeSelection'>;

/** ResourceSliceMaxDevices, ResourceSliceMaxDevicesWithTaintsOrConsumesCounters */
const mostDevices = 128;
const mostAdvancedDevices = 64;
/** ResourceSliceMaxAttributesAndCapacitiesPerDevice */
const mostEntries = 32;
/** DeviceAttributeMaxValueLength */
const longestValue = 64;
/** attributeAndCapacityMaxKeyLength: DeviceMaxDomainLength + 1 + DeviceMaxIDLength */
const longestKey = 63 + 1 + 32;
/** PoolNameMaxLength */
const longestPool = 253;

export function* judgeSlice({ spec: written }: ResourceSlice, release: Release): Batches {
  const at = FieldPath.to('spec');
  const spec = withoutGated(written, release);
  yield driverProblems(spec.driver, at.child('driver'));
  yield poolProblems(spec.pool, at.child('pool'));
  yield* judgeReach(spec, at);
  if (spec.sharedCounters !== undefined && spec.devices !== undefined) {
    yield [invalid(at, '', 'only one of `sharedCounters` or `devices` is allowed')];
  }
  const devices = goList(spec.devices);
  const isAdvanced = devices.some(
    ({ taints, consumesCounters }) => goList(taints).length + goList(consumesCounters).length > 0,
  );
  const { judgesLongLists } = release.devices;
  const most = isAdvanced && !judgesLongLists ? mostAdvancedDevices : mostDevices;
  const devicesAt = at.child('devices');
  const isCut = isCutShort(devices, most, release);
  for (const [index, device] of isCut ? [] : devices.entries()) {
    yield* judgeDevice(device, devicesAt.index(index), spec, release);
  }
  if (devices.length > most) yield [tooMany(devicesAt, devices.length, most)];
  const names = isCut ? [] : devices.map(({ name }) => goString(name));
  yield doubles(names, devicesAt, judgesLongLists ? 'name' : undefined);
  yield counterSetErrors(goList(spec.sharedCounters), at.child('sharedCounters'), release);
}

/** Fields whose gate is off are dropped before anything is looked at. Source: pkg/registry/resource/resourceslice/strategy.go */
function withoutGated(
  { sharedCounters, perDeviceNodeSelection, devices, ...spec }: Spec,
  { featureGates }: Release,
): Spec {
  const parts = featureGates.has('DRAPartitionableDevices');
  const taints = featureGates.has('DRADeviceTaints');
  const shares = featureGates.has('DRAConsumableCapacity');
  const binds = featureGates.has('DRADeviceBindingConditions');
  return {
    ...spec,
    ...(parts && sharedCounters !== undefined ? { sharedCounters } : {}),
    ...(parts && perDeviceNodeSelection !== undefined ? { perDeviceNodeSelection } : {}),
    ...(devices === undefined
      ? {}
      : {
          devices: devices.map((written) => {
            const { consumesCounters, taints: own, nodeName, nodeSelector, allNodes, ...all } = written;
            const { bindingConditions, bindingFailureConditions, ...device } = shares ? all : withoutShares(all);
            return {
              ...device,
              ...(binds && bindingConditions !== undefined ? { bindingConditions } : {}),
              ...(binds && bindingFailureConditions !== undefined ? { bindingFailureConditions } : {}),
              ...(taints && own !== undefined ? { taints: own } : {}),
              ...(parts && consumesCounters !== undefined ? { consumesCounters } : {}),
              ...(parts && nodeName !== undefined ? { nodeName } : {}),
              ...(parts && nodeSelector !== undefined ? { nodeSelector } : {}),
              ...(parts && allNodes !== undefined ? { allNodes } : {}),
            };
          }),
        }),
  };
}

function withoutShares(device: Device): Device {
  const { allowMultipleAllocations: _shared, capacity = {}, ...rest } = device;
  return {
    ...rest,
    capacity: Object.fromEntries(Object.entries(capacity).map(([name, { value }]) => [name, { value }])),
  };
}

/** validatePoolName */
function poolNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  if (name === '') return [required(at)];
  const long = byteLength(name) > longestPool ? [tooLong(at, longestPool)] : [];
  return [...long, ...name.split('/').flatMap((part) => invalidFormat(at, part, dnsSubdomainProblems(part)))];
}

/** Judges a rule that taints devices, without its metadata, as it is written (validateDeviceTaintRuleSpec). */
export function* judgeTaintRule(rule: KubeObject): Batches {
  // Of another type it is refused as that.
  if (!isObject(valueAt(rule, ['spec']) ?? {})) return;
  const at = FieldPath.to('spec');
  const selector = valueAt(rule, ['spec', 'deviceSelector']);
  const selectorAt = at.child('deviceSelector');
  for (const [field, errorsOf] of selectorFields) {
    const value = valueAt(selector, [field]);
    if (typeof value === 'string') yield errorsOf(value, selectorAt.child(field));
  }
  const taint = valueAt(rule, ['spec', 'taint']);
  const text = (field: string): string => {
    const value = valueAt(taint, [field]);
    return typeof value === 'string' ? value : '';
  };
  yield errorsOfTaint({ key: text('key'), value: text('value'), effect: text('effect') }, at.child('taint'));
}

const selectorFields: readonly (readonly [string, (value: string, at: FieldPath) => readonly FieldError[]])[] = [
  ['driver', (value, at) => driverProblems(value, at)],
  ['pool', poolNameErrors],
  ['device', (value, at) => requiredFormat(at, value, dnsLabelProblems)],
];

function poolProblems(pool: Spec['pool'] | undefined, at: FieldPath): readonly FieldError[] {
  const { name = '', resourceSliceCount = 0, generation = 0 } = pool ?? {};
  return [
    ...poolNameErrors(name, at.child('name')),
    ...(resourceSliceCount > 0
      ? []
      : [invalid(at.child('resourceSliceCount'), resourceSliceCount, 'must be greater than zero')]),
    ...(generation >= 0 ? [] : [invalid(at.child('generation'), generation, 'must be greater than or equal to zero')]),
  ];
}

function* judgeReach(spec: Reach, at: FieldPath): Batches {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec;
  const set = setFields(spec);
  if (nodeName !== undefined) {
    const nameAt = at.child('nodeName');
    yield nodeName === ''
      ? [invalid(nameAt, '', 'must be either unset or set to a non-empty string')]
      : dnsSubdomainProblems(nodeName).map((problem) => invalid(nameAt, nodeName, problem));
  }
  if (nodeSelector !== undefined) {
    yield* judgeNodeSelector(nodeSelector, false, at.child('nodeSelector'));
    const terms = goList(nodeSelector.nodeSelectorTerms);
    if (terms.length !== 1) {
      yield [
        invalid(at.child('nodeSelector').child('nodeSelectorTerms'), terms, 'must have exactly one node selector term'),
      ];
    }
  }
  if (allNodes === false) yield [invalid(at.child('allNodes'), false, 'must be either unset or set to true')];
  if (perDeviceNodeSelection === false) {
    yield [invalid(at.child('perDeviceNodeSelection'), false, 'must be either unset or set to true')];
  }
  const wanted = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (set.length === 0) yield [required(at, wanted)];
  if (set.length > 1) yield [invalid(at, `{${set.join(', ')}}`, `${wanted}, but multiple fields are set`)];
}

function setFields({ nodeName = '', nodeSelector, allNodes, perDeviceNodeSelection }: Reach): readonly string[] {
  return [
    ...(nodeName === '' ? [] : ['`nodeName`']),
    ...(nodeSelector === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
    ...(perDeviceNodeSelection === true ? ['`perDeviceNodeSelection`'] : []),
  ];
}

function* judgeDevice(device: Device, at: FieldPath, spec: Spec, release: Release): Batches {
  const { name, attributes = {}, capacity = {} } = device;
  yield requiredFormat(at.child('name'), goString(name), dnsLabelProblems);
  const entries = Object.keys(attributes).length + Object.keys(capacity).length;
  if (entries > mostEntries) {
    yield [invalid(at, entries, `the total number of attributes and capacities must not exceed ${mostEntries}`)];
  }
  const [attributesAt, capacityAt] = [at.child('attributes'), at.child('capacity')];
  yield* inBatches(Object.entries(attributes), ([key, attribute]) => {
    const { keyAt, valueAt } = keyPlaces(attributesAt, key, longestKey, release);
    return [...qualifiedNameErrors(key, keyAt), ...attributeProblems(attribute, valueAt, release)];
  });
  yield* inBatches(Object.entries(capacity), ([key, amount]) => {
    const { keyAt, valueAt } = keyPlaces(capacityAt, key, longestKey, release);
    const isShared = device.allowMultipleAllocations === true;
    return [...qualifiedNameErrors(key, keyAt), ...capacityErrors(amount, isShared, valueAt, release)];
  });
  yield taintErrors(device.taints, at.child('taints'));
  yield consumptionErrors(device.consumesCounters, at.child('consumesCounters'), release);
  yield* judgeDeviceReach(device, at, spec);
  yield bindingErrors(device, at);
}

function* judgeDeviceReach(device: Device, at: FieldPath, spec: Spec): Batches {
  if (spec.perDeviceNodeSelection !== true) {
    if (device.nodeName !== undefined || device.nodeSelector !== undefined || device.allNodes !== undefined) {
      const text = 'can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
      yield [invalid(at, null, `\`nodeName\`, \`nodeSelector\` and \`allNodes\` ${text}`)];
    }
    return;
  }
  const { nodeName, nodeSelector, allNodes } = device;
  const set = setFields({
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    ...(allNodes === undefined ? {} : { allNodes }),
  });
  if (nodeName !== undefined) {
    const nameAt = at.child('nodeName');
    yield nodeName === ''
      ? [invalid(nameAt, '', 'must not be empty')]
      : dnsSubdomainProblems(nodeName).map((problem) => invalid(nameAt, nodeName, problem));
  }
  if (nodeSelector !== undefined) yield* judgeNodeSelector(nodeSelector, false, at.child('nodeSelector'));
  if (allNodes === false) yield [invalid(at.child('allNodes'), false, 'must be either unset or set to true')];
  const text =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (set.length === 0) yield [required(at, text)];
  if (set.length > 1) yield [invalid(at, `{${set.join(', ')}}`, text)];
}

/** Source: semverRe */
function isSemanticVersion(version: string): boolean {
  const [, core = '', before, build] = /^([0-9.]+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/.exec(version) ?? [];
  const isNumber = (part: string): boolean => /^(?:0|[1-9]\d*)$/.test(part);
  const numbers = core.split('.');
  return (
    numbers.length === 3 &&
    numbers.every(isNumber) &&
    (before ?? '0').split('.').every((part) => (/^\d*$/.test(part) ? isNumber(part) : true)) &&
    (build ?? '0').split('.').every((part) => part !== '')
  );
}

/** validateDeviceAttribute; lists of values are behind a gate that is off. */
function attributeProblems(attribute: Attribute, at: FieldPath, release: Release): readonly FieldError[] {
  const { string, version } = attribute;
  const values = (['bool', 'int', 'string', 'version'] as const).filter((field) => attribute[field] !== undefined);
  const isLong = (value: string): boolean => byteLength(value) > longestValue;
  const lists = (['bools', 'ints', 'strings', 'versions'] as const).some((field) => attribute[field] !== undefined);
  return [
    ...(string !== undefined && isLong(string) ? [tooLong(at.child('string'), longestValue)] : []),
    ...(version !== undefined && !isSemanticVersion(version)
      ? [invalid(at.child('version'), version, 'must be a string compatible with semver.org spec 2.0.0')]
      : []),
    ...(version !== undefined && isLong(version) ? [tooLong(at.child('version'), longestValue)] : []),
    ...(values.length === 1 || lists ? [] : [oneValue(attribute, values.length, at, release)]),
  ];
}

function oneValue(attribute: Attribute, values: number, at: FieldPath, { devices }: Release): FieldError {
  const text = 'exactly one value must be specified';
  if (values > 1) return invalid(at, attribute, text);
  return devices.refusesNoValueAs === 'required' ? required(at, text) : invalid(at, '', text);
}
