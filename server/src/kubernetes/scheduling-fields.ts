/**
 * What is kept of an object of a cluster: what scheduling depends on. Everything else is left out before anything is
 * written, above all what may hold secrets: environments, commands, probes, annotations, parameters, messages.
 */
import { own, put } from '../util/own.ts';
import { appliedOf, lastApplied } from './applied-fields.ts';
import type { Json, JsonObject } from './json.ts';

/** Annotations of Kubernetes itself that decide something; all others are left out. */
const keptAnnotations = new Set([
  'batch.kubernetes.io/job-completion-index',
  'controller.kubernetes.io/pod-deletion-cost',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deployment.kubernetes.io/revision',
  'deprecated.daemonset.template.generation',
  // Of the VerticalPodAutoscaler, on pods whose requests it has set.
  'vpaInPlaceUpdated',
  'vpaUpdates',
  'kubernetes.io/config.mirror',
  'kubernetes.io/config.source',
  'pv.kubernetes.io/bind-completed',
  'resource.kubernetes.io/extended-resource-claim',
  'storage.alpha.kubernetes.io/migrated-plugins',
  'storageclass.beta.kubernetes.io/is-default-class',
  'storageclass.kubernetes.io/is-default-class',
  'volume.beta.kubernetes.io/storage-class',
  'volume.kubernetes.io/selected-node',
]);
/** Of autoscalers: the bounds and shapes of their groups, and what must not be removed. */
const ofAutoscalers =
  /^(?:(?:capacity\.)?cluster-autoscaler\.kubernetes\.io|cluster\.x-k8s\.io|machine\.openshift\.io|karpenter\.sh)\//;

const keptMetadata = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'labels',
  'ownerReferences',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'finalizers',
  'generation',
];

const keptContainer = ['name', 'image', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules', 'ports'];
const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];

/** Fields of a pod's spec that say nothing of where it goes and when it ends. */
const leftOutOfPod = new Set([
  'serviceAccount',
  'serviceAccountName',
  'automountServiceAccountToken',
  'imagePullSecrets',
  'securityContext',
  'dnsConfig',
  'hostAliases',
]);

/** Volumes that decide where a pod can go, or whether it may be evicted. */
const keptVolumes: Readonly<Record<string, readonly string[]>> = {
  persistentVolumeClaim: ['claimName', 'readOnly'],
  ephemeral: ['volumeClaimTemplate'],
  emptyDir: ['medium', 'sizeLimit'],
  gcePersistentDisk: ['pdName', 'readOnly'],
  awsElasticBlockStore: ['volumeID', 'readOnly'],
  azureDisk: ['diskName', 'diskURI', 'readOnly', 'kind'],
  // That there is one: it has a driver, and the scheduler does not take it for the driver's.
  azureFile: [],
  vsphereVolume: [],
  portworxVolume: ['volumeID'],
  image: ['reference'],
  cinder: ['volumeID', 'readOnly'],
  rbd: ['monitors', 'image', 'pool', 'readOnly'],
  iscsi: ['targetPortal', 'iqn', 'lun', 'readOnly'],
  csi: ['driver', 'volumeHandle', 'readOnly'],
  local: ['path'],
};

const keptPodStatus = [
  'phase',
  'reason',
  'conditions',
  'nominatedNodeName',
  'startTime',
  'qosClass',
  'resize',
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'resources',
  'allocatedResources',
];
const keptContainerStatus = ['name', 'ready', 'started', 'restartCount', 'allocatedResources', 'resources'];
const keptCondition = ['type', 'status', 'reason', 'lastTransitionTime', 'lastUpdateTime', 'observedGeneration'];

/** Kinds whose controllers follow what is applied. */
const workloads: ReadonlySet<string> = new Set([
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'ReplicaSet',
  'StatefulSet',
]);

/** An object of a cluster; `item` is one of a list, which names neither its kind nor its version. */
export function captured(item: JsonObject, apiVersion: string, kind: string): JsonObject {
  const kept = stripped(item, apiVersion, kind);
  return { ...kept, metadata: withApplied(mapOf(kept['metadata']), item, kind) };
}

/**
 * With what was applied of a workload, or of the annotations of machines, as far as it is kept: a field that is not written
 * any more is taken away.
 */
