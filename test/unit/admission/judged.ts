import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validatePod } from '../../../server/src/admission/pods/pod.ts';
import { validatePodUpdate } from '../../../server/src/admission/pods/update.ts';
import { defaultPod, mergeMatchLabelKeys } from '../../../server/src/kubernetes/defaults/index.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { FieldError } from '../../../server/src/kubernetes/field-error.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Pod } from '../../../server/src/kubernetes/objects.ts';

/** A pod as it reaches validation, of a spec as a user writes it. */
export function podOf(spec: JsonObject, metadata: JsonObject = {}): Pod {
  const container = { name: 'main', image: 'nginx' };
  const written = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...metadata },
    spec: { containers: [container], ...spec },
  };
  return mergeMatchLabelKeys(defaultPod(decodeObject(written).object));
}

export function creationErrors(spec: JsonObject, metadata?: JsonObject): FieldError[] {
  return validatePod(podOf(spec, metadata));
}

export function creationTexts(spec: JsonObject, metadata?: JsonObject): string[] {
  return creationErrors(spec, metadata).map(fieldErrorText);
}

export function updateErrors(next: JsonObject, old: JsonObject): FieldError[] {
  return validatePodUpdate(podOf(next), podOf(old));
}

/** Without the long list of what may be updated. */
export function updateTexts(next: JsonObject, old: JsonObject): string[] {
  return updateErrors(next, old).map((error) => fieldErrorText(error).replace(/ fields other than .*/, ' …'));
}
