import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Toleration } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { allOf, type Batches, forbidden, inBatches, invalid, notSupported } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goQuote } from '../format/go-quote.ts';
import { goString } from '../format/go-zero.ts';
import { validateLabelName } from '../format/label-selector.ts';
import { labelValueProblems } from '../format/names.ts';

const operators: readonly string[] = ['Equal', 'Exists'];
const numericOperators: readonly string[] = ['Lt', 'Gt'];
const decimalInteger = /^(0|-?[1-9][0-9]*)$/;

export interface TolerationRules {
  readonly release: Release;
  readonly allowNumericTolerations: boolean;
}

/** Whether a toleration compares values as numbers: the gate for it is off, but what is stored stays. */
export function isNumericToleration({ operator }: Toleration): boolean {
  return numericOperators.includes(goString(operator));
}
const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Judges tolerations. Source: ValidateTolerations in pkg/apis/core/validation/validation.go */
export function judgeTolerations(tolerations: readonly Toleration[], rules: TolerationRules, at: FieldPath): Batches {
  return inBatches(tolerations, (toleration, index) => validateToleration(toleration, rules, at.index(index)));
}

/**
 * Judges how an update changes tolerations: an old one must still be there, but for its `tolerationSeconds`. When one
 * is gone, nothing else is looked at.
 * Source: validateOnlyAddedTolerations in pkg/apis/core/validation/validation.go
 */
export function validateOnlyAddedTolerations(
  next: readonly Toleration[],
  old: readonly Toleration[],
  rules: TolerationRules,
  at: FieldPath,
): FieldError[] {
  const kept = old.every((toleration) => next.some((candidate) => sameToleration(candidate, toleration)));
  if (!kept) return [forbidden(at, 'existing toleration can not be modified except its tolerationSeconds')];
  return allOf(judgeTolerations(next, rules, at));
}

function validateToleration(toleration: Toleration, rules: TolerationRules, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const key = goString(toleration.key);
  const operator = goString(toleration.operator);
  const value = goString(toleration.value);
  const effect = goString(toleration.effect);

  if (key !== '') {
    append(errors, validateLabelName(key, at.child('key')));
  } else if (operator !== 'Exists') {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(at.child('operator'), operator, detail));
  }
  if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
    errors.push(invalid(at.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }

  // Upstream reports a bad value under the operator's path.
  const valuePlace = at.child('value').printedAs(at.child('operator'));
  if (operator === '' || operator === 'Equal') {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalid(valuePlace, value, problems.join(';')));
  } else if (operator === 'Exists') {
    if (value !== '') errors.push(invalid(valuePlace, value, "value must be empty when `operator` is 'Exists'"));
  } else if (isNumericToleration(toleration) && rules.allowNumericTolerations) {
    append(
      errors,
      numericProblems(value).map((problem) => invalid(at.child('value'), value, problem)),
    );
  } else {
    const isKnown = isNumericToleration(toleration) && rules.release.behaviours.knowsNumericTolerations;
    errors.push(
      notSupported(at.child('operator'), operator, isKnown ? [...operators, ...numericOperators] : operators),
    );
  }

  if (effect !== '' && !effects.includes(effect)) errors.push(notSupported(at.child('effect'), effect, effects));
  return errors;
}

/** Source: IsDecimalInteger, then strconv.ParseInt */
function numericProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (value === '') problems.push('must be non-empty');
  else if (!decimalInteger.test(value)) problems.push('must be a valid decimal integer in canonical form');
  const isNumber = /^[+-]?\d+$/.test(value);
  const number = isNumber ? BigInt(value.replace('+', '')) : 0n;
  if (isNumber && number === BigInt.asIntN(64, number)) return problems;
  return [
    ...problems,
    `strconv.ParseInt: parsing ${goQuote(value)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`,
  ];
}

function sameToleration(one: Toleration, other: Toleration): boolean {
  return (['key', 'operator', 'value', 'effect'] as const).every(
    (field) => goString(one[field]) === goString(other[field]),
  );
}
