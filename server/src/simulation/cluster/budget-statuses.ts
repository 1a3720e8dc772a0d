import { keyOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import {
  allowedDisruptions,
  type BudgetArithmetic,
  budgetArithmetic,
  countsControllers,
} from '../../disruption/budget-status.ts';
import { isHealthy } from '../../disruption/pods.ts';
import type { Pod, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { unreachableTaint } from '../../kubernetes/taints.ts';
import type { ClusterState, PodClass } from '../../scheduler/index.ts';
import { getOrInsert } from '../../util/maps.ts';
import { topController } from './owners.ts';
import type { CustomScales } from './standing-controllers.ts';
import type { SimulatedWorkload } from './workload-set.ts';

/**
 * Kinds of pods' owners without a scale. A custom kind is taken to have one.
 * Source: pkg/controller/disruption/disruption.go (getScaleController)
 */
const unscaledKinds: ReadonlySet<string> = new Set(['Pod', 'Node', 'DaemonSet', 'Job', 'CronJob']);

/** Whose scale a pod counts by. */
type Owner = SimulatedWorkload | 'unscaled' | 'none';

interface Tally {
  readonly workloads: Set<SimulatedWorkload>;
  unscaled: boolean;
  pods: number;
  healthy: number;
}

/** What the pods of a budget, `namespace/name`, come to. */
export interface CountedBudget {
  readonly key: string;
  /** Undefined where the controller's sync fails, and nothing is allowed. */
  readonly arithmetic: BudgetArithmetic | undefined;
  readonly healthy: number;
}

/**
 * The budgets of the cluster. Those with a status keep what it says. Those that are only written down get the number
 * that the disruption controller would work out from the pods, again whenever pods have come or gone.
 */
export class BudgetStatuses {
  readonly budgets: readonly PodDisruptionBudget[];
  /** `namespace/name` of the budgets without a status. */
  readonly derived: readonly string[];
  readonly #derived: ReadonlySet<string>;
  /** Of two with one name the later counts. */
  readonly #byKey: ReadonlyMap<string, PodDisruptionBudget>;
  readonly #workloads: ReadonlyMap<WorkloadKey, SimulatedWorkload>;
  readonly #scales: CustomScales;
  readonly #kept = new Map<string, BudgetArithmetic>();
  readonly #owners = new WeakMap<Pod, Owner>();

  /** @param scales of custom kinds whose definition is at hand; null of those that have none */
  constructor(
    budgets: readonly PodDisruptionBudget[],
    workloads: readonly SimulatedWorkload[],
    scales: CustomScales = new Map(),
  ) {
    this.#scales = scales;
    this.budgets = budgets;
    this.#byKey = new Map(budgets.map((budget) => [keyOf(budget), budget]));
    const derived = budgets.filter(({ status }) => status?.disruptionsAllowed === undefined);
    this.#derived = new Set(derived.map(keyOf));
    this.derived = [...this.#derived];
    this.#workloads = new Map(
      workloads.map((workload) => [workloadKey(workload.kind, workload.namespace, workload.name), workload]),
    );
    for (const { metadata, status } of budgets) {
      const { desiredHealthy, expectedPods } = status ?? {};
      if (desiredHealthy === undefined || expectedPods === undefined) continue;
      this.#kept.set(`${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`, { desiredHealthy, expectedPods });
    }
  }

  /** The same kinds, with other budgets and workloads. */
  with(budgets: readonly PodDisruptionBudget[], workloads: readonly SimulatedWorkload[]): BudgetStatuses {
    return new BudgetStatuses(budgets, workloads, this.#scales);
  }

  /** What a budget, `namespace/name`, wants to keep, as its status says or as it was worked out last. */
  keeps(name: string): BudgetArithmetic | undefined {
    return this.#kept.get(name);
  }

  /**
   * Writes the numbers for the pods that the cluster has now.
   * @param changed whose pods have come, gone or changed; everybody's where it is left out
   */
  refresh(state: ClusterState, changed?: Iterable<PodClass>): void {
    if (this.#derived.size === 0) return;
    const { budgets } = state;
    const concerned = changed === undefined ? null : new Set([...changed].flatMap((each) => budgets.selecting(each)));
    const derived = [...(concerned ?? budgets.budgets.keys())].filter((index) =>
      this.#derived.has(budgets.budgets[index]!.key),
    );
    for (const [index, { key, arithmetic, healthy }] of this.count(state, derived)) {
      if (arithmetic !== undefined) this.#kept.set(key, arithmetic);
      state.setDisruptionsAllowed(index, arithmetic === undefined ? 0 : allowedDisruptions(arithmetic, healthy));
    }
  }

  /** What the pods that the cluster has now come to, whatever the status says of budgets: by index in its table. */
  count(state: ClusterState, indexes: Iterable<number>): ReadonlyMap<number, CountedBudget> {
    const { budgets, classes } = state;
    const tallies = new Map<number, Tally>();
    for (const index of indexes) {
      const { key } = budgets.budgets[index]!;
      if (this.#byKey.has(key)) tallies.set(index, { workloads: new Set(), unscaled: false, pods: 0, healthy: 0 });
    }
    if (tallies.size === 0) return new Map();
    const tally = (index: number): Tally | [] => tallies.get(index) ?? [];
    for (const podClass of classes.all) {
      const counted = budgets.selecting(podClass).flatMap(tally);
      if (counted.length === 0 || state.countOfClass(podClass) === 0) continue;
      for (const node of state.nodesOfClass(podClass).keys()) {
        const { facts, pods } = state.nodes[node]!;
        // The node lifecycle controller has marked its pods as not ready.
        const isLost = facts.hardTaints.some(({ key }) => key === unreachableTaint);
        for (const info of pods) {
          const runs = !info.terminating && !isLost;
          if (info.class === podClass) for (const each of counted) this.#count(each, info.pod, runs);
        }
      }
    }
    for (const info of state.pending()) {
      for (const each of budgets.selecting(info.class).flatMap(tally)) this.#count(each, info.pod, false);
    }
    return new Map(
      [...tallies].map(([index, counted]) => {
        const { key } = budgets.budgets[index]!;
        const arithmetic = arithmeticOf(this.#byKey.get(key)!, counted, this.#scales);
        return [index, { key, arithmetic, healthy: counted.healthy }];
      }),
    );
  }

  #count(tally: Tally, pod: Pod, running: boolean): void {
    tally.pods += 1;
    if (running && isHealthy(pod)) tally.healthy += 1;
    const owner = getOrInsert(this.#owners, pod, () => this.#ownerOf(pod));
    if (owner === 'unscaled') tally.unscaled = true;
    else if (owner !== 'none') tally.workloads.add(owner);
  }

  #ownerOf(pod: Pod): Owner {
    const top = topController(pod, (key) => this.#workloads.get(key)?.declared?.object);
    if (top === null) return 'none';
    const key = workloadKey(top.kind, top.namespace, top.name);
    const workload = this.#workloads.get(key);
    const hasScale = workload !== undefined && !unscaledKinds.has(workload.kind) && this.#scales.get(key) !== null;
    return hasScale ? workload : 'unscaled';
  }
}

/** Undefined where the controller's sync fails, and nothing is allowed. */
function arithmeticOf({ spec }: PodDisruptionBudget, tally: Tally, scales: CustomScales): BudgetArithmetic | undefined {
  // A controller without a scale (DaemonSet, Job) makes the sync fail.
  if (countsControllers(spec) && tally.unscaled) return undefined;
  const scale = [...tally.workloads].reduce(
    (sum, { kind, namespace, name, replicas }) => sum + (scales.get(workloadKey(kind, namespace, name)) ?? replicas),
    0,
  );
  const arithmetic = budgetArithmetic(spec, scale, tally.pods);
  return 'failure' in arithmetic ? undefined : arithmetic;
}
