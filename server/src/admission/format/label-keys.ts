import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { LabelSelector } from '../../kubernetes/objects.ts';
import { forbidden, invalid } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { goList, goString } from './go-zero.ts';
import { validateLabelName } from './label-selector.ts';

/** What pod affinity terms and spread constraints have in common. */
export interface WithLabelKeys {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/**
 * Judges `matchLabelKeys` and `mismatchLabelKeys`. The server merges these into the selector before it validates, so
 * a key of `matchLabelKeys` stands in the selector once; twice means that the user wrote it there as well.
 * Source: validateMatchLabelKeysAndMismatchLabelKeys in pkg/apis/core/validation/validation.go
 */
export function validateLabelKeys(term: WithLabelKeys, at: FieldPath): FieldError[] {
  const matchLabelKeys = goList(term.matchLabelKeys);
  const mismatchLabelKeys = goList(term.mismatchLabelKeys);
  const errors = [
    ...validateKeyNames(matchLabelKeys, term.labelSelector, at.child('matchLabelKeys')),
    ...validateKeyNames(mismatchLabelKeys, term.labelSelector, at.child('mismatchLabelKeys')),
  ];
  if (term.labelSelector !== undefined && matchLabelKeys.length > 0) {
    const indexOf = new Map(matchLabelKeys.map((key, index) => [key, index]));
    const seen = new Set(Object.keys(term.labelSelector.matchLabels ?? {}));
    for (const expression of goList(term.labelSelector.matchExpressions)) {
      const key = goString(expression.key);
      const index = indexOf.get(key);
      if (index !== undefined && seen.has(key)) {
        // Upstream puts the index on the term itself.
        const place = at.child('matchLabelKeys').index(index).printedAs(at.index(index));
        errors.push(invalid(place, key, 'exists in both matchLabelKeys and labelSelector'));
      }
      seen.add(key);
    }
  }
  const mismatching = new Set(mismatchLabelKeys);
  matchLabelKeys.forEach((key, index) => {
    if (mismatching.has(key)) {
      const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
      errors.push(invalid(at.child('matchLabelKeys').index(index), key, detail));
    }
  });
  return errors;
}

/**
 * Judges `matchLabelKeys` against a selector that they were not merged into: no key may stand there at all.
 * Source: ValidateMatchLabelKeysInTopologySpread in pkg/apis/core/validation/validation.go
 */
export function validateUnmergedKeys(
  { matchLabelKeys = [], labelSelector }: WithLabelKeys,
  at: FieldPath,
): FieldError[] {
  if (matchLabelKeys.length === 0) return [];
  const place = at.child('matchLabelKeys');
  const errors: FieldError[] = [];
  if (labelSelector === undefined) {
    errors.push(forbidden(place, 'must not be specified when labelSelector is not set'));
  }
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const expression of goList(labelSelector?.matchExpressions)) selected.add(goString(expression.key));
  matchLabelKeys.forEach((key, index) => {
    append(errors, validateLabelName(key, place.index(index)));
    if (selected.has(key)) {
      errors.push(invalid(place.index(index), key, 'exists in both matchLabelKeys and labelSelector'));
    }
  });
  return errors;
}

function validateKeyNames(keys: readonly string[], selector: LabelSelector | undefined, at: FieldPath): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) return [forbidden(at, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => validateLabelName(key, at.index(index)));
}
