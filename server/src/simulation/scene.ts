import { defaultNode } from '../kubernetes/defaults/index.ts';
import type { Node } from '../kubernetes/objects.ts';
import { ClusterState, clusterObjectsOf } from '../scheduler/index.ts';
import { amountsOf } from './amounts.ts';
import { BudgetStatuses } from './budget-statuses.ts';
import { Cluster } from './cluster.ts';
import { UnknownScenarioError, type Scenario, type SimulationInput } from './input.ts';
import { Inventory } from './inventory.ts';
import { PodFactory } from './pod-factory.ts';
import type { Amounts, ReportNode, ReportWorkload } from './report.ts';
import { compareText } from './pod-queue.ts';
import type { SimulatedPod } from './simulated-pod.ts';
import { collectWorkloads, type SimulatedWorkload } from './workload-set.ts';

/** Kinds whose objects are passed to the scheduler as they are. Pods, nodes and budgets take their own way. */
const passedKinds = [
  'Namespace',
  'Service',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'StorageClass',
  'CSINode',
  'VolumeAttachment',
] as const;

/**
 * What is the same for every scenario on one input: the merged objects, the cluster with its running pods, and the
 * pods that each workload still makes. Making it is the expensive part; scenarios branch off it.
 */
export class Scene {
  readonly inventory: Inventory;
  readonly workloads: readonly SimulatedWorkload[];
  readonly reportWorkloads: readonly ReportWorkload[];
  readonly nodes: readonly ReportNode[];
  readonly factory: PodFactory;
  readonly budgets: BudgetStatuses;
  /** Pods on known nodes. */
  readonly running: readonly SimulatedPod[];
  /** Pods that each workload still makes, or that wait in the cluster already, by index of the workload. */
  readonly arriving: readonly (readonly SimulatedPod[])[];
  /** Pods bound to nodes that nobody declares: they are nowhere. */
  readonly orphans: number;
  readonly #state: ClusterState;

  constructor(input: SimulationInput) {
    this.inventory = new Inventory(input);
    const declaredNodes = this.inventory.ofKind('Node');
    const nodes = declaredNodes.map(({ object }) => defaultNode(object));
    this.workloads = collectWorkloads(this.inventory, nodes);

    const budgets = this.inventory.objects('PodDisruptionBudget');
    this.budgets = new BudgetStatuses(budgets, this.workloads);
    const passed = passedKinds.flatMap((kind) => this.inventory.objects(kind));
    const made = this.workloads.flatMap(({ made: { intermediates, claims } }) => [...intermediates, ...claims]);
    const state = ClusterState.from({ ...clusterObjectsOf([...passed, ...made]), nodes, pods: [], budgets });
    this.#state = state;
    this.factory = new PodFactory(
      this.inventory.objects('PriorityClass'),
      this.inventory.objects('LimitRange'),
      (pod) => state.arriving(pod),
    );

    const running: SimulatedPod[] = [];
    let orphans = 0;
    const names = new Set(nodes.map((node) => node.metadata?.name));
    this.arriving = this.workloads.map((workload, index) => {
      const arriving: SimulatedPod[] = [];
      for (const { object, origin } of workload.existing) {
        const pod = this.factory.adopt(object, { workload: index, origin: origin ?? null, shape: {} });
        if ((object.spec?.nodeName ?? '') === '') arriving.push(pod);
        else if (names.has(object.spec?.nodeName)) running.push(pod);
        else orphans += 1;
      }
      const alike = workload.kind !== 'StatefulSet' && workload.kind !== 'DaemonSet';
      for (const pod of workload.missing) {
        const origin = workload.declared?.origin ?? null;
        arriving.push(this.factory.create(pod, { workload: index, origin, shape: alike ? workload : {} }));
      }
      return arriving;
    });
    this.running = running;
    this.orphans = orphans;
    // The order in which a scheduler that starts up hears of them.
    for (const { pod } of [...running].sort(byNamespaceAndName)) {
      const info = state.arriving(pod);
      state.bind(info, info.nodeName, info.startedAt);
    }
    this.budgets.refresh(state);
    this.nodes = declaredNodes.map(({ origin, source }, index) => this.#reportNode(nodes[index]!, origin ?? null, source === 'assumed'));
    this.reportWorkloads = this.workloads.map((workload, index) => this.#reportWorkload(workload, index));
  }

  /** A cluster for one scenario, which may do with it what it likes. */
  branch(seed: number | undefined): Cluster {
    return new Cluster(this.#state.branch(), { seed }, this.budgets);
  }

  /** Indexes of the workloads that arrive in a scenario. Throws `UnknownScenarioError`. */
  arrivals(scenario: Scenario): readonly number[] {
    const all = [...this.workloads.keys()];
    switch (scenario.kind) {
      case 'workspace':
        return all;
      case 'file': {
        const found = all.filter((index) => this.workloads[index]?.declared?.origin?.uri === scenario.uri);
        if (found.length === 0) throw new UnknownScenarioError(`no workload is declared in ${fileName(scenario.uri)}`);
        return found;
      }
      case 'workload': {
        const { workloadKind, namespace, name, uri } = scenario;
        const wanted = namespace === '' ? 'default' : namespace;
        const found = all.filter((index) => {
          const workload = this.workloads[index];
          return workload?.declared !== undefined && workload.kind === workloadKind && workload.namespace === wanted && workload.name === name;
        });
        const here = found.filter((index) => this.workloads[index]?.declared?.origin?.uri === uri);
        const index = here[0] ?? found[0];
        if (index === undefined) throw new UnknownScenarioError(`no ${workloadKind} ${wanted}/${name} is declared`);
        return [index];
      }
    }
  }

  #reportNode(node: Node, origin: ReportNode['origin'], assumed: boolean): ReportNode {
    const name = node.metadata?.name ?? '';
    const labels = node.metadata?.labels ?? {};
    return {
      name,
      zone: labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? '',
      allocatable: allocatableOf(this.#state, name),
      requested: {},
      unschedulable: node.spec?.unschedulable === true,
      taints: (node.spec?.taints ?? []).map(({ key, value, effect }) => `${key}${(value ?? '') === '' ? '' : `=${value!}`}:${effect}`),
      assumed,
      origin,
    };
  }

  #reportWorkload(workload: SimulatedWorkload, index: number): ReportWorkload {
    const own = this.arriving[index]?.[0] ?? this.running.find((pod) => pod.workload === index);
    const [template] = workload.blueprint;
    const pod = template === undefined ? own : this.factory.create(template, { workload: index, origin: null, shape: workload });
    return {
      kind: workload.kind,
      namespace: workload.namespace,
      name: workload.name,
      priority: pod?.priority ?? 0,
      className: pod?.className ?? null,
      preemptionPolicy: pod?.preemptionPolicy ?? 'PreemptLowerPriority',
      replicas: workload.replicas,
      origin: workload.declared?.origin ?? null,
    };
  }
}

function allocatableOf(state: ClusterState, name: string): Amounts {
  const info = state.node(name);
  return info === undefined ? {} : amountsOf(info.facts.allocatable, info.facts.allowedPods);
}

export function fileName(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function byNamespaceAndName(a: SimulatedPod, b: SimulatedPod): number {
  const [left, right] = [a.pod.metadata, b.pod.metadata];
  return compareText(left?.namespace ?? '', right?.namespace ?? '') || compareText(left?.name ?? '', right?.name ?? '');
}
