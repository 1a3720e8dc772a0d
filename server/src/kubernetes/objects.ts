import type {
  V1Affinity,
  V1Container,
  V1ContainerStatus,
  V1CronJob,
  V1CSIDriver,
  V1CSINode,
  V1CSIStorageCapacity,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1LabelSelector,
  V1LabelSelectorRequirement,
  V1LimitRange,
  V1Namespace,
  V1Node,
  V1NodeAffinity,
  V1NodeSelector,
  V1NodeSelectorRequirement,
  V1NodeSelectorTerm,
  V1ObjectMeta,
  V1OwnerReference,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodAffinityTerm,
  V1PodDisruptionBudget,
  V1PodSpec,
  V1PodTemplateSpec,
  V1PriorityClass,
  V1ReplicaSet,
  V1ReplicationController,
  V1ResourceQuota,
  V1ResourceRequirements,
  V1Service,
  V1StatefulSet,
  V1StorageClass,
  V1Taint,
  V1Toleration,
  V1TopologySpreadConstraint,
  V1VolumeAttachment,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';

/**
 * An API object as it is written in YAML or printed by `kubectl get -o json`: times are RFC 3339 text, quantities are
 * text or numbers, nothing is ever changed in place.
 */
type Stored<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Stored<T[Key]> }
      : T;

export type ObjectMeta = Stored<V1ObjectMeta>;
export type OwnerReference = Stored<V1OwnerReference>;

/** What every API object has. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

export type Pod = Stored<V1Pod>;
export type PodSpec = Stored<V1PodSpec>;
export type PodTemplateSpec = Stored<V1PodTemplateSpec>;
export type Container = Stored<V1Container>;
export type ContainerStatus = Stored<V1ContainerStatus>;
export type ResourceRequirements = Stored<V1ResourceRequirements>;
/** Resource name → quantity as written. */
export type ResourceList = Readonly<Record<string, string | number>>;
export type Toleration = Stored<V1Toleration>;
export type Affinity = Stored<V1Affinity>;
export type NodeAffinity = Stored<V1NodeAffinity>;
export type NodeSelector = Stored<V1NodeSelector>;
export type NodeSelectorTerm = Stored<V1NodeSelectorTerm>;
export type NodeSelectorRequirement = Stored<V1NodeSelectorRequirement>;
export type PodAffinityTerm = Stored<V1PodAffinityTerm>;
export type TopologySpreadConstraint = Stored<V1TopologySpreadConstraint>;
export type LabelSelector = Stored<V1LabelSelector>;
export type LabelSelectorRequirement = Stored<V1LabelSelectorRequirement>;

export type Node = Stored<V1Node>;
export type Taint = Stored<V1Taint>;
export type Namespace = Stored<V1Namespace>;
export type PriorityClass = Stored<V1PriorityClass>;
export type PodDisruptionBudget = Stored<V1PodDisruptionBudget>;
export type ResourceQuota = Stored<V1ResourceQuota>;
export type LimitRange = Stored<V1LimitRange>;
export type Service = Stored<V1Service>;
export type HorizontalPodAutoscaler = Stored<V2HorizontalPodAutoscaler>;

export type Deployment = Stored<V1Deployment>;
export type ReplicaSet = Stored<V1ReplicaSet>;
export type ReplicationController = Stored<V1ReplicationController>;
export type StatefulSet = Stored<V1StatefulSet>;
export type DaemonSet = Stored<V1DaemonSet>;
export type Job = Stored<V1Job>;
export type CronJob = Stored<V1CronJob>;
/** The kinds that make pods, and the Pod itself. */
export type Workload = Pod | Deployment | ReplicaSet | ReplicationController | StatefulSet | DaemonSet | Job | CronJob;

export type PersistentVolume = Stored<V1PersistentVolume>;
export type PersistentVolumeClaim = Stored<V1PersistentVolumeClaim>;
export type StorageClass = Stored<V1StorageClass>;
export type CSINode = Stored<V1CSINode>;
export type CSIDriver = Stored<V1CSIDriver>;
export type CSIStorageCapacity = Stored<V1CSIStorageCapacity>;
export type VolumeAttachment = Stored<V1VolumeAttachment>;

/** A place in a file. Lines and characters count from 0, characters in UTF-16 units, as in the language server protocol. */
export interface Origin {
  readonly uri: string;
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
}

/** An object together with the place it is written at, if it comes from a file. */
export interface Declared<T extends KubeObject = KubeObject> {
  readonly object: T;
  readonly origin?: Origin;
}
