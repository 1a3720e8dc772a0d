import { own } from '../util/own.ts';
import { isList, isObject } from '../util/values.ts';
import type { Json, JsonObject } from '../kubernetes/json.ts';

/** One served version of a kind that a CustomResourceDefinition adds. */
export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Where the `scale` subresource finds the number of replicas; absent where the version declares none. */
  readonly replicasPath?: readonly string[];
}

/**
 * The kinds that a CustomResourceDefinition (apiextensions.k8s.io/v1) makes known; none if it is malformed.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types.go
 */
export function customKindsOf(definition: JsonObject): CustomKind[] {
  const spec = objectAt(definition, 'spec');
  const names = objectAt(spec, 'names');
  const group = textAt(spec, 'group');
  const kind = textAt(names, 'kind');
  const plural = textAt(names, 'plural');
  if (group === undefined || kind === undefined || plural === undefined) return [];
  const versions = own(spec, 'versions');
  if (!isList(versions)) return [];
  return versions.flatMap((entry): CustomKind[] => {
    const described = isObject(entry) ? entry : undefined;
    const version = textAt(described, 'name');
    if (version === undefined || own(described, 'served') === false) return [];
    const scale = objectAt(objectAt(described, 'subresources'), 'scale');
    const path = textAt(scale, 'specReplicasPath');
    // A path without array notation: `.spec.replicas`.
    const replicasPath = path?.split('.').filter((key) => key !== '');
    return [{ group, version, kind, plural, ...(replicasPath === undefined ? {} : { replicasPath }) }];
  });
}

/** An object of a custom kind, as far as budgets need to know it. */
export interface CustomObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** What its `scale` says; absent where the kind has none, or the object does not say. */
  readonly replicas?: number;
}

/** Reads an object of one of these kinds; undefined for every other object. */
export function readCustomObject(object: JsonObject, kinds: readonly CustomKind[]): CustomObject | undefined {
  const apiVersion = textAt(object, 'apiVersion');
  const kind = textAt(object, 'kind');
  const known = kinds.find((each) => `${each.group}/${each.version}` === apiVersion && each.kind === kind);
  if (known === undefined) return undefined;
  const metadata = objectAt(object, 'metadata');
  let replicas: Json | undefined = known.replicasPath === undefined ? undefined : object;
  for (const key of known.replicasPath ?? []) replicas = isObject(replicas) ? own(replicas, key) : undefined;
  return {
    group: known.group,
    kind: known.kind,
    namespace: textAt(metadata, 'namespace') ?? 'default',
    name: textAt(metadata, 'name') ?? '',
    uid: textAt(metadata, 'uid') ?? '',
    ...(typeof replicas === 'number' ? { replicas } : {}),
  };
}

function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) ? value : undefined;
}

function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
