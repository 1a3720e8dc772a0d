import { type PodGroup, podGroupOf } from '../../kubernetes/pod-groups.ts';
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
  ResourceClaimTemplate,
  ResourceSlice,
  Service,
  StatefulSet,
  StorageClass,
  VolumeAttachment,
} from '../../kubernetes/objects.ts';
import { groupBy } from '../../util/maps.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import type { TakenDevices } from './device-engine.ts';
import { LayeredMap } from './layered-map.ts';
import { takenDevices } from './taken-devices.ts';

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
  readonly resourceClaimTemplates: ReadonlyMap<string, ResourceClaimTemplate>;
  readonly deviceClasses: ReadonlyMap<string, DeviceClass>;
  readonly resourceSlices: readonly ResourceSlice[];
  /** By `namespace/name`. */
  readonly podGroups: ReadonlyMap<string, PodGroup>;
}

/** Those that are put and removed by their name alone. */
type ByName = 'storageClasses' | 'csiNodes' | 'deviceClasses';

/** The objects beside nodes and pods that plugins read, API defaults applied. */
export class StoredObjects {
  #fixed: Fixed;
  /** By name. Binding a pod may claim one. */
  readonly persistentVolumes: LayeredMap<string, PersistentVolume>;
  /** By `namespace/name`. Binding a pod may bind one. */
  readonly persistentVolumeClaims: LayeredMap<string, PersistentVolumeClaim>;
  readonly #resourceClaims: LayeredMap<string, ResourceClaim>;
  /** Worked out when it is asked for, after a claim has changed. */
  #taken: TakenDevices | null = null;
  #sharesDevices = true;

  private constructor(
    fixed: Fixed,
    persistentVolumes: LayeredMap<string, PersistentVolume>,
    persistentVolumeClaims: LayeredMap<string, PersistentVolumeClaim>,
    resourceClaims: LayeredMap<string, ResourceClaim>,
    taken: TakenDevices | null = null,
    sharesDevices = true,
  ) {
    this.#fixed = fixed;
    this.#resourceClaims = resourceClaims;
    this.#taken = taken;
    this.#sharesDevices = sharesDevices;
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
        resourceClaimTemplates: byKey(objects.resourceClaimTemplates),
        deviceClasses: byName(objects.deviceClasses),
        resourceSlices: objects.resourceSlices,
        podGroups: new Map(objects.podGroups.map((each) => [keyOf(each), podGroupOf(each)])),
      },
      new LayeredMap(byName(volumes)),
      new LayeredMap(byKey(claims)),
      new LayeredMap(byKey(objects.resourceClaims)),
    );
  }

  get fixed(): Fixed {
    return this.#fixed;
  }

  /** By `namespace/name`. */
  resourceClaim(key: string): ResourceClaim | undefined {
    return this.#resourceClaims.get(key);
  }

  get resourceClaims(): IterableIterator<ResourceClaim> {
    return this.#resourceClaims.values();
  }

  /** What the claims have been given. `sharesDevices`: whether shares of a device are told apart from whole ones. */
  takenDevices(sharesDevices: boolean): TakenDevices {
    this.#sharesDevices = sharesDevices;
    return (this.#taken ??= takenDevices(this.#resourceClaims.values(), sharesDevices));
  }

  // Each creates an object or puts it in place of the one of its name, which it returns.

  putStorageClass(storageClass: StorageClass): StorageClass | undefined {
    return this.#putFixed('storageClasses', defaultStorageClass(storageClass));
  }

  putCsiNode(csiNode: CSINode): CSINode | undefined {
    return this.#putFixed('csiNodes', csiNode);
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

  putResourceClaim(claim: ResourceClaim): ResourceClaim | undefined {
    const key = keyOf(claim);
    const before = this.#resourceClaims.get(key);
    this.#resourceClaims.set(key, claim);
    if (before?.status?.allocation === claim.status?.allocation) return before;
    // What is added is added; what is taken away may have been shared.
    const isAdded = before?.status?.allocation === undefined && this.#taken !== null;
    this.#taken = isAdded ? takenDevices([claim], this.#sharesDevices, this.#taken!) : null;
    return before;
  }

  putDeviceClass(deviceClass: DeviceClass): DeviceClass | undefined {
    return this.#putFixed('deviceClasses', deviceClass);
  }

  #putFixed<Kind extends KubeObject>(field: ByName, object: Kind): Kind | undefined {
    const known: ReadonlyMap<string, KubeObject> = this.#fixed[field];
    const name = nameOf(object);
    this.#fixed = { ...this.#fixed, [field]: new Map(known).set(name, object) };
    return known.get(name) as Kind | undefined;
  }

  putResourceSlice(slice: ResourceSlice): ResourceSlice | undefined {
    const name = nameOf(slice);
    const before = this.#fixed.resourceSlices.find((each) => nameOf(each) === name);
    const others = this.#fixed.resourceSlices.filter((each) => each !== before);
    this.#fixed = { ...this.#fixed, resourceSlices: [...others, slice] };
    return before;
  }

  // Each takes an object out, and says whether it was there.

  removeResourceClaim(key: string): boolean {
    this.#taken = null;
    return this.#resourceClaims.delete(key);
  }

  removeFixed(field: ByName, name: string): boolean {
    const left = new Map<string, KubeObject>(this.#fixed[field]);
    const found = left.delete(name);
    this.#fixed = { ...this.#fixed, [field]: left };
    return found;
  }

  removeResourceSlice(name: string): boolean {
    const resourceSlices = this.#fixed.resourceSlices.filter((each) => nameOf(each) !== name);
    const found = resourceSlices.length < this.#fixed.resourceSlices.length;
    this.#fixed = { ...this.#fixed, resourceSlices };
    return found;
  }

  branch(): StoredObjects {
    return new StoredObjects(
      this.#fixed,
      this.persistentVolumes.branch(),
      this.persistentVolumeClaims.branch(),
      this.#resourceClaims.branch(),
      this.#taken,
      this.#sharesDevices,
    );
  }
}

function byName<T extends KubeObject>(objects: readonly T[]): Map<string, T> {
  return new Map(objects.map((object) => [nameOf(object), object]));
}

function byKey<T extends KubeObject>(objects: readonly T[]): Map<string, T> {
  return new Map(objects.map((object) => [keyOf(object), object]));
}
