import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { isList, isObject, valueAt } from '../../util/values.ts';
import type { FieldType } from '../../kubernetes/api/index.ts';
import { isKnownKind, isSchedulerConfiguration, knownKinds } from '../../kubernetes/api/kinds.ts';
import { servedVersions } from '../../kubernetes/api/served.ts';
import type { Path } from '../../kubernetes/json.ts';
import { isWorkloadKind, podTemplatePath } from '../../kubernetes/pod-template.ts';
import type { ExtensionPoint } from '../../kubernetes/release.ts';
import type { Kind } from '../index/kinds.ts';
import { type ClassFact, classesFor, classLadder } from '../index/priority-classes.ts';
import { amounts } from './amounts.ts';
import type { Asked, Choice, CompletionContext } from './context.ts';
import { dataKeys, namesDeclared, type OtherKind } from './declared.ts';
import {
  attributes,
  claimsOfPod,
  deviceTaints,
  drivers,
  requestsBeside,
  requestsOfClaim,
  sharedCapacities,
} from './device-choices.ts';
import { knownNodes, knownPods, labelsAt } from './known.ts';
import { labelKeys, labelsMeant, labelValues, wellKnownTopologies } from './label-choices.ts';
import {
  instanceTypes,
  nodeClassParts,
  ofNamespace,
  poolAnnotations,
  requiredKeys,
  requiredValues,
} from './node-pools.ts';
import { kindsInOrder } from './order-of-use.ts';
import { portsOfContainer, portsOfSelected, volumesOfPod } from './ports.ts';
import { resourceNames } from './resource-names.ts';
import type { TypedObject } from './typed-place.ts';

type Source = (asked: Asked) => Iterable<Choice>;

/** Fields that name an object: of which kind. Those in a namespace are looked for in that of the object. */
const names: Readonly<Record<string, Kind>> = {
  'PodSpec.nodeName': 'Node',
  'PodSpec.runtimeClassName': 'RuntimeClass',
  'PersistentVolumeClaimVolumeSource.claimName': 'PersistentVolumeClaim',
  'PersistentVolumeClaimSpec.storageClassName': 'StorageClass',
  'PersistentVolumeClaimSpec.volumeName': 'PersistentVolume',
  'PersistentVolumeSpec.storageClassName': 'StorageClass',
  'CSIStorageCapacity.storageClassName': 'StorageClass',
  'PodResourceClaim.resourceClaimName': 'ResourceClaim',
  'PodResourceClaim.resourceClaimTemplateName': 'ResourceClaimTemplate',
  'DeviceRequest.deviceClassName': 'DeviceClass',
  'ExactDeviceRequest.deviceClassName': 'DeviceClass',
  'DeviceSubRequest.deviceClassName': 'DeviceClass',
  'StatefulSetSpec.serviceName': 'Service',
  'VolumeAttachmentSpec.nodeName': 'Node',
  'VolumeAttachmentSource.persistentVolumeName': 'PersistentVolume',
};

