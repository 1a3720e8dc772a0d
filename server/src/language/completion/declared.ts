/** Objects that nothing is decided by, but that pods name: ServiceAccounts, ConfigMaps, Secrets. */
import { isObject, valueAt } from '../../util/values.ts';
import type { ManifestObject } from '../../manifests/manifest.ts';
import type { Facts } from '../index/facts.ts';

export type OtherKind = 'ConfigMap' | 'Secret' | 'ServiceAccount';

function* declared(facts: Facts, kind: OtherKind, namespace: string): Generator<ManifestObject> {
  const uris = [...facts.fileUris(), ...(facts.cluster.file === undefined ? [] : [facts.cluster.file.uri])];
  for (const uri of uris) {
    for (const { document } of facts.file(uri)?.documents ?? []) {
      for (const object of document.objects) {
        if (object.kind !== kind || object.apiVersion !== 'v1' || object.name === '') continue;
        // Podium does not read the kind, so that its own namespace is what is written.
        if ((object.namespace || 'default') === namespace) yield object;
      }
    }
  }
}

export function namesDeclared(facts: Facts, kind: OtherKind, namespace: string): readonly string[] {
  const names = [...declared(facts, kind, namespace)].map(({ name }) => name);
  // Each namespace has one. Source: pkg/controller/serviceaccount
  return kind === 'ServiceAccount' ? [...names, 'default'] : names;
}

/** The keys that an object of a name has data under. */
export function dataKeys(facts: Facts, kind: OtherKind, namespace: string, name: unknown): readonly string[] {
  for (const object of declared(facts, kind, namespace)) {
    if (object.name !== name) continue;
    return ['data', 'stringData', 'binaryData'].flatMap((field) => {
      const data = valueAt(object.value, [field]);
      return isObject(data) ? Object.keys(data) : [];
    });
  }
  return [];
}
