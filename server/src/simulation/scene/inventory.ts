import { runToEnd } from '../../kit/steps.ts';
import { generatedName } from '../../admission/format/object-meta.ts';
import { limitedResourcesOf } from '../../admission/quota/admission-configuration.ts';
import { chooseRelease, type KubernetesChoice } from './choose-release.ts';
import { namespaceOfKind } from '../../kubernetes/names.ts';
import { isAdmissionConfiguration, isKnownKind, isSchedulerConfiguration } from '../../kubernetes/decode/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type {
  CronJob,
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  DaemonSet,
  Declared,
  Deployment,
  DeviceClass,
  HorizontalPodAutoscaler,
  Job,
  KubeObject,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PriorityClass,
  ReplicaSet,
  ReplicationController,
  ResourceClaim,
  ResourceQuota,
  RuntimeClass,
  Service,
  StatefulSet,
  StorageClass,
  VolumeAttachment,
} from '../../kubernetes/objects.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import { defaultAssumedNodes, makeAssumedNodes } from './assumed-nodes.ts';
import { Creation } from './creation.ts';
import { DeclaredClasses } from './declared-classes.ts';
import { compareWithCluster, type ClusterComparison } from './compare-with-cluster.ts';
import type { Missing, SimulationInput } from './input.ts';
import { type Misread, misreadIn } from '../report/misread.ts';
import { type KnownSnapshot, knownSnapshot } from './known-snapshot.ts';

/** Where an object comes from; the workspace wins over the snapshot. */
export type Source = 'workspace' | 'snapshot' | 'assumed';

export interface Sourced<T extends KubeObject = KubeObject> extends Declared<T> {
  readonly source: Source;
}

/** The kinds that a simulation reads. */
interface ObjectKinds {
  readonly AdmissionConfiguration: KubeObject & JsonObject;
  readonly ResourceQuotaConfiguration: KubeObject & JsonObject;
  readonly CronJob: CronJob;
  readonly CSIDriver: CSIDriver;
  readonly CSINode: CSINode;
  readonly CSIStorageCapacity: CSIStorageCapacity;
  readonly DaemonSet: DaemonSet;
  readonly Deployment: Deployment;
  readonly DeviceClass: DeviceClass;
  readonly HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  readonly Job: Job;
  readonly KubeSchedulerConfiguration: KubeObject & JsonObject;
  readonly LimitRange: LimitRange;
  readonly Namespace: Namespace;
  readonly Node: Node;
  readonly PersistentVolume: PersistentVolume;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly Pod: Pod;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly PriorityClass: PriorityClass;
  readonly ReplicaSet: ReplicaSet;
  readonly ReplicationController: ReplicationController;
  readonly ResourceClaim: ResourceClaim;
  readonly ResourceQuota: ResourceQuota;
  readonly RuntimeClass: RuntimeClass;
  readonly Service: Service;
  readonly StatefulSet: StatefulSet;
  readonly StorageClass: StorageClass;
  readonly VolumeAttachment: VolumeAttachment;
}

/** Which Kubernetes answers for an input. */
export function chosenFor(input: SimulationInput): KubernetesChoice {
  const isNode = ({ object }: Declared): boolean => object.kind === 'Node';
  const { workspace, snapshot } = input;
  return new Inventory({ ...input, workspace: workspace.filter(isNode), snapshot: snapshot.filter(isNode) }).kubernetes;
}

/** The merged objects of a simulation, by kind. */
export class Inventory {
  readonly #byKind: ByKind;
  readonly #input: SimulationInput;
  readonly nodeSource: Source;
  readonly classes: DeclaredClasses;
  /** What was asked for and could not be used. */
  readonly missing: readonly Missing[];
  /** What makes pods, or may, and is not here. */
  readonly unseen: readonly Unseen[];
  readonly target: SimulationInput['target'];
  readonly calendar: SimulationInput['calendar'];
  /** The size that autoscaled workloads were given; undefined where their number is the one that is written. */
  readonly autoscaled: SimulationInput['autoscaled'];
  /** The folders that the nodes come from where nothing says which of them is the cluster; empty where that is known. */
  readonly nodePlaces: NonNullable<SimulationInput['nodePlaces']>;
  /** Which Kubernetes answers, and why. */
  readonly kubernetes: KubernetesChoice;
  /** What the API server refuses of what is created. */
  readonly creation: Creation;
  /** What the snapshot says of itself; null where it says nothing, or there is none. */
  readonly snapshot: KnownSnapshot | null;
  /** Of all objects of the snapshot those that are not all that is written. */
  readonly misread: Misread;

