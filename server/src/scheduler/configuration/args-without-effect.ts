import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Json, JsonObject, Path } from '../../kubernetes/json.ts';
import type { Behaviours, Release } from '../../kubernetes/release.ts';
import { decodeFields } from './decode.ts';
import { readDuration } from './go-duration.ts';
import { forbidden, invalid } from './problems.ts';

/** Arguments of plugins that change nothing about a decision here: they are only checked. */

/** Source: ValidateVolumeBindingArgsWithOptions, with the gate StorageCapacityScoring off as it is by default */
export function validateVolumeBinding({ types }: Release, value: JsonObject, path: Path, problems: FieldError[]): void {
  const { bindTimeoutSeconds = 0, shape } = decodeFields(value, 'VolumeBindingArgs', path, problems, types);
  if (bindTimeoutSeconds < 0) {
    const detail = 'invalid BindTimeoutSeconds, should not be a negative value';
    problems.push(invalid([...path, 'bindTimeoutSeconds'], bindTimeoutSeconds, detail));
  }
  if (shape !== undefined) {
    const detail = 'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring';
    problems.push(invalid([...path, 'shape'], shape, detail));
  }
}

/** Source: ValidateDynamicResourcesArgs, with the gate DRASchedulerFilterTimeout on as it is by default */
export function validateDynamicResources(
  { behaviours, types }: Release,
  value: JsonObject,
  path: Path,
  problems: FieldError[],
): void {
  const { filterTimeout, bindingTimeout } = decodeFields(value, 'DynamicResourcesArgs', path, problems, types);
  const at = [...path, 'filterTimeout'];
  const timeout = readDuration(filterTimeout, at, problems);
  if (timeout !== undefined && timeout < 0) problems.push(invalid(at, filterTimeout, 'must be zero or positive'));
  if (bindingTimeout !== undefined) {
    validateBindingTimeout(behaviours.bindingTimeoutOfClaims, bindingTimeout, [...path, 'bindingTimeout'], problems);
  }
}

function validateBindingTimeout(
  rule: Behaviours['bindingTimeoutOfClaims'],
  value: Json,
  at: Path,
  problems: FieldError[],
): void {
  switch (rule) {
    case 'forbidden': {
      const gates = 'DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled';
      problems.push(forbidden(at, gates));
      return;
    }
    case 'checked': {
      const timeout = readDuration(value, at, problems);
      if (timeout !== undefined && timeout < 1000) problems.push(invalid(at, value, 'must be at least 1 second'));
    }
  }
}
