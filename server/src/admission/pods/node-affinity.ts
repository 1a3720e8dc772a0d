import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type {
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from '../../kubernetes/objects.ts';
import { type Batches, inBatches, invalid, invalidFormat, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goNumber, goString } from '../format/go-zero.ts';
import { operatorErrors, validateLabelName } from '../format/label-selector.ts';
import { dnsSubdomainProblems, labelValueProblems } from '../format/names.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

/** Judges node affinity (validateNodeAffinity). */
export function* judgeNodeAffinity(
  affinity: NodeAffinity | undefined,
  allowInvalidValues: boolean,
  at: FieldPath,
): Batches {
  const requiredSelector = affinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (requiredSelector !== undefined) {
    const place = at.child('requiredDuringSchedulingIgnoredDuringExecution');
    yield* judgeNodeSelector(requiredSelector, allowInvalidValues, place);
  }
  yield* inBatches(goList(affinity?.preferredDuringSchedulingIgnoredDuringExecution), (preferred, index) => {
    const place = at.child('preferredDuringSchedulingIgnoredDuringExecution').index(index);
    // Upstream has never looked at the values of preferred terms.
    return [
      ...validateWeight(preferred.weight, place.child('weight')),
      ...validateNodeSelectorTerm(preferred.preference, true, place.child('preference')),
    ];
  });
}

/** The weight of a preferred term, of node affinity and of pod affinity alike. */
export function validateWeight(weight: number, at: FieldPath): FieldError[] {
  const value = goNumber(weight);
  return value < 1 || value > 100 ? [invalid(at, value, 'must be in the range 1-100')] : [];
}

/**
 * Whether a stored pod requires a value that no label can have: an update then goes easy on all of them.
 * Source: HasInvalidLabelValueInNodeSelectorTerms in pkg/apis/core/helper/helpers.go
 */
export function hasInvalidRequiredValue(affinity: NodeAffinity | undefined): boolean {
  return goList(affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms).some((term) =>
    goList(term.matchExpressions).some((requirement) =>
      goList(requirement.values).some((value) => labelValueProblems(value).length > 0),
    ),
  );
}

/** Judges one term (ValidateNodeSelectorTerm). A term without requirements is legal; it matches nothing. */
function validateNodeSelectorTerm(
  term: NodeSelectorTerm | undefined,
  allowInvalidValues: boolean,
  at: FieldPath,
): FieldError[] {
  return [
    ...goList(term?.matchExpressions).flatMap((requirement, index) =>
      validateExpression(requirement, allowInvalidValues, at.child('matchExpressions').index(index)),
    ),
    ...goList(term?.matchFields).flatMap((requirement, index) =>
      validateField(requirement, at.child('matchFields').index(index)),
    ),
  ];
}

export function* judgeNodeSelector(selector: NodeSelector, allowInvalidValues: boolean, at: FieldPath): Batches {
  const terms = goList(selector.nodeSelectorTerms);
  const place = at.child('nodeSelectorTerms');
  if (terms.length === 0) yield [required(place, 'must have at least one node selector term')];
  yield* inBatches(terms, (term, index) => validateNodeSelectorTerm(term, allowInvalidValues, place.index(index)));
}

/** ValidateNodeSelectorRequirement. The value of `Gt` and `Lt` need not be a number. */
function validateExpression(
  requirement: NodeSelectorRequirement,
  allowInvalidValues: boolean,
  at: FieldPath,
): FieldError[] {
  const operator = goString(requirement.operator);
  const values = goList(requirement.values);
  const single = "must be specified single value when `operator` is 'Lt' or 'Gt'";
  const isComparison = operator === 'Gt' || operator === 'Lt';
  const errors = isComparison ? [] : operatorErrors(operator, values, at);
  if (isComparison && values.length !== 1) errors.push(required(at.child('values'), single));
  append(errors, validateLabelName(goString(requirement.key), at.child('key')));
  if (!allowInvalidValues) {
    values.forEach((value, index) => {
      append(errors, invalidFormat(at.child('values').index(index), value, labelValueProblems(value)));
    });
  }
  return errors;
}

/** ValidateNodeFieldSelectorRequirement. */
function validateField(requirement: NodeSelectorRequirement, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const operator = goString(requirement.operator);
  const values = goList(requirement.values);
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length !== 1) {
      const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      errors.push(required(at.child('values'), detail));
    }
  } else {
    errors.push(invalid(at.child('operator'), operator, 'not a valid selector operator'));
  }
  const key = goString(requirement.key);
  if (key === 'metadata.name') {
    values.forEach((value, index) => {
      append(errors, invalidFormat(at.child('values').index(index), value, dnsSubdomainProblems(value)));
    });
  } else {
    errors.push(invalid(at.child('key'), key, 'not a valid field selector key'));
  }
  return errors;
}
