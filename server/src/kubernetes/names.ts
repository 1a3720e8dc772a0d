import { isNamespaced } from './decode/index.ts';
import { isScaledObject } from './keda.ts';
import { isNamespacedPoolKind } from './pool-kinds.ts';
import type { KubeObject } from './objects.ts';

/** What of an object says which one it is. */
type Named = Pick<KubeObject, 'metadata'>;

/** Empty when the API server has still to make a name. */
export function nameOf({ metadata }: Named): string {
  return metadata?.name ?? '';
}

/** The namespace of an object of a kind that lives in one: `default` where no API server has filled it in. */
export function namespaceOf({ metadata }: Named): string {
  return written(metadata?.namespace);
}

/** `namespace/name` of an object of a kind that lives in a namespace. */
export function keyOf(object: Named): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

/** As `namespaceOf` for an object of any kind: empty for objects of the cluster. */
export function namespaceOfKind(apiVersion: string, kind: string, namespace: string | undefined): string {
  const isIn =
    isNamespaced(apiVersion, kind) || isNamespacedPoolKind(apiVersion, kind) || isScaledObject(apiVersion, kind);
  return isIn ? written(namespace) : '';
}

function written(namespace: string | undefined): string {
  return namespace === undefined || namespace === '' ? 'default' : namespace;
}

/** `Kind/namespace/name`. */
export type WorkloadKey = string;

export function workloadKey(kind: string, namespace: string, name: string): WorkloadKey {
  return `${kind}/${namespace}/${name}`;
}

/** As `workloadKey`, of an object of any kind. */
export function keyOfObject({ apiVersion = '', kind = '', metadata }: KubeObject): WorkloadKey {
  return workloadKey(kind, namespaceOfKind(apiVersion, kind, metadata?.namespace), metadata?.name ?? '');
}
