import { validatePod } from '../../admission/pods/pod.ts';
import { validatePodUpdate } from '../../admission/pods/update.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { mergeMatchLabelKeys } from '../../kubernetes/defaults/index.ts';
import { decodeUnmergedPod, objectAt, printErrors, recordedCreation } from './case-input.ts';

/**
 * Mode `validate`: `new` is created; when the case has an `old` pod, that is also updated to `new`. Only a creation
 * merges `matchLabelKeys` into selectors.
 */
export function decideValidate(input: JsonObject): JsonObject {
  const next = decodeUnmergedPod(objectAt(input, 'new'));
  const old = objectAt(input, 'old');
  const create = validatePod(mergeMatchLabelKeys(next), recordedCreation);
  const update = old === undefined ? [] : validatePodUpdate(next, decodeUnmergedPod(old), recordedCreation);
  return {
    ...(create.length === 0 ? {} : { create: printErrors(create) }),
    ...(update.length === 0 ? {} : { update: printErrors(update) }),
  };
}
