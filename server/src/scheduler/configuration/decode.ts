import type { ApiTypes } from '../../kubernetes/api/index.ts';
import { schedulerArguments } from '../../kubernetes/api/kinds.ts';
import { Decoder } from '../../kubernetes/decode/decode-value.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { JsonObject, Path } from '../../kubernetes/json.ts';
import type { ConfigurationTypes } from './fields.ts';
import { unknownField, wrongType } from './problems.ts';

/** Whether the arguments of a plugin are read. */
export function hasKnownArguments(plugin: string): boolean {
  return (schedulerArguments as readonly string[]).includes(plugin);
}

/**
 * Reads untyped values as a type of the scheduler's configuration. The scheduler decodes strictly: a field that does
 * not exist is an error. Source: pkg/scheduler/apis/config/scheme/scheme.go (serializer.EnableStrict)
 */
export function decodeFields<Name extends keyof ConfigurationTypes>(
  value: JsonObject,
  name: Name,
  path: Path,
  problems: FieldError[],
  types: ApiTypes,
): ConfigurationTypes[Name] {
  const type = types.struct('kubescheduler.config.k8s.io/v1', name);
  if (type === undefined) throw new TypeError(`no type ${name}`);
  const decoder = new Decoder();
  const decoded = decoder.decodeObject(value, type);
  for (const problem of decoder.problems) problems.push(wrongType([...path, ...problem.path], problem.message));
  for (const unknown of decoder.unknownFields) problems.push(unknownField([...path, ...unknown]));
  // Tables and types are made from the same source, and what does not fit is left out.
  return decoded as unknown as ConfigurationTypes[Name];
}
