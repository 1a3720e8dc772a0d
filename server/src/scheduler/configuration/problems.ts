import type { FieldError } from '../../kubernetes/field-error.ts';
import { formatPath, type Path } from '../../kubernetes/json.ts';

/** Makers of problems in upstream's words. Source: apimachinery/pkg/util/validation/field/errors.go */

export function invalid(path: Path, value: unknown, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field: formatPath(path), path, value, detail };
}

export function required(path: Path, detail = ''): FieldError {
  return { type: 'FieldValueRequired', field: formatPath(path), path, detail };
}

export function forbidden(path: Path, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field: formatPath(path), path, detail };
}

export function duplicate(path: Path, value: unknown): FieldError {
  return { type: 'FieldValueDuplicate', field: formatPath(path), path, value, detail: '' };
}

export function notSupported(path: Path, value: unknown, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map((name) => JSON.stringify(name)).join(', ')}`;
  return { type: 'FieldValueNotSupported', field: formatPath(path), path, value, detail };
}

export function wrongType(path: Path, detail: string): FieldError {
  return { type: 'FieldValueTypeInvalid', field: formatPath(path), path, detail };
}