const sources: Readonly<Record<string, Source>> = {
  'PodSpec.priorityClassName': classes,
  'PodSpec.schedulerName': schedulers,
  'ObjectMeta.namespace': namespaces,
  'PodAffinityTerm.namespaces': namespaces,
  'PodAffinityTerm.topologyKey': topologyKeys,
  'TopologySpreadConstraint.topologyKey': topologyKeys,
  'CSINodeDriver.topologyKeys': topologyKeys,
  'PodAffinityTerm.matchLabelKeys': ownLabelKeys,
  'PodAffinityTerm.mismatchLabelKeys': ownLabelKeys,
  'TopologySpreadConstraint.matchLabelKeys': ownLabelKeys,
  'Toleration.key': taintKeys,
  'Taint.key': taintKeys,
  'Toleration.value': taintValues,
  'Taint.value': taintValues,
  'ScopedResourceSelectorRequirement.values': ({ object, path, ...asked }) =>
    besides(object, path.slice(0, -1), 'scopeName') === 'PriorityClass' ? classes({ object, path, ...asked }) : [],
  'CrossVersionObjectReference.kind': () => scalable.map((label) => ({ label, detail: say`with replicas` })),
  'CrossVersionObjectReference.apiVersion': ({ object, path, context }) =>
    versionsOf(besides(object, path, 'kind'), context),
  'CrossVersionObjectReference.name': ({ object, path, context }) => {
    const kind = scalable.find((each) => each === besides(object, path, 'kind'));
    return kind === undefined ? [] : namesOf(kind, object.namespace, context);
  },
  'Plugin.name': plugins,
  'PluginConfig.name': ({ context }) =>
    Object.keys(context.release.plugins).map((label) => ({ label, detail: say`plugin of the scheduler` })),
  'ConfigMapKeySelector.key': (asked) => keysOf('ConfigMap', asked),
  'SecretKeySelector.key': (asked) => keysOf('Secret', asked),
  'ServicePort.targetPort': portsOfSelected,
  'HTTPGetAction.port': portsOfContainer,
  'TCPSocketAction.port': portsOfContainer,
  'ExactDeviceRequest.allocationMode': allocationModes,
  'DeviceSubRequest.allocationMode': allocationModes,
  'DeviceConstraint.matchAttribute': attributes,
  'DeviceConstraint.distinctAttribute': attributes,
  'DeviceConstraint.requests': requestsBeside,
  'DeviceClaimConfiguration.requests': requestsBeside,
  'OpaqueDeviceConfiguration.driver': drivers,
  'DeviceTaintSelector.driver': drivers,
  'DeviceToleration.key': deviceTaints,
  'DeviceToleration.value': deviceTaints,
  'ResourceClaim.name': claimsOfPod,
  'ResourceClaim.request': requestsOfClaim,
  'VolumeMount.name': volumesOfPod,
  'VolumeDevice.name': volumesOfPod,
  'ResourceMetricSource.name': () => ['cpu', 'memory'].map((label) => ({ label, detail: 'resource' })),
  'PoolRequirement.key': requiredKeys,
  'PoolRequirement.values': requiredValues,
  'NodeClassReference.group': nodeClassParts,
  'NodeClassReference.kind': nodeClassParts,
  'NodeClassReference.name': nodeClassParts,
  'NodeGroup.instanceType': instanceTypes,
  'NodeGroup.instanceTypes': instanceTypes,
  'BufferTemplateRef.name': (asked) => ofNamespace('PodTemplate', asked),
  'BufferScalableRef.name': (asked) => {
    const kind = scalableByBuffers.find((each) => each === besides(asked.object, asked.path, 'kind'));
    return kind === undefined ? [] : ofNamespace(kind, asked);
  },
  'MachineTarget.name': (asked) => ofNamespace('MachineSet', asked),
  'ContainerResizePolicy.resourceName': () => ['cpu', 'memory'].map((label) => ({ label, detail: 'resource' })),
};

/** Fields that name an object of a kind that nothing is decided by. */
const otherNames: Readonly<Record<string, OtherKind>> = {
  'PodSpec.serviceAccountName': 'ServiceAccount',
  'ConfigMapVolumeSource.name': 'ConfigMap',
  'ConfigMapProjection.name': 'ConfigMap',
  'ConfigMapEnvSource.name': 'ConfigMap',
  'ConfigMapKeySelector.name': 'ConfigMap',
  'SecretVolumeSource.secretName': 'Secret',
  'SecretProjection.name': 'Secret',
  'SecretEnvSource.name': 'Secret',
  'SecretKeySelector.name': 'Secret',
};

const openFields: ReadonlySet<string> = new Set([
  'LabelSelector.matchLabels',
  'LabelSelectorRequirement.values',
  'ObjectMeta.labels',
  'ObjectMeta.namespace',
  'PersistentVolumeClaimVolumeSource.claimName',
  'ServiceSpec.selector',
  'StatefulSetSpec.serviceName',
]);

