import { addTo, getOrInsert } from '../../util/maps.ts';
import { differenceOf } from '../../util/same-items.ts';
import { runToEnd } from '../../util/steps.ts';
import { generatedName } from '../../admission/format/object-meta.ts';
import { limitedResourcesOf } from '../../admission/quota/admission-configuration.ts';
import { assumedPool } from '../../report-model/assumed.ts';
import { chooseRelease, type KubernetesChoice } from './choose-release.ts';
import { groupOf, servedVersions } from '../../kubernetes/api/served.ts';
import { keyOf, namespaceOfKind } from '../../kubernetes/names.ts';
import {
  isAdmissionConfiguration,
  isKnownKind,
  isKeptAsWritten,
  isSchedulerConfiguration,
} from '../../kubernetes/decode/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { Declared, Kinds, KubeObject, Node } from '../../kubernetes/objects.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import { AddedByAdmission } from './added-by-admission.ts';
import { assumedNodesFor, withSizeOf } from './assumed-nodes.ts';
import { isWithoutSize } from '../../kubernetes/registered-node.ts';
import { Creation } from './creation.ts';
import { type WrittenClaims, writtenClaims } from './written-claims.ts';
import { DeclaredClasses } from './declared-classes.ts';
import { compareWithCluster, type ClusterComparison } from './compare-with-cluster.ts';
import type { Missing, SimulationInput } from './input.ts';
import { type Misread, misreadIn } from './misread.ts';
import { type KnownSnapshot, knownSnapshot } from './known-snapshot.ts';

/** Where an object comes from; the workspace wins over the snapshot. */
export type Source = 'workspace' | 'snapshot' | 'assumed';

export interface Sourced<T extends KubeObject = KubeObject> extends Declared<T> {
  readonly source: Source;
}

/** The kinds that a simulation reads. */
interface ObjectKinds extends Kinds {
  readonly AdmissionConfiguration: KubeObject & JsonObject;
  readonly KubeSchedulerConfiguration: KubeObject & JsonObject;
  readonly ResourceQuotaConfiguration: KubeObject & JsonObject;
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
  readonly #lists = new Map<string, readonly Sourced[]>();
  readonly #input: SimulationInput;
  #claims: WrittenClaims | undefined;
  readonly nodeSource: Source;
  readonly classes: DeclaredClasses;
  /** What was asked for and could not be used. */
  readonly missing: readonly Missing[];
  /** What makes pods, or may, and is not here. */
  readonly unseen: readonly Unseen[];
  /** Names of the tools that have rendered without a sandbox of the operating system. */
  readonly withoutSandbox: readonly string[];
  readonly target: SimulationInput['target'];
  readonly calendar: SimulationInput['calendar'];
  readonly readyAfter: SimulationInput['readyAfter'];
  /** What stands because it was written earlier. */
  readonly earlierCluster: SimulationInput['earlierCluster'];
  /** The size that autoscaled workloads were given; undefined where their number is the one that is written. */
  readonly autoscaled: SimulationInput['autoscaled'];
  /** The folders that the nodes come from where nothing says which of them is the cluster; empty where that is known. */
  readonly nodePlaces: NonNullable<SimulationInput['nodePlaces']>;
  /** Which Kubernetes answers, and why. */
  readonly kubernetes: KubernetesChoice;
  /** What the API server refuses of what is created. */
  readonly creation: Creation;
  /** What pods get besides their templates when they are made. */
  readonly added: AddedByAdmission;
  /** What the snapshot says of itself; null where it says nothing, or there is none. */
  readonly snapshot: KnownSnapshot | null;
  /** Of all objects of the snapshot those that are not all that is written. */
  readonly misread: Misread;