  /** @param merged the objects of the input */
  constructor(input: SimulationInput, merged: ByKind = runToEnd(mergedInSteps(input))) {
    this.#byKind = merged;
    this.missing = input.missing ?? [];
    this.unseen = input.unseen ?? [];
    this.target = input.target;
    this.calendar = input.calendar;
    this.autoscaled = input.autoscaled;
    this.snapshot = knownSnapshot(input);
    this.misread = misreadIn(input.snapshot);
    this.#input = input;
    const nodes = this.ofKind('Node');
    const from = (source: Source) =>
      nodes.flatMap(({ object, source: own }) =>
        own === source ? [object.status?.nodeInfo?.kubeletVersion ?? ''] : [],
      );
    this.kubernetes =
      input.chosen ??
      chooseRelease(input.kubernetes ?? 'auto', {
        server: input.serverVersion,
        snapshot: from('snapshot'),
        workspace: from('workspace'),
      });
    const limited = (['AdmissionConfiguration', 'ResourceQuotaConfiguration'] as const)
      .flatMap((kind) => this.objects(kind))
      .flatMap(limitedResourcesOf);
    this.creation = new Creation({
      release: this.kubernetes.release,
      isAssumed: this.kubernetes.isAssumed,
      knowsPatches: input.knowsPatches === true,
      plugins: input.admissionPlugins ?? [],
      limited,
      quotas: this.objects('ResourceQuota'),
      runtimeClasses: this.objects('RuntimeClass'),
    });
    this.classes = new DeclaredClasses(input, this.creation);
    const declared = nodes.some((node) => node.source === 'snapshot') ? 'snapshot' : nodes[0]?.source;
    this.nodeSource = declared ?? 'assumed';
    const { nodePlaces = [] } = input;
    const isChosen = this.nodeSource !== 'workspace' || input.snapshot.some(({ object }) => object.kind === 'Node');
    this.nodePlaces = isChosen || nodePlaces.length < 2 ? [] : nodePlaces;
    if (nodes.length === 0) {
      for (const object of makeAssumedNodes(input.assumedNodes ?? defaultAssumedNodes)) {
        add(this.#byKind, { object }, 'assumed');
      }
    }
  }

  /** As the constructor; yields now and then. */
  static *inSteps(input: SimulationInput): Generator<void, Inventory> {
    const merged = yield* mergedInSteps(input);
    yield;
    return new Inventory(input, merged);
  }

  /** What the workspace would change in the cluster; null without a snapshot. Only reports ask. */
  compared(): ClusterComparison | null {
    return compareWithCluster(this.#input);
  }

  /** The objects of a kind in the order in which they were given, workspace first. */
  ofKind<Kind extends keyof ObjectKinds>(kind: Kind): readonly Sourced<ObjectKinds[Kind] & KubeObject>[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])] as unknown as readonly Sourced<
      ObjectKinds[Kind] & KubeObject
    >[];
  }

  objects<Kind extends keyof ObjectKinds>(kind: Kind): readonly (ObjectKinds[Kind] & KubeObject)[] {
    return this.ofKind(kind).map(({ object }) => object);
  }
}

/** Whether nobody names a node, so that all are assumed. */
export function areNodesAssumed({ nodesAreAssumed, workspace, snapshot }: SimulationInput): boolean {
  const isNamed = (declared: readonly { readonly object: KubeObject }[]) =>
    declared.some(({ object }) => object.kind === 'Node');
  return !isNamed(snapshot) && (nodesAreAssumed === true || !isNamed(workspace));
}

/** By kind, by namespace and name. */
type ByKind = Map<string, Map<string, Sourced>>;

/** Objects between two yields. */
const atOnce = 2_000;

function* mergedInSteps(input: SimulationInput): Generator<void, ByKind> {
  const merged: ByKind = new Map();
  for (const [index, declared] of input.workspace.entries()) {
    if (index % atOnce === atOnce - 1) yield;
    const isAssumed = input.nodesAreAssumed === true && declared.object.kind === 'Node';
    add(merged, declared, isAssumed ? 'assumed' : 'workspace');
  }
  for (const [index, declared] of input.snapshot.entries()) {
    if (index % atOnce === atOnce - 1) yield;
    add(merged, declared, 'snapshot');
  }
  return merged;
}

/** The first object of a kind, namespace and name wins. One without a name (`generateName`) is given its own. */
function add(byKind: ByKind, declared: Declared, source: Source): void {
  const { kind = '', metadata } = declared.object;
  const place = placeOf(declared.object);
  if (place === null) return;
  let objects = byKind.get(kind);
  if (objects === undefined) {
    objects = new Map();
    byKind.set(kind, objects);
  }
  const name = metadata?.name ?? '';
  const generateName = metadata?.generateName ?? '';
  // As of one named `n`, which YAML 1.1 reads as false: the API server has no such node.
  if (kind === 'Node' && name === '' && generateName === '') return;
  const key = name === '' ? `#${objects.size}` : place;
  if (objects.has(key)) return;
  const isUnnamed = name === '' && generateName !== '';
  const named = isUnnamed
    ? { ...declared.object, metadata: { ...metadata, name: generatedName(generateName, drawnLetters(objects.size)) } }
    : declared.object;
  objects.set(key, { ...declared, object: named, source });
}

/** Tens of thousands of objects are the same in one scene after the other. */
const places = new WeakMap<KubeObject, string | null>();

/** Namespace and name of an object of a kind that simulations read; null for another. */
function placeOf(object: KubeObject): string | null {
  let place = places.get(object);
  if (place === undefined) {
    const { apiVersion = '', kind = '', metadata } = object;
    // A Service of another API group is not a Service.
    const isRead =
      isKnownKind(apiVersion, kind) ||
      isSchedulerConfiguration(apiVersion, kind) ||
      isAdmissionConfiguration(apiVersion, kind);
    place = isRead ? `${namespaceOfKind(apiVersion, kind, metadata?.namespace)}/${metadata?.name ?? ''}` : null;
    places.set(object, place);
  }
  return place;
}

/** Letters as the API server draws them; here those of a number. Source: alphanums in apimachinery/pkg/util/rand/rand.go */
function drawnLetters(number: number): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  let drawn = '';
  for (let rest = number; drawn.length < 5; rest = Math.floor(rest / letters.length)) {
    drawn = letters.charAt(rest % letters.length) + drawn;
  }
  return drawn;
}
