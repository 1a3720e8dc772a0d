import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { allOf, type Batches, invalid, notSupported } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { validateNotMoreThan100Percent, validatePositiveIntOrPercent } from '../format/int-or-percent.ts';
import { judgeLabelSelector } from '../format/label-selector.ts';
import { pathSegmentProblems } from '../format/names.ts';
import { judgeObjectMeta, type MetaRules } from '../format/object-meta.ts';

const unhealthyPodEvictionPolicies: readonly string[] = ['AlwaysAllow', 'IfHealthyBudget'];

/** A budget's name need only be usable in a path: its strategy checks no name of its own. */
const metaRules: MetaRules = { namespaced: true, nameProblems: pathSegmentProblems, coreFinalizers: false };

/**
 * Judges a budget (policy/v1) that is created. Its metadata is looked at only when its spec is in order.
 * Sources: ValidatePodDisruptionBudget in pkg/apis/policy/validation/validation.go; BeforeCreate in
 * staging/src/k8s.io/apiserver/pkg/registry/rest/create.go
 */
export function validateDisruptionBudget(budget: PodDisruptionBudget): FieldError[] {
  return allOf(judgeDisruptionBudget(budget));
}

export function* judgeDisruptionBudget(budget: PodDisruptionBudget): Batches {
  let isInOrder = true;
  for (const errors of judgeDisruptionBudgetSpec(budget.spec ?? {}, FieldPath.to('spec'))) {
    if (errors.length > 0) isInOrder = false;
    yield errors;
  }
  if (isInOrder) yield* judgeObjectMeta(budget.metadata, metaRules, FieldPath.to('metadata'));
}

/** Neither bound is legal, and so is an empty selector. */
function* judgeDisruptionBudgetSpec(spec: NonNullable<PodDisruptionBudget['spec']>, at: FieldPath): Batches {
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    yield [invalid(at, spec, 'minAvailable and maxUnavailable cannot be both set')];
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const bound = spec[field];
    if (bound === undefined) continue;
    const place = at.child(field);
    yield validatePositiveIntOrPercent(bound, place);
    yield validateNotMoreThan100Percent(bound, place);
  }
  yield* judgeLabelSelector(spec.selector, at.child('selector'));
  const policy = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !unhealthyPodEvictionPolicies.includes(policy)) {
    yield [notSupported(at.child('unhealthyPodEvictionPolicy'), policy, unhealthyPodEvictionPolicies)];
  }
}
