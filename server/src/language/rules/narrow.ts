import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { OffsetRange } from '../../manifests/manifest.ts';
import { fieldErrorText } from '../../admission/field-errors.ts';
import type { Fact } from '../facts.ts';
import { valueAt } from '../value-at.ts';
import type { Finding } from './rule.ts';

/**
 * The narrowest range that shows a place: the value where it is a scalar, the key where it is a map or a list, the key
 * of the nearest parent where nothing is written.
 */
export function narrowRange(fact: Fact, path: Path): OffsetRange {
  const value = valueAt(fact.manifest.value, path);
  const isScalar = value !== undefined && value !== null && typeof value !== 'object';
  return fact.manifest.locateNearest(path, isScalar ? 'value' : 'key');
}

/** A refusal by the API server, at the place it is about. `base` leads to the pod template in a workload. */
export function fieldErrorFinding(fact: Fact, error: FieldError, base: Path = []): Finding {
  const path = [...base, ...error.path];
  return { range: narrowRange(fact, path), message: fieldErrorText(error), fact, path };
}
