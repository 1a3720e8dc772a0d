import type * as api from './api/types.ts';
import type { JsonObject, Path } from './json.ts';

/**
 * API objects as they are written in YAML or printed by `kubectl get -o json`: times are RFC 3339 text, quantities are
 * text, nothing is ever changed in place.
 */
export type ObjectMeta = api.ObjectMeta;
export type OwnerReference = api.OwnerReference;

/** Of a kind that is of no use without its spec. Decoding fills it in. */
type WithSpec<T extends { readonly spec?: unknown }> = T & { readonly spec: NonNullable<T['spec']> };

/** What every API object has. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

export type Pod = api.Pod;
export type PodSpec = api.PodSpec;
export type PodTemplateSpec = api.PodTemplateSpec;
export type Container = api.Container;
export type ContainerStatus = api.ContainerStatus;
export type ResourceRequirements = api.ResourceRequirements;
/** Resource name → quantity as written. */
export type ResourceList = Readonly<Record<string, string | number>>;
export type Toleration = api.Toleration;
export type Affinity = api.Affinity;
export type NodeAffinity = api.NodeAffinity;
export type NodeSelector = api.NodeSelector;
export type NodeSelectorTerm = api.NodeSelectorTerm;
export type NodeSelectorRequirement = api.NodeSelectorRequirement;
export type PodAffinityTerm = api.PodAffinityTerm;
export type TopologySpreadConstraint = api.TopologySpreadConstraint;
export type LabelSelector = api.LabelSelector;
export type LabelSelectorRequirement = api.LabelSelectorRequirement;

export type RuntimeClass = api.RuntimeClass;
export type Node = api.Node;
export type Taint = api.Taint;
export type Namespace = api.Namespace;
export type PriorityClass = api.PriorityClass;
export type PodDisruptionBudget = api.PodDisruptionBudget;
export type ResourceQuota = api.ResourceQuota;
export type LimitRange = api.LimitRange;
export type Service = api.Service;
export type HorizontalPodAutoscaler = WithSpec<api.AutoscalingV2HorizontalPodAutoscaler>;

export type Deployment = api.Deployment;
export type ReplicaSet = api.ReplicaSet;
export type ReplicationController = api.ReplicationController;
export type StatefulSet = api.StatefulSet;
export type DaemonSet = api.DaemonSet;
export type Job = api.Job;
export type CronJob = WithSpec<api.CronJob>;
/** The kinds that make pods, and the Pod itself. */
export type Workload = Pod | Deployment | ReplicaSet | ReplicationController | StatefulSet | DaemonSet | Job | CronJob;

export type PersistentVolume = api.PersistentVolume;
export type PersistentVolumeClaim = api.PersistentVolumeClaim;
export type StorageClass = api.StorageClass;
export type CSINode = api.CSINode;
export type CSIDriver = api.CSIDriver;
export type CSIStorageCapacity = api.CSIStorageCapacity;
export type DeviceClass = api.DeviceClass;
export type ResourceClaim = api.ResourceV1ResourceClaim;
export type ResourceClaimTemplate = api.ResourceClaimTemplate;
export type ResourceSlice = api.ResourceSlice;
export type Device = api.Device;
export type VolumeAttachment = api.VolumeAttachment;

/** The kinds that are read, by name. */
export interface Kinds {
  readonly CronJob: CronJob;
  readonly CSIDriver: CSIDriver;
  readonly CSINode: CSINode;
  readonly CSIStorageCapacity: CSIStorageCapacity;
  readonly DaemonSet: DaemonSet;
  readonly Deployment: Deployment;
  readonly DeviceClass: DeviceClass;
  readonly DeviceTaintRule: KubeObject;
  readonly HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  readonly Job: Job;
  readonly LimitRange: LimitRange;
  readonly Namespace: Namespace;
  readonly Node: Node;
  readonly PersistentVolume: PersistentVolume;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly Pod: Pod;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly PodGroup: KubeObject;
  readonly PriorityClass: PriorityClass;
  readonly ReplicaSet: ReplicaSet;
  readonly ReplicationController: ReplicationController;
  readonly ResourceClaim: ResourceClaim;
  readonly ResourceClaimTemplate: ResourceClaimTemplate;
  readonly ResourceQuota: ResourceQuota;
  readonly ResourceSlice: ResourceSlice;
  readonly RuntimeClass: RuntimeClass;
  readonly Service: Service;
  readonly StatefulSet: StatefulSet;
  readonly StorageClass: StorageClass;
  readonly VolumeAttachment: VolumeAttachment;
  readonly Workload: KubeObject;
}

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
  /** As it is written, where somebody may still have to refuse it for that. */
  readonly value?: JsonObject;
  /** Where a field is written, or its nearest parent; left out for what nobody wrote. */
  readonly placeOf?: (path: Path) => Origin;
  /** Why it is not all that is written; left out where it is. */
  readonly misread?: string;
  /** Whether it is something else when it is applied, and nobody knows what: it is refused for nothing. */
  readonly isOpen?: true;
  /** Whether a chart made it from values of its own alone: whoever installs it may give others. */
  readonly hasOnlyOwnValues?: true;
}
