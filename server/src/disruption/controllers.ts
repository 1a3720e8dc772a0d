import type { KubeObject, OwnerReference } from '../kubernetes/objects.ts';
import type { CustomKind, CustomObject } from './custom-kinds.ts';
import { namespaceOf } from '../kubernetes/names.ts';

/** What the disruption controller finds out about the controller of a pod. */
export type ScaleLookup =
  | { readonly outcome: 'found'; readonly uid: string; readonly replicas: number }
  /** The kind can be scaled, but there is no such object, or it is another one of that name. */
  | { readonly outcome: 'missing' }
  /** The kind is unknown, or cannot be scaled. */
  | { readonly outcome: 'error'; readonly message: string };

export interface ControllerIndex {
  /** Looks up the scale behind an owner reference of a pod in `namespace`. */
  readonly scaleOf: (owner: OwnerReference, namespace: string) => ScaleLookup;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** What an owner reference leads to. */
interface Scalable {
  readonly uid: string;
  readonly owner?: OwnerReference | undefined;
  /** Absent where a custom object does not say. */
  readonly replicas?: number | undefined;
}

/** A workload, as far as its scale goes. */
interface WithReplicas extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

const replicasPath: readonly string[] = ['spec', 'replicas'];

/** Replicas that a built-in kind has by default. Source: pkg/apis/apps/v1/defaults.go */
const defaultReplicas = 1;

/** The kinds the API server knows without being told, described as custom kinds are. */
const builtInKinds: readonly CustomKind[] = [
  { group: '', version: 'v1', kind: 'Pod', plural: 'pods' },
  { group: '', version: 'v1', kind: 'Node', plural: 'nodes' },
  { group: '', version: 'v1', kind: 'ReplicationController', plural: 'replicationcontrollers', replicasPath },
  { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets' },
  { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', replicasPath },
  { group: 'apps', version: 'v1', kind: 'ReplicaSet', plural: 'replicasets', replicasPath },
  { group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets', replicasPath },
  { group: 'batch', version: 'v1', kind: 'CronJob', plural: 'cronjobs' },
  { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs' },
  { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets' },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
  },
];

/** Groups that deployments are, or once were, in. */
const deploymentGroups: readonly string[] = ['apps', 'extensions'];

/** Kinds that the disruption controller lists itself, with their groups. Source: its finders. */
const listedKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['ReplicationController', ['']],
  ['ReplicaSet', ['apps', 'extensions']],
  ['StatefulSet', ['apps']],
]);

/** The owner that manages an object. Source: GetControllerOf in apimachinery/pkg/apis/meta/v1/controller_ref.go */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find((owner) => owner.controller === true);
}

/**
 * Indexes what owner references may lead to: workloads, and objects of custom kinds.
 * Source: getExpectedScale and its finders in pkg/controller/disruption/disruption.go
 */
export function indexControllers(
  workloads: readonly KubeObject[],
  customKinds: readonly CustomKind[] = [],
  customObjects: readonly CustomObject[] = [],
): ControllerIndex {
  const kinds: readonly CustomKind[] = [...builtInKinds, ...customKinds];
  const byKey = new Map<string, Scalable>();
  for (const workload of workloads) {
    const group = parseGroupVersion(workload.apiVersion ?? '')?.group ?? '';
    const { uid = '', name = '' } = workload.metadata ?? {};
    const replicas = (workload as WithReplicas).spec?.replicas ?? defaultReplicas;
    const key = keyOf(group, workload.kind ?? '', namespaceOf(workload), name);
    byKey.set(key, { uid, replicas, owner: controllerOf(workload) });
  }
  for (const custom of customObjects) {
    byKey.set(keyOf(custom.group, custom.kind, custom.namespace, custom.name), custom);
  }
  const get: Get = (group, kind, namespace, name) => byKey.get(keyOf(group, kind, namespace, name));

  const scaleOf = (owner: OwnerReference, namespace: string): ScaleLookup => {
    const groupVersion = parseGroupVersion(owner.apiVersion);
    if (groupVersion === undefined) return { outcome: 'error', message: unexpectedGroupVersion(owner) };
    return (
      scaleOfListedKind(owner, groupVersion.group, namespace, get) ??
      scaleOfMappedKind(owner, groupVersion, namespace, kinds, get)
    );
  };
  return { scaleOf };
}

type Get = (group: string, kind: string, namespace: string, name: string) => Scalable | undefined;

/**
 * Kinds that the controller lists itself, whatever version of the API the owner reference names.
 * Sources: getPodReplicationController, getPodDeployment, getPodReplicaSet, getPodStatefulSet.
 */
function scaleOfListedKind(
  { kind, name, uid }: OwnerReference,
  group: string,
  namespace: string,
  get: Get,
): ScaleLookup | undefined {
  if (listedKinds.get(kind)?.includes(group) !== true) return undefined;
  // Replica sets of the old group are those of the new one.
  const object = get(group === 'extensions' ? 'apps' : group, kind, namespace, name);
  if (object?.uid !== uid) return undefined;
  return kind === 'ReplicaSet' ? scaleOfReplicaSet(object, namespace, get) : scaleOfObject(object, replicasPath);
}

/** A replica set counts as its deployment, if it has one. Nothing, if that deployment cannot be found. */
function scaleOfReplicaSet(set: Scalable, namespace: string, get: Get): ScaleLookup | undefined {
  const owner = set.owner;
  if (owner === undefined) return scaleOfObject(set, replicasPath);
  const group = parseGroupVersion(owner.apiVersion)?.group;
  if (group === undefined) return { outcome: 'error', message: unexpectedGroupVersion(owner) };
  if (owner.kind !== 'Deployment') return scaleOfObject(set, replicasPath);
  const deployment = deploymentGroups.includes(group) ? get('apps', 'Deployment', namespace, owner.name) : undefined;
  return deployment?.uid === owner.uid ? scaleOfObject(deployment, replicasPath) : undefined;
}

/** Any kind with a scale, by way of the API. Source: getScaleController. */
function scaleOfMappedKind(
  owner: OwnerReference,
  { group, version }: GroupVersion,
  namespace: string,
  kinds: readonly CustomKind[],
  get: Get,
): ScaleLookup {
  const known = kinds.find((kind) => kind.group === group && kind.kind === owner.kind && kind.version === version);
  if (known === undefined) {
    // Source: NoKindMatchError in apimachinery/pkg/api/meta/errors.go
    const message = `no matches for kind ${JSON.stringify(owner.kind)} in version ${JSON.stringify(owner.apiVersion)}`;
    return { outcome: 'error', message };
  }
  if (known.replicasPath === undefined) {
    const resource = group === '' ? known.plural : `${known.plural}.${group}`;
    return { outcome: 'error', message: `${resource} does not implement the scale subresource` };
  }
  const object = get(group, owner.kind, namespace, owner.name);
  if (object === undefined) return { outcome: 'missing' };
  const scale = scaleOfObject(object, known.replicasPath);
  return scale.outcome === 'found' && scale.uid !== owner.uid ? { outcome: 'missing' } : scale;
}

function scaleOfObject({ uid, replicas }: Scalable, path: readonly string[]): ScaleLookup {
  if (replicas !== undefined) return { outcome: 'found', uid, replicas };
  // Source: ScaleREST.Get in apiextensions-apiserver/pkg/registry/customresource/etcd.go
  const field = JSON.stringify(`.${path.join('.')}`);
  return { outcome: 'error', message: `Internal error occurred: the spec replicas field ${field} does not exist` };
}

function unexpectedGroupVersion(owner: OwnerReference): string {
  return `unexpected GroupVersion string: ${owner.apiVersion}`;
}

/** Source: ParseGroupVersion in apimachinery/pkg/runtime/schema/group_version.go */
function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return undefined;
  const [first = '', second] = parts;
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
