import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../../kubernetes/objects.ts';
import { allOf, type Batches, forbidden, inBatches, invalid, invalidFormat, required } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { goList, goString } from './go-zero.ts';
import { labelValueProblems, qualifiedNameProblems } from './names.ts';

/** Source for this file: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go */

/** Judges a selector; an absent one is fine. */
export function validateLabelSelector(
  selector: LabelSelector | undefined,
  at: FieldPath,
  /** Leave the values alone: on updates of objects that already had a malformed one. */
  allowInvalidValues = false,
): FieldError[] {
  return allOf(judgeLabelSelector(selector, at, allowInvalidValues));
}

export function* judgeLabelSelector(
  selector: LabelSelector | undefined,
  at: FieldPath,
  allowInvalidValues = false,
): Batches {
  if (selector === undefined) return;
  yield* judgeLabels(selector.matchLabels, at.child('matchLabels'));
  for (const [index, requirement] of goList(selector.matchExpressions).entries()) {
    yield* judgeRequirement(requirement, at.child('matchExpressions').index(index), allowInvalidValues);
  }
}

type Labels = Readonly<Record<string, string>> | undefined;

/** Judges a map of labels. Upstream prints the map's path for each; the error's own path names the key. */
export function judgeLabels(labels: Labels, at: FieldPath): Batches {
  return inBatches(Object.entries(labels ?? {}), ([key, value]) => {
    const keyProblems = qualifiedNameProblems(key);
    const valueProblems = labelValueProblems(value);
    if (keyProblems.length + valueProblems.length === 0) return [];
    const place = at.key(key).printedAs(at);
    return [...invalidFormat(place, key, keyProblems), ...invalidFormat(place, value, valueProblems)];
  });
}

/** Judges the key of a label, wherever one is named. */
export function validateLabelName(name: string, at: FieldPath): FieldError[] {
  return invalidFormat(at, name, qualifiedNameProblems(name));
}

/** Whether an operator is one of label selectors, and takes so many values. Source: ValidateLabelSelectorRequirement */
export function operatorErrors(operator: string, values: readonly string[], at: FieldPath): FieldError[] {
  const valuesAt = at.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? [] : [required(valuesAt, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden(valuesAt, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(at.child('operator'), operator, 'not a valid selector operator')];
  }
}

function* judgeRequirement(requirement: LabelSelectorRequirement, at: FieldPath, allowInvalidValues: boolean): Batches {
  const key = goString(requirement.key);
  const values = goList(requirement.values);
  const errors = operatorErrors(goString(requirement.operator), values, at);
  append(errors, validateLabelName(key, at.child('key')));
  yield errors;
  if (allowInvalidValues) return;
  yield* inBatches(values, (value, index) =>
    invalidFormat(at.child('values').index(index), value, labelValueProblems(value)),
  );
}
