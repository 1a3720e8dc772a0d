import { type ApiTypes, type Field, type FieldType, structOf, typeAt } from '../../kubernetes/api/index.ts';
import type { Path } from '../../kubernetes/json.ts';
import { typeInWords } from './type-words.ts';

/** What of an object tells its type. */
interface TypedObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The type of what stands at a path of an object; undefined where this minor of Kubernetes knows nothing of it. */
function fieldType(types: ApiTypes, { apiVersion, kind }: TypedObject, path: Path): FieldType | undefined {
  const struct = structOf(types, apiVersion, kind);
  return struct === undefined ? undefined : typeAt(struct, path);
}

/** The fields of the struct at a path of an object; none where something else stands there. */
export function fieldsAt(types: ApiTypes, object: TypedObject, path: Path): ReadonlyMap<string, Field> {
  const type = fieldType(types, object, path);
  return type?.kind === 'struct' ? type.fields : new Map<string, Field>();
}

/** A field by its Go name, as `PodSpec.preemptionPolicy`, with the values that the API defines for it. */
interface NamedField {
  readonly name: string;
  readonly type: FieldType;
  readonly values: readonly string[];
}

/** The field whose value, or an item of it, stands at a path of an object. */
export function fieldAt(types: ApiTypes, object: TypedObject, path: Path): NamedField | undefined {
  const last = path.findLastIndex((step) => typeof step === 'string');
  const struct = last < 0 ? undefined : fieldType(types, object, path.slice(0, last));
  const field = struct?.kind === 'struct' ? struct.fields.get(String(path[last])) : undefined;
  if (struct?.kind !== 'struct' || field === undefined) return undefined;
  const type = typeAt(field.type, path.slice(last + 1));
  if (type === undefined) return undefined;
  return { name: `${struct.goName}.${field.name}`, type, values: type.kind === 'string' ? type.values : [] };
}

/** What a field is, for the head of a hover: its name, and its values or what may be written there. */
export function fieldTitle(types: ApiTypes, object: TypedObject, path: Path): string {
  const field = fieldAt(types, object, path);
  if (field === undefined) return '';
  const values = field.values.map((value) => `\`${value}\``);
  return `\`${field.name.slice(field.name.indexOf('.') + 1)}\` ${values.length === 0 ? typeInWords(field.type) : values.join(', ')}`;
}
