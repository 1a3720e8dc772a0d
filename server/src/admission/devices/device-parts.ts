import { own } from '../../util/own.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { ResourceClaim, ResourceSlice } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isQuantityError,
  milliQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from '../../kubernetes/quantity.ts';
import {
  type Batches,
  duplicate,
  forbidden,
  inBatches,
  invalid,
  invalidFormat,
  notSupported,
  oneOf,
  required,
  requiredFormat,
  tooLong,
  tooMany,
} from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { validateLabelName } from '../format/label-selector.ts';
import { byteLength, cIdentifierProblems, dnsLabelProblems, labelValueProblems } from '../format/names.ts';
import { driverProblems } from '../volumes/csi-driver.ts';

/** What devices have besides names and attributes. Source for this file: pkg/apis/resource/validation/validation.go */

type Device = NonNullable<ResourceSlice['spec']['devices']>[number];
type Capacity = NonNullable<Device['capacity']>[string];
type Policy = NonNullable<Capacity['requestPolicy']>;
type Tolerations = NonNullable<
  NonNullable<NonNullable<ResourceClaim['spec']['devices']>['requests']>[number]['exactly']
>['tolerations'];
type CounterSet = NonNullable<ResourceSlice['spec']['sharedCounters']>[number];

/** Constants of pkg/apis/resource/types.go: DeviceMaxIDLength, DeviceTaintsMaxLength, and as they are called there. */
const longestName = 32;
const longestLabel = 63;
const mostTaints = 16;
const mostConditions = 4;
const mostCounterSets = 8;
const mostCounters = 32;
const mostConsumed = 2;
const mostValidValues = 10;

/** Of a list that is too long nothing else is told. Source: validateSlice */
export function isCutShort({ length }: readonly unknown[], most: number, { devices }: Release): boolean {
  return length > most && !devices.judgesLongLists;
}

/** validateSlice */
export function* judgeList<Item>(
  items: readonly Item[] | undefined,
  most: number,
  at: FieldPath,
  release: Release,
  judge: (item: Item, itemAt: FieldPath) => readonly FieldError[],
): Batches {
  const all = goList(items);
  if (!isCutShort(all, most, release)) yield* inBatches(all, (item, index) => judge(item, at.index(index)));
  if (all.length > most) yield [tooMany(at, all.length, most)];
}

/** The middle of a long key is left out. Source: validateMap, truncateIfTooLong */
export function keyPlaces(
  at: FieldPath,
  key: string,
  longest: number,
  { devices }: Release,
): { readonly keyAt: FieldPath; readonly valueAt: FieldPath } {
  const rest = longest - '...'.length;
  const text =
    key.length <= longest ? key : `${key.slice(0, Math.ceil(rest / 2))}...${key.slice(-Math.floor(rest / 2))}`;
  const valueAt = at.key(key).printedAs(at.key(text));
  return { keyAt: devices.namesBadKeys ? valueAt : at.key(key).printedAs(at), valueAt };
}

/** validateQualifiedName: what an attribute or a capacity is called. */
export function qualifiedNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  const [first = '', second, ...more] = name.split('/');
  if (second === undefined) return identifierErrors(first, at);
  if (more.length > 0) return [];
  return [
    ...(first === '' ? [invalid(at, '', 'the domain must not be empty')] : driverProblems(first, at)),
    ...(second === '' ? [invalid(at, '', 'the name must not be empty')] : identifierErrors(second, at)),
  ];
}

/** validateCIdentifier */
function identifierErrors(name: string, at: FieldPath): readonly FieldError[] {
  const long = byteLength(name) > longestName ? [tooLong(at, longestName)] : [];
  return [...long, ...invalidFormat(at, name, cIdentifierProblems(name))];
}

/** validateSingleAllocatableDeviceCapacity, validateMultiAllocatableDeviceCapacity */
export function capacityErrors(
  { value, requestPolicy }: Capacity,
  isShared: boolean,
  at: FieldPath,
  release: Release,
): readonly FieldError[] {
  if (requestPolicy === undefined) return [];
  const policyAt = at.child('requestPolicy');
  if (!isShared) return [forbidden(policyAt, 'allowMultipleAllocations must be true')];
  const { validRange, validValues = [] } = requestPolicy;
  if (validValues.length > 0 && validRange !== undefined) {
    const text = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbidden(policyAt, text)];
  }
  const most = amountOf(value);
  const usual = amountOf(requestPolicy.default);
  if (most === undefined) return [];
  if (validValues.length > 0) {
    return usual === undefined
      ? [required(policyAt.child('default'), 'required when validValues is defined')]
      : valueErrors(usual, most, validValues, policyAt.child('validValues'), release);
  }
  if (validRange === undefined) return [];
  return usual === undefined
    ? [required(policyAt.child('default'), 'required when validRange is defined')]
    : rangeErrors(usual, most, validRange, policyAt.child('validRange'), release);
}

