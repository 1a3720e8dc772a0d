import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Release } from '../../kubernetes/release.ts';
import { invalidFormat, required, tooLong } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goString } from '../format/go-zero.ts';
import { byteLength, dnsSubdomainProblems } from '../format/names.ts';

const longestDriver = 63;

/**
 * Judges the name of a driver, of volumes or of devices.
 * Source: ValidateCSIDriverName in pkg/apis/core/validation/validation.go, validateDriverName in pkg/apis/resource/validation
 */
export function driverProblems(driver: string | undefined, at: FieldPath): FieldError[] {
  const name = goString(driver);
  if (name === '') return [required(at)];
  const long = byteLength(name) > longestDriver ? [tooLong(at, longestDriver)] : [];
  return [...long, ...invalidFormat(at, name, dnsSubdomainProblems(name.toLowerCase()))];
}

/** As `driverProblems`; of a CSI driver an older minor says more where it is empty. */
export function validateCsiDriverName(
  driver: string | undefined,
  { behaviours }: Release,
  at: FieldPath,
): FieldError[] {
  const isFormatted = goString(driver) === '' && behaviours.formatsEmptyDrivers;
  return [...driverProblems(driver, at), ...(isFormatted ? invalidFormat(at, '', dnsSubdomainProblems('')) : [])];
}
