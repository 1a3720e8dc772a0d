import type { FieldError } from '../../kubernetes/field-error.ts';
import { notSupported, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';

/** In the order of upstream's message. */
const preemptionPolicies: readonly string[] = ['PreemptLowerPriority', 'Never'];

/**
 * Judges the policy of a pod or a class; an absent one is fine.
 * Source: ValidatePreemptionPolicy in pkg/apis/core/validation/validation.go
 */
export function validatePreemptionPolicy(policy: string | undefined, at: FieldPath): FieldError[] {
  if (policy === undefined || preemptionPolicies.includes(policy)) return [];
  return [policy === '' ? required(at) : notSupported(at, policy, preemptionPolicies)];
}