function withApplied(metadata: JsonObject, item: JsonObject, kind: string): JsonObject {
  const isOfMachines = kind.startsWith('Machine');
  // Of a pod its gates are all that an update takes away.
  const isGated = kind === 'Pod' && own(mapOf(item['spec']), 'schedulingGates') !== undefined;
  const applied = workloads.has(kind) || isOfMachines || isGated ? appliedOf(item) : undefined;
  const [spec, metadataOf] = [applied?.['spec'], mapOf(applied?.['metadata'])];
  if (applied === undefined || (spec === undefined && !isOfMachines)) return metadata;
  const text = isOfMachines
    ? JSON.stringify({ metadata: picked(strippedMetadata(metadataOf), ['annotations']) })
    : JSON.stringify({ spec: strippedSpec(spec!, kind) });
  return { ...metadata, annotations: { ...mapOf(metadata['annotations']), [lastApplied]: text } };
}

/** What is kept of an object as it is written; `item` is one of a list, which names neither its kind nor its version. */
export function stripped(item: JsonObject, apiVersion: string, kind: string): JsonObject {
  const object: Record<string, Json> = { apiVersion, kind, metadata: strippedMetadata(mapOf(item['metadata'])) };
  for (const [field, value] of Object.entries(item)) {
    if (field === 'apiVersion' || field === 'kind' || field === 'metadata') continue;
    // Of a StorageClass, and what drivers are told.
    if (field === 'parameters' || field === 'mountOptions' || field === 'data' || field === 'stringData') continue;
    if (field === 'spec') object[field] = strippedSpec(value, kind);
    else if (field === 'status') object[field] = strippedStatus(mapOf(value), kind);
    else put(object, field, value);
  }
  return object;
}

/**
 * What is kept of an object that somebody else read from a cluster: of a pod that a controller made what is written of
 * it, of any other all but what nobody asks for. An object without a `uid` was never in a cluster and stays as it is.
 */
export function trimmed(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  const metadata = mapOf(object['metadata']);
  if (typeof metadata['uid'] !== 'string') return object;
  const isPod = apiVersion === 'v1' && kind === 'Pod';
  if (isPod && listOf(metadata['ownerReferences']).some(({ controller }) => controller === true)) {
    return stripped(object, apiVersion, kind);
  }
  const kept: Record<string, Json> = {};
  for (const [field, value] of Object.entries(object)) {
    if (field === 'metadata') kept[field] = withApplied(trimmedMetadata(metadata), object, kind);
    else if (field === 'status' && isPod) kept[field] = strippedStatus(mapOf(value), kind);
    else if (!contents.has(field)) put(kept, field, value);
  }
  return kept;
}

/** Of ConfigMaps and Secrets. */
const contents = new Set(['data', 'binaryData', 'stringData']);
const ofKubernetes = /(?:^|\.)(?:kubernetes|k8s)\.io\//;

function trimmedMetadata(metadata: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [field, value] of Object.entries(metadata)) {
    if (field === 'managedFields') continue;
    if (field !== 'annotations') {
      put(kept, field, value);
      continue;
    }
    const own = Object.entries(mapOf(value)).filter(([name]) => isOfTools(name) && name !== lastApplied);
    if (own.length > 0) kept[field] = Object.fromEntries(own);
  }
  return kept;
}

function isOfTools(annotation: string): boolean {
  return ofKubernetes.test(annotation) || keptAnnotations.has(annotation) || ofAutoscalers.test(annotation);
}

function strippedMetadata(metadata: JsonObject): JsonObject {
  const kept: Record<string, Json> = picked(metadata, keptMetadata);
  const annotations = Object.entries(mapOf(metadata['annotations'])).filter(
    ([name]) => keptAnnotations.has(name) || ofAutoscalers.test(name),
  );
  if (annotations.length > 0) kept['annotations'] = Object.fromEntries(annotations);
  return kept;
}

function strippedSpec(value: Json, kind: string): Json {
  const spec = mapOf(value);
  if (kind === 'Pod') return strippedPodSpec(spec);
  if (kind === 'PersistentVolume') return strippedVolume(spec);
  const ofPool = own(keptOfPools, kind);
  if (ofPool !== undefined) return picked(spec, ofPool);
  if (kind.startsWith('Machine')) return strippedMachines(spec);
  return withDevices.has(kind) ? withoutConfiguration(spec) : withTemplates(spec);
}

/** What says how large nodes are, and where; what they start with may hold secrets. */
const keptOfPools: Readonly<Record<string, readonly string[]>> = {
  EC2NodeClass: ['kubelet', 'amiFamily', 'amiSelectorTerms', 'blockDeviceMappings', 'instanceStorePolicy'],
  MachineAutoscaler: ['minReplicas', 'maxReplicas', 'scaleTargetRef'],
};

function strippedMachines(spec: JsonObject): JsonObject {
  const machine = mapOf(mapOf(spec['template'])['spec']);
  const { labels } = mapOf(machine['metadata']);
  const kept = { ...picked(machine, ['taints']), ...(labels === undefined ? {} : { metadata: { labels } }) };
  return { ...picked(spec, ['replicas']), template: { spec: kept } };
}

