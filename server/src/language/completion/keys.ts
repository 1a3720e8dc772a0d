import { isObject, valueAt } from '../../util/values.ts';
import type { Field, FieldType, StructType } from '../../kubernetes/api/index.ts';
import { isNamespaced } from '../../kubernetes/api/kinds.ts';
import type { Path } from '../../kubernetes/json.ts';
import { isNamespacedPoolKind } from '../../kubernetes/pool-kinds.ts';
import { bearsOnScheduling } from '../field-docs/field-words.ts';
import type { Asked } from './context.ts';
import { placeInUse } from './order-of-use.ts';
import { childrenOf } from './skeletons.ts';
import type { TypedObject } from './typed-place.ts';

/** A key that may be written. */
export interface KeyChoice {
  readonly name: string;
  /** `PodSpec.priorityClassName`. */
  readonly field: string;
  readonly type: FieldType;
  readonly required: boolean;
  /** What is written below it, which other keys must agree with. */
  readonly children?: readonly string[];
}

/** What the API server wants although Go's types do not. Source: pkg/apis/core/validation/validation.go */
const alsoRequired: ReadonlySet<string> = new Set([
  'Container.image',
  'ObjectMeta.name',
  'PodTemplateSpec.metadata',
  'PodTemplateSpec.spec',
  'PriorityClass.value',
]);

/** What the API server writes and refuses or overwrites from others. */
const writtenByServer: ReadonlySet<string> = new Set(
  ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds']
    .concat('managedFields', 'selfLink')
    .map((name) => `ObjectMeta.${name}`),
);

/** No struct has as many. */
const mostFields = 1_000;

const top: readonly string[] = ['apiVersion', 'kind', 'metadata', 'spec'];

/**
 * The keys of a struct that are not written yet: required ones first, then those that bear on scheduling, then the
 * others.
 *
 * @param current the key that is being written
 */
export function keysAt(struct: StructType, asked: Asked, current: string | undefined): readonly KeyChoice[] {
  const { object, path } = asked;
  const there = valueAt(object.value, path);
  const written = isObject(there) ? there : {};
  return [...struct.fields.values()]
    .filter(({ name }) => (name === current || !Object.hasOwn(written, name)) && isMeant(struct, name, object, path))
    .map((field) => choiceOf(struct, field, path))
    .map((choice, index) => ({
      choice,
      index: placeInUse(struct.goName, choice.name) ?? mostFields + index,
      rank: rankOf(choice, path),
    }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ choice }) => {
      const children = childrenOf(choice.field, asked);
      return children === undefined ? choice : { ...choice, children };
    });
}

/** Nobody writes a status, or a namespace where there is none. */
function isMeant({ goName, fields }: StructType, name: string, { apiVersion, kind }: TypedObject, path: Path): boolean {
  if (name === 'status') return !fields.has('metadata');
  const isOwnMetadata = goName === 'ObjectMeta' && path.length === 1;
  return (
    !isOwnMetadata || name !== 'namespace' || isNamespaced(apiVersion, kind) || isNamespacedPoolKind(apiVersion, kind)
  );
}

function choiceOf(struct: StructType, { name, type, required, pointer, omitEmpty }: Field, path: Path): KeyChoice {
  const field = `${struct.goName}.${name}`;
  const isRequired =
    (path.length === 0 && top.includes(name)) ||
    (alsoRequired.has(field) && !isOfTemplate(field, path)) ||
    required ||
    (pointer && !omitEmpty);
  return { name, field, type, required: isRequired };
}

/** Pods and Jobs that are made of a template get a name and the namespace of their owner. */
function isOfTemplate(field: string, path: Path): boolean {
  const isName = field === 'ObjectMeta.name' || field === 'ObjectMeta.generateName' || field === 'ObjectMeta.namespace';
  return isName && path.length > 1 && !path.includes('volumeClaimTemplates');
}

function rankOf({ name, field, required }: KeyChoice, path: Path): number {
  if (path.length === 0 && top.includes(name)) return top.indexOf(name);
  if (required) return top.length;
  if (writtenByServer.has(field) || isOfTemplate(field, path)) return top.length + 3;
  const [struct = ''] = field.split('.');
  return bearsOnScheduling(field) || placeInUse(struct, name) !== undefined ? top.length + 1 : top.length + 2;
}
