/**
 * Containers and what belongs to them. All fields of Kubernetes' types; the compiler compares them with its
 * client library. Long, because every field has its line.
 */
import type {
  CoreV1ResourceClaim,
  V1AppArmorProfile,
  V1Capabilities,
  V1ConfigMapEnvSource,
  V1ConfigMapKeySelector,
  V1Container,
  V1ContainerExtendedResourceRequest,
  V1ContainerPort,
  V1ContainerResizePolicy,
  V1ContainerRestartRule,
  V1ContainerRestartRuleOnExitCodes,
  V1ContainerStatus,
  V1EnvFromSource,
  V1EnvVar,
  V1EnvVarSource,
  V1EphemeralContainer,
  V1ExecAction,
  V1FileKeySelector,
  V1GRPCAction,
  V1HTTPGetAction,
  V1HTTPHeader,
  V1HostAlias,
  V1HostIP,
  V1ImageVolumeStatus,
  V1Lifecycle,
  V1LifecycleHandler,
  V1NodeAllocatableResourceClaimStatus,
  V1PodDNSConfig,
  V1PodDNSConfigOption,
  V1PodExtendedResourceClaimStatus,
  V1PodIP,
  V1PodResourceClaimStatus,
  V1PodSecurityContext,
  V1Probe,
  V1ResourceHealth,
  V1ResourceRequirements,
  V1ResourceStatus,
  V1SELinuxOptions,
  V1SeccompProfile,
  V1SecretEnvSource,
  V1SecretKeySelector,
  V1SecurityContext,
  V1SleepAction,
  V1Sysctl,
  V1TCPSocketAction,
  V1VolumeDevice,
  V1VolumeMount,
  V1VolumeMountStatus,
  V1VolumeStatus,
  V1WindowsSecurityContextOptions,
} from '@kubernetes/client-node';
import {
  bool,
  int32,
  int64,
  intOrString,
  list,
  map,
  quantity,
  raw,
  required,
  string,
  stringOf,
  struct,
} from './field-types.ts';
import { objectFieldSelector, resourceFieldSelector } from './volume-tables.ts';

const resourceClaim = struct<CoreV1ResourceClaim>('ResourceClaim', () => ({
  name: required(string),
  request: string,
}));

const appArmorProfile = struct<V1AppArmorProfile>('AppArmorProfile', () => ({
  localhostProfile: string,
  type: required(string),
}));

const capabilities = struct<V1Capabilities>('Capabilities', () => ({
  add: list(string),
  drop: list(string),
}));

const configMapEnvSource = struct<V1ConfigMapEnvSource>('ConfigMapEnvSource', () => ({
  name: string,
  optional: bool,
}));

const configMapKeySelector = struct<V1ConfigMapKeySelector>('ConfigMapKeySelector', () => ({
  key: required(string),
  name: string,
  optional: bool,
}));

export const container = struct<V1Container>('Container', () => ({
  args: list(string),
  command: list(string),
  env: list(envVar),
  envFrom: list(envFromSource),
  image: string,
  imagePullPolicy: stringOf('v1.PullPolicy'),
  lifecycle: lifecycle,
  livenessProbe: probe,
  name: required(string),
  ports: list(containerPort),
  readinessProbe: probe,
  resizePolicy: list(containerResizePolicy),
  resources: resourceRequirements,
  restartPolicy: stringOf('v1.ContainerRestartPolicy'),
  restartPolicyRules: list(containerRestartRule),
  securityContext: securityContext,
  startupProbe: probe,
  stdin: bool,
  stdinOnce: bool,
  terminationMessagePath: string,
  terminationMessagePolicy: stringOf('v1.TerminationMessagePolicy'),
  tty: bool,
  volumeDevices: list(volumeDevice),
  volumeMounts: list(volumeMount),
  workingDir: string,
}));

const containerExtendedResourceRequest = struct<V1ContainerExtendedResourceRequest>(
  'ContainerExtendedResourceRequest',
  () => ({
    containerName: required(string),
    requestName: required(string),
    resourceName: required(string),
  }),
);

const containerPort = struct<V1ContainerPort>('ContainerPort', () => ({
  containerPort: required(int32),
  hostIP: string,
  hostPort: int32,
  name: string,
  protocol: stringOf('v1.Protocol'),
}));

const containerResizePolicy = struct<V1ContainerResizePolicy>('ContainerResizePolicy', () => ({
  resourceName: required(string),
  restartPolicy: required(string),
}));

const containerRestartRule = struct<V1ContainerRestartRule>('ContainerRestartRule', () => ({
  action: required(string),
  exitCodes: containerRestartRuleOnExitCodes,
}));

