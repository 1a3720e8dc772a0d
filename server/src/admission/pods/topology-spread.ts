import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { TopologySpreadConstraint } from '../../kubernetes/objects.ts';
import { type Batches, duplicate, inBatches, invalid, notSupported, required } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goNumber, goString } from '../format/go-zero.ts';
import { validateLabelKeys, validateUnmergedKeys } from '../format/label-keys.ts';
import { validateLabelSelector } from '../format/label-selector.ts';

const scheduleActions: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];
const nodeInclusionPolicies: readonly string[] = ['Honor', 'Ignore'];

export interface SpreadRules {
  readonly allowInvalidSpreadSelectors: boolean;
  /** Judge `matchLabelKeys` as before v1.34, when they were not yet merged into the selector. */
  readonly allowInvalidSpreadKeys: boolean;
}

/** Judges spread constraints. Source: validateTopologySpreadConstraints in pkg/apis/core/validation/validation.go */
export function judgeTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  rules: SpreadRules,
  at: FieldPath,
): Batches {
  const last = new Map(constraints.map((constraint, index) => [kindOf(constraint), index]));
  return inBatches(constraints, (constraint, index) => {
    const place = at.index(index);
    const errors = validateKind(constraint, place);
    // Of several alike, every one but the last is reported.
    if (last.get(kindOf(constraint)) !== index) {
      const pair = place.child('topologyKey').printedAs(place.child('{topologyKey, whenUnsatisfiable}'));
      const value = `{${goString(constraint.topologyKey)}, ${goString(constraint.whenUnsatisfiable)}}`;
      errors.push(duplicate(pair, value));
    }
    append(
      errors,
      validateDomains(constraint, place),
      rules.allowInvalidSpreadKeys ? validateUnmergedKeys(constraint, place) : validateLabelKeys(constraint, place),
    );
    if (!rules.allowInvalidSpreadSelectors) {
      append(errors, validateLabelSelector(constraint.labelSelector, place.child('labelSelector')));
    }
    return errors;
  });
}

/** Whether an update must go easy on the selectors. */
export function hasInvalidSpreadSelector(constraints: readonly TopologySpreadConstraint[]): boolean {
  return constraints.some((constraint) => validateLabelSelector(constraint.labelSelector, FieldPath.root).length > 0);
}

/** Whether `matchLabelKeys` of a stored pod break the rules of today. */
export function hasInvalidSpreadKeys(constraints: readonly TopologySpreadConstraint[]): boolean {
  return constraints.some((constraint) => validateLabelKeys(constraint, FieldPath.root).length > 0);
}

function validateKind(constraint: TopologySpreadConstraint, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const maxSkew = goNumber(constraint.maxSkew);
  if (maxSkew <= 0) errors.push(invalid(at.child('maxSkew'), maxSkew, 'must be greater than zero'));
  if (goString(constraint.topologyKey) === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
  const action = goString(constraint.whenUnsatisfiable);
  if (!scheduleActions.includes(action)) {
    errors.push(notSupported(at.child('whenUnsatisfiable'), action, scheduleActions));
  }
  return errors;
}

function validateDomains(constraint: TopologySpreadConstraint, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const action = goString(constraint.whenUnsatisfiable);
  const minDomains = constraint.minDomains;
  if (minDomains !== undefined) {
    const place = at.child('minDomains');
    if (minDomains <= 0) errors.push(invalid(place, minDomains, 'must be greater than zero'));
    if (action !== 'DoNotSchedule') {
      const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
      errors.push(invalid(place, minDomains, detail));
    }
  }
  for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
    const policy = constraint[field];
    if (policy !== undefined && !nodeInclusionPolicies.includes(policy)) {
      errors.push(notSupported(at.child(field), policy, nodeInclusionPolicies));
    }
  }
  return errors;
}

/** What no two constraints may have alike. */
function kindOf({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return JSON.stringify([goString(topologyKey), goString(whenUnsatisfiable)]);
}
