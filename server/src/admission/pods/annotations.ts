import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { own } from '../../util/own.ts';
import { eachContainer } from './each-container.ts';
import { type Batches, forbidden, ifWhole, inBatches, invalid } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goQuote } from '../format/go-quote.ts';
import { goString } from '../format/go-zero.ts';
import { validateDescendingPath } from '../volumes/local-paths.ts';
import type { AppArmorProfile, SeccompProfile } from './security-profiles.ts';

type Annotations = Readonly<Record<string, string>> | undefined;

/** Source: pkg/apis/core/annotation_key_constants.go, staging/src/k8s.io/api/core/v1/annotation_key_constants.go */
const mirrorPod = 'kubernetes.io/config.mirror';
const podDeletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/';
export const containerAppArmor = 'container.apparmor.security.beta.kubernetes.io/';

const localhostProfile = 'localhost/';

const minInt32 = -(2n ** 31n);
const maxInt32 = 2n ** 31n - 1n;

/** Whether a pod only shows what a kubelet runs of itself. */
export function isMirrorPod(annotations: Annotations): boolean {
  return own(annotations, mirrorPod) !== undefined;
}

/**
 * Judges the annotations that have a meaning.
 * Source: ValidatePodSpecificAnnotations in pkg/apis/core/validation/validation.go
 */
export function* judgePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  rules: { readonly allowInvalidDeletionCost: boolean },
  at: FieldPath,
): Batches {
  if (annotations === undefined) return;
  const errors: FieldError[] = [];
  const mirror = own(annotations, mirrorPod);
  if (mirror !== undefined && goString(spec.nodeName) === '') {
    errors.push(invalid(at.key(mirrorPod), mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  }
  if (!rules.allowInvalidDeletionCost && hasInvalidDeletionCost(annotations)) {
    const value = own(annotations, podDeletionCost);
    errors.push(invalid(at.key(podDeletionCost), value, 'must be a 32bit integer'));
  }
  yield errors;
  let containers: ReadonlySet<string> | undefined;
  const entries = Object.entries(annotations);
  yield* inBatches(entries, ([key, value]) =>
    key === podSeccomp || key.startsWith(containerSeccomp)
      ? validateSeccompName(value, at.key(key).printedAs(at.child(key)))
      : [],
  );
  yield* inBatches(entries, ([key, value]) => {
    if (!key.startsWith(containerAppArmor)) return [];
    containers ??= new Set([...eachContainer(spec, FieldPath.root)].map(([{ name }]) => goString(name)));
    return validateAppArmorName(key.slice(containerAppArmor.length), value, containers, at.key(key));
  });
}

/** ValidateSeccompProfile. */
function validateSeccompName(name: string, at: FieldPath): FieldError[] {
  if (name === 'runtime/default' || name === 'docker/default' || name === 'unconfined') return [];
  if (name.startsWith(localhostProfile)) return validateDescendingPath(name.slice(localhostProfile.length), at);
  return [invalid(at, name, 'must be a valid seccomp profile')];
}

/** ValidateAppArmorPodAnnotations. */
function validateAppArmorName(
  container: string,
  name: string,
  containers: ReadonlySet<string>,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!containers.has(container)) append(errors, ifWhole(invalid(at, container, 'container not found')));
  const isKnown = name === '' || name === 'runtime/default' || name === 'unconfined';
  if (!isKnown && !name.startsWith(localhostProfile)) {
    errors.push(invalid(at, name, `invalid AppArmor profile name: ${goQuote(name)}`));
  }
  return errors;
}

/**
 * Judges whether the profiles of a new pod or template are the same in annotations and fields. `at` leads to the spec.
 * Source: validateSeccompAnnotationsAndFields, validateAppArmorAnnotationsAndFieldsMatchOnCreate
 */
export function validateMatchingProfiles(annotations: Annotations, spec: PodSpec, at: FieldPath): FieldError[] {
  if (annotations === undefined) return [];
  const errors: FieldError[] = [];
  const ofPod = spec.securityContext;
  const containers = [...eachContainer(spec, at)];
  const seccomp = (key: string, profile: SeccompProfile | undefined, place: FieldPath): void => {
    const runtimeDefaults = ['runtime/default', 'docker/default'];
    const annotation = own(annotations, key);
    const profilePlace = place.child('securityContext', 'seccompProfile');
    append(errors, compareProfiles('seccomp', annotation, profile, runtimeDefaults, profilePlace));
  };
  seccomp(podSeccomp, ofPod?.seccompProfile, at);
  for (const [{ name, securityContext }, place] of containers) {
    seccomp(containerSeccomp + goString(name), securityContext?.seccompProfile, place);
  }
  if (spec.os?.name === 'windows') return errors;
  for (const [{ name, securityContext }, place] of containers) {
    const profile = securityContext?.appArmorProfile ?? ofPod?.appArmorProfile;
    const annotation = own(annotations, containerAppArmor + goString(name));
    const profilePlace = place.child('securityContext', 'appArmorProfile');
    append(errors, compareProfiles('apparmor', annotation, profile, ['runtime/default'], profilePlace));
  }
  return errors;
}

function compareProfiles(
  kind: 'seccomp' | 'apparmor',
  annotation: string | undefined,
  profile: SeccompProfile | AppArmorProfile | undefined,
  runtimeDefaults: readonly string[],
  at: FieldPath,
): FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  const accepted = {
    Unconfined: annotation === 'unconfined',
    RuntimeDefault: runtimeDefaults.includes(annotation),
    Localhost: annotation.startsWith(localhostProfile),
  };
  const { type } = profile;
  if (type !== 'Unconfined' && type !== 'RuntimeDefault' && type !== 'Localhost') return [];
  if (!accepted[type]) return [forbidden(at.child('type'), `${kind} type in annotation and field must match`)];
  if (type !== 'Localhost' || annotation.slice(localhostProfile.length) === profile.localhostProfile) return [];
  return [forbidden(at.child('localhostProfile'), `${kind} profile in annotation and field must match`)];
}

/** Source: GetDeletionCostFromPodAnnotations in pkg/apis/core/helper/helpers.go */
export function hasInvalidDeletionCost(annotations: Annotations): boolean {
  const value = own(annotations, podDeletionCost);
  if (value === undefined) return false;
  if (!/^(0|-[0-9]+|[1-9][0-9]*)$/.test(value)) return true;
  const cost = BigInt(value);
  return cost < minInt32 || cost > maxInt32;
}
