import { classOfClaim } from '../../kubernetes/storage-class-of.ts';
import type { PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { StoredObjects } from '../framework/stored-objects.ts';
import type { NodeVolumes } from './volume-binder.ts';
import { bytesOf, capacityFor } from './volume-provisioning.ts';

/** How full storage is, by storage class, in bytes. */
export type StorageUse = ReadonlyMap<string, { readonly requested: bigint; readonly capacity: bigint }>;

/**
 * What the volumes of a pod would take of the storage on a node: of existing volumes where one is bound, else of the
 * capacity of which new ones are made. Source: Score in pkg/scheduler/framework/plugins/volumebinding/volume_binding.go
 */
export function storageUse(objects: StoredObjects, { bindings, provisions }: NodeVolumes, node: NodeInfo): StorageUse {
  const use = new Map<string, { readonly requested: bigint; readonly capacity: bigint }>();
  const requestOf = ({ spec }: PersistentVolumeClaim): bigint =>
    bytesOf(spec?.resources?.requests?.['storage'] ?? 0) ?? 0n;
  for (const { claim, volume } of bindings) {
    const { storageClassName = '', capacity } = volume.spec ?? {};
    const { requested = 0n, capacity: known = 0n } = use.get(storageClassName) ?? {};
    const size = bytesOf(capacity?.['storage'] ?? 0) ?? 0n;
    use.set(storageClassName, { requested: requested + requestOf(claim), capacity: known + size });
  }
  if (bindings.length > 0) return use;
  for (const claim of provisions) {
    const name = classOfClaim(claim);
    const storageClass = objects.fixed.storageClasses.get(name);
    const capacity =
      storageClass === undefined ? undefined : capacityFor(objects, claim, storageClass, node.facts.labels);
    if (capacity?.capacity === undefined) continue;
    const { requested = 0n } = use.get(name) ?? {};
    // The capacity of a class is there once, however many claims share it.
    use.set(name, { requested: requested + requestOf(claim), capacity: bytesOf(capacity.capacity) ?? 0n });
  }
  return use;
}
