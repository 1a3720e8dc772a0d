import { own } from '../../util/own.ts';
import { sameItems } from '../../util/same-items.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { defaultNode } from '../../kubernetes/defaults/index.ts';
import type { Node } from '../../kubernetes/objects.ts';
import type { ClusterState } from '../../scheduler/index.ts';
import { assumedPool } from '../../report-model/assumed.ts';
import { amountsOf } from './amounts.ts';
import type { BudgetStatuses } from './budget-statuses.ts';
import { UnknownScenarioError, type Scenario } from './input.ts';
import type { Inventory, Sourced } from './inventory.ts';
import type { Quotas } from './quotas.ts';
import type { PodFactory } from './pod-factory.ts';
import type { Amounts, ReportNode, ReportWorkload } from '../../report-model/report.ts';
import { readSchedulerSetup, type SchedulerSetup } from './scheduler-setup.ts';
import type { SimulatedPod } from './simulated-pod.ts';
import type { SimulatedWorkload } from './workload-set.ts';

/** What a cluster is put together from; see its fields. */
export interface ClusterParts extends Pick<
  SimulatedCluster,
  | 'inventory'
  | 'workloads'
  | 'factory'
  | 'budgets'
  | 'quotas'
  | 'running'
  | 'arriving'
  | 'orphans'
  | 'volumesMade'
  | 'assumedClasses'
  | 'takenForRunning'
> {
  /** The cluster with the running pods in place. */
  readonly state: ClusterState;
  /** A cluster of the same before operations, and whether a workload, by index, and the pods of it are the same in both. */
  readonly like: SimulatedCluster | undefined;
  readonly isUnchanged: (workload: number) => boolean;
}

/** Labels that a controller gives to its pods: each has as many values as it makes pods, or Jobs. */
const ofControllers = new Set([
  'pod-template-hash',
  'controller-revision-hash',
  'apps.kubernetes.io/pod-index',
  'statefulset.kubernetes.io/pod-name',
  ...['controller-uid', 'job-name', 'job-completion-index'].flatMap((key) => [key, `batch.kubernetes.io/${key}`]),
]);

/**
 * What is the same for every scenario on one input: the merged objects, the cluster with its running pods, and the
 * pods that each workload still makes. Making it (`buildScene`) is the expensive part; scenarios branch off it.
 */
export class SimulatedCluster {
  readonly inventory: Inventory;
  readonly workloads: readonly SimulatedWorkload[];
  readonly factory: PodFactory;
  readonly budgets: BudgetStatuses;
  /** As they are before anything arrives; each run charges its own. */
  readonly quotas: Quotas;
  /** Pods on known nodes. */
  readonly running: readonly SimulatedPod[];
  /** Pods that each workload still makes, or that wait in the cluster already, by index of the workload. */
  readonly arriving: readonly (readonly SimulatedPod[])[];
  /** Pods bound to nodes that nobody declares: they are nowhere. */
  readonly orphans: number;
  /** Volumes that are taken to be made for claims before any pod is scheduled. */
  readonly volumesMade: number;
  /** Storage classes of theirs that are declared nowhere. */
  readonly assumedClasses: readonly string[];
  /** Pods that count as running only because their manifest names a node, `namespace/name`. */
  readonly takenForRunning: readonly string[];
  readonly reportWorkloads: readonly ReportWorkload[];
  readonly nodes: readonly ReportNode[];
  readonly scheduler: SchedulerSetup;
  readonly #state: ClusterState;

  constructor(parts: ClusterParts) {
    this.inventory = parts.inventory;
    this.scheduler = readSchedulerSetup(parts.inventory, parts.state.release);
    this.workloads = parts.workloads;
    this.factory = parts.factory;
    this.budgets = parts.budgets;
    this.quotas = parts.quotas;
    this.running = parts.running;
    this.arriving = parts.arriving;
    this.orphans = parts.orphans;
    this.volumesMade = parts.volumesMade;
    this.assumedClasses = parts.assumedClasses;
    this.takenForRunning = parts.takenForRunning;
    this.#state = parts.state;
    const { like } = parts;
    const nodes = this.inventory.ofKind('Node');
    const places = placesIn(nodes, like?.inventory.ofKind('Node'));
    // Of two with one name the scheduler knows one.
    const areAll = like !== undefined && like.#hasAllNodes && this.#hasAllNodes;
    this.nodes = nodes.map(
      (sourced, index) => (areAll ? like.nodes[places[index]!] : undefined) ?? this.#reportNode(sourced),
    );
    // Pods of no workload are one each: looked for one by one, their number would count twice.
    const firstOf = new Map<number, SimulatedPod>();
    for (const pod of this.running) if (!firstOf.has(pod.workload)) firstOf.set(pod.workload, pod);
    this.reportWorkloads = this.workloads.map((workload, index) =>
      like !== undefined && parts.isUnchanged(index)
        ? like.reportWorkloads[index]!
        : this.#reportWorkload(workload, this.arriving[index]?.[0] ?? firstOf.get(index)),
    );
  }

  /** A branch of the cluster's state, for one run. */
  branch(): ClusterState {
    return this.#state.branch();
  }

