import type { FieldError } from '../../kubernetes/field-error.ts';
import type { DaemonSet, Deployment, StatefulSet } from '../../kubernetes/objects.ts';
import { forbidden, invalid, notSupported, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goString } from '../format/go-zero.ts';
import type { Release } from '../../kubernetes/release.ts';
import {
  type IntOrPercent,
  isZero,
  validateNonNegative,
  validateNotMoreThan100Percent,
  validatePositiveIntOrPercent,
} from '../format/int-or-percent.ts';

/**
 * How workloads replace their pods. Each strategy is by default a rolling update.
 * Sources for this file: pkg/apis/apps/validation/validation.go, pkg/apis/apps/v1/defaults.go
 */

type DeploymentStrategy = NonNullable<Deployment['spec']>['strategy'];
type DaemonSetStrategy = NonNullable<DaemonSet['spec']>['updateStrategy'];
type StatefulSetStrategy = NonNullable<StatefulSet['spec']>['updateStrategy'];

const rolling = 'RollingUpdate';

function typeOf(strategy: { readonly type?: string } | undefined): string {
  return goString(strategy?.type) || rolling;
}

/** Upstream names the strategy as a whole where its type is at fault. */
function typeAt(at: FieldPath): FieldPath {
  return at.child('type').printedAs(at);
}

/** ValidateDeploymentStrategy. */
export function validateDeploymentStrategy(strategy: DeploymentStrategy, at: FieldPath): FieldError[] {
  const rollingAt = at.child('rollingUpdate');
  const rollingUpdate = strategy?.rollingUpdate;
  switch (typeOf(strategy)) {
    case 'Recreate':
      return rollingUpdate === undefined
        ? []
        : [forbidden(rollingAt, "may not be specified when strategy `type` is 'Recreate'")];
    case rolling: {
      const maxUnavailable = rollingUpdate?.maxUnavailable ?? '25%';
      const maxSurge = rollingUpdate?.maxSurge ?? '25%';
      const unavailableAt = rollingAt.child('maxUnavailable');
      return [
        ...validatePositiveIntOrPercent(maxUnavailable, unavailableAt),
        ...validatePositiveIntOrPercent(maxSurge, rollingAt.child('maxSurge')),
        ...(isZero(maxUnavailable) && isZero(maxSurge)
          ? [invalid(unavailableAt, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
          : []),
        ...validateNotMoreThan100Percent(maxUnavailable, unavailableAt),
      ];
    }
    default:
      return [notSupported(typeAt(at), strategy, ['Recreate', rolling])];
  }
}

/** ValidateDaemonSetUpdateStrategy: pods may be replaced before or after they go, not both. */
export function validateDaemonSetStrategy(strategy: DaemonSetStrategy, at: FieldPath): FieldError[] {
  const type = typeOf(strategy);
  if (type === 'OnDelete') return [];
  if (type !== rolling) return [notSupported(typeAt(at), strategy, [rolling, 'OnDelete'])];
  const { maxUnavailable = 1, maxSurge = 0 } = strategy?.rollingUpdate ?? {};
  const unavailableAt = at.child('rollingUpdate', 'maxUnavailable');
  const surgeAt = at.child('rollingUpdate', 'maxSurge');
  const errors = [
    ...validatePositiveIntOrPercent(maxUnavailable, unavailableAt),
    ...validatePositiveIntOrPercent(maxSurge, surgeAt),
    ...validateNotMoreThan100Percent(maxUnavailable, unavailableAt),
    ...validateNotMoreThan100Percent(maxSurge, surgeAt),
  ];
  if (!isZero(maxUnavailable) && !isZero(maxSurge)) {
    errors.push(invalid(surgeAt, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  }
  if (isZero(maxUnavailable) && isZero(maxSurge)) {
    errors.push(required(unavailableAt, 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}

function validateMaxUnavailable(value: IntOrPercent | undefined, at: FieldPath): FieldError[] {
  if (value === undefined) return [];
  return [
    ...validatePositiveIntOrPercent(value, at),
    ...(isZero(value) ? [invalid(at, value, 'cannot be 0')] : []),
    ...validateNotMoreThan100Percent(value, at),
  ];
}

/** The part of ValidateStatefulSetSpec about `updateStrategy`. The server drops `maxUnavailable` while its gate is off. */
export function validateStatefulSetStrategy(
  strategy: StatefulSetStrategy,
  { featureGates }: Release,
  at: FieldPath,
): FieldError[] {
  const isKept = featureGates.has('MaxUnavailableStatefulSet');
  const { maxUnavailable, ...rest } = strategy?.rollingUpdate ?? {};
  const kept = isKept && maxUnavailable !== undefined ? { ...rest, maxUnavailable } : rest;
  const rollingUpdate = strategy?.rollingUpdate === undefined ? undefined : kept;
  switch (typeOf(strategy)) {
    case 'OnDelete':
      return rollingUpdate === undefined
        ? []
        : [invalid(at.child('rollingUpdate'), rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")];
    case rolling:
      return [
        ...validateNonNegative(rollingUpdate?.partition, at.child('rollingUpdate', 'partition')),
        ...(isKept ? validateMaxUnavailable(maxUnavailable, at.child('rollingUpdate', 'maxUnavailable')) : []),
      ];
    default:
      return [invalid(typeAt(at), { ...strategy, rollingUpdate }, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}
