import { keyOf, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { Labels } from '../../kubernetes/labels.ts';
import {
  defaultNamespace,
  defaultPersistentVolume,
  defaultPersistentVolumeClaim,
  defaultStorageClass,
} from '../../kubernetes/defaults/index.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  DeviceClass,
  KubeObject,
  PersistentVolume,
  PersistentVolumeClaim,
  ReplicaSet,
  ReplicationController,
  ResourceClaim,
  Service,
  StatefulSet,
  StorageClass,
  VolumeAttachment,
} from '../../kubernetes/objects.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { LayeredMap } from './layered-map.ts';

/** What does not change while pods are scheduled, unless somebody changes it. */
interface Fixed {
  /** Name → labels, `kubernetes.io/metadata.name` included. Only namespaces that exist as objects. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  readonly servicesByNamespace: ReadonlyMap<string, readonly Service[]>;
  /** By `namespace/name`. */
  readonly replicaSets: ReadonlyMap<string, ReplicaSet>;
  readonly replicationControllers: ReadonlyMap<string, ReplicationController>;
  readonly statefulSets: ReadonlyMap<string, StatefulSet>;
  readonly storageClasses: ReadonlyMap<string, StorageClass>;
  readonly csiNodes: ReadonlyMap<string, CSINode>;
  readonly csiDrivers: ReadonlyMap<string, CSIDriver>;
  readonly csiStorageCapacities: readonly CSIStorageCapacity[];
  /** By node name. */
  readonly attachmentsByNode: ReadonlyMap<string, readonly VolumeAttachment[]>;
  /** By `namespace/name`. */
  readonly resourceClaims: ReadonlyMap<string, ResourceClaim>;
  readonly deviceClasses: ReadonlyMap<string, DeviceClass>;
  /** Whether any node or pool offers devices. */
  readonly hasResourceSlices: boolean;
}

/** The objects beside nodes and pods that plugins read, API defaults applied. */
export class StoredObjects {
  #fixed: Fixed;
  /** By name. Binding a pod may claim one. */
  readonly persistentVolumes: LayeredMap<string, PersistentVolume>;
  /** By `namespace/name`. Binding a pod may bind one. */
  readonly persistentVolumeClaims: LayeredMap<string, PersistentVolumeClaim>;

  private constructor(
    fixed: Fixed,
    persistentVolumes: LayeredMap<string, PersistentVolume>,
    persistentVolumeClaims: LayeredMap<string, PersistentVolumeClaim>,
  ) {
    this.#fixed = fixed;
    this.persistentVolumes = persistentVolumes;
    this.persistentVolumeClaims = persistentVolumeClaims;
  }

  static from(objects: ClusterObjects): StoredObjects {
    const namespaces = objects.namespaces.map(defaultNamespace);
    const volumes = objects.persistentVolumes.map(defaultPersistentVolume);
    const claims = objects.persistentVolumeClaims.map(defaultPersistentVolumeClaim);
    return new StoredObjects(
      {
        namespaces: new Map(namespaces.map((each) => [nameOf(each), each.metadata?.labels ?? {}])),
        servicesByNamespace: groupBy(objects.services, namespaceOf),
        replicaSets: byKey(objects.replicaSets),
        replicationControllers: byKey(objects.replicationControllers),
        statefulSets: byKey(objects.statefulSets),
        storageClasses: byName(objects.storageClasses.map(defaultStorageClass)),
        csiNodes: byName(objects.csiNodes),
        csiDrivers: byName(objects.csiDrivers),
        csiStorageCapacities: objects.csiStorageCapacities,
        attachmentsByNode: groupBy(objects.volumeAttachments, (each) => each.spec.nodeName),
        resourceClaims: byKey(objects.resourceClaims),
        deviceClasses: byName(objects.deviceClasses),
        hasResourceSlices: objects.resourceSlices.length > 0,
      },
      new LayeredMap(byName(volumes)),
      new LayeredMap(byKey(claims)),
    );
  }

  get fixed(): Fixed {
    return this.#fixed;
  }

  // Each creates an object or puts it in place of the one of its name, which it returns.

  putStorageClass(storageClass: StorageClass): StorageClass | undefined {
    const { storageClasses } = this.#fixed;
    const name = nameOf(storageClass);
    this.#fixed = {
      ...this.#fixed,
      storageClasses: new Map(storageClasses).set(name, defaultStorageClass(storageClass)),
    };
    return storageClasses.get(name);
  }

  putCsiNode(csiNode: CSINode): CSINode | undefined {
    const { csiNodes } = this.#fixed;
    const name = nameOf(csiNode);
    this.#fixed = { ...this.#fixed, csiNodes: new Map(csiNodes).set(name, csiNode) };
    return csiNodes.get(name);
  }

  putVolume(volume: PersistentVolume): PersistentVolume | undefined {
    const name = nameOf(volume);
    const before = this.persistentVolumes.get(name);
    this.persistentVolumes.set(name, defaultPersistentVolume(volume));
    return before;
  }

  putClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
    const key = keyOf(claim);
    const before = this.persistentVolumeClaims.get(key);
    this.persistentVolumeClaims.set(key, defaultPersistentVolumeClaim(claim));
    return before;
  }

  // Each takes an object out, and says whether it was there.

  removeStorageClass(name: string): boolean {
    const storageClasses = new Map(this.#fixed.storageClasses);
    const found = storageClasses.delete(name);
    this.#fixed = { ...this.#fixed, storageClasses };
    return found;
  }

  removeCsiNode(name: string): boolean {
    const csiNodes = new Map(this.#fixed.csiNodes);
    const found = csiNodes.delete(name);
    this.#fixed = { ...this.#fixed, csiNodes };
    return found;
  }

  branch(): StoredObjects {
    return new StoredObjects(this.#fixed, this.persistentVolumes.branch(), this.persistentVolumeClaims.branch());
  }
}

function byName<T extends KubeObject>(objects: readonly T[]): Map<string, T> {
  return new Map(objects.map((object) => [nameOf(object), object]));
}

function byKey<T extends KubeObject>(objects: readonly T[]): Map<string, T> {
  return new Map(objects.map((object) => [keyOf(object), object]));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
