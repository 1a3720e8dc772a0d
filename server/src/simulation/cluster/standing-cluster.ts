import { own } from '../../util/own.ts';
import { compareText } from '../../util/words.ts';
import type { CompiledSelector } from '../../kubernetes/labels.ts';
import { keyOf, nameOf, namespaceOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import { resolvePriority, withResolvedPriority, withStoredPriority } from '../../admission/priority/priority.ts';
import { isHealthy } from '../../disruption/pods.ts';
import { budgetStatus } from '../../disruption/budget-status.ts';
import type { ControllerIndex } from '../../disruption/controllers.ts';
import { defaultNode, defaultPod } from '../../kubernetes/defaults/index.ts';
import { isStored } from '../../kubernetes/pod-template.ts';
import type { Node, Origin, Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { type Autoscaling, autoscalingsOf, withAutoscaledReplicas } from './autoscaled-workloads.ts';
import type { DeclaredClasses } from './declared-classes.ts';
import type { SimulationInput } from './input.ts';
import { Inventory } from './inventory.ts';
import { type AssumedScale, ownedBy, standingControllers, type StandingControllers } from './standing-controllers.ts';
import { collectWorkloads, type SimulatedWorkload } from './workload-set.ts';

/** A pod as it stands, or would stand once its workload has settled. */
export interface StandingPod {
  readonly pod: Pod;
  /** The workload at the top of its controllers; its own name for a pod that nobody controls. */
  readonly workload: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** What the manifests do not say: `state`, that it runs and is ready; `existence`, that its controller has made it. */
  readonly assumed: 'state' | 'existence' | null;
  /** The node whose taint evicts it; null for one that stays. */
  readonly leaves: string | null;
}

/** A pod that a taint of its node evicts. */
export interface LeavingPod {
  readonly node: string;
  readonly owner: WorkloadKey;
  /** Itself, and what its controller makes in its place. */
  readonly pods: readonly Pod[];
}

/** What becomes of pods once everything that is declared is there, by `namespace/name`. */
export interface SettledPods {
  /** Pods that find no node. */
  readonly waiting: ReadonlySet<string>;
  /** Pods that the kubelet of the node that they name refuses. */
  readonly failed: ReadonlySet<string>;
  readonly leaving: ReadonlyMap<string, LeavingPod>;
}

export const noSettledPods: SettledPods = { waiting: new Set(), failed: new Set(), leaving: new Map() };

interface StandingScale {
  readonly autoscaling: Autoscaling | undefined;
  /** For a custom kind whose definition is not at hand. */
  readonly assumed: AssumedScale | undefined;
}

export interface StandingBudget {
  /** With a status. */
  readonly budget: PodDisruptionBudget;
  /** Whether the status was worked out here, as the disruption controller would. */
  readonly derived: boolean;
}

/**
 * The pods of a cluster in which every declared workload has all its pods, and nothing is scheduled any more: what
 * eviction and node pressure are judged on. Pods of which nothing else is written run and are ready.
 */
export class StandingCluster {
  readonly pods: readonly StandingPod[];
  /** Pods that taints of their nodes evict; those in their place are among `pods`. */
  readonly leaving: readonly StandingPod[];
  readonly nodeNames: ReadonlySet<string>;
  readonly #autoscalings: ReadonlyMap<WorkloadKey, Autoscaling>;
  readonly #workloads: readonly SimulatedWorkload[];
  readonly #controllers: StandingControllers;
  readonly #inventory: Inventory;
  readonly #snapshot: SimulationInput['snapshot'];

  constructor(input: SimulationInput, settled: SettledPods = noSettledPods) {
    let inventory = new Inventory(input);
    const nodes = inventory.objects('Node').map(defaultNode);
    let workloads = collectWorkloads(inventory, nodes);
    this.#autoscalings = autoscalingsOf(inventory, workloads, input.snapshot);
    if (this.#autoscalings.size > 0) {
      inventory = new Inventory(withAutoscaledReplicas(input, this.#autoscalings));
      workloads = collectWorkloads(inventory, nodes);
    }
    const { classes } = inventory;
    this.#inventory = inventory;
    this.#snapshot = input.snapshot;
    this.#workloads = workloads;
    this.#controllers = standingControllers(workloads, input.others ?? []);
    this.nodeNames = new Set(
      inventory.nodeSource === 'assumed' ? [] : nodes.map(({ metadata }) => metadata?.name ?? ''),
    );
    const all = this.#workloads.flatMap((workload) => podsOf(workload, classes, settled));
    this.leaving = all.filter(({ leaves }) => leaves !== null);
    const settledPods = all.filter(({ leaves }) => leaves === null);
    const seen = new Set(all.map(({ pod }) => keyOf(pod)));
    // Those that have ended belong to no workload any more.
    const ended = inventory.ofKind('Pod').filter(({ object }) => !seen.has(keyOf(object)));
    this.pods = [...settledPods, ...ended.map(({ object }) => endedPod(object))];
  }

  nodes(): readonly Node[] {
    return this.#inventory.objects('Node');
  }

  /** Names of the nodes with labels. */
  nodesWith(selector: CompiledSelector): readonly string[] {
    return this.nodes()
      .filter(({ metadata }) => selector.matches(metadata?.labels))
      .map(nameOf)
      .sort(compareText);
  }

  /** The pod of that name. A workload's name stands for the first of its pods. */
  find(namespace: string, name: string): StandingPod | undefined {
    const inNamespace = [...this.pods, ...this.leaving].filter(({ pod }) => namespaceOf(pod) === namespace);
    return (
      inNamespace.find(({ pod }) => pod.metadata?.name === name) ??
      inNamespace.find(({ workload }) => workload.name === name)
    );
  }

  /** Namespaces in which a pod or a workload is called so. */
  namespacesWith(name: string): readonly string[] {
    const pods = [...this.pods, ...this.leaving].flatMap(({ pod }) =>
      pod.metadata?.name === name ? [namespaceOf(pod)] : [],
    );
    const workloads = this.#workloads.flatMap((each) => (each.name === name ? [each.namespace] : []));
    return [...new Set([...pods, ...workloads])].sort();
  }

  /** Names of the Services, in its namespace, that send to a pod: to one that is not ready hardly any does. */
  servicesOf(pod: Pod): readonly string[] {
    const labels = pod.metadata?.labels ?? {};
    return this.#inventory
      .objects('Service')
      .filter((service) => {
        const selector = Object.entries(service.spec?.selector ?? {});
        const isChosen = selector.length > 0 && selector.every(([key, value]) => own(labels, key) === value);
        return (
          isChosen &&
          (isHealthy(pod) || service.spec?.publishNotReadyAddresses === true) &&
          namespaceOf(service) === namespaceOf(pod)
        );
      })
      .map(nameOf);
  }

  /** The workload of that name that asks for no pods. */
  emptyWorkload(namespace: string, name: string): StandingPod['workload'] | undefined {
    return this.#workloads.find((each) => each.namespace === namespace && each.name === name && each.replicas === 0);
  }

  /** The words in which the API server refuses the workload of that name; empty where it does not. */
  refusalOf(namespace: string, name: string): string {
    return this.#workloads.find((each) => each.namespace === namespace && each.name === name)?.refusal ?? '';
  }

  /** On what the number of a workload's pods rests, besides its own manifest. */
  scaleOf({ kind, namespace, name }: StandingPod['workload']): StandingScale {
    const key = workloadKey(kind, namespace, name);
    return { autoscaling: this.#autoscalings.get(key), assumed: this.#controllers.assumed.get(key) };
  }

  /**
   * Every budget with its status: the one that is written, or that the cluster has for the same spec; else the one that
   * the disruption controller would write at `now` (ms since the epoch).
   */
  budgets(now: number): StandingBudget[] {
    const pods = this.pods.map(({ pod, workload }) => ownedBy(pod, workload));
    const controllers = this.#controllers.index;
    return this.#inventory.objects('PodDisruptionBudget').map((budget) => {
      const known = budget.status ?? this.#statusInCluster(budget);
      return known?.disruptionsAllowed === undefined
        ? { budget: withStatus(budget, pods, controllers, now), derived: true }
        : { budget: { ...budget, status: known }, derived: false };
    });
  }

  #statusInCluster({ metadata, spec }: PodDisruptionBudget): PodDisruptionBudget['status'] {
    const same = this.#snapshot
      .map(({ object }) => object as PodDisruptionBudget)
      .find(
        (object) =>
          object.kind === 'PodDisruptionBudget' &&
          object.metadata?.name === metadata?.name &&
          object.metadata?.namespace === metadata?.namespace &&
          JSON.stringify(object.spec) === JSON.stringify(spec),
      );
    return same?.status;
  }
}

function podsOf(
  { kind, namespace, name, existing, missing, declared, refusal }: SimulatedWorkload,
  classes: DeclaredClasses,
  { waiting, failed, leaving }: SettledPods,
): StandingPod[] {
  const workload = { kind, namespace, name };
  const left = (pod: Pod): string | null => leaving.get(keyOf(pod))?.node ?? null;
  const there = new Set([...existing.map(({ object }) => object), ...missing].map(titleOf));
  const more = [...leaving.values()].flatMap((each) =>
    each.owner === workloadKey(kind, namespace, name) ? each.pods : [],
  );
  const replacing = new Map(more.flatMap((pod) => (there.has(titleOf(pod)) ? [] : [[titleOf(pod), pod] as const])));
  const settled = (pod: Pod): Pod =>
    asItStands(pod, failed.has(keyOf(pod)) ? 'Failed' : waiting.has(keyOf(pod)) ? 'Pending' : 'Running');
  return [
    ...existing.map((sourced): StandingPod => {
      const pod = settled(inNamespace(defaultPod(sourced.object)));
      return {
        pod: withStoredPriority(pod, classes.for(sourced.origin ?? null)),
        workload,
        assumed: sourced.source === 'snapshot' || isStored(sourced.object) || !runs(pod) ? null : 'state',
        leaves: left(pod),
      };
    }),
    // What the API server refuses makes no pods, and neither does a workload whose pods it refuses.
    ...(refusal === '' ? [...missing, ...replacing.values()] : []).flatMap((made): StandingPod[] => {
      const pod = created(settled(inNamespace(made)), classes, declared?.origin ?? null);
      if (pod === undefined) return [];
      const assumed = kind !== 'Pod' ? 'existence' : runs(pod) ? 'state' : null;
      return [{ pod, workload, assumed, leaves: left(pod) }];
    }),
  ];
}

function titleOf(pod: Pod): string {
  return `${namespaceOf(pod)}/${nameOf(pod)}`;
}

function endedPod(object: Pod): StandingPod {
  const pod = inNamespace(object);
  return {
    pod,
    workload: { kind: 'Pod', namespace: namespaceOf(pod), name: pod.metadata?.name ?? '' },
    assumed: null,
    leaves: null,
  };
}

function inNamespace(pod: Pod): Pod {
  return { ...pod, metadata: { ...pod.metadata, namespace: namespaceOf(pod) } };
}

function runs({ status }: Pod): boolean {
  return status?.phase === 'Running';
}

/** Runs and is ready, unless its status says something else, a gate holds it, or something else comes of it. */
function asItStands(pod: Pod, becomes: 'Running' | 'Pending' | 'Failed'): Pod {
  const { phase = 'Running', conditions } = pod.status ?? {};
  if (phase !== 'Running') return pod;
  if (pod.status?.phase === undefined && becomes === 'Failed') {
    return { ...pod, status: { ...pod.status, phase: becomes } };
  }
  const isGated = (pod.spec?.schedulingGates ?? []).length > 0 && (pod.spec?.nodeName ?? '') === '';
  if (pod.status?.phase === undefined && (isGated || becomes === 'Pending')) {
    const reason = isGated ? 'SchedulingGated' : 'Unschedulable';
    return {
      ...pod,
      status: { ...pod.status, phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason }] },
    };
  }
  return { ...pod, status: { ...pod.status, phase, conditions: conditions ?? [{ type: 'Ready', status: 'True' }] } };
}

/** Undefined where the server refuses the pod for its class; one that may be elsewhere is none of the reasons. */
function created(pod: Pod, classes: DeclaredClasses, origin: Origin | null): Pod | undefined {
  const resolution = resolvePriority(pod.spec ?? {}, classes.for(origin));
  if (resolution.admitted) return withResolvedPriority(pod, resolution);
  return resolution.reason === 'unknown-class' && !classes.complete ? pod : undefined;
}

function withStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  controllers: ControllerIndex,
  now: number,
): PodDisruptionBudget {
  const { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed, condition } = budgetStatus(
    budget,
    pods,
    controllers,
    now,
  );
  const budgetCondition = {
    type: 'DisruptionAllowed',
    status: condition.status,
    reason: condition.reason,
    message: condition.message ?? '',
    lastTransitionTime: '',
  };
  const generation = budget.metadata?.generation ?? 0;
  return {
    ...budget,
    status: {
      expectedPods,
      desiredHealthy,
      currentHealthy,
      disruptionsAllowed,
      observedGeneration: generation,
      conditions: [budgetCondition],
    },
  };
}
