import type { FieldError } from '../kubernetes/field-error.ts';
import type { PodDisruptionBudget } from '../kubernetes/objects.ts';
import { invalid, invalidFormat, notSupported } from './field-errors.ts';
import { FieldPath } from './field-path.ts';
import { validateLabelSelector } from './label-selector.ts';
import { pathSegmentProblems, percentProblems } from './names.ts';
import { type CreationOptions, type MetaRules, validateObjectMeta } from './object-meta.ts';

const unhealthyPodEvictionPolicies: readonly string[] = ['AlwaysAllow', 'IfHealthyBudget'];

/** A budget's name need only be usable in a path: its strategy checks no name of its own. */
const metaRules: MetaRules = { namespaced: true, nameProblems: pathSegmentProblems, coreFinalizers: false };

/**
 * Judges a budget (policy/v1) that is created. Its metadata is looked at only when its spec is in order.
 * Sources: ValidatePodDisruptionBudget in pkg/apis/policy/validation/validation.go; BeforeCreate in
 * staging/src/k8s.io/apiserver/pkg/registry/rest/create.go
 */
export function validateDisruptionBudget(budget: PodDisruptionBudget, options?: CreationOptions): FieldError[] {
  const errors = validateDisruptionBudgetSpec(budget.spec ?? {}, FieldPath.to('spec'));
  return errors.length > 0 ? errors : validateObjectMeta(budget.metadata, metaRules, FieldPath.to('metadata'), options);
}

/** Neither bound is legal, and so is an empty selector. */
function validateDisruptionBudgetSpec(spec: NonNullable<PodDisruptionBudget['spec']>, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    errors.push(invalid(at, spec, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const bound = spec[field];
    if (bound !== undefined) errors.push(...validateBound(bound, at.child(field)));
  }
  errors.push(...validateLabelSelector(spec.selector, at.child('selector')));
  const policy = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !unhealthyPodEvictionPolicies.includes(policy)) {
    errors.push(notSupported(at.child('unhealthyPodEvictionPolicy'), policy, unhealthyPodEvictionPolicies));
  }
  return errors;
}

/** Sources: ValidatePositiveIntOrPercent, IsNotMoreThan100Percent in pkg/apis/apps/validation/validation.go */
function validateBound(bound: number | string, at: FieldPath): FieldError[] {
  if (typeof bound === 'number') {
    return bound < 0 ? [invalid(at, bound, 'must be greater than or equal to 0')] : [];
  }
  const problems = percentProblems(bound);
  if (problems.length > 0) return invalidFormat(at, bound, problems);
  return BigInt(bound.slice(0, -1)) > 100n ? [invalid(at, bound, 'must not be greater than 100%')] : [];
}
