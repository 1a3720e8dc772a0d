import type { FieldError } from '../../kubernetes/field-error.ts';
import { invalid, invalidFormat } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { percentProblems } from './names.ts';

/** Source for this file: pkg/apis/apps/validation/validation.go */

/** A number of pods, or a percentage of them as text. */
export type IntOrPercent = number | string;

/** ValidatePositiveIntOrPercent. */
export function validatePositiveIntOrPercent(value: IntOrPercent, at: FieldPath): FieldError[] {
  return typeof value === 'number' ? validateNonNegative(value, at) : invalidFormat(at, value, percentProblems(value));
}

/** IsNotMoreThan100Percent. */
export function validateNotMoreThan100Percent(value: IntOrPercent, at: FieldPath): FieldError[] {
  if (typeof value === 'number' || percentProblems(value).length > 0 || BigInt(value.slice(0, -1)) <= 100n) return [];
  return [invalid(at, value, 'must not be greater than 100%')];
}

/** Whether none are meant; a text that is neither number nor percentage counts as none (getIntOrPercentValue). */
export function isZero(value: IntOrPercent): boolean {
  if (typeof value === 'number') return value === 0;
  const digits = /^(?:[0-9]+(?=%$)|[-+]?[0-9]+$)/.exec(value)?.[0];
  return digits === undefined || Number(digits) === 0;
}

/** An absent number is fine. Source: ValidateNonnegativeField in apimachinery/pkg/api/validation/objectmeta.go */
export function validateNonNegative(value: number | undefined, at: FieldPath): FieldError[] {
  return value !== undefined && value < 0 ? [invalid(at, value, 'must be greater than or equal to 0')] : [];
}
