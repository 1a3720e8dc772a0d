import type { FieldError } from '../../kubernetes/field-error.ts';
import { invalid, required, tooLong } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goString } from '../format/go-zero.ts';
import { byteLength, dnsSubdomainProblems } from '../format/names.ts';

/** As of a CSI driver. */
const longestDriver = 63;

/** validateDriverName, as of CSI drivers. Source: pkg/apis/resource/validation/validation.go */
export function driverProblems(driver: string | undefined, at: FieldPath): readonly FieldError[] {
  const name = goString(driver);
  if (name === '') return [required(at)];
  const long = byteLength(name) > longestDriver ? [tooLong(at, longestDriver)] : [];
  return [...long, ...dnsSubdomainProblems(name.toLowerCase()).map((problem) => invalid(at, name, problem))];
}
