import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Path } from '../../kubernetes/json.ts';
import { isQualifiedName } from '../../kubernetes/label-syntax.ts';
import { invalid } from './problems.ts';

/** The text for any name that is not qualified. Source: apimachinery/pkg/util/validation/validation.go (IsQualifiedName) */
const notQualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** Source: apimachinery/pkg/apis/meta/v1/validation (ValidateLabelName) */
export function validateLabelName(name: string, path: Path, problems: FieldError[]): void {
  if (!isQualifiedName(name)) problems.push(invalid(path, name, notQualified));
}