const containerRestartRuleOnExitCodes = struct<V1ContainerRestartRuleOnExitCodes>(
  'ContainerRestartRuleOnExitCodes',
  () => ({
    operator: required(string),
    values: list(int32),
  }),
);

export const containerStatus = struct<V1ContainerStatus>('ContainerStatus', () => ({
  allocatedResources: map(quantity),
  allocatedResourcesStatus: list(resourceStatus),
  containerID: string,
  image: required(string),
  imageID: required(string),
  lastState: raw(),
  name: required(string),
  ready: required(bool),
  resources: resourceRequirements,
  restartCount: required(int32),
  started: bool,
  state: raw(),
  stopSignal: string,
  user: raw(),
  volumeMounts: list(volumeMountStatus),
}));

const envFromSource = struct<V1EnvFromSource>('EnvFromSource', () => ({
  configMapRef: configMapEnvSource,
  prefix: string,
  secretRef: secretEnvSource,
}));

const envVar = struct<V1EnvVar>('EnvVar', () => ({
  name: required(string),
  value: string,
  valueFrom: envVarSource,
}));

const envVarSource = struct<V1EnvVarSource>('EnvVarSource', () => ({
  configMapKeyRef: configMapKeySelector,
  fieldRef: objectFieldSelector,
  fileKeyRef: fileKeySelector,
  resourceFieldRef: resourceFieldSelector,
  secretKeyRef: secretKeySelector,
}));

export const ephemeralContainer = struct<V1EphemeralContainer>('EphemeralContainer', () => ({
  args: list(string),
  command: list(string),
  env: list(envVar),
  envFrom: list(envFromSource),
  image: string,
  imagePullPolicy: stringOf('v1.PullPolicy'),
  lifecycle: lifecycle,
  livenessProbe: probe,
  name: required(string),
  ports: list(containerPort),
  readinessProbe: probe,
  resizePolicy: list(containerResizePolicy),
  resources: resourceRequirements,
  restartPolicy: stringOf('v1.ContainerRestartPolicy'),
  restartPolicyRules: list(containerRestartRule),
  securityContext: securityContext,
  startupProbe: probe,
  stdin: bool,
  stdinOnce: bool,
  targetContainerName: string,
  terminationMessagePath: string,
  terminationMessagePolicy: stringOf('v1.TerminationMessagePolicy'),
  tty: bool,
  volumeDevices: list(volumeDevice),
  volumeMounts: list(volumeMount),
  workingDir: string,
}));

const execAction = struct<V1ExecAction>('ExecAction', () => ({
  command: list(string),
}));

const fileKeySelector = struct<V1FileKeySelector>('FileKeySelector', () => ({
  key: required(string),
  optional: bool,
  path: required(string),
  volumeName: required(string),
}));

const grpcAction = struct<V1GRPCAction>('GRPCAction', () => ({
  port: required(int32),
  service: string,
}));

const httpGetAction = struct<V1HTTPGetAction>('HTTPGetAction', () => ({
  host: string,
  httpHeaders: list(httpHeader),
  path: string,
  port: required(intOrString),
  scheme: string,
}));

const httpHeader = struct<V1HTTPHeader>('HTTPHeader', () => ({
  name: required(string),
  value: required(string),
}));

export const hostAlias = struct<V1HostAlias>('HostAlias', () => ({
  hostnames: list(string),
  ip: required(string),
}));

export const hostIP = struct<V1HostIP>('HostIP', () => ({
  ip: required(string),
}));

const imageVolumeStatus = struct<V1ImageVolumeStatus>('ImageVolumeStatus', () => ({
  imageRef: required(string),
}));

const lifecycle = struct<V1Lifecycle>('Lifecycle', () => ({
  postStart: lifecycleHandler,
  preStop: lifecycleHandler,
  stopSignal: string,
}));

const lifecycleHandler = struct<V1LifecycleHandler>('LifecycleHandler', () => ({
  exec: execAction,
  httpGet: httpGetAction,
  sleep: sleepAction,
  tcpSocket: tcpSocketAction,
}));

export const nodeAllocatableResourceClaimStatus = struct<V1NodeAllocatableResourceClaimStatus>(
  'NodeAllocatableResourceClaimStatus',
  () => ({
    containers: list(string),
    resourceClaimName: required(string),
    resources: required(map(string)),
  }),
);

export const podDNSConfig = struct<V1PodDNSConfig>('PodDNSConfig', () => ({
  nameservers: list(string),
  options: list(podDNSConfigOption),
  searches: list(string),
}));

const podDNSConfigOption = struct<V1PodDNSConfigOption>('PodDNSConfigOption', () => ({
  name: string,
  value: string,
}));

