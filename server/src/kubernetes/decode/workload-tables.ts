/**
 * The kinds that make pods. All fields of Kubernetes' types; the compiler compares them with its
 * client library.
 */
import type {
  V1CronJob,
  V1CronJobSpec,
  V1DaemonSet,
  V1DaemonSetSpec,
  V1DaemonSetUpdateStrategy,
  V1Deployment,
  V1DeploymentSpec,
  V1DeploymentStrategy,
  V1Job,
  V1JobSpec,
  V1JobTemplateSpec,
  V1PodFailurePolicy,
  V1PodFailurePolicyOnExitCodesRequirement,
  V1PodFailurePolicyOnPodConditionsPattern,
  V1PodFailurePolicyRule,
  V1PodTemplateSpec,
  V1ReplicaSet,
  V1ReplicaSetSpec,
  V1ReplicationController,
  V1ReplicationControllerSpec,
  V1RollingUpdateDaemonSet,
  V1RollingUpdateDeployment,
  V1RollingUpdateStatefulSetStrategy,
  V1StatefulSet,
  V1StatefulSetOrdinals,
  V1StatefulSetPersistentVolumeClaimRetentionPolicy,
  V1StatefulSetSpec,
  V1StatefulSetUpdateStrategy,
  V1SuccessPolicy,
  V1SuccessPolicyRule,
} from '@kubernetes/client-node';
import { bool, int32, int64, intOrString, list, map, raw, required, string, stringOf, struct } from './field-types.ts';
import { labelSelector, objectMeta } from './meta-tables.ts';
import { podSpec } from './pod-tables.ts';
import { persistentVolumeClaim } from './storage-tables.ts';

export const deployment = struct<V1Deployment>('Deployment', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: deploymentSpec,
  status: raw(),
}));

const deploymentSpec = struct<V1DeploymentSpec>('DeploymentSpec', () => ({
  minReadySeconds: int32,
  paused: bool,
  progressDeadlineSeconds: int32,
  replicas: int32,
  revisionHistoryLimit: int32,
  selector: required(labelSelector),
  strategy: deploymentStrategy,
  template: required(podTemplateSpec),
}));

const deploymentStrategy = struct<V1DeploymentStrategy>('DeploymentStrategy', () => ({
  rollingUpdate: rollingUpdateDeployment,
  type: string,
}));

const rollingUpdateDeployment = struct<V1RollingUpdateDeployment>('RollingUpdateDeployment', () => ({
  maxSurge: intOrString,
  maxUnavailable: intOrString,
}));

export const replicaSet = struct<V1ReplicaSet>('ReplicaSet', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: replicaSetSpec,
  status: raw(),
}));

const replicaSetSpec = struct<V1ReplicaSetSpec>('ReplicaSetSpec', () => ({
  minReadySeconds: int32,
  replicas: int32,
  selector: required(labelSelector),
  template: podTemplateSpec,
}));

export const replicationController = struct<V1ReplicationController>('ReplicationController', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: replicationControllerSpec,
  status: raw(),
}));

const replicationControllerSpec = struct<V1ReplicationControllerSpec>('ReplicationControllerSpec', () => ({
  minReadySeconds: int32,
  replicas: int32,
  selector: map(string),
  template: podTemplateSpec,
}));

export const statefulSet = struct<V1StatefulSet>('StatefulSet', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: statefulSetSpec,
  status: raw(),
}));

const statefulSetSpec = struct<V1StatefulSetSpec>('StatefulSetSpec', () => ({
  minReadySeconds: int32,
  ordinals: statefulSetOrdinals,
  persistentVolumeClaimRetentionPolicy: statefulSetPersistentVolumeClaimRetentionPolicy,
  podManagementPolicy: stringOf('v1.PodManagementPolicyType'),
  replicas: int32,
  revisionHistoryLimit: int32,
  selector: required(labelSelector),
  serviceName: string,
  template: required(podTemplateSpec),
  updateStrategy: statefulSetUpdateStrategy,
  volumeClaimTemplates: list(persistentVolumeClaim),
}));

const statefulSetOrdinals = struct<V1StatefulSetOrdinals>('StatefulSetOrdinals', () => ({
  start: int32,
}));

const statefulSetPersistentVolumeClaimRetentionPolicy = struct<V1StatefulSetPersistentVolumeClaimRetentionPolicy>(
  'StatefulSetPersistentVolumeClaimRetentionPolicy',
  () => ({
    whenDeleted: string,
    whenScaled: string,
  }),
);

