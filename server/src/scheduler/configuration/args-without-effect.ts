import type { FieldError } from '../../kubernetes/field-error.ts';
import type { JsonObject, Path } from '../../kubernetes/json.ts';
import { decodeFields } from './decode.ts';
import { readDuration } from './go-duration.ts';
import { invalid } from './problems.ts';

/** Arguments of plugins that change nothing about a decision here: they are only checked. */

/** Source: ValidateVolumeBindingArgsWithOptions, with the gate StorageCapacityScoring off as it is by default */
export function validateVolumeBinding(value: JsonObject, path: Path, problems: FieldError[]): void {
  const { bindTimeoutSeconds = 0, shape } = decodeFields(value, 'VolumeBindingArgs', path, problems);
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
export function validateDynamicResources(value: JsonObject, path: Path, problems: FieldError[]): void {
  const { filterTimeout } = decodeFields(value, 'DynamicResourcesArgs', path, problems);
  const at = [...path, 'filterTimeout'];
  const timeout = readDuration(filterTimeout, at, problems);
  if (timeout !== undefined && timeout < 0) problems.push(invalid(at, filterTimeout, 'must be zero or positive'));
}
