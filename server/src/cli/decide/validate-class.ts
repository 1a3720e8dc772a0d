import {
  secondGlobalDefault,
  validatePriorityClass,
  validatePriorityClassUpdate,
} from '../../admission/priority/priority-class.ts';
import { defaultPriorityClass } from '../../kubernetes/defaults/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { decodeAs, decodeKind, objectAt, objectsAt, printErrors } from './case-input.ts';

/** Mode `validate-class`: a PriorityClass is created, or updated when the case has an `old` one. */
export function decideValidateClass(input: JsonObject): JsonObject {
  const stored = decodeKind(objectsAt(input, 'objects'), 'PriorityClass');
  const next = defaultPriorityClass(decodeAs(objectAt(input, 'new'), 'PriorityClass'));
  const oldInput = objectAt(input, 'old');
  const old = oldInput === undefined ? undefined : defaultPriorityClass(decodeAs(oldInput, 'PriorityClass'));
  const errors = old === undefined ? validatePriorityClass(next) : validatePriorityClassUpdate(next, old);
  const second = secondGlobalDefault(next, stored, old === undefined ? 'create' : 'update');
  return {
    ...(errors.length === 0 ? {} : { [old === undefined ? 'create' : 'update']: printErrors(errors) }),
    ...(second === undefined ? {} : { forbidden: second.text }),
  };
}
