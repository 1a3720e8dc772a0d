import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Affinity, PodAffinityTerm } from '../../kubernetes/objects.ts';
import { type Batches, inBatches, invalidFormat, required } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { validateLabelKeys } from '../format/label-keys.ts';
import { validateLabelName, validateLabelSelector } from '../format/label-selector.ts';
import { dnsLabelProblems } from '../format/names.ts';
import { validateWeight } from './node-affinity.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

/** Pod affinity, or pod anti-affinity: they have the same shape. */
type PodTerms = Affinity['podAffinity'];

/** Judges pod affinity or anti-affinity (validatePodAffinity, validatePodAntiAffinity). */
export function* judgePodTerms(terms: PodTerms, allowInvalidValues: boolean, at: FieldPath): Batches {
  yield* inBatches(goList(terms?.requiredDuringSchedulingIgnoredDuringExecution), (term, index) => {
    const place = at.child('requiredDuringSchedulingIgnoredDuringExecution').index(index);
    return validateTerm(term, allowInvalidValues, place);
  });
  yield* inBatches(goList(terms?.preferredDuringSchedulingIgnoredDuringExecution), (weighted, index) => {
    const place = at.child('preferredDuringSchedulingIgnoredDuringExecution').index(index);
    return [
      ...validateWeight(weighted.weight, place.child('weight')),
      ...validateTerm(weighted.podAffinityTerm, allowInvalidValues, place.child('podAffinityTerm')),
    ];
  });
}

/** Judges nothing but the selectors of all terms, strictly: whether an update must go easy on them. */
export function validateAffinitySelectors(affinity: Affinity | undefined): FieldError[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((terms) => [
    ...goList(terms?.requiredDuringSchedulingIgnoredDuringExecution).flatMap((term) =>
      validateTermSelectors(term, false, FieldPath.root),
    ),
    ...goList(terms?.preferredDuringSchedulingIgnoredDuringExecution).flatMap((weighted) =>
      validateTermSelectors(weighted.podAffinityTerm, false, FieldPath.root),
    ),
  ]);
}

/** validatePodAffinityTerm. An empty topology key breaks two rules, and both are reported. */
function validateTerm(term: PodAffinityTerm | undefined, allowInvalidValues: boolean, at: FieldPath): FieldError[] {
  const errors = validateTermSelectors(term, allowInvalidValues, at);
  goList(term?.namespaces).forEach((namespace, index) => {
    const place = at.child('namespaces').index(index).printedAs(at.child('namespace'));
    append(errors, invalidFormat(place, namespace, dnsLabelProblems(namespace)));
  });
  if (term !== undefined) append(errors, validateLabelKeys(term, at));
  const topologyKey = goString(term?.topologyKey);
  if (topologyKey === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
  append(errors, validateLabelName(topologyKey, at.child('topologyKey')));
  return errors;
}

function validateTermSelectors(
  term: PodAffinityTerm | undefined,
  allowInvalidValues: boolean,
  at: FieldPath,
): FieldError[] {
  return [
    ...validateLabelSelector(term?.labelSelector, at.child('labelSelector'), allowInvalidValues),
    ...validateLabelSelector(term?.namespaceSelector, at.child('namespaceSelector'), allowInvalidValues),
  ];
}
