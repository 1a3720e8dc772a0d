import {
  isAdmissionConfiguration,
  isKnownKind,
  isNetworkPolicy,
  isKeptAsWritten,
} from '../../kubernetes/decode/index.ts';
import { isScaledObject } from '../../kubernetes/keda.ts';
import { isPoolKind } from '../../kubernetes/pool-kinds.ts';

/** The kinds that answers are made from. */
export const kinds = [
  'Pod',
  'Node',
  'Namespace',
  'ResourceQuota',
  'LimitRange',
  'Service',
  'ReplicationController',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'PriorityClass',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'ScaledObject',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'CSIStorageCapacity',
  'VolumeAttachment',
  'RuntimeClass',
  'ResourceClaim',
  'ResourceClaimTemplate',
  'DeviceClass',
  'ResourceSlice',
  'DeviceTaintRule',
  'CustomResourceDefinition',
  'NetworkPolicy',
  'KubeSchedulerConfiguration',
  'AdmissionConfiguration',
  'ResourceQuotaConfiguration',
  'NodePool',
  'EC2NodeClass',
  'AKSNodeClass',
  'NodeClass',
  'NodeOverlay',
  'CapacityBuffer',
  'MachineDeployment',
  'MachineSet',
  'MachinePool',
  'MachineAutoscaler',
  'ClusterConfig',
  'ComputeClass',
  'PodTemplate',
  'PodGroup',
  'Workload',
] as const;

export type Kind = (typeof kinds)[number];

const knownKinds: ReadonlySet<string> = new Set(kinds);

/** The kind of an object, unless it is none of ours: a `Service` of another API group is not a Service. */
export function knownKind(apiVersion: string, kind: string): Kind | undefined {
  const known =
    isKnownKind(apiVersion, kind) || isConfiguration(apiVersion, kind) || isAdmissionConfiguration(apiVersion, kind);
  const isDefinition = apiVersion === 'apiextensions.k8s.io/v1' && kind === 'CustomResourceDefinition';
  const isOther =
    isDefinition ||
    isNetworkPolicy(apiVersion, kind) ||
    isPoolKind(apiVersion, kind) ||
    isScaledObject(apiVersion, kind) ||
    isKeptAsWritten(apiVersion, kind);
  return (known || isOther) && knownKinds.has(kind) ? (kind as Kind) : undefined;
}

/** A configuration of kube-scheduler of any version: of versions that are gone there is something to say. */
function isConfiguration(apiVersion: string, kind: string): boolean {
  return kind === 'KubeSchedulerConfiguration' && apiVersion.startsWith('kubescheduler.config.k8s.io/');
}