  /** Indexes of the workloads that arrive in a scenario. Throws `UnknownScenarioError`. */
  arrivals(scenario: Scenario): readonly number[] {
    const all = [...this.workloads.keys()];
    switch (scenario.kind) {
      case 'workspace':
        return all;
      case 'file': {
        const found = all.filter((index) => this.workloads[index]?.declared?.origin?.uri === scenario.uri);
        if (found.length === 0) {
          throw new UnknownScenarioError(say`no workload is declared in ${fileName(scenario.uri)}`);
        }
        return found;
      }
      case 'workload': {
        const { workloadKind, namespace, name, uri } = scenario;
        const wanted = namespace === '' ? 'default' : namespace;
        const found = all.filter((index) => {
          const workload = this.workloads[index];
          return (
            workload?.declared !== undefined &&
            workload.kind === workloadKind &&
            workload.namespace === wanted &&
            workload.name === name
          );
        });
        const here = found.filter((index) => this.workloads[index]?.declared?.origin?.uri === uri);
        const index = here[0] ?? found[0];
        if (index === undefined) {
          const names = this.workloads.map((each) => `${each.kind}/${each.namespace}/${each.name}`);
          const [near] = nearestNames(`${workloadKind}/${wanted}/${name}`, names, 3);
          const known = near === undefined ? '' : say`; did you mean ${near}?`;
          throw new UnknownScenarioError(say`no ${workloadKind} ${wanted}/${name} is declared${known}`);
        }
        return [index];
      }
    }
  }

  /** One more pod as the workload would make it now; undefined for a DaemonSet that has all its pods. */
  prototypeOf(index: number): SimulatedPod | undefined {
    const arriving = this.arriving[index]?.[0];
    if (arriving !== undefined) return arriving;
    const workload = this.workloads[index];
    const template = workload?.kind === 'DaemonSet' ? undefined : workload?.blueprint[0];
    return template === undefined
      ? undefined
      : this.factory.create(template, { workload: index, origin: workload?.declared?.origin ?? null, shape: {} });
  }

  get #hasAllNodes(): boolean {
    return this.inventory.ofKind('Node').length === this.#state.nodeSet.size;
  }

  #reportNode({ object, origin, source }: Sourced<Node>): ReportNode {
    const node = defaultNode(object);
    const name = node.metadata?.name ?? '';
    const labels = node.metadata?.labels ?? {};
    const pool = source === 'assumed' ? node.metadata?.annotations?.[assumedPool] : undefined;
    const nodePool = poolLabels.map((key) => own(labels, key)).find((value) => value !== undefined && value !== '');
    return {
      name,
      zone: labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? '',
      allocatable: allocatableOf(this.#state, name),
      requested: {},
      unschedulable: node.spec?.unschedulable === true,
      taints: (node.spec?.taints ?? []).map(
        ({ key, value, effect }) => `${key}${(value ?? '') === '' ? '' : `=${value!}`}:${effect}`,
      ),
      assumed: source === 'assumed',
      ...(pool === undefined ? {} : { pool }),
      ...(nodePool === undefined ? {} : { nodePool }),
      origin: origin ?? null,
    };
  }

  /** @param pod one of its own, which ranks it where it has no template */
  #reportWorkload(workload: SimulatedWorkload, pod: SimulatedPod | undefined): ReportWorkload {
    const origin = workload.declared?.origin ?? null;
    const [template] = workload.blueprint;
    const rank = template === undefined ? pod : this.factory.rankOf(template, origin);
    const all = { ...(template ?? pod?.pod)?.metadata?.labels, ...workload.declared?.object.metadata?.labels };
    const labels = Object.fromEntries(Object.entries(all).filter(([key]) => !ofControllers.has(key)));
    return {
      kind: workload.kind,
      namespace: workload.namespace,
      name: workload.name,
      priority: rank?.priority ?? 0,
      className: rank?.className ?? null,
      preemptionPolicy: rank?.preemptionPolicy ?? 'PreemptLowerPriority',
      replicas: workload.replicas,
      origin,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
    };
  }
}

/** Of providers and autoscalers, by which they know the nodes of a pool. */
const poolLabels = [
  'karpenter.sh/nodepool',
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'alpha.eksctl.io/nodegroup-name',
  'kubernetes.azure.com/agentpool',
  'agentpool',
  'kops.k8s.io/instancegroup',
] as const;

/** Where each item of a list is in another; -1 for those that are not there. */
export function placesIn(items: readonly unknown[], others: readonly unknown[] = []): readonly number[] {
  if (sameItems(items, others)) return [...others.keys()];
  const places = new Map(others.map((item, at) => [item, at]));
  return items.map((item) => places.get(item) ?? -1);
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

/** A file as it is called below the folder that it has in common with others. */
export function nameAmong(uri: string, others: readonly string[]): string {
  const steps = uri.split('/');
  const shared = (other: string): number => {
    const there = other.split('/');
    const end = steps.findIndex((step, index) => step !== there[index]);
    return end === -1 ? steps.length : end;
  };
  const common = Math.min(steps.length - 1, ...others.map(shared));
  return steps
    .slice(common)
    .map((step) => fileName(step))
    .join('/');
}