/** Whether a value may as well name what is not written yet, so that only its beginning says that one is meant. */
export function isOpen(field: string): boolean {
  return openFields.has(field) || Object.hasOwn(otherNames, field);
}

/** Whether there is something to choose behind a key, so that a list may open there. */
export function leadsOn(field: string, type: FieldType): boolean {
  if (type.kind === 'string') {
    const lists: readonly object[] = [names, otherNames, sources];
    return type.values.length > 0 || lists.some((each) => Object.hasOwn(each, field));
  }
  if (type.kind === 'list') return type.item.kind === 'struct' || leadsOn(field, type.item);
  return type.kind === 'bool' || type.kind === 'struct' || type.kind === 'map' || Object.hasOwn(sources, field);
}

const scalableByBuffers = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Job'] as const;
const scalable = ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'] as const;

/** The values that fit at a place: those that the workspace knows, else those that the API defines. */
export function valuesAt(asked: Asked): Iterable<Choice> {
  const { place, path, object, context } = asked;
  const { type, field } = place;
  const top = path.length === 1 ? path[0] : undefined;
  if (top === 'apiVersion') return context.isBesideSchema ? [] : versionsOf(besides(object, path, 'kind'), context);
  if (top === 'kind') return context.isBesideSchema ? [] : kindsOf(besides(object, path, 'apiVersion'), context);
  if (Object.hasOwn(names, field)) {
    const declared = namesOf(names[field]!, object.namespace, context);
    return field === 'StatefulSetSpec.serviceName' ? [...declared, ...ownName(object)] : declared;
  }
  if (Object.hasOwn(otherNames, field)) {
    const kind = otherNames[field]!;
    const declared = namesDeclared(context.facts, kind, object.namespace);
    return [...declared.map((label) => ({ label, detail: kind })), ...ownName(object)];
  }
  if (Object.hasOwn(sources, field)) return sources[field]!(asked);
  if (type.kind === 'quantity') return amounts(asked);
  const labels = labelsMeant(asked);
  if (labels !== undefined) {
    if (field.endsWith('.key')) return labelKeys(labels);
    // Of an expression the key stands beside the values; of a map it is the last step.
    const key = field.endsWith('.values') ? besides(object, path.slice(0, -1), 'key') : path.at(-1);
    if (typeof key === 'string' && !field.endsWith('.operator')) return labelValues(labels, key);
  }
  if (field === 'NodeSelectorRequirement.key') return [{ label: 'metadata.name', detail: say`the name of the node` }];
  if (field === 'NodeSelectorRequirement.values') return namesOf('Node', '', context);
  if (context.isBesideSchema) return [];
  if (type.kind === 'bool') return ['true', 'false'].map((label) => ({ label, detail: '', isWord: true }));
  if (type.kind !== 'string') return [];
  return constants(asked, type.values);
}

/** The constants of a type, as far as they are legal in the field; those that taints of nodes have come first. */
function constants({ place: { field }, object, path, context }: Asked, values: readonly string[]): readonly Choice[] {
  if (field === 'Toleration.effect') {
    const key = besides(object, path, 'key');
    const used = new Set(
      knownNodes(context.facts)
        .taints.list()
        .filter(({ thing }) => key === undefined || thing.key === key)
        .map(({ thing }) => thing.effect),
    );
    const first = values.filter((value) => used.has(value));
    return [...first, ...values.filter((value) => !used.has(value))].map((label) => ({
      label,
      detail: used.has(label) ? say`of a taint that is there` : '',
    }));
  }
  const isOfFields = field === 'NodeSelectorRequirement.operator' && path.includes('matchFields');
  return values
    .filter((value) => !isOfFields || value === 'In' || value === 'NotIn')
    .map((label) => ({ label, detail: '' }));
}

/** What goes with an object often has its name, also before it is written; typed whole, it ends the list. */
function ownName({ kind, value }: TypedObject): readonly Choice[] {
  const name = valueAt(value, ['metadata', 'name']);
  return typeof name === 'string' ? [{ label: name, detail: kind }] : [];
}

