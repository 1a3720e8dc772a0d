import { isNumber } from '../../util/exact-integer.ts';
import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import { eachContainer } from './each-container.ts';
import { duplicate, forbidden, ifWhole, invalid, oneOf, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { byteLength, idProblems } from '../format/names.ts';
import { validateAppArmorProfile, validateSeccompProfile } from './security-profiles.ts';
import { validateWindowsOptions } from './windows-options.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

export interface SecurityRules {
  /** Sysctls of a namespace that the pod shares with its node. */
  readonly allowHostSysctls: boolean;
  /** Policies that need the alpha feature SELinuxMount. */
  readonly allowSelinuxMountPolicy: boolean;
  /** Block devices in a pod with a user namespace of its own. */
  readonly allowUserNamespaceDevices: boolean;
  readonly allowHostNetworkUsers: boolean;
}

/** In the order of upstream's messages. */
const fsGroupChangePolicies: readonly string[] = ['Always', 'OnRootMismatch'];
const supplementalGroupsPolicies: readonly string[] = ['Merge', 'Strict'];
const selinuxChangePolicies: readonly string[] = ['MountOption', 'Recursive'];
const procMounts: readonly string[] = ['Default', 'Unmasked'];

const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlFormat = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const sysctlName = new RegExp(sysctlFormat);
const maxSysctlLength = 253;

/** Judges the security context of a pod (validatePodSpecSecurityContext). */
export function validatePodContext(spec: PodSpec, rules: SecurityRules, specPath: FieldPath): FieldError[] {
  const context = spec.securityContext ?? {};
  const at = specPath.child('securityContext');
  const errors = validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], at);
  goList(context.supplementalGroups).forEach((group, index) => {
    const place = at.child('supplementalGroups').index(index);
    append(
      errors,
      idProblems(group).map((problem) => invalid(place, group, problem)),
    );
  });
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const printed = specPath.child('shareProcessNamespace').printedAs(at.child('shareProcessNamespace'));
    errors.push(invalid(printed, true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  }
  append(
    errors,
    validateSysctls(spec, rules, at.child('sysctls')),
    oneOf(at.child('fsGroupChangePolicy'), context.fsGroupChangePolicy, fsGroupChangePolicies),
    validateSeccompProfile(context.seccompProfile, at.child('seccompProfile')),
    validateWindowsOptions(context.windowsOptions, at.child('windowsOptions')),
    validateAppArmorProfile(context.appArmorProfile, at.child('appArmorProfile')),
    oneOf(at.child('supplementalGroupsPolicy'), context.supplementalGroupsPolicy, supplementalGroupsPolicies),
    oneOf(
      at.child('seLinuxChangePolicy'),
      context.seLinuxChangePolicy,
      rules.allowSelinuxMountPolicy ? selinuxChangePolicies : ['Recursive'],
    ),
  );
  return errors;
}

/** Judges the security context of a container (ValidateSecurityContext). */
export function validateContainerSecurity(
  context: Container['securityContext'],
  spec: PodSpec,
  at: FieldPath,
): FieldError[] {
  if (context === undefined) return [];
  const errors = validateIds(context, ['runAsUser', 'runAsGroup'], at);
  append(errors, oneOf(at.child('procMount'), context.procMount, procMounts));
  if (context.procMount === 'Unmasked' && spec.hostUsers !== false) {
    const detail = '`hostUsers` must be false to use `Unmasked`';
    append(errors, ifWhole(invalid(at.child('procMount'), context.procMount, detail)));
  }
  append(errors, validateSeccompProfile(context.seccompProfile, at.child('seccompProfile')));
  if (context.allowPrivilegeEscalation === false) {
    const place = at.child('allowPrivilegeEscalation').printedAs(at);
    if (context.privileged === true) {
      errors.push(invalid(place, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
    }
    for (const capability of goList(context.capabilities?.add)) {
      if (capability !== 'CAP_SYS_ADMIN') continue;
      const detail = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
      errors.push(invalid(place, context, detail));
    }
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, at.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, at.child('appArmorProfile')),
  ];
}

function validateIds<T extends object>(context: T, fields: readonly (keyof T & string)[], at: FieldPath): FieldError[] {
  return fields.flatMap((field) => {
    const id: unknown = context[field];
    if (!isNumber(id)) return [];
    return idProblems(id).map((problem) => invalid(at.child(field), id, problem));
  });
}

/** validateSysctls. */
function validateSysctls(spec: PodSpec, rules: SecurityRules, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  goList(spec.securityContext?.sysctls).forEach((sysctl, index) => {
    const place = at.index(index).child('name');
    const name = goString(sysctl.name);
    if (name === '') {
      errors.push(required(place));
    } else if (byteLength(name) > maxSysctlLength || !sysctlName.test(name)) {
      const detail = `must have at most ${maxSysctlLength} characters and match regex ${sysctlFormat}`;
      errors.push(invalid(place, name, detail));
    } else if (names.has(name)) {
      errors.push(duplicate(place, name));
    }
    const shared = rules.allowHostSysctls ? undefined : sharedNamespaceOf(name, spec);
    if (shared !== undefined) errors.push(invalid(place, name, `may not be specified when '${shared}' is true`));
    names.add(name);
  });
  return errors;
}

/** Whether some sysctl of a stored pod is of a namespace that it shares: an update then goes easy on all of them. */
export function hasHostSysctl(spec: PodSpec): boolean {
  return goList(spec.securityContext?.sysctls).some(
    ({ name }) => sharedNamespaceOf(goString(name), spec) !== undefined,
  );
}

/**
 * The field by which the pod shares the namespace of a sysctl with its node (ValidateHostSysctl).
 * Source of the names: staging/src/k8s.io/component-helpers/node/util/sysctl/namespace.go
 */
function sharedNamespaceOf(sysctl: string, spec: PodSpec): 'hostNetwork' | 'hostIPC' | undefined {
  const name = withDots(sysctl);
  if (spec.hostNetwork === true && name.startsWith('net.')) return 'hostNetwork';
  if (spec.hostIPC === true && /^(?:kernel\.sem$|kernel\.shm|kernel\.msg|fs\.mqueue\.)/.test(name)) return 'hostIPC';
  return undefined;
}

/** A name may be written with slashes; dots within are then parts of a name. */
function withDots(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replaceAll(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

/** What does not go with a user namespace of the pod's own (validateHostUsers). */
export function validateUserNamespace(spec: PodSpec, rules: SecurityRules, at: FieldPath): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const errors: FieldError[] = [];
  const printed = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' };
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC'] as const) {
    if (spec[field] !== true || (field === 'hostNetwork' && rules.allowHostNetworkUsers)) continue;
    errors.push(forbidden(at.child(field).printedAs(at.child(printed[field])), 'when `hostUsers` is false'));
  }
  if (rules.allowUserNamespaceDevices) return errors;
  for (const [container, place] of eachContainer(spec, at)) {
    if (goList(container.volumeDevices).length === 0) continue;
    errors.push(forbidden(place.child('volumeDevices'), 'when `hostUsers` is false'));
  }
  return errors;
}

/** Whether a stored pod has block devices in a user namespace: an update then lets it. */
export function hasUserNamespaceDevices(spec: PodSpec, at: FieldPath): boolean {
  if (spec.hostUsers !== false) return false;
  return [...eachContainer(spec, at)].some(([container]) => goList(container.volumeDevices).length > 0);
}
