import type { Path } from '../../../kubernetes/json.ts';
import type { PodAffinityTerm } from '../../../kubernetes/objects.ts';
import type { Fact } from '../../index/fact.ts';

/** A term of pod affinity or anti-affinity, and the way to it from the top of the object. */
export interface PlacedTerm {
  readonly term: PodAffinityTerm;
  readonly path: Path;
  readonly isRequired: boolean;
}

/** The terms that the pods of a workload have, required ones first. */
export function termsOf({ template }: Fact, kind: 'podAffinity' | 'podAntiAffinity'): readonly PlacedTerm[] {
  if (template === undefined) return [];
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = template.spec.affinity?.[kind] ?? {};
  const at = [...template.path, 'spec', 'affinity', kind];
  return [
    ...required.map((term, index) => ({
      term,
      path: [...at, 'requiredDuringSchedulingIgnoredDuringExecution', index],
      isRequired: true,
    })),
    ...preferred.map(({ podAffinityTerm: term }, index) => ({
      term,
      path: [...at, 'preferredDuringSchedulingIgnoredDuringExecution', index, 'podAffinityTerm'],
      isRequired: false,
    })),
  ];
}

export function requiredTermsOf(fact: Fact, kind: 'podAffinity' | 'podAntiAffinity'): readonly PlacedTerm[] {
  return termsOf(fact, kind).filter(({ isRequired }) => isRequired);
}