/** Keys of the ConfigMap or Secret that is named beside. */
function keysOf(kind: OtherKind, { object, path, context: { facts } }: Asked): readonly Choice[] {
  const name = besides(object, path, 'name');
  return dataKeys(facts, kind, object.namespace, name).map((label) => ({ label, detail: say`key of ${String(name)}` }));
}

/** What is written beside a place, under another key of the same map. */
function besides(object: TypedObject, path: Path, key: string): unknown {
  return valueAt(object.value, [...path.slice(0, -1), key]);
}

/** Those of the system are for kube-system: elsewhere managed clusters refuse them. */
function classes({ uri, object, context: { facts } }: Asked): readonly Choice[] {
  return classesFor(classLadder(facts), uri)
    .filter(({ name }) => object.namespace === 'kube-system' || !systemPriorityClasses.has(name))
    .map(classChoice);
}

function classChoice({ name, value, preemptionPolicy, globalDefault, description }: ClassFact): Choice {
  const policy = preemptionPolicy === 'Never' ? say`, never preempts` : '';
  return {
    label: name,
    detail: say`priority ${value}${policy}${globalDefault ? say`, global default` : ''}`,
    description,
  };
}

function namesOf(kind: Kind, namespace: string, { facts }: CompletionContext): readonly Choice[] {
  return facts
    .ofKind(kind)
    .filter((fact) => fact.name !== '' && (fact.namespace === '' || fact.namespace === namespace))
    .map(({ name }) => ({ label: name, detail: kind }));
}

function allocationModes(): readonly Choice[] {
  return ['ExactCount', 'All'].map((label) => ({ label, detail: '' }));
}

function* schedulers({ context: { facts } }: Asked): Generator<Choice> {
  for (const { manifest } of facts.ofKind('KubeSchedulerConfiguration')) {
    const profiles = valueAt(manifest.value, ['profiles']);
    for (const profile of isList(profiles) ? profiles : []) {
      const name = isObject(profile) ? profile['schedulerName'] : undefined;
      if (typeof name === 'string') yield { label: name, detail: say`profile of a KubeSchedulerConfiguration` };
    }
  }
  yield { label: 'default-scheduler', detail: say`where nothing is written` };
}

function* namespaces({ object, place: { field }, context: { facts } }: Asked): Generator<Choice> {
  const own = field === 'ObjectMeta.namespace' && isWorkloadKind(object.kind) ? object.namespace : undefined;
  for (const { thing, count: workloads } of knownPods(facts).namespaces.list()) {
    // What is being typed is counted as well.
    if (thing === own && workloads === 1) continue;
    yield { label: thing, detail: count(workloads, 'workload') };
  }
  for (const { name } of facts.ofKind('Namespace')) yield { label: name, detail: 'Namespace' };
}

function* topologyKeys({ context: { facts } }: Asked): Generator<Choice> {
  const { labels } = knownNodes(facts);
  const known = new Map(labels.keys().map(({ thing, count: nodes }) => [thing, nodes]));
  const detailOf = (key: string): string =>
    say`on ${count(known.get(key) ?? 0, 'node')}, ${count(labels.variety(key), 'domain')}`;
  for (const label of wellKnownTopologies) {
    yield { label, detail: known.has(label) ? detailOf(label) : say`well-known label of nodes` };
  }
  for (const label of known.keys()) yield { label, detail: detailOf(label) };
}

/** Labels of the pods that the object makes, whose values are taken from the pod. */
function* ownLabelKeys({ object }: Asked): Generator<Choice> {
  const template = podTemplatePath(object.kind);
  if (template === undefined) return;
  for (const [label, value] of labelsAt(object.value, [...template, 'metadata', 'labels'])) {
    yield { label, detail: value };
  }
  if (object.kind === 'Deployment') yield { label: 'pod-template-hash', detail: say`of each revision` };
}

/** Source: pkg/controller/nodelifecycle and the taints that kubeadm sets */
const wellKnownTaints = [
  'node-role.kubernetes.io/control-plane',
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/network-unavailable',
] as const;

