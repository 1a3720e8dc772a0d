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

/** The same problem with its mark elsewhere: on the name of a plugin rather than on its whole entry. */
export function markedAt(problem: FieldError, path: Path): FieldError {
  return { ...problem, path };
}

/** Plugins of a scheduler of one's own, and extenders: named, but not modelled. */
export interface NotModelled {
  readonly name: string;
  /** Where it is named. */
  readonly path: Path;
}

const unknownFieldDetail = 'unknown field ';

/** Source: apimachinery/pkg/runtime/serializer/json (strict decoding) */
export function unknownField(path: Path): FieldError {
  const field = formatPath(path);
  return { type: 'FieldValueTypeInvalid', field, path, detail: `${unknownFieldDetail}${JSON.stringify(field)}` };
}

/** Whether a problem is about the name of a field rather than its value. */
export function isUnknownField({ type, detail }: FieldError): boolean {
  return type === 'FieldValueTypeInvalid' && detail.startsWith(unknownFieldDetail);
}

export function wrongType(path: Path, detail: string): FieldError {
  return { type: 'FieldValueTypeInvalid', field: formatPath(path), path, detail };
}
