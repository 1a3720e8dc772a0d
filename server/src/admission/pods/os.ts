import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { eachContainer } from './each-container.ts';
import { forbidden, notSupported, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goString } from '../format/go-zero.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

const systems: readonly string[] = ['linux', 'windows'];

/** Fields of a pod that Windows does not have. Absent and false are alike for `hostPID` and `hostIPC` alone. */
const linuxPodFields = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'] as const;
/** In upstream's order, those of the context among those of the pod. */
const linuxPodContext = [
  'appArmorProfile',
  'seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'shareProcessNamespace',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const linuxContainerContext = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** Judges the operating system that a pod names, and what it must not have then (validateOS, validateLinux, validateWindows). */
export function validateOs(spec: PodSpec, at: FieldPath): FieldError[] {
  if (spec.os === undefined) return [];
  const name = goString(spec.os.name);
  if (name === '') return [required(at.child('os', 'name'))];
  if (!systems.includes(name)) return [notSupported(at.child('os', 'name').printedAs(at.child('os')), name, systems)];
  return name === 'linux' ? validateLinux(spec, at) : validateWindows(spec, at);
}

function validateLinux(spec: PodSpec, at: FieldPath): FieldError[] {
  const contexts = [[spec, at] as const, ...eachContainer(spec, at)];
  return contexts.flatMap(([{ securityContext }, place]) =>
    securityContext?.windowsOptions === undefined
      ? []
      : [forbidden(place.child('securityContext', 'windowsOptions'), 'windows options cannot be set for a linux pod')],
  );
}

function validateWindows(spec: PodSpec, at: FieldPath): FieldError[] {
  const refuse = (place: FieldPath): FieldError => forbidden(place, 'cannot be set for a windows pod');
  const errors: FieldError[] = [];
  for (const field of linuxPodContext) {
    const ofPod = linuxPodFields.find((each) => each === field);
    if (ofPod !== undefined) {
      const isFlag = ofPod === 'hostPID' || ofPod === 'hostIPC';
      if (isFlag ? spec[ofPod] === true : spec[ofPod] !== undefined) errors.push(refuse(at.child(ofPod)));
      continue;
    }
    const value = spec.securityContext?.[field as Exclude<typeof field, (typeof linuxPodFields)[number]>];
    // An empty list of sysctls is none; an empty list of groups is one.
    if (value === undefined || (field === 'sysctls' && Array.isArray(value) && value.length === 0)) continue;
    errors.push(refuse(at.child('securityContext', field)));
  }
  for (const [{ securityContext }, place] of eachContainer(spec, at)) {
    for (const field of linuxContainerContext) {
      if (securityContext?.[field] !== undefined) errors.push(refuse(place.child('securityContext', field)));
    }
  }
  return errors;
}
