import { isObject, valueAt } from '../../../util/values.ts';
import { readableErrorText } from '../../../admission/format/field-errors.ts';
import type { FieldError } from '../../../kubernetes/field-error.ts';
import type { Path } from '../../../kubernetes/json.ts';
import type { OffsetRange } from '../../../manifests/manifest.ts';
import type { Fact } from '../../index/fact.ts';
import type { Finding } from './rule.ts';

/**
 * The narrowest range that shows a place: the value where it is a scalar, the key where it is a map or a list, the key
 * of the nearest parent where nothing is written. An item of a list has no key: its first one stands for it.
 */
export function narrowRange({ manifest }: Fact, path: Path): OffsetRange {
  let written = path;
  while (written.length > 0 && valueAt(manifest.value, written) === undefined) written = written.slice(0, -1);
  const value = valueAt(manifest.value, written);
  if (isObject(value) && typeof written.at(-1) === 'number') {
    const [first] = Object.keys(value);
    if (first !== undefined) return manifest.locateNearest([...written, first], 'key');
  }
  const isScalar = value !== null && !isObject(value) && !Array.isArray(value);
  return manifest.locateNearest(written, isScalar ? 'value' : 'key');
}

/** What is to be said of a place in an object. */
export function findingAt(fact: Fact, path: Path, message: string, more: Partial<Finding> = {}): Finding {
  return { range: narrowRange(fact, path), message, fact, path, ...more };
}

/** A volume that a StatefulSet adds to its pods is written as its claim. */
function ofClaim({ kind, manifest }: Fact, path: Path): Path {
  const volume = ['spec', 'template', 'spec', 'volumes'];
  const index = path[volume.length];
  const isVolume = typeof index === 'number' && volume.every((step, at) => step === path[at]);
  if (kind !== 'StatefulSet' || !isVolume) return path;
  const written = valueAt(manifest.value, volume);
  const claim = index - (Array.isArray(written) ? written.length : 0);
  return claim < 0 ? path : ['spec', 'volumeClaimTemplates', claim, 'metadata', 'name'];
}

const schemaWords: Readonly<Partial<Record<FieldError['type'], Finding['schemaSays'] & string>>> = {
  FieldValueRequired: 'missing',
  FieldValueNotSupported: 'value',
};

/** A refusal by the API server, at the place it is about. */
export function fieldErrorFinding(fact: Fact, error: FieldError): Finding {
  const place = ofClaim(fact, error.within === undefined ? error.at.path : [...error.at.path, ...error.within]);
  const isMissing = error.type === 'FieldValueNotSupported' && valueAt(fact.manifest.value, place) === undefined;
  const schemaSays = isMissing ? 'missing' : schemaWords[error.type];
  const more = schemaSays === undefined ? {} : { schemaSays };
  return findingAt(fact, place, readableErrorText(error), { refusal: error, ...more });
}
