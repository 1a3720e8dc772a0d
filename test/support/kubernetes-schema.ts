import { type FieldType, structOf, type StructType } from '../../server/src/kubernetes/api/index.ts';
import { latestRelease } from '../../server/src/kubernetes/releases/index.ts';

/**
 * A JSON schema of some kinds, in the form in which the schemas of Kubernetes are published: one of several objects,
 * told apart by `kind`. It names every field and every constant that Podium's tables have.
 */
export function kubernetesSchema(kinds: readonly (readonly [apiVersion: string, kind: string])[]): object {
  const definitions: Record<string, object> = {};
  const schemaOf = (type: FieldType): object => {
    switch (type.kind) {
      case 'bool':
        return { type: 'boolean' };
      case 'int32':
      case 'int64':
        return { type: 'integer' };
      case 'quantity':
      case 'int-or-string':
        return { oneOf: [{ type: 'string' }, { type: 'number' }] };
      case 'string':
        return { type: 'string', ...(type.values.length === 0 ? {} : { enum: type.values }) };
      case 'list':
        return { type: 'array', items: schemaOf(type.item) };
      case 'map':
        return { type: 'object', additionalProperties: schemaOf(type.value) };
      case 'struct':
        return reference(type);
      default:
        return {};
    }
  };
  const reference = (struct: StructType): object => {
    const name = `${struct.group}.${struct.goName}`.replaceAll('/', '.');
    if (!Object.hasOwn(definitions, name)) {
      definitions[name] = {};
      definitions[name] = objectSchema(struct);
    }
    return { $ref: `#/definitions/${name}` };
  };
  const objectSchema = ({ fields, required }: StructType): object => ({
    type: 'object',
    properties: Object.fromEntries([...fields.values()].map((field) => [field.name, schemaOf(field.type)])),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  });
  const oneOf = kinds.map(([apiVersion, kind]) => {
    const { properties, ...schema } = objectSchema(structOf(latestRelease.types, apiVersion, kind)!) as {
      properties: Readonly<Record<string, object>>;
    };
    const head = { apiVersion: { type: 'string', enum: [apiVersion] }, kind: { type: 'string', enum: [kind] } };
    return { ...schema, properties: { ...properties, ...head } };
  });
  return { $schema: 'http://json-schema.org/draft-07/schema#', oneOf, definitions };
}