  /**
   * @param merged the objects of the input
   * @param basis of the input before operations, where it merged those of some kinds
   */
  constructor(input: SimulationInput, merged: ByKind = runToEnd(mergedInSteps(input)), basis?: Inventory) {
    this.#byKind = merged;
    this.missing = input.missing ?? [];
    this.unseen = input.unseen ?? [];
    this.withoutSandbox = input.withoutSandbox ?? [];
    this.target = input.target;
    this.calendar = input.calendar;
    this.readyAfter = input.readyAfter;
    this.earlierCluster = input.earlierCluster;
    this.autoscaled = input.autoscaled;
    this.snapshot = knownSnapshot(input);
    this.misread =
      basis !== undefined && input.snapshot === basis.#input.snapshot ? basis.misread : misreadIn(input.snapshot);
    this.added =
      basis !== undefined && input.snapshot === basis.#input.snapshot
        ? basis.added
        : new AddedByAdmission(input.snapshot);
    this.#input = input;
    const nodes = this.ofKind('Node');
    const from = (source: Source) =>
      nodes.flatMap(({ object, source: own }) =>
        own === source ? [object.status?.nodeInfo?.kubeletVersion ?? ''] : [],
      );
    this.kubernetes =
      input.chosen ??
      chooseRelease(
        input.kubernetes ?? 'auto',
        { server: input.serverVersion, snapshot: from('snapshot'), workspace: from('workspace') },
        input.featureGates,
      );
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
      knowsRuntimeClasses: input.snapshot.some(({ object }) => object.kind === 'RuntimeClass'),
    });
    this.classes =
      basis !== undefined && this.hasSame(['PriorityClass'], basis) && this.creation.judgesAs(basis.creation)
        ? basis.classes
        : new DeclaredClasses(input, this.creation);
    const named = (['snapshot', 'workspace'] as const).find((source) => nodes.some((node) => node.source === source));
    // Of a node that is named only the size may be assumed.
    this.nodeSource = named ?? (areNodesAssumed(input) ? 'assumed' : 'workspace');
    const { nodePlaces = [] } = input;
    const isChosen = this.nodeSource !== 'workspace' || input.snapshot.some(({ object }) => object.kind === 'Node');
    this.nodePlaces = isChosen || nodePlaces.length < 2 ? [] : nodePlaces;
    if (nodes.length === 0) {
      this.#lists.delete('Node');
      this.#byKind.delete('Node');
      const before = basis === undefined ? undefined : basis.#byKind;
      for (const object of assumedNodesFor(input)) add(this.#byKind, { object }, 'assumed', before);
    }
  }

  /**
   * As the constructor; yields now and then.
   * @param basis of the input before operations: what these leave as it is is taken from there
   */
  static *inSteps(input: SimulationInput, basis?: Inventory): Generator<void, Inventory> {
    const merged = yield* basis === undefined ? mergedInSteps(input) : basis.#mergedWith(input);
    yield;
    return new Inventory(input, merged, basis);
  }

  /** Whether there are the same objects of some kinds in both, one after the other, from the same places. */
  hasSame(kinds: readonly string[], other: Inventory): boolean {
    return kinds.every((kind) => this.#byKind.get(kind) === other.#byKind.get(kind));
  }

  /** The objects of another input. Kinds of which it has the same share their table. */
  *#mergedWith(input: SimulationInput): Generator<void, ByKind> {
    const before = this.#input;
    const changed = new Set([
      ...changedKinds(before.workspace, input.workspace),
      ...changedKinds(before.snapshot, input.snapshot),
    ]);
    if (this.nodeSource === 'assumed' || input.nodesAreAssumed !== before.nodesAreAssumed) changed.add('Node');
    const merged: ByKind = new Map(this.#byKind);
    if (changed.size === 0) return merged;
    for (const kind of changed) merged.delete(kind);
    yield;
    const isChanged = ({ object }: Declared): boolean => changed.has(object.kind ?? '');
    const [workspace, snapshot] = [input.workspace.filter(isChanged), input.snapshot.filter(isChanged)];
    return yield* mergedInSteps({ ...input, workspace, snapshot }, merged, this.#byKind);
  }

  /** The claims that are written, and those of them that a quota has no room for. */
  get claims(): WrittenClaims {
    return (this.#claims ??= writtenClaims(
      this.objects('PersistentVolumeClaim'),
      new Set(
        this.#input.snapshot.flatMap(({ object }) => (object.kind === 'PersistentVolumeClaim' ? keyOf(object) : [])),
      ),
      this.objects('ResourceQuota'),
      this.objects('LimitRange'),
      this.objects('StorageClass'),
    ));
  }

  /** What is written, copies included. */
  get workspace(): readonly Declared[] {
    return this.#input.workspace;
  }

  /** What the workspace would change in the cluster; null without a snapshot. Only reports ask. */
  compared(): ClusterComparison | null {
    return compareWithCluster(this.#input);
  }

  /** The objects of a kind in the order in which they were given, workspace first. */
  ofKind<Kind extends keyof ObjectKinds>(kind: Kind): readonly Sourced<ObjectKinds[Kind] & KubeObject>[] {
    const list = getOrInsert(this.#lists, kind, () => [...(this.#byKind.get(kind)?.values() ?? [])]);
    return list as unknown as readonly Sourced<ObjectKinds[Kind] & KubeObject>[];
  }

  objects<Kind extends keyof ObjectKinds>(kind: Kind): readonly (ObjectKinds[Kind] & KubeObject)[] {
    return this.ofKind(kind).map(({ object }) => object);
  }

  /** The apiVersion that an object needs which is written under one that is not served; undefined where none is. */
  servedVersionOf(kind: string, name: string, namespace: string): string | undefined {
    const [served = ''] = servedVersions(this.kubernetes.release.served, kind);
    const inNamespace = namespaceOfKind(served, kind, namespace);
    const isWritten = this.#input.workspace.some(
      ({ object: { apiVersion = '', kind: own, metadata } }) =>
        own === kind &&
        metadata?.name === name &&
        groupOf(apiVersion) === groupOf(served) &&
        namespaceOfKind(served, kind, metadata.namespace) === inNamespace,
    );
    return isWritten ? served : undefined;
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

/** The kinds of which two lists do not have the same objects, one after the other. */
function changedKinds(before: readonly Declared[], now: readonly Declared[]): ReadonlySet<string> {
  const changed = new Set<string>();
  if (before === now) return changed;
  // Operations change little: what is the same at both ends is not looked at by kind.
  const { start, end, otherEnd } = differenceOf(before, now);
  const left = new Map<string, Declared[]>();
  for (const declared of before.slice(start, end)) {
    const { kind = '' } = declared.object;
    addTo(left, kind, declared);
  }
  const seen = new Map<string, number>();
  for (const declared of now.slice(start, otherEnd)) {
    const { kind = '' } = declared.object;
    const at = seen.get(kind) ?? 0;
    if (left.get(kind)?.[at] !== declared) changed.add(kind);
    seen.set(kind, at + 1);
  }
  for (const [kind, { length }] of left) if (seen.get(kind) !== length) changed.add(kind);
  return changed;
}

/** Objects between two yields. */
const atOnce = 2_000;

/**
 * @param merged the objects of kinds of which the input has none
 * @param earlier whose objects are taken where they are the same
 */
function* mergedInSteps(input: SimulationInput, merged: ByKind = new Map(), earlier?: ByKind): Generator<void, ByKind> {
  for (const [index, declared] of input.workspace.entries()) {
    if (index % atOnce === atOnce - 1) yield;
    if (declared.object.kind === 'Node') {
      const sized = withAssumedSize(declared, input);
      // Nodes that are added to assumed ones are what their pool or an operation says.
      const standsIn = input.nodesAreAssumed === true && isStandIn(sized.object);
      const isAssumed = standsIn || sized !== declared;
      add(merged, sized, isAssumed ? 'assumed' : 'workspace', earlier);
    } else {
      add(merged, declared, 'workspace', earlier);
    }
  }
  for (const [index, declared] of input.snapshot.entries()) {
    if (index % atOnce === atOnce - 1) yield;
    add(merged, declared, 'snapshot', earlier);
  }
  return merged;
}

function isStandIn({ metadata }: KubeObject): boolean {
  return metadata?.annotations?.[assumedPool] !== undefined;
}

/** Nodes with a size that was assumed, by the node as it is written. */
const sizedNodes = new WeakMap<KubeObject, { readonly like: Node; readonly object: KubeObject }>();

/**
 * A Node that is written for its labels or taints, without a status, is laid over one that exists and has a size that
 * nobody knows here: it gets that of an assumed node, and the labels that each kubelet sets.
 */
function withAssumedSize(declared: Declared, input: SimulationInput): Declared {
  const node = declared.object as Node;
  if (!isWithoutSize(node)) return declared;
  const like = assumedNodesFor(input)[0]!;
  const known = sizedNodes.get(node);
  if (known?.like === like) return { ...declared, object: known.object };
  const object = withSizeOf(node, like);
  sizedNodes.set(node, { like, object });
  return { ...declared, object };
}

/** The first object of a kind, namespace and name wins. One without a name (`generateName`) is given its own. */
function add(byKind: ByKind, declared: Declared, source: Source, earlier?: ByKind): void {
  const { kind = '', metadata } = declared.object;
  const place = placeOf(declared.object);
  if (place === null) return;
  const objects = getOrInsert(byKind, kind, () => new Map());
  const name = metadata?.name ?? '';
  const generateName = metadata?.generateName ?? '';
  // As of one named `n`, which YAML 1.1 reads as false: the API server has no such node.
  if (kind === 'Node' && name === '' && generateName === '') return;
  const key = name === '' ? `#${objects.size}` : place;
  if (objects.has(key)) return;
  const before = earlier?.get(kind)?.get(key);
  if (before?.source === source && isSameDeclaration(before, declared)) {
    objects.set(key, before);
    return;
  }
  const isUnnamed = name === '' && generateName !== '';
  const named = isUnnamed
    ? { ...declared.object, metadata: { ...metadata, name: generatedName(generateName, drawnLetters(objects.size)) } }
    : declared.object;
  objects.set(key, { ...declared, object: named, source });
}

/** Whether nothing else was declared. One that was given a name is never the same. */
function isSameDeclaration(sourced: Sourced, { object, origin, value, placeOf, misread }: Declared): boolean {
  return (
    sourced.object === object &&
    sourced.origin === origin &&
    sourced.value === value &&
    sourced.placeOf === placeOf &&
    sourced.misread === misread
  );
}

/** Tens of thousands of objects are the same in one cluster after the other. */
const places = new WeakMap<KubeObject, string | null>();

/** Namespace and name of an object of a kind that simulations read; null for another. */
function placeOf(object: KubeObject): string | null {
  return getOrInsert(places, object, () => {
    const { apiVersion = '', kind = '', metadata } = object;
    // A Service of another API group is not a Service.
    const isRead =
      isKnownKind(apiVersion, kind) ||
      isSchedulerConfiguration(apiVersion, kind) ||
      isAdmissionConfiguration(apiVersion, kind) ||
      isKeptAsWritten(apiVersion, kind);
    return isRead ? `${namespaceOfKind(apiVersion, kind, metadata?.namespace)}/${metadata?.name ?? ''}` : null;
  });
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
