import { validatePod } from '../../admission/pod.ts';
import { validatePodUpdate } from '../../admission/pod-update.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { decodePod, objectAt, printErrors, recordedCreation } from './case-input.ts';

/** Mode `validate`: `new` is created; when the case has an `old` pod, that is also updated to `new`. */
export function decideValidate(input: JsonObject): JsonObject {
  const next = decodePod(objectAt(input, 'new'));
  const old = objectAt(input, 'old');
  const create = validatePod(next, recordedCreation);
  const update = old === undefined ? [] : validatePodUpdate(next, decodePod(old));
  return {
    ...(create.length === 0 ? {} : { create: printErrors(create) }),
    ...(update.length === 0 ? {} : { update: printErrors(update) }),
  };
}
