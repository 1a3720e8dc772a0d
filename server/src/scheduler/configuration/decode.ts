import { Decoder } from '../../kubernetes/decode/decode-value.ts';
import type { Field } from '../../kubernetes/decode/field-types.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { JsonObject, Path } from '../../kubernetes/json.ts';
import { unknownField, wrongType } from './problems.ts';

/**
 * Reads untyped values against a field table. The scheduler decodes its configuration strictly: a field that does not
 * exist is an error. Source: pkg/scheduler/apis/config/scheme/scheme.go (serializer.EnableStrict)
 */
export function decodeFields<T>(value: JsonObject, table: Field<T>, path: Path, problems: FieldError[]): T {
  const decoder = new Decoder();
  if (table.type.kind !== 'struct') throw new TypeError('only structs have fields');
  const decoded = decoder.decodeObject(value, table.type);
  for (const problem of decoder.problems) problems.push(wrongType([...path, ...problem.path], problem.message));
  for (const unknown of decoder.unknownFields) problems.push(unknownField([...path, ...unknown]));
  // The table describes `T`, and what does not fit it is left out.
  return decoded as unknown as T;
}