const statefulSetUpdateStrategy = struct<V1StatefulSetUpdateStrategy>('StatefulSetUpdateStrategy', () => ({
  rollingUpdate: rollingUpdateStatefulSetStrategy,
  type: string,
}));

const rollingUpdateStatefulSetStrategy = struct<V1RollingUpdateStatefulSetStrategy>(
  'RollingUpdateStatefulSetStrategy',
  () => ({
    maxUnavailable: intOrString,
    partition: int32,
  }),
);

export const daemonSet = struct<V1DaemonSet>('DaemonSet', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: daemonSetSpec,
  status: raw(),
}));

const daemonSetSpec = struct<V1DaemonSetSpec>('DaemonSetSpec', () => ({
  minReadySeconds: int32,
  revisionHistoryLimit: int32,
  selector: required(labelSelector),
  template: required(podTemplateSpec),
  updateStrategy: daemonSetUpdateStrategy,
}));

const daemonSetUpdateStrategy = struct<V1DaemonSetUpdateStrategy>('DaemonSetUpdateStrategy', () => ({
  rollingUpdate: rollingUpdateDaemonSet,
  type: string,
}));

const rollingUpdateDaemonSet = struct<V1RollingUpdateDaemonSet>('RollingUpdateDaemonSet', () => ({
  maxSurge: intOrString,
  maxUnavailable: intOrString,
}));

export const job = struct<V1Job>('Job', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: jobSpec,
  status: raw(),
}));

const jobSpec = struct<V1JobSpec>('JobSpec', () => ({
  activeDeadlineSeconds: int64,
  backoffLimit: int32,
  backoffLimitPerIndex: int32,
  completionMode: stringOf('v1.CompletionMode'),
  completions: int32,
  managedBy: string,
  manualSelector: bool,
  maxFailedIndexes: int32,
  parallelism: int32,
  podFailurePolicy: podFailurePolicy,
  podReplacementPolicy: stringOf('v1.PodReplacementPolicy'),
  selector: labelSelector,
  successPolicy: successPolicy,
  suspend: bool,
  template: required(podTemplateSpec),
  ttlSecondsAfterFinished: int32,
}));

const jobTemplateSpec = struct<V1JobTemplateSpec>('JobTemplateSpec', () => ({
  metadata: objectMeta,
  spec: jobSpec,
}));

const podFailurePolicy = struct<V1PodFailurePolicy>('PodFailurePolicy', () => ({
  rules: required(list(podFailurePolicyRule)),
}));

const podFailurePolicyRule = struct<V1PodFailurePolicyRule>('PodFailurePolicyRule', () => ({
  action: required(string),
  onExitCodes: podFailurePolicyOnExitCodesRequirement,
  onPodConditions: list(podFailurePolicyOnPodConditionsPattern),
}));

const podFailurePolicyOnExitCodesRequirement = struct<V1PodFailurePolicyOnExitCodesRequirement>(
  'PodFailurePolicyOnExitCodesRequirement',
  () => ({
    containerName: string,
    operator: required(string),
    values: required(list(int32)),
  }),
);

const podFailurePolicyOnPodConditionsPattern = struct<V1PodFailurePolicyOnPodConditionsPattern>(
  'PodFailurePolicyOnPodConditionsPattern',
  () => ({
    status: string,
    type: required(string),
  }),
);

const successPolicy = struct<V1SuccessPolicy>('SuccessPolicy', () => ({
  rules: required(list(successPolicyRule)),
}));

const successPolicyRule = struct<V1SuccessPolicyRule>('SuccessPolicyRule', () => ({
  succeededCount: int32,
  succeededIndexes: string,
}));

export const cronJob = struct<V1CronJob>('CronJob', () => ({
  apiVersion: string,
  kind: string,
  metadata: objectMeta,
  spec: required(cronJobSpec),
  status: raw(),
}));

const cronJobSpec = struct<V1CronJobSpec>('CronJobSpec', () => ({
  concurrencyPolicy: stringOf('v1.ConcurrencyPolicy'),
  failedJobsHistoryLimit: int32,
  jobTemplate: required(jobTemplateSpec),
  schedule: required(string),
  startingDeadlineSeconds: int64,
  successfulJobsHistoryLimit: int32,
  suspend: bool,
  timeZone: string,
}));

const podTemplateSpec = struct<V1PodTemplateSpec>('PodTemplateSpec', () => ({
  metadata: objectMeta,
  spec: podSpec,
}));
