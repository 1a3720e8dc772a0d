import { valueAt } from '../../util/values.ts';
import { type ApiTypes, type FieldType, structOf } from '../../kubernetes/api/index.ts';
import { schedulerArguments } from '../../kubernetes/api/kinds.ts';
import type { Json, Path } from '../../kubernetes/json.ts';
import { structOfAny } from './pool-types.ts';

/** An object, or what is written of one, whose type is known. */
export interface TypedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly value: Json;
}

/** What the API says of a place in an object. */
export interface TypedPlace {
  readonly type: FieldType;
  /** For each step the field that it names, as `PodSpec.nodeSelector`; empty for items of lists and keys of maps. */
  readonly fields: readonly string[];
  /** The innermost of them; empty at the top. */
  readonly field: string;
}

const isPlugin: ReadonlySet<string> = new Set(schedulerArguments);

/** The type of a place and the fields that lead there; undefined where this minor of Kubernetes knows none. */
export function typedPlace(types: ApiTypes, object: TypedObject, path: Path): TypedPlace | undefined {
  let type: FieldType | undefined = structOfAny(types, object.apiVersion, object.kind);
  const fields: string[] = [];
  for (const [depth, step] of path.entries()) {
    if (type?.kind === 'struct') {
      const name = `${type.goName}.${step}`;
      fields.push(name);
      type = type.fields.get(String(step))?.type;
      if (name === 'PluginConfig.args') type = argumentsOf(types, object, path.slice(0, depth));
    } else {
      fields.push('');
      if (type?.kind === 'list') type = type.item;
      else if (type?.kind === 'map') type = type.value;
      else return undefined;
    }
  }
  if (type === undefined) return undefined;
  return { type, fields, field: fields.findLast((field) => field !== '') ?? '' };
}

/** What a plugin of the scheduler is told has a type by the name of the plugin. */
function argumentsOf(types: ApiTypes, { apiVersion, value }: TypedObject, path: Path): FieldType | undefined {
  const plugin = valueAt(value, [...path, 'name']);
  if (typeof plugin !== 'string' || !isPlugin.has(plugin)) return undefined;
  return structOf(types, apiVersion, `${plugin}Args`);
}
