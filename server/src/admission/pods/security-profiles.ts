import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container } from '../../kubernetes/objects.ts';
import { ifWhole, invalid, notSupported, required, tooLong } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { byteLength } from '../format/names.ts';
import { validateDescendingPath } from '../volumes/local-paths.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

type SecurityContext = NonNullable<Container['securityContext']>;
export type SeccompProfile = NonNullable<SecurityContext['seccompProfile']>;
export type AppArmorProfile = NonNullable<SecurityContext['appArmorProfile']>;

const profileTypes: readonly string[] = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** The longest path on Linux. */
const maxProfileLength = 4095;

/** Judges a seccomp profile; an absent one is fine (validateSeccompProfileField). */
export function validateSeccompProfile(profile: SeccompProfile | undefined, at: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const place = at.child('localhostProfile');
  const errors = validateType(type, 'type is required when seccompProfile is set', at);
  if (type === 'Localhost') {
    if (localhostProfile === undefined) {
      errors.push(required(place, 'must be set when seccomp type is Localhost'));
    } else {
      append(errors, validateDescendingPath(localhostProfile, place));
    }
  } else if (localhostProfile !== undefined) {
    append(errors, ifWhole(invalid(place, profile, 'can only be set when seccomp type is Localhost')));
  }
  return errors;
}

/** Judges an AppArmor profile; an absent one is fine (ValidateAppArmorProfileField). */
export function validateAppArmorProfile(profile: AppArmorProfile | undefined, at: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const place = at.child('localhostProfile');
  const errors = validateType(type, 'type is required when appArmorProfile is set', at);
  if (type !== 'Localhost') {
    if (errors.length === 0 && localhostProfile !== undefined) {
      errors.push(invalid(place, localhostProfile, 'can only be set when AppArmor type is Localhost'));
    }
    return errors;
  }
  if (localhostProfile === undefined || localhostProfile === '') {
    errors.push(required(place, 'must be set when AppArmor type is Localhost'));
  } else if (localhostProfile.trim() !== localhostProfile) {
    errors.push(invalid(place, localhostProfile, 'must not be padded with whitespace'));
  }
  if (byteLength(localhostProfile ?? '') > maxProfileLength) errors.push(tooLong(place, maxProfileLength));
  return errors;
}

function validateType(type: string, whenMissing: string, at: FieldPath): FieldError[] {
  if (profileTypes.includes(type)) return [];
  const place = at.child('type');
  return [type === '' ? required(place, whenMissing) : notSupported(place, type, profileTypes)];
}
