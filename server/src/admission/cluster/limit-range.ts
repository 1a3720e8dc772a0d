import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { LimitRange } from '../../kubernetes/objects.ts';
import { readResourceList, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { compareQuantities, formatQuantity, integerQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import {
  type Batches,
  duplicate,
  forbidden,
  inBatches,
  invalid,
  invalidFormat,
  required,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { qualifiedNameProblems } from '../format/names.ts';
import { isOvercommitAllowed, validateContainerResourceName, validateResourceName } from '../format/resource-names.ts';

/** Source for this file: ValidateLimitRange in pkg/apis/core/validation/validation.go */

type Item = NonNullable<LimitRange['spec']>['limits'][number];

/** Source: standardLimitRangeTypes in pkg/apis/core/helper/helpers.go */
const standardTypes: readonly string[] = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** Each list of an item, in the order in which upstream goes through them. */
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
type List = (typeof lists)[number];

export function judgeLimitRangeSpec({ spec }: LimitRange): Batches {
  const at = FieldPath.to('spec', 'limits');
  const types = new Set<string>();
  return inBatches(goList(spec?.limits), (item, index) => {
    const place = at.index(index);
    const type = goString(item.type);
    const errors = validateType(type, place.child('type'));
    if (types.has(type)) errors.push(duplicate(place.child('type'), type));
    types.add(type);
    return [...errors, ...validateItem(item, place)];
  });
}

function validateType(type: string, at: FieldPath): FieldError[] {
  const problems = qualifiedNameProblems(type);
  if (problems.length > 0) return invalidFormat(at, type, problems);
  if (type.includes('/') || standardTypes.includes(type)) return [];
  return [invalid(at, type, 'must be a standard limit type or fully qualified')];
}

function validateItem(item: Item, at: FieldPath): FieldError[] {
  const { type } = item;
  const errors: FieldError[] = [];
  const amounts = new Map<List, ResourceAmounts>();
  const checkName = type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  for (const list of lists) {
    if (list === 'maxLimitRequestRatio' && type === 'PersistentVolumeClaim') {
      if (!Object.hasOwn(item.min ?? {}, 'storage') && !Object.hasOwn(item.max ?? {}, 'storage')) {
        const detail = 'either minimum or maximum storage value is required, but neither was provided';
        errors.push(required(at.printedAs(at.child('limits')), detail));
      }
    }
    const written = readResourceList(item[list]);
    if (type === 'Pod' && (list === 'default' || list === 'defaultRequest')) {
      if (written.size > 0) errors.push(forbidden(at.child(list), "may not be specified when `type` is 'Pod'"));
      continue;
    }
    amounts.set(list, written);
    for (const name of written.keys()) append(errors, checkName(name, at.child(list).key(name)));
  }
  const names = new Set(
    lists.filter((list) => list !== 'maxLimitRequestRatio').flatMap((list) => [...(amounts.get(list)?.keys() ?? [])]),
  );
  for (const name of amounts.get('maxLimitRequestRatio')?.keys() ?? []) names.add(name);
  for (const name of names) {
    append(
      errors,
      validateAmounts(name, (list) => amounts.get(list)?.get(name), at),
    );
  }
  return errors;
}

function validateAmounts(name: string, amountOf: (list: List) => Quantity | undefined, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const min = amountOf('min');
  const max = amountOf('max');
  const limit = amountOf('default');
  const request = amountOf('defaultRequest');
  const ratio = amountOf('maxLimitRequestRatio');
  const refuse = (list: List, value: Quantity, detail: string): void => {
    errors.push(invalid(at.child(list).key(name), formatQuantity(value), detail));
  };
  const exceeds = (one: Quantity | undefined, other: Quantity | undefined): boolean =>
    one !== undefined && other !== undefined && compareQuantities(one, other) > 0;
  const text = (amount: Quantity | undefined): string => (amount === undefined ? '' : formatQuantity(amount));
  if (exceeds(min, max)) refuse('min', min!, `min value ${text(min)} is greater than max value ${text(max)}`);
  if (exceeds(min, request)) {
    refuse('defaultRequest', request!, `min value ${text(min)} is greater than default request value ${text(request)}`);
  }
  if (exceeds(request, max)) {
    refuse('defaultRequest', request!, `default request value ${text(request)} is greater than max value ${text(max)}`);
  }
  if (exceeds(request, limit)) {
    const detail = `default request value ${text(request)} is greater than default limit value ${text(limit)}`;
    refuse('defaultRequest', request!, detail);
  }
  if (exceeds(min, limit)) {
    refuse('default', min!, `min value ${text(min)} is greater than default value ${text(limit)}`);
  }
  if (exceeds(limit, max)) {
    refuse('default', max!, `default value ${text(limit)} is greater than max value ${text(max)}`);
  }
  if (exceeds(integerQuantity(1), ratio)) refuse('maxLimitRequestRatio', ratio!, `ratio ${text(ratio)} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const highest = Number(max.nanos) / Number(min.nanos);
    if (Number(ratio.nanos) / 1e9 > highest) {
      const limitText = Number.isFinite(highest)
        ? highest.toFixed(6)
        : highest > 0
          ? '+Inf'
          : Number.isNaN(highest)
            ? 'NaN'
            : '-Inf';
      refuse('maxLimitRequestRatio', ratio, `ratio ${text(ratio)} is greater than max/min = ${limitText}`);
    }
  }
  if (
    !isOvercommitAllowed(name) &&
    limit !== undefined &&
    request !== undefined &&
    compareQuantities(limit, request) !== 0
  ) {
    const detail = `default value ${text(limit)} must equal to defaultRequest value ${text(request)} in ${name}`;
    refuse('defaultRequest', request, detail);
  }
  return errors;
}