const withDevices: ReadonlySet<string> = new Set([
  'DeviceClass',
  'ResourceClaim',
  'ResourceClaimTemplate',
  'ResourceSlice',
]);
/** What drivers are handed, and say of a device in use. */
const ofDrivers: ReadonlySet<string> = new Set(['config', 'data', 'networkData']);

function withoutConfiguration(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutConfiguration);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([field]) => !ofDrivers.has(field));
  return Object.fromEntries(kept.map(([field, inner]) => [field, withoutConfiguration(inner)]));
}

/** Templates of pods and claims, wherever a workload has them. */
function withTemplates(spec: JsonObject): JsonObject {
  const kept: Record<string, Json> = { ...spec };
  if (isObject(spec['template'])) kept['template'] = strippedTemplate(spec['template'], strippedPodSpec);
  if (isObject(spec['jobTemplate'])) kept['jobTemplate'] = strippedTemplate(spec['jobTemplate'], withTemplates);
  const claims = spec['volumeClaimTemplates'];
  if (Array.isArray(claims)) kept['volumeClaimTemplates'] = claims.filter(isObject).map(strippedClaim);
  return kept;
}

function strippedTemplate(template: JsonObject, inner: (spec: JsonObject) => JsonObject): JsonObject {
  const { metadata, spec } = template;
  return {
    // What nobody has applied is not theirs to take away.
    ...(metadata === undefined ? {} : { metadata: strippedMetadata(mapOf(metadata)) }),
    ...(spec === undefined ? {} : { spec: inner(mapOf(spec)) }),
  };
}

function strippedClaim(claim: JsonObject): JsonObject {
  return { metadata: strippedMetadata(mapOf(claim['metadata'])), spec: mapOf(claim['spec']) };
}

function strippedPodSpec(spec: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [field, value] of Object.entries(spec)) {
    if (leftOutOfPod.has(field)) continue;
    if (containerLists.includes(field)) {
      put(
        kept,
        field,
        listOf(value).map((each) => picked(each, keptContainer)),
      );
    } else if (field === 'volumes') {
      kept[field] = listOf(value).flatMap(strippedPodVolume);
    } else {
      put(kept, field, value);
    }
  }
  return kept;
}

function strippedPodVolume(volume: JsonObject): JsonObject[] {
  for (const [type, fields] of Object.entries(keptVolumes)) {
    const source = own(volume, type);
    if (!isObject(source)) continue;
    const kept = picked(source, fields);
    const template = kept['volumeClaimTemplate'];
    if (isObject(template)) kept['volumeClaimTemplate'] = strippedClaim(template);
    return [{ name: volume['name'] ?? '', [type]: kept }];
  }
  return [];
}

function strippedVolume(spec: JsonObject): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [field, value] of Object.entries(spec)) {
    if (field === 'mountOptions') continue;
    const fields = own(keptVolumes, field);
    if (fields !== undefined) put(kept, field, picked(mapOf(value), fields));
    // Other sources of a volume say nothing that a scheduler asks.
    else if (!isObject(value) || ['capacity', 'claimRef', 'nodeAffinity'].includes(field)) put(kept, field, value);
  }
  return kept;
}

function strippedStatus(status: JsonObject, kind: string): JsonObject {
  const kept: Record<string, Json> = kind === 'Pod' ? picked(status, keptPodStatus) : { ...status };
  if (kind === 'Node') delete kept['addresses'];
  if (Array.isArray(status['conditions'])) {
    kept['conditions'] = listOf(status['conditions']).map((each) => picked(each, keptCondition));
  }
  if (withDevices.has(kind)) return mapOf(withoutConfiguration(kept));
  if (kind !== 'Pod') return kept;
  for (const field of ['containerStatuses', 'initContainerStatuses']) {
    if (Array.isArray(own(status, field))) {
      put(
        kept,
        field,
        listOf(own(status, field)).map((each) => ({ ...picked(each, keptContainerStatus), ...waiting(each) })),
      );
    }
  }
  return kept;
}

/** Why a container does not run, in a word: it tells evictions that pass from those that are stuck. */
function waiting({ state }: JsonObject): JsonObject {
  const { reason } = mapOf(mapOf(state)['waiting']);
  return typeof reason === 'string' ? { state: { waiting: { reason } } } : {};
}

function picked(object: JsonObject, fields: readonly string[]): Record<string, Json> {
  const kept: Record<string, Json> = {};
  for (const field of fields) {
    const value = own(object, field);
    if (value !== undefined) put(kept, field, value);
  }
  return kept;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
