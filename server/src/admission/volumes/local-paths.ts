import type { FieldError } from '../../kubernetes/field-error.ts';
import { invalid } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';

/** Paths inside volumes and on nodes. Source for this file: pkg/apis/core/validation/validation.go */

/** Refuses steps upwards; one error however many (validatePathNoBacksteps). */
export function validateNoBacksteps(path: string, at: FieldPath): FieldError[] {
  return path.split('/').includes('..') ? [invalid(at, path, "must not contain '..'")] : [];
}

/** A path below some folder (validateLocalDescendingPath). */
export function validateDescendingPath(path: string, at: FieldPath): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(at, path, 'must be a relative path')] : []),
    ...validateNoBacksteps(path, at),
  ];
}

/** A path of a file that the kubelet writes: names that begin with two dots are its own (ValidateLocalNonReservedPath). */
export function validateFilePath(path: string, at: FieldPath): FieldError[] {
  const errors = validateDescendingPath(path, at);
  if (path.startsWith('..') && !path.startsWith('../')) errors.push(invalid(at, path, "must not start with '..'"));
  return errors;
}

/** Permission bits; an absent mode is fine. */
export function validateFileMode(mode: number | undefined, at: FieldPath): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(at, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}
