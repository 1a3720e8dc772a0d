import type { FieldError } from '../../../kubernetes/field-error.ts';
import type { Path } from '../../../kubernetes/json.ts';
import type { OffsetRange } from '../../../manifests/manifest.ts';
import { fieldErrorText } from '../../../admission/field-errors.ts';
import type { Fact } from '../../facts.ts';
import { isRecord, valueAt } from '../../value-at.ts';
import type { Finding } from '../rule.ts';

/**
 * The narrowest range that shows a place: the value where it is a scalar, the key where it is a map or a list, the key
 * of the nearest parent where nothing is written. An item of a list has no key: its first one stands for it.
 */
export function narrowRange(fact: Fact, path: Path): OffsetRange {
  const value = valueAt(fact.manifest.value, path);
  if (isRecord(value) && typeof path.at(-1) === 'number') {
    const [first] = Object.keys(value);
    if (first !== undefined) return fact.manifest.locateNearest([...path, first], 'key');
  }
  const isScalar = value !== undefined && value !== null && typeof value !== 'object';
  return fact.manifest.locateNearest(path, isScalar ? 'value' : 'key');
}

/** A refusal by the API server, at the place it is about. `base` leads to the pod template in a workload. */
export function fieldErrorFinding(fact: Fact, error: FieldError, base: Path = []): Finding {
  const path = [...base, ...error.path];
  return { range: narrowRange(fact, path), message: fieldErrorText(error), fact, path };
}
