import { defaultNode } from '../../kubernetes/defaults/index.ts';
import { sortInSteps } from '../../kit/steps.ts';
import { ClusterState, clusterObjectsOf, compareBytewise, type PodKey, rehearse } from '../../scheduler/index.ts';
import { asBound } from './as-bound.ts';
import { BudgetStatuses } from './budget-statuses.ts';
import type { SimulationInput } from './input.ts';
import { AlikePods } from './alike-pods.ts';
import { Cluster } from './cluster.ts';
import { checkDirectBinding } from './direct-binding.ts';
import { Inventory } from './inventory.ts';
import { KnownPods } from './known-pods.ts';
import { PodFactory } from './pod-factory.ts';
import { Scene } from './scene.ts';
import { readSchedulerSetup } from './scheduler-setup.ts';
import type { SimulatedPod } from './simulated-pod.ts';
import { storageOf } from './storage.ts';
import { workloadsInSteps } from './workload-set.ts';

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
  'ResourceClaim',
  'DeviceClass',
] as const;

/** How many pods are taken in before the generator yields: about a millisecond of work. */
const podsAtOnce = 100;

/** Merges the objects, expands the workloads, and puts the running pods on their nodes. Yields now and then. */
export function* buildScene(input: SimulationInput): Generator<void, Scene> {
  const inventory = yield* Inventory.inSteps(input);
  const nodes = inventory.objects('Node').map(defaultNode);
  yield;
  yield* rehearse(nodes.length, inventory.kubernetes.release);
  const workloads = yield* workloadsInSteps(inventory, nodes);
  yield;
  const budgets = new BudgetStatuses(inventory.objects('PodDisruptionBudget'), workloads);
  const passed = passedKinds.flatMap((kind) => inventory.objects(kind));
  const made = workloads.flatMap(({ made: { intermediates } }) => intermediates);
  yield;
  const storage = storageOf(inventory, workloads);
  const { release } = inventory.kubernetes;
  const known = (input.known ?? new KnownPods()).of(release);
  const state = ClusterState.from(
    {
      ...clusterObjectsOf([...passed, ...made]),
      persistentVolumeClaims: storage.claims,
      persistentVolumes: storage.volumes,
      nodes,
      pods: [],
      budgets: budgets.budgets,
    },
    release,
    known.kin,
  );
  known.kin ??= state.kin;
  yield;
  const { classes, creation } = inventory;
  const limitRanges = inventory.objects('LimitRange');
  const factory = new PodFactory({ classes, limitRanges, creation, adopted: known.adopted }, workloads, (pod) =>
    state.arriving(pod),
  );
  yield;

  const names = new Set(nodes.map((node) => node.metadata?.name));
  const running: SimulatedPod[] = [];
  const arriving: SimulatedPod[][] = workloads.map(() => []);
  /** Manifests of pods that name their node. */
  const bound: SimulatedPod[] = [];
  const alikePods = new AlikePods();
  let orphans = 0;
  let taken = 0;
  for (const [index, { existing, missing, declared, kind }] of workloads.entries()) {
    const belonging = { workload: index, origin: declared?.origin ?? null };
    for (const { object, origin } of existing) {
      const nodeName = object.spec?.nodeName ?? '';
      const adopted = factory.adopt(object, { ...belonging, origin: origin ?? null, shape: {} });
      const pod = nodeName === '' ? alikePods.shaped(adopted) : adopted;
      if (nodeName === '') arriving[index]?.push(pod);
      else if (names.has(nodeName)) running.push(pod);
      else orphans += 1;
      if (++taken % podsAtOnce === 0) yield;
    }
    const alike = kind !== 'StatefulSet' && kind !== 'DaemonSet';
    const shape = {};
    for (const made of missing) {
      const created = factory.create(made, { ...belonging, shape: alike ? shape : {} });
      const pod = kind === 'Pod' ? alikePods.shaped(created) : created;
      if (kind === 'Pod' && pod.info.nodeName !== '' && pod.refusal === '') bound.push(pod);
      else arriving[index]?.push(pod);
      if (++taken % podsAtOnce === 0) yield;
    }
  }
  // The order in which a scheduler that starts up hears of them.
  for (const { info } of yield* sortInSteps(running, byNamespaceAndName)) {
    state.bind(info, info.nodeName, info.startedAt);
    if (++taken % podsAtOnce === 0) yield;
  }
  const { profiles } = readSchedulerSetup(inventory, state.release);
  const kubelets = new Cluster(state, { profiles }, budgets);
  const takenForRunning: PodKey[] = [];
  for (const pod of bound.toSorted(byNamespaceAndName)) {
    const { nodeName, startedAt } = pod.info;
    if (checkDirectBinding(kubelets, pod, nodeName) !== null) {
      arriving[pod.workload]?.push(pod);
      continue;
    }
    state.bind(asBound(state, pod.info, nodeName), nodeName, startedAt);
    running.push(pod);
    takenForRunning.push(pod.key);
  }
  yield;
  budgets.refresh(state);
  yield;
  const volumesMade = storage.made;
  return new Scene({
    inventory,
    workloads,
    factory,
    budgets,
    running,
    arriving,
    orphans,
    volumesMade,
    takenForRunning,
    state,
  });
}

function byNamespaceAndName({ info: a }: SimulatedPod, { info: b }: SimulatedPod): number {
  return compareBytewise(a.namespace, b.namespace) || compareBytewise(a.name, b.name);
}
