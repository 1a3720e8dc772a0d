import type {
  CSINode,
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  StorageClass,
} from '../../../../server/src/kubernetes/objects.ts';
import { pod, type PodShape } from '../cluster-builder.ts';

/** Short ways to write volumes, claims and their classes. Everything lies in `default`. */

export type PodVolume = NonNullable<PodSpec['volumes']>[number];

export function podWith(name: string, volumes: readonly PodVolume[], shape: PodShape = {}): Pod {
  return pod(name, { ...shape, spec: { ...shape.spec, volumes } });
}

/** A pod that uses these claims. */
export function podUsing(name: string, claims: readonly string[], shape: PodShape = {}): Pod {
  const volumes = claims.map((claimName, i) => ({ name: `v${i}`, persistentVolumeClaim: { claimName } }));
  return podWith(name, volumes, shape);
}

export interface ClaimShape {
  readonly size?: string;
  readonly className?: string;
  readonly modes?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly metadata?: PersistentVolumeClaim['metadata'];
  readonly spec?: PersistentVolumeClaim['spec'];
  readonly phase?: string;
}

/** A claim that nothing is bound to. */
export function claim(name: string, shape: ClaimShape = {}): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', annotations: shape.annotations ?? {}, ...shape.metadata },
    spec: {
      accessModes: shape.modes ?? ['ReadWriteOnce'],
      storageClassName: shape.className ?? 'late',
      resources: { requests: { storage: shape.size ?? '1Gi' } },
      ...shape.spec,
    },
    status: { phase: shape.phase ?? 'Pending' },
  };
}

/** A claim bound to that volume. */
export function boundClaim(name: string, volumeName: string, shape: ClaimShape = {}): PersistentVolumeClaim {
  return claim(name, {
    phase: 'Bound',
    annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
    ...shape,
    spec: { volumeName, ...shape.spec },
  });
}

export interface VolumeShape {
  readonly size?: string;
  readonly className?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Names of the only nodes that reach it. */
  readonly on?: readonly string[];
  readonly modes?: readonly string[];
  readonly phase?: string;
  readonly metadata?: PersistentVolume['metadata'];
  readonly spec?: PersistentVolume['spec'];
}

/** An available volume of the driver `disk.example.com`. */
export function volume(name: string, shape: VolumeShape = {}): PersistentVolume {
  const onNodes: NodeSelectorRequirement = { key: 'kubernetes.io/hostname', operator: 'In', values: shape.on ?? [] };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, labels: shape.labels ?? {}, ...shape.metadata },
    spec: {
      accessModes: shape.modes ?? ['ReadWriteOnce'],
      capacity: { storage: shape.size ?? '1Gi' },
      storageClassName: shape.className ?? 'late',
      csi: { driver: 'disk.example.com', volumeHandle: name },
      ...(shape.on === undefined
        ? {}
        : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [onNodes] }] } } }),
      ...shape.spec,
    },
    status: { phase: shape.phase ?? 'Available' },
  };
}

/** The class `late`, which waits for the first consumer and makes no volumes, unless told otherwise. */
export function storageClass(shape: Partial<StorageClass> = {}, name = 'late'): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...shape,
  };
}

/** The node's `disk.example.com` can attach that many volumes. */
export function csiNode(name: string, count: number, annotations: Readonly<Record<string, string>> = {}): CSINode {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name, annotations },
    spec: { drivers: [{ name: 'disk.example.com', nodeID: name, allocatable: { count } }] },
  };
}
