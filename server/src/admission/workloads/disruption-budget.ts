import { append } from '../../kit/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { invalid, notSupported } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { validateNotMoreThan100Percent, validatePositiveIntOrPercent } from '../format/int-or-percent.ts';
import { validateLabelSelector } from '../format/label-selector.ts';
import { pathSegmentProblems } from '../format/names.ts';
import { type MetaRules, validateObjectMeta } from '../format/object-meta.ts';

const unhealthyPodEvictionPolicies: readonly string[] = ['AlwaysAllow', 'IfHealthyBudget'];

/** A budget's name need only be usable in a path: its strategy checks no name of its own. */
const metaRules: MetaRules = { namespaced: true, nameProblems: pathSegmentProblems, coreFinalizers: false };

/**
 * Judges a budget (policy/v1) that is created. Its metadata is looked at only when its spec is in order.
 * Sources: ValidatePodDisruptionBudget in pkg/apis/policy/validation/validation.go; BeforeCreate in
 * staging/src/k8s.io/apiserver/pkg/registry/rest/create.go
 */
export function validateDisruptionBudget(budget: PodDisruptionBudget): FieldError[] {
  const errors = validateDisruptionBudgetSpec(budget.spec ?? {}, FieldPath.to('spec'));
  return errors.length > 0 ? errors : validateObjectMeta(budget.metadata, metaRules, FieldPath.to('metadata'));
}

/** Neither bound is legal, and so is an empty selector. */
function validateDisruptionBudgetSpec(spec: NonNullable<PodDisruptionBudget['spec']>, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    errors.push(invalid(at, spec, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const bound = spec[field];
    if (bound === undefined) continue;
    const place = at.child(field);
    append(errors, validatePositiveIntOrPercent(bound, place), validateNotMoreThan100Percent(bound, place));
  }
  append(errors, validateLabelSelector(spec.selector, at.child('selector')));
  const policy = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !unhealthyPodEvictionPolicies.includes(policy)) {
    errors.push(notSupported(at.child('unhealthyPodEvictionPolicy'), policy, unhealthyPodEvictionPolicies));
  }
  return errors;
}
