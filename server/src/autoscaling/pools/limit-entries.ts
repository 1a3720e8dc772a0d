import { isList, isObject, valueAt } from '../../util/values.ts';
import type { Json } from '../../kubernetes/json.ts';
import { nameOf } from '../../kubernetes/names.ts';
import type { PoolObject } from '../../kubernetes/pool-kinds.ts';
import { sizeKeys } from './machine-groups.ts';

export interface LimitEntry {
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

/**
 * Where an object writes the limits of a pool, and what is to stand there: of a NodePool by resource, of a group as
 * `nodes`. Empty for an object that does not write them.
 */
export function limitEntries(
  object: PoolObject,
  pool: { readonly kind: string; readonly name: string },
  limits: Readonly<Record<string, string>>,
): readonly LimitEntry[] {
  const { kind, written } = object;
  const at = (...path: readonly string[]): unknown => valueAt(written, path);
  if (pool.kind === 'NodePool') {
    if (kind !== pool.kind || nameOf(object) !== pool.name) return [];
    return Object.entries(limits).map(([resource, value]) => ({ path: ['spec', 'limits', resource], value }));
  }
  const nodes = limits['nodes'];
  if (nodes === undefined) return [];
  if (pool.kind === 'NodeGroup') {
    if (kind !== 'ClusterConfig') return [];
    return ['managedNodeGroups', 'nodeGroups'].flatMap((field) => {
      const groups = at(field);
      return (isList(groups) ? groups : []).flatMap((group, index): readonly LimitEntry[] =>
        isObject(group) && group['name'] === pool.name
          ? [{ path: [field, index, 'maxSize'], value: Number(nodes) }]
          : [],
      );
    });
  }
  if (kind === 'MachineAutoscaler') {
    const isIts =
      at('spec', 'scaleTargetRef', 'kind') === pool.kind && at('spec', 'scaleTargetRef', 'name') === pool.name;
    return isIts ? [{ path: ['spec', 'maxReplicas'], value: Number(nodes) }] : [];
  }
  if (kind !== pool.kind || nameOf(object) !== pool.name) return [];
  const annotations = at('metadata', 'annotations');
  return sizeKeys
    .map((key) => `${key}max-size`)
    .filter((key) => isObject(annotations) && Object.hasOwn(annotations, key))
    .map((key) => ({ path: ['metadata', 'annotations', key], value: nodes }));
}

/** The object with an entry as it is to be. */
export function withEntry(written: Json, [first, ...rest]: LimitEntry['path'], value: Json): Json {
  if (first === undefined) return value;
  if (isList(written)) {
    return written.map((each, index) => (index === first ? withEntry(each, rest, value) : each));
  }
  const known = isObject(written) ? (written as Readonly<Record<string, Json>>) : {};
  const key = String(first);
  return { ...known, [key]: withEntry(Object.hasOwn(known, key) ? known[key]! : {}, rest, value) };
}