function amountOf(text: string | undefined): Quantity | undefined {
  if (text === undefined) return undefined;
  const amount = parseQuantity(text);
  return isQuantityError(amount) ? undefined : amount;
}

/** validateRequestPolicyValidValues */
function valueErrors(
  usual: Quantity,
  most: Quantity,
  written: readonly string[],
  at: FieldPath,
  { featureGates }: Release,
): readonly FieldError[] {
  const values = written.flatMap((each) => amountOf(each) ?? []);
  const unsorted = values.flatMap((value, index) =>
    index > 0 && compareQuantities(values[index - 1]!, value) > 0
      ? [invalid(at.index(index), formatQuantity(value), 'values must be sorted in ascending order')]
      : [],
  );
  const isUsual = values.some((value) => compareQuantities(value, usual) === 0);
  const notUsual =
    isUsual && values.length <= mostValidValues
      ? []
      : [invalid(at, formatQuantity(usual), 'default value is not valid according to the requestPolicy')];
  // Of too many none is looked at, so that none is the default either.
  if (values.length > mostValidValues) return [...unsorted, tooMany(at, values.length, mostValidValues), ...notUsual];
  const large = values.flatMap((value, index) =>
    compareQuantities(value, most) > 0
      ? [
          invalid(
            at.index(index),
            formatQuantity(value),
            `option is larger than capacity value: ${formatQuantity(most)}`,
          ),
        ]
      : [],
  );
  const seen = new Set<bigint>();
  const twice = values.flatMap((value, index) => {
    const key = featureGates.has('DRAFractionalCapacityRange') ? value.nanos : quantityValue(value);
    if (seen.has(key)) return [duplicate(at.index(index), String(quantityValue(value)))];
    seen.add(key);
    return [];
  });
  return [...unsorted, ...large, ...twice, ...notUsual];
}

/** validateRequestPolicyRange; of 1.37 as published */
function rangeErrors(
  usual: Quantity,
  most: Quantity,
  { min: lower, max: upper, step: width }: NonNullable<Policy['validRange']>,
  at: FieldPath,
  { devices: { accountsExactly }, featureGates }: Release,
): readonly FieldError[] {
  const [min, max, step] = [amountOf(lower), amountOf(upper), amountOf(width)];
  const ofDefault = (field: string): string => (accountsExactly ? 'default' : field);
  if (min === undefined) return [required(at.child('min'), 'required when validRange is defined')];
  const errors: FieldError[] = [];
  const check = (fails: boolean, field: string, value: Quantity, detail: string): void => {
    if (fails) errors.push(invalid(at.child(field), formatQuantity(value), detail));
  };
  const isMore = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) > 0;
  check(isMore(min, most), 'min', min, `min is larger than capacity value: ${formatQuantity(most)}`);
  check(isMore(min, usual), ofDefault('min'), usual, `default is less than min: ${formatQuantity(min)}`);
  if (max !== undefined) {
    check(isMore(min, max), 'max', min, `min is larger than max: ${formatQuantity(max)}`);
    check(isMore(max, most), 'max', max, `max is larger than capacity value: ${formatQuantity(most)}`);
    check(isMore(usual, max), ofDefault('max'), usual, `default is more than max: ${formatQuantity(max)}`);
  }
  const bounds = Object.entries({ default: usual, min, max, step }).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, value }],
  );
  const isMilli =
    featureGates.has('DRAFractionalCapacityRange') && bounds.some(({ value }) => value.nanos % 1_000_000_000n !== 0n);
  const before = errors.length;
  if (isMilli) {
    for (const { field, value } of bounds) {
      const isRounded = compareQuantities(milliQuantity(quantityMilliValue(value)), value) !== 0;
      check(isRounded, field, value, 'value cannot be represented as a milli value');
    }
  }
  if (step === undefined || errors.length > before) return errors;
  if (accountsExactly && step.nanos <= 0n) {
    return [...errors, invalid(at.child('step'), formatQuantity(step), 'must be greater than zero')];
  }
  const first = addQuantities(min, step);
  check(
    isMore(first, most),
    'step',
    step,
    `one step ${formatQuantity(first)} is larger than capacity value: ${formatQuantity(most)}`,
  );
  const countOf = isMilli ? quantityMilliValue : quantityValue;
  for (const value of max === undefined ? [usual] : [usual, max]) {
    const units = countOf(step);
    // A step of none would divide by zero there.
    if (units === 0n) continue;
    check(
      (countOf(value) - countOf(min)) % units !== 0n,
      'step',
      value,
      `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(min)})`,
    );
  }
  return errors;
}

const taintEffects = ['NoExecute', 'NoSchedule', 'None'];

export function taintErrors(taints: Device['taints'], at: FieldPath): readonly FieldError[] {
  const all = goList(taints);
  if (all.length > mostTaints) return [tooMany(at, all.length, mostTaints)];
  return all.flatMap((taint, index) => errorsOfTaint(taint, at.index(index)));
}

