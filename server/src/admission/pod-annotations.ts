import type { FieldError } from '../kubernetes/field-error.ts';
import type { PodSpec } from '../kubernetes/objects.ts';
import { invalid } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { goString } from './go-zero.ts';
import type { PodRules } from './pod-rules.ts';

type Annotations = Readonly<Record<string, string>> | undefined;

/** Source: pkg/apis/core/annotation_key_constants.go */
const mirrorPod = 'kubernetes.io/config.mirror';
const podDeletionCost = 'controller.kubernetes.io/pod-deletion-cost';

const minInt32 = -(2n ** 31n);
const maxInt32 = 2n ** 31n - 1n;

/**
 * Judges the annotations that have a meaning for scheduling or disruption.
 * Source: ValidatePodSpecificAnnotations in pkg/apis/core/validation/validation.go
 */
export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  rules: PodRules,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const mirror = annotationValue(annotations, mirrorPod);
  if (mirror !== undefined && goString(spec.nodeName) === '') {
    errors.push(invalid(at.key(mirrorPod), mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  }
  if (!rules.allowInvalidDeletionCost && hasInvalidDeletionCost(annotations)) {
    const value = annotationValue(annotations, podDeletionCost);
    errors.push(invalid(at.key(podDeletionCost), value, 'must be a 32bit integer'));
  }
  return errors;
}

/** Source: GetDeletionCostFromPodAnnotations in pkg/apis/core/helper/helpers.go */
export function hasInvalidDeletionCost(annotations: Annotations): boolean {
  const value = annotationValue(annotations, podDeletionCost);
  if (value === undefined) return false;
  if (!/^(0|-[0-9]+|[1-9][0-9]*)$/.test(value)) return true;
  const cost = BigInt(value);
  return cost < minInt32 || cost > maxInt32;
}

function annotationValue(annotations: Annotations, key: string): string | undefined {
  return annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}
