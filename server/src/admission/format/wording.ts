import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Release } from '../../kubernetes/release.ts';

/**
 * Refusals in the words of a minor. What judges writes those of the newest.
 * Source: IsLabelKey, IsLabelValue in k8s.io/apimachinery/pkg/api/validate/content/kube.go, which 1.35 brought, and
 * IsQualifiedName, IsValidLabelValue in pkg/util/validation/validation.go of 1.34
 */
export function inWordsOf({ behaviours }: Release, errors: readonly FieldError[]): readonly FieldError[] {
  if (behaviours.countsLabelsInBytes || !errors.some(({ detail }) => isNewer(detail))) return errors;
  return errors.map((error) => (isNewer(error.detail) ? { ...error, detail: older(error.detail) } : error));
}

const newer = { key: 'a valid label key must consist of ', length: /must be no more than (?:63|253) bytes$/ } as const;

function isNewer(detail: string): boolean {
  return detail.startsWith(newer.key) || newer.length.test(detail);
}

function older(detail: string): string {
  return detail.replace('a valid label key ', 'a qualified name ').replace(/bytes$/, 'characters');
}
