import { validatePod } from '../../admission/pods/pod.ts';
import { validatePodUpdate } from '../../admission/pods/update.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { decodeUnmergedPod, objectAt, printErrors, recordedCreation, releaseAt } from './case-input.ts';

/**
 * Mode `validate`: `new` is created; when the case has an `old` pod, that is also updated to `new`. What was recorded is
 * the validation alone: `matchLabelKeys` are not merged into selectors.
 */
export function decideValidate(input: JsonObject): JsonObject {
  const release = releaseAt(input);
  const options = { ...recordedCreation, release };
  const next = decodeUnmergedPod(objectAt(input, 'new'), release);
  const old = objectAt(input, 'old');
  const create = validatePod(next, options);
  const update = old === undefined ? [] : validatePodUpdate(next, decodeUnmergedPod(old, release), options);
  return {
    ...(create.length === 0 ? {} : { create: printErrors(create) }),
    ...(update.length === 0 ? {} : { update: printErrors(update) }),
  };
}