export const podExtendedResourceClaimStatus = struct<V1PodExtendedResourceClaimStatus>(
  'PodExtendedResourceClaimStatus',
  () => ({
    requestMappings: required(list(containerExtendedResourceRequest)),
    resourceClaimName: required(string),
  }),
);

export const podIP = struct<V1PodIP>('PodIP', () => ({
  ip: required(string),
}));

export const podResourceClaimStatus = struct<V1PodResourceClaimStatus>('PodResourceClaimStatus', () => ({
  name: required(string),
  resourceClaimName: string,
}));

export const podSecurityContext = struct<V1PodSecurityContext>('PodSecurityContext', () => ({
  appArmorProfile: appArmorProfile,
  fsGroup: int64,
  fsGroupChangePolicy: string,
  runAsGroup: int64,
  runAsNonRoot: bool,
  runAsUser: int64,
  seLinuxChangePolicy: string,
  seLinuxOptions: seLinuxOptions,
  seccompProfile: seccompProfile,
  supplementalGroups: list(int64),
  supplementalGroupsPolicy: string,
  sysctls: list(sysctl),
  windowsOptions: windowsSecurityContextOptions,
}));

const probe = struct<V1Probe>('Probe', () => ({
  exec: execAction,
  failureThreshold: int32,
  grpc: grpcAction,
  httpGet: httpGetAction,
  initialDelaySeconds: int32,
  periodSeconds: int32,
  successThreshold: int32,
  tcpSocket: tcpSocketAction,
  terminationGracePeriodSeconds: int64,
  timeoutSeconds: int32,
}));

const resourceHealth = struct<V1ResourceHealth>('ResourceHealth', () => ({
  health: string,
  message: string,
  resourceID: required(string),
}));

export const resourceRequirements = struct<V1ResourceRequirements>('ResourceRequirements', () => ({
  claims: list(resourceClaim),
  limits: map(quantity),
  requests: map(quantity),
}));

const resourceStatus = struct<V1ResourceStatus>('ResourceStatus', () => ({
  name: required(string),
  resources: list(resourceHealth),
}));

const seLinuxOptions = struct<V1SELinuxOptions>('SELinuxOptions', () => ({
  level: string,
  role: string,
  type: string,
  user: string,
}));

const seccompProfile = struct<V1SeccompProfile>('SeccompProfile', () => ({
  localhostProfile: string,
  type: required(string),
}));

const secretEnvSource = struct<V1SecretEnvSource>('SecretEnvSource', () => ({
  name: string,
  optional: bool,
}));

const secretKeySelector = struct<V1SecretKeySelector>('SecretKeySelector', () => ({
  key: required(string),
  name: string,
  optional: bool,
}));

const securityContext = struct<V1SecurityContext>('SecurityContext', () => ({
  allowPrivilegeEscalation: bool,
  appArmorProfile: appArmorProfile,
  capabilities: capabilities,
  privileged: bool,
  procMount: string,
  readOnlyRootFilesystem: bool,
  runAsGroup: int64,
  runAsNonRoot: bool,
  runAsUser: int64,
  seLinuxOptions: seLinuxOptions,
  seccompProfile: seccompProfile,
  windowsOptions: windowsSecurityContextOptions,
}));

const sleepAction = struct<V1SleepAction>('SleepAction', () => ({
  seconds: required(int64),
}));

const sysctl = struct<V1Sysctl>('Sysctl', () => ({
  name: required(string),
  value: required(string),
}));

const tcpSocketAction = struct<V1TCPSocketAction>('TCPSocketAction', () => ({
  host: string,
  port: required(intOrString),
}));

const volumeDevice = struct<V1VolumeDevice>('VolumeDevice', () => ({
  devicePath: required(string),
  name: required(string),
}));

const volumeMount = struct<V1VolumeMount>('VolumeMount', () => ({
  mountPath: required(string),
  mountPropagation: string,
  name: required(string),
  readOnly: bool,
  recursiveReadOnly: string,
  subPath: string,
  subPathExpr: string,
}));

const volumeMountStatus = struct<V1VolumeMountStatus>('VolumeMountStatus', () => ({
  mountPath: required(string),
  name: required(string),
  readOnly: bool,
  recursiveReadOnly: string,
  volumeStatus: volumeStatus,
}));

const volumeStatus = struct<V1VolumeStatus>('VolumeStatus', () => ({
  image: imageVolumeStatus,
}));

const windowsSecurityContextOptions = struct<V1WindowsSecurityContextOptions>('WindowsSecurityContextOptions', () => ({
  gmsaCredentialSpec: string,
  gmsaCredentialSpecName: string,
  hostProcess: bool,
  runAsUserName: string,
}));
