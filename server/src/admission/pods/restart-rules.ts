import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { forbidden, notSupported, required, tooLong, tooMany } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList } from '../format/go-zero.ts';

const restartsAll = 'RestartAllContainers';
const policies: readonly string[] = ['Always', 'Never', 'OnFailure'];
const operators: readonly string[] = ['In', 'NotIn'];
const maxRules = 20;
const maxExitCodes = 255;

export interface RestartRules {
  readonly release: Release;
  /** A rule may restart all containers of the pod. */
  readonly allowRestartAllContainers: boolean;
}

/** Whether some rule restarts all containers: what is stored so may stay so. */
export function restartsAllContainers({ containers, initContainers }: PodSpec): boolean {
  return [...goList(containers), ...goList(initContainers)].some(({ restartPolicyRules }) =>
    goList(restartPolicyRules).some(({ action }) => action === restartsAll),
  );
}

/**
 * When a container restarts whatever its pod says: a policy, and rules by exit code beside it.
 * Source: validateContainerRestartPolicy in pkg/apis/core/validation/validation.go
 */
export function validateRestartRules(
  { restartPolicy, restartPolicyRules }: Container,
  { allowRestartAllContainers, release: { behaviours } }: RestartRules,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const rules = goList(restartPolicyRules);
  const policyPlace = at.child('restartPolicy');
  const place = at.child('restartPolicyRules');
  if (restartPolicy === undefined) {
    if (rules.length > 0) errors.push(required(policyPlace, 'must specify restartPolicy when restart rules are used'));
  } else if (!policies.includes(restartPolicy)) {
    errors.push(notSupported(policyPlace, restartPolicy, policies));
  }
  const beyond = (at: FieldPath, { length }: readonly unknown[], most: number): FieldError =>
    behaviours.countsRestartRules ? tooMany(at, length, most) : tooLong(at, most);
  if (rules.length > maxRules) errors.push(beyond(place, rules, maxRules));
  const actions = allowRestartAllContainers ? ['Restart', restartsAll] : ['Restart'];
  rules.forEach(({ action = '', exitCodes }, index) => {
    const rule = place.index(index);
    if (!actions.includes(action)) errors.push(notSupported(rule.child('action'), action, actions));
    if (exitCodes === undefined) {
      errors.push(required(rule.child('exitCodes'), 'must be specified'));
      return;
    }
    const codes = rule.child('exitCodes');
    const operator = exitCodes.operator ?? '';
    if (!operators.includes(operator)) {
      errors.push(notSupported(codes.child('operator'), operator, operators));
    }
    const values = goList(exitCodes.values);
    if (values.length > maxExitCodes) errors.push(beyond(codes.child('values'), values, maxExitCodes));
  });
  return errors;
}

/** Rules of a sidecar, which restarts anyway: none, and nothing else is said of them. Source: validateInitContainerRestartPolicy */
export function validateSidecarRules(container: Container, at: FieldPath): FieldError[] {
  if (goList(container.restartPolicyRules).length === 0) return [];
  const detail = 'restartPolicyRules are not allowed for init containers with restart policy Always';
  return [forbidden(at.child('restartPolicyRules'), detail)];
}