/** validateDeviceTaint */
export function errorsOfTaint(
  { key, value = '', effect: written }: Partial<NonNullable<Device['taints']>[number]>,
  at: FieldPath,
): readonly FieldError[] {
  const effect = goString(written);
  const effectAt = at.child('effect');
  return [
    ...validateLabelName(goString(key), at.child('key')),
    ...invalidFormat(at.child('value'), value, labelValueProblems(value)),
    ...(effect === '' ? [required(effectAt)] : oneOf(effectAt, effect, taintEffects)),
  ];
}

const tolerationOperators = ['Equal', 'Exists'];

/** validateDeviceToleration; the operator is Equal where none is written. */
export function tolerationErrors(tolerations: Tolerations, at: FieldPath): readonly FieldError[] {
  return goList(tolerations).flatMap(({ key = '', operator = '', value = '', effect = '' }, index) => {
    const [valueAt, name] = [at.index(index).child('value'), operator || 'Equal'];
    return [
      ...(key === '' ? [] : validateLabelName(key, at.index(index).child('key'))),
      ...(name === 'Equal'
        ? invalidFormat(valueAt, value, labelValueProblems(value))
        : name !== 'Exists'
          ? [notSupported(at.index(index).child('operator'), name, tolerationOperators)]
          : value === ''
            ? []
            : [invalid(valueAt, value, 'must be empty for operator `Exists`')]),
      ...oneOf(at.index(index).child('effect'), effect || undefined, taintEffects),
    ];
  });
}

/** validateCounterSet */
export function counterSetErrors(sets: readonly CounterSet[], at: FieldPath, release: Release): readonly FieldError[] {
  if (sets.length > mostCounterSets) return [tooMany(at, sets.length, mostCounterSets)];
  return namedCounterErrors(sets, 'name', at, release);
}

/** validateDeviceCounterConsumption */
export function consumptionErrors(
  consumed: Device['consumesCounters'],
  at: FieldPath,
  release: Release,
): readonly FieldError[] {
  const all = goList(consumed);
  if (all.length > mostConsumed) return [tooMany(at, all.length, mostConsumed)];
  return namedCounterErrors(all, 'counterSet', at, release);
}

function namedCounterErrors<Field extends string>(
  sets: readonly (Readonly<Record<Field, string>> & Pick<CounterSet, 'counters'>)[],
  field: Field,
  at: FieldPath,
  release: Release,
): readonly FieldError[] {
  const names = sets.map((set) => goString(own<string>(set, field)));
  return [
    ...sets.flatMap(({ counters }, index) => [
      ...requiredFormat(at.index(index).child(field), names[index], dnsLabelProblems),
      ...counterErrors(counters, at.index(index).child('counters'), release),
    ]),
    ...doubles(names, at),
  ];
}

function counterErrors(counters: CounterSet['counters'] = {}, at: FieldPath, release: Release): readonly FieldError[] {
  const names = Object.keys(counters);
  if (names.length === 0) return [required(at)];
  if (names.length > mostCounters) return [tooMany(at, names.length, mostCounters)];
  return names.flatMap((name) =>
    invalidFormat(keyPlaces(at, name, longestLabel, release).keyAt, name, dnsLabelProblems(name)),
  );
}

export function doubles(names: readonly string[], at: FieldPath, field?: string): readonly FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const itemAt = at.index(index);
    if (seen.has(name)) return [duplicate(field === undefined ? itemAt : itemAt.child(field), name)];
    seen.add(name);
    return [];
  });
}

/** validateDeviceBindingParameters */
export function bindingErrors(
  { bindingConditions, bindingFailureConditions }: Pick<Device, 'bindingConditions' | 'bindingFailureConditions'>,
  at: FieldPath,
): readonly FieldError[] {
  const conditions = goList(bindingConditions);
  const failures = goList(bindingFailureConditions);
  const [conditionsAt, failuresAt] = [at.child('bindingConditions'), at.child('bindingFailureConditions')];
  const each = (names: readonly string[], listAt: FieldPath): readonly FieldError[] =>
    names.length > mostConditions
      ? [tooMany(listAt, names.length, mostConditions)]
      : names.flatMap((name, index) => validateLabelName(name, listAt.index(index)));
  return [
    ...each(conditions, conditionsAt),
    ...each(failures, failuresAt),
    ...doubles(conditions, conditionsAt),
    ...doubles(failures, failuresAt),
    ...failures.flatMap((name, index) =>
      conditions.includes(name)
        ? [invalid(failuresAt.index(index), name, 'bindingFailureConditions must not overlap with bindingConditions')]
        : [],
    ),
    ...(conditions.length === 0 && failures.length > 0
      ? [
          invalid(
            conditionsAt,
            bindingConditions ?? null,
            'bindingConditions are required to use bindingFailureConditions',
          ),
        ]
      : []),
    ...(failures.length === 0 && conditions.length > 0
      ? [
          invalid(
            failuresAt,
            bindingFailureConditions ?? null,
            'bindingFailureConditions are required to use bindingConditions',
          ),
        ]
      : []),
  ];
}
