import { differenceOf, sameItems } from '../../util/same-items.ts';
import { sortInSteps } from '../../util/steps.ts';
import { defaultNode } from '../../kubernetes/defaults/index.ts';
import { keyOf, nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type {
  KubeObject,
  Node,
  Pod,
  PersistentVolumeClaim,
  ResourceClaim,
  ResourceClaimTemplate,
} from '../../kubernetes/objects.ts';
import { podGroupOf } from '../../kubernetes/pod-groups.ts';
import { resolvePriority } from '../../admission/priority/priority.ts';
import { isObject, valueAt } from '../../util/values.ts';
import { type ClusterObjects, ClusterState, clusterObjectsOf, compareBytewise } from '../../scheduler/index.ts';
import { refusedAdminAccess } from '../../kubernetes/admin-access.ts';
import { asBound } from './as-bound.ts';
import { BudgetStatuses } from './budget-statuses.ts';
import { customScales } from './standing-controllers.ts';
import type { SimulationInput } from './input.ts';
import { Quotas } from './quotas.ts';
import { AlikePods } from './alike-pods.ts';
import { Cluster } from './cluster.ts';
import { checkDirectBinding } from './direct-binding.ts';
import { Inventory } from './inventory.ts';
import { KnownPods } from './known-pods.ts';
import { PodFactory } from './pod-factory.ts';
import { placesIn, SimulatedCluster } from './simulated-cluster.ts';
import { basisOf, keepBasis, type PlacedPods, type ClusterBasis } from './cluster-basis.ts';
import { readSchedulerSetup } from './scheduler-setup.ts';
import type { SimulatedPod } from './simulated-pod.ts';
import { lateClaims, storageOf } from './storage.ts';
import { taintedSlices } from './tainted-slices.ts';
import { type SimulatedWorkload, workloadsInSteps } from './workload-set.ts';

/** Kinds whose objects are passed to the scheduler as they are. Pods, nodes, budgets, claims and volumes take their own way. */
const passedKinds = [
  'Namespace',
  'Service',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'StorageClass',
  'CSIDriver',
  'CSINode',
  'CSIStorageCapacity',
  'VolumeAttachment',
  'DeviceClass',
] as const;

const claimKinds = ['ResourceClaim', 'ResourceClaimTemplate'] as const;

/** What decides what becomes of pods that are created. */
const admittingKinds = [
  'PriorityClass',
  'LimitRange',
  'ResourceQuota',
  'RuntimeClass',
  'AdmissionConfiguration',
  'ResourceQuotaConfiguration',
] as const;

/** How many pods are taken in before the generator yields: about a millisecond of work. */
const podsAtOnce = 100;

/**
 * Merges the objects, expands the workloads, and puts the running pods on their nodes. A cluster after operations shares
 * what these leave as it is with the cluster before them. Yields now and then.
 */
export function* buildCluster(input: SimulationInput): Generator<void, SimulatedCluster> {
  const kept = basisOf(input);
  const inventory = yield* Inventory.inSteps(input, kept?.simulated.inventory);
  const { classes, creation, added, kubernetes } = inventory;
  const { release } = kubernetes;
  // Of another Kubernetes everything may be other.
  const basis = kept !== undefined && creation.judgesAs(kept.simulated.inventory.creation) ? kept : undefined;
  const hasSame = (...kinds: readonly string[]): boolean =>
    basis !== undefined && inventory.hasSame(kinds, basis.simulated.inventory);
  const nodes = nodesOf(inventory, basis);
  const hasSameNodes = basis !== undefined && sameItems(nodes, basis.nodes);
  yield;
  const workloads = yield* workloadsInSteps(inventory, nodes, basis?.simulated, hasSameNodes);
  const hasSameWorkloads = basis !== undefined && sameItems(workloads, basis.simulated.workloads);
  yield;
  const budgets = new BudgetStatuses(
    inventory.objects('PodDisruptionBudget'),
    workloads,
    customScales(workloads, input.others ?? []),
  );
  const made = hasSameWorkloads ? basis.made : workloads.flatMap(({ made: { intermediates } }) => intermediates);
  yield;
  const storage =
    hasSameWorkloads && hasSame('PersistentVolumeClaim', 'PersistentVolume', 'StorageClass', 'ResourceQuota')
      ? basis.storage
      : storageOf(inventory, workloads);
  const known = basis?.known ?? (input.known ?? new KnownPods()).of(release);
  const namespaces = inventory.objects('Namespace');
  const claims = claimKinds.flatMap((kind): readonly (ResourceClaim | ResourceClaimTemplate)[] =>
    inventory.objects(kind).filter((claim) => refusedAdminAccess(claim, namespaces) === undefined),
  );
  const objects = (): ClusterObjects => ({
    ...clusterObjectsOf([...passedKinds.flatMap((kind) => inventory.objects(kind)), ...claims, ...made]),
    resourceSlices: taintedSlices(inventory.objects('ResourceSlice'), inventory.objects('DeviceTaintRule'), release),
    persistentVolumeClaims: storage.claims,
    persistentVolumes: storage.volumes,
    nodes,
    pods: [],
    budgets: budgets.budgets,
    podGroups: podGroupsOf(inventory),
  });
  /** Tells pods apart; the pods are not in it. */
  const before = basis?.state ?? ClusterState.from(objects(), release, known.kin);
  known.kin ??= before.kin;
  yield;
  const limitRanges = inventory.objects('LimitRange');
  const admitsAlike = hasSame(...admittingKinds);
  const factory = new PodFactory(
    {
      classes,
      limitRanges,
      creation,
      added,
      adopted: known.adopted,
      like: admitsAlike && hasSameWorkloads ? basis.simulated.factory : undefined,
    },
    workloads,
    (pod) => before.arriving(pod),
  );
  yield;

  const taking: Taking = {
    factory,
    names: new Set(nodes.map(nameOf)),
    late: lateClaims(inventory),
    alikePods: new AlikePods(),
    taken: 0,
  };
  const moved = basis === undefined || hasSameNodes ? noNodes : changedNames(nodes, basis.nodes);
  const placed: PlacedPods[] = [];
  for (const [index, workload] of workloads.entries()) {
    const then = admitsAlike && basis!.simulated.workloads[index] === workload ? basis!.placed[index] : undefined;
    // Pods of manifests of their own share shapes with others of them.
    const stays =
      then !== undefined &&
      (hasSameWorkloads || workload.kind !== 'Pod' || isAtWork(then)) &&
      (moved.size === 0 || areAllElsewhere(workload, moved));
    placed.push(stays ? then : yield* placedPods(workload, index, taking));
  }
  const arriving = placed.map((each) => each.arriving.slice());
  const inPlace = placed.flatMap((each) => each.running);
  const hasSameRunning = basis !== undefined && sameItems(inPlace, basis.running);
  yield;
  const ordered = hasSameRunning ? basis.ordered : yield* orderedLike(basis, inPlace);
  let state: ClusterState;
  if (basis === undefined) {
    state = before;
    for (const [index, { info }] of ordered.entries()) {
      state.bind(info, info.nodeName, info.startedAt);
      if (index % podsAtOnce === podsAtOnce - 1) yield;
    }
  } else {
    const pods = ordered.map(({ info }) => info);
    const hasSameObjects =
      storage === basis.storage &&
      hasSame('PodDisruptionBudget', 'ResourceSlice', 'DeviceTaintRule', ...passedKinds, ...claimKinds) &&
      (inventory.objects('PodGroup').length === 0 || hasSame('PriorityClass')) &&
      hasSame('PodGroup') &&
      (hasSameWorkloads || sameItems(made, basis.made));
    state = yield* basis.state.remade({
      nodes: hasSameNodes ? undefined : nodes,
      objects: hasSameObjects ? undefined : objects(),
      pods,
      hasSamePods:
        hasSameRunning ||
        sameItems(
          pods,
          basis.ordered.map(({ info }) => info),
        ),
    });
  }
  yield;
  const untouched = state.branch();
  const { profiles } = readSchedulerSetup(inventory, release);
  const kubelets = new Cluster(state, { profiles }, budgets);
  const quotas = quotasOf(inventory, inPlace, arriving, storage.claims);
  for (const key of quotas.refused.keys()) state.objects.persistentVolumeClaims.delete(key);
  const admitted: SimulatedPod[] = [];
  for (const pod of placed.flatMap((each) => each.bound).sort(byNamespaceAndName)) {
    const { nodeName, startedAt } = pod.info;
    const isTaken = checkDirectBinding(kubelets, pod, nodeName) === null;
    if (!isTaken || (!pod.isStored && quotas.admit(pod.pod) !== null)) {
      arriving[pod.workload]?.push(pod);
      continue;
    }
    state.bind(asBound(state, pod.info, nodeName), nodeName, startedAt);
    admitted.push(pod);
  }
  yield;
  yield* state.workOutVictims();
  budgets.refresh(state);
  yield;
  const running = hasSameRunning ? basis.running : inPlace;
  const simulated = new SimulatedCluster({
    inventory,
    workloads,
    factory,
    budgets,
    quotas,
    running: admitted.length === 0 ? running : [...running, ...admitted],
    arriving,
    orphans: placed.reduce((sum, each) => sum + each.orphans, 0),
    volumesMade: storage.made,
    assumedClasses: storage.assumedClasses,
    takenForRunning: admitted.map(({ key }) => key),
    state,
    like: basis?.simulated,
    isUnchanged: (index) => placed[index] === basis?.placed[index],
  });
  keepBasis(input, { simulated, nodes, placed, running, ordered, made, storage, state: untouched, known });
  return simulated;
}

/** What the quotas count before anything arrives. */
function quotasOf(
  inventory: Inventory,
  running: readonly SimulatedPod[],
  arriving: readonly (readonly SimulatedPod[])[],
  claims: readonly PersistentVolumeClaim[],
): Quotas {
  const quotas = inventory.objects('ResourceQuota');
  if (quotas.length === 0) return new Quotas([], []);
  const waiting = arriving.flatMap((pods) => pods.filter(({ isStored }) => isStored));
  const pods = [...running, ...waiting].map(({ pod }) => pod);
  const inUse = new Set(
    pods.flatMap((pod) =>
      (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
        persistentVolumeClaim === undefined ? [] : `${namespaceOf(pod)}/${persistentVolumeClaim.claimName}`,
      ),
    ),
  );
  const { inCluster, created } = inventory.claims;
  const there = new Set(inCluster.map(keyOf));
  const written = new Set(created.map(keyOf));
  const isThere = (claim: PersistentVolumeClaim): boolean =>
    there.has(keyOf(claim)) || (inUse.has(keyOf(claim)) && !written.has(keyOf(claim)));
  const counted = new Quotas(
    quotas,
    [...pods, ...claims.filter(isThere)],
    claims.filter((claim) => !isThere(claim) && !written.has(keyOf(claim))),
  );
  for (const claim of claims) if (written.has(keyOf(claim))) counted.create(claim);
  for (const { pod } of waiting) counted.createClaimsOf(pod);
  return counted;
}

/** With the priority of their classes. Source: admitPodGroup in plugin/pkg/admission/priority/admission.go of 1.36 */
function podGroupsOf(inventory: Inventory): readonly KubeObject[] {
  const { release } = inventory.kubernetes;
  return inventory.objects('PodGroup').map((object) => {
    const { priorityClassName } = podGroupOf(object);
    if (!release.featureGates.has('WorkloadAwarePreemption')) return object;
    const resolved = resolvePriority({ priorityClassName }, inventory.classes.for(null));
    const spec = valueAt(object, ['spec']);
    if (!resolved.admitted || !isObject(spec)) return object;
    return { ...object, spec: { ...spec, priority: resolved.priority } };
  });
}

/** With defaults. */
function nodesOf(inventory: Inventory, basis: ClusterBasis | undefined): readonly Node[] {
  const places = placesIn(inventory.ofKind('Node'), basis?.simulated.inventory.ofKind('Node'));
  return inventory.ofKind('Node').map((node, index) => basis?.nodes[places[index]!] ?? defaultNode(node.object));
}

const noNodes: ReadonlySet<string> = new Set();

/** The names of nodes that are only in one of two lists. */
function changedNames(nodes: readonly Node[], others: readonly Node[]): ReadonlySet<string> {
  const { start, end, otherEnd } = differenceOf(nodes, others);
  const now = new Set(nodes.slice(start, end).map(nameOf));
  const then = new Set(others.slice(start, otherEnd).map(nameOf));
  return new Set([...[...now].filter((name) => !then.has(name)), ...[...then].filter((name) => !now.has(name))]);
}

/** Whether none of the pods of a workload is on one of these nodes. */
function areAllElsewhere({ existing }: SimulatedWorkload, names: ReadonlySet<string>): boolean {
  return existing.every(({ object }) => !names.has(object.spec?.nodeName ?? ''));
}

/** Whether all its pods run already. */
function isAtWork({ arriving, bound }: PlacedPods): boolean {
  return arriving.length + bound.length === 0;
}

/** What pods are placed with. */
interface Taking {
  readonly factory: PodFactory;
  /** Of the nodes. */
  readonly names: ReadonlySet<string>;
  /** Claims that no pod of a manifest that names its node gets a volume for. */
  readonly late: ReadonlySet<string>;
  readonly alikePods: AlikePods;
  /** How many have been. */
  taken: number;
}

/** The pods of a workload as they are, and as they come. */
function* placedPods(
  { existing, missing, declared, kind }: SimulatedWorkload,
  workload: number,
  taking: Taking,
): Generator<void, PlacedPods> {
  const { factory, names, late, alikePods } = taking;
  const running: SimulatedPod[] = [];
  const arriving: SimulatedPod[] = [];
  const bound: SimulatedPod[] = [];
  let orphans = 0;
  const belonging = { workload, origin: declared?.origin ?? null };
  for (const { object, origin } of existing) {
    const nodeName = object.spec?.nodeName ?? '';
    const adopted = factory.adopt(object, { ...belonging, origin: origin ?? null, shape: {} });
    const pod = nodeName === '' ? alikePods.shaped(adopted) : adopted;
    if (nodeName === '') arriving.push(pod);
    else if (names.has(nodeName)) running.push(pod);
    else orphans += 1;
    if (++taking.taken % podsAtOnce === 0) yield;
  }
  const alike = kind !== 'StatefulSet' && kind !== 'DaemonSet';
  const shape = {};
  for (const made of missing) {
    const created = factory.create(made, { ...belonging, shape: alike ? shape : {} });
    const pod = kind === 'Pod' ? alikePods.shaped(created) : created;
    const runs = kind === 'Pod' && pod.info.nodeName !== '' && pod.refusal === '' && !usesAny(pod.pod, late);
    if (runs) bound.push(pod);
    else arriving.push(pod);
    if (++taking.taken % podsAtOnce === 0) yield;
  }
  return { running, arriving, bound, orphans };
}

function usesAny({ metadata, spec }: Pod, claims: ReadonlySet<string>): boolean {
  return (spec?.volumes ?? []).some(({ persistentVolumeClaim }) =>
    claims.has(`${metadata?.namespace ?? ''}/${persistentVolumeClaim?.claimName ?? ''}`),
  );
}

/** In the order in which a scheduler that starts up hears of them; most may be in order already. */
function* orderedLike(
  basis: ClusterBasis | undefined,
  pods: readonly SimulatedPod[],
): Generator<void, readonly SimulatedPod[]> {
  // Of one name there may be several where one was drawn; those stay in the order of their workloads.
  if (basis === undefined || basis.state.runningNames < basis.ordered.length) {
    return yield* sortInSteps(pods, byNamespaceAndName);
  }
  const there = new Set(pods);
  yield;
  const kept = basis.ordered.filter((pod) => there.delete(pod));
  const others = yield* sortInSteps([...there], byNamespaceAndName);
  const ordered: SimulatedPod[] = [];
  let at = 0;
  for (const pod of kept) {
    for (; at < others.length; at += 1) {
      const order = byNamespaceAndName(others[at]!, pod);
      if (order === 0) return yield* sortInSteps(pods, byNamespaceAndName);
      if (order > 0) break;
      ordered.push(others[at]!);
    }
    ordered.push(pod);
  }
  return [...ordered, ...others.slice(at)];
}

function byNamespaceAndName({ info: a }: SimulatedPod, { info: b }: SimulatedPod): number {
  return compareBytewise(a.namespace, b.namespace) || compareBytewise(a.name, b.name);
}