function* taintKeys({ context: { facts } }: Asked): Generator<Choice> {
  const nodes = new Map<string, number>();
  for (const { thing, count: times } of knownNodes(facts).taints.list()) {
    nodes.set(thing.key, (nodes.get(thing.key) ?? 0) + times);
  }
  for (const [label, times] of [...nodes].sort(([, a], [, b]) => b - a)) {
    yield { label, detail: say`on ${count(times, 'node')}` };
  }
  for (const label of wellKnownTaints) yield { label, detail: say`well-known taint` };
}

function* taintValues({ object, path, context: { facts } }: Asked): Generator<Choice> {
  const key = besides(object, path, 'key');
  for (const { thing, count: times } of knownNodes(facts).taints.list()) {
    if (thing.key === key && thing.value !== '') {
      yield { label: thing.value, detail: say`on ${count(times, 'node')}, ${thing.effect}` };
    }
  }
}

/** Plugins that know the extension point under which they are named. */
function plugins({ path, context: { release } }: Asked): readonly Choice[] {
  const point = path.at(-4);
  return Object.entries(release.plugins)
    .filter(([, { points }]) => point === 'multiPoint' || points.includes(point as ExtensionPoint))
    .map(([label, { weight }]) => ({
      label,
      detail: weight === undefined ? say`plugin` : say`plugin, weight ${weight}`,
    }));
}

/** Kinds in the order of use, then the others that Podium reads, and those that it does not. */
function* kindsOf(apiVersion: unknown, { release: { served } }: CompletionContext): Generator<Choice> {
  const isWanted = (version: string): boolean => typeof apiVersion !== 'string' || version === apiVersion;
  for (const label of kindsInOrder) {
    const own = knownKinds.get(label)?.map((known) => known.apiVersion) ?? [];
    const detail = [...own, ...servedVersions(served, label)].find(
      (version) => isServed(version, label) && isWanted(version),
    );
    if (detail !== undefined) yield { label, detail };
  }
  for (const known of [...knownKinds.values()].flat()) {
    const isConfiguration = isSchedulerConfiguration(known.apiVersion, known.kind);
    if (isWanted(known.apiVersion) && (isConfiguration || isServed(known.apiVersion, known.kind))) {
      yield { label: known.kind, detail: known.apiVersion };
    }
  }
  for (const [version, kinds] of served) {
    if (isWanted(version)) for (const label of kinds) yield { label, detail: version };
  }
  function isServed(version: string, kind: string): boolean {
    return served.get(version)?.includes(kind) === true;
  }
}

/** Versions that serve a kind; all of them where none is written, those of kinds that Podium reads first. */
function* versionsOf(kind: unknown, { release: { served } }: CompletionContext): Generator<Choice> {
  if (typeof kind === 'string') {
    const configurations =
      knownKinds.get(kind)?.filter((each) => isSchedulerConfiguration(each.apiVersion, kind)) ?? [];
    const versions = [...configurations.map(({ apiVersion }) => apiVersion), ...servedVersions(served, kind)];
    for (const label of versions) yield { label, detail: kind };
    return;
  }
  const isKnownVersion = ([version, kinds]: readonly [string, readonly string[]]): boolean =>
    kinds.some((each) => isKnownKind(version, each));
  const all = [...served];
  for (const [label, kinds] of [...all.filter(isKnownVersion), ...all.filter((each) => !isKnownVersion(each))]) {
    yield { label, detail: joined(kinds.slice(0, 4), ', ') };
  }
}

/** The keys of a map of texts or amounts. */
export function mapKeysAt(asked: Asked): Iterable<Choice> {
  const { type } = asked.place;
  if (type.kind === 'map' && type.goType === 'v1.ResourceList') return resourceNames(asked);
  if (asked.place.field === 'CapacityRequirements.requests') return sharedCapacities(asked);
  if (asked.place.field === 'ObjectMeta.annotations') return poolAnnotations(asked);
  const labels = labelsMeant(asked);
  return labels === undefined ? [] : labelKeys(labels);
}
