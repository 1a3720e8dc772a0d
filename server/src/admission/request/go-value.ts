import { own, put } from '../../util/own.ts';
import { isObject } from '../../util/values.ts';
import { externalNames, hostFields, internalOf } from '../format/internal-types.ts';
import { noList, noMap } from '../../kubernetes/decode/decode-value.ts';
import type { ApiTypes, Field, FieldType, StructType } from '../../kubernetes/api/index.ts';

/**
 * Values as the API server prints them in a refusal: the JSON of its internal types, whose fields have Go's names, stand
 * in Go's order, and are there even when nothing is written. Metadata and selectors have no internal types.
 * Source: Error.ErrorBody in apimachinery/pkg/util/validation/field/errors.go
 */

type Values = Readonly<Record<string, unknown>>;

/** A value of the API as Go prints it. */
export function goValue(types: ApiTypes, type: FieldType, value: unknown): unknown {
  switch (type.kind) {
    case 'struct':
      return isObject(value) ? goStruct(types, type, value) : (value ?? null);
    case 'list':
      if (!Array.isArray(value) || value === noList) return null;
      return value.map((item: unknown) => goValue(types, type.item, item));
    case 'map':
      return isObject(value) && value !== noMap
        ? Object.fromEntries(
            Object.keys(value)
              .sort()
              .map((key) => [key, goValue(types, type.value, value[key])]),
          )
        : null;
    default:
      return value ?? null;
  }
}

function goStruct(types: ApiTypes, type: StructType, value: Values): Values {
  const internal = internalOf(types, type);
  const external = externalNames(type);
  const written = type.goName === 'PodSpec' ? withHostFields(value) : value;
  const result: Record<string, unknown> = {};
  for (const field of internal.fields.values()) {
    // Metadata is embedded: its fields stand beside the others, and only those that say something.
    const source = field.embedded.includes('ObjectMeta') ? metadataOf(value) : written;
    const name = field.embedded.includes('ObjectMeta')
      ? field.name
      : (external.get(field.name.toLowerCase()) ?? field.name);
    const inner = own(source, name);
    const isInternal = internal !== type && !field.embedded.includes('ObjectMeta');
    if (field.embedded.includes('TypeMeta') || (field.omitEmpty && isZero(inner))) continue;
    const declared = isInternal ? (type.fields.get(name)?.type ?? field.type) : field.type;
    put(
      result,
      field.name,
      inner === undefined || inner === null ? zeroOf(types, field, declared) : goValue(types, declared, inner),
    );
  }
  return result;
}

/** `serviceAccount` is a second name of `serviceAccountName`, and the host's namespaces belong to the security context. */
function withHostFields(spec: Values): Values {
  const context = isObject(spec['securityContext']) ? spec['securityContext'] : {};
  const moved = Object.fromEntries(hostFields.flatMap((name) => (name in spec ? [[name, spec[name]]] : [])));
  return { ...spec, securityContext: { ...context, ...moved } };
}

function metadataOf(value: Values): Values {
  return isObject(value['metadata']) ? value['metadata'] : {};
}

function zeroOf(types: ApiTypes, field: Field, declared: FieldType): unknown {
  if (field.pointer) return null;
  const type = declared.kind === 'struct' ? declared : field.type;
  switch (type.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'int-or-string':
      return 0;
    case 'quantity':
      return '0';
    case 'struct':
      return goStruct(types, type, {});
    default:
      return null;
  }
}

function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
