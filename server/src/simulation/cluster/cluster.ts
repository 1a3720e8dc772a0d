import type { Pod } from '../../kubernetes/objects.ts';
import type { Decision, NodeName, NodeRefusal } from '../../scheduler/decision.ts';
import { decide, provisionFor, type ClusterState, type DecideOptions, type PodClass } from '../../scheduler/index.ts';
import { amountsOf } from './amounts.ts';
import type { BudgetStatuses } from './budget-statuses.ts';
import type { Amounts } from '../../report-model/report.ts';
import type { SimulatedPod } from './simulated-pod.ts';

/** A cluster state and questions to ask of it. */
export class Cluster {
  readonly state: ClusterState;
  readonly scheduler: DecideOptions;
  #budgets: BudgetStatuses;

  constructor(state: ClusterState, scheduler: DecideOptions, budgets: BudgetStatuses) {
    this.state = state;
    this.scheduler = scheduler;
    this.#budgets = budgets;
  }

  /** What the scheduler would say of a pod that is not part of the cluster. */
  decideFor(pod: Pod): Decision {
    return decide(this.state, this.state.arriving(pod), this.scheduler);
  }

  /** Why a node alone would refuse a pod; null when it would take it. */
  refusalOn(pod: Pod, node: NodeName): NodeRefusal | null {
    const decision = this.decideFor(pod);
    if (decision.kind !== 'fits' && decision.kind !== 'unschedulable') return null;
    return decision.refusals.get(node) ?? null;
  }

  /** The provisioners have made the volumes that the claims of a bound pod waited for. */
  provision(pod: SimulatedPod, node: NodeName): void {
    const [bound, info] = [this.state.pod(pod.key), this.state.node(node)];
    if (bound !== undefined && info !== undefined) provisionFor(this.state, bound, info);
  }

  /** Other budgets, or other workloads behind them. */
  useBudgets(budgets: BudgetStatuses): void {
    this.#budgets = budgets;
  }

  /** The disruption controller has caught up with what happened, to pods of some classes or of all. */
  refreshBudgets(changed?: Iterable<PodClass>): void {
    this.#budgets.refresh(this.state, changed);
  }

  allocatable(node: NodeName): Amounts {
    const info = this.state.node(node);
    return info === undefined ? {} : amountsOf(info.facts.allocatable, info.facts.allowedPods);
  }

  requested(node: NodeName): Amounts {
    const info = this.state.node(node);
    if (info === undefined) return {};
    const { requestedMilliCpu, requestedMemory, requestedEphemeralStorage, requestedScalars, pods } = info;
    return amountsOf(
      {
        milliCpu: requestedMilliCpu,
        memory: requestedMemory,
        ephemeralStorage: requestedEphemeralStorage,
        scalars: requestedScalars,
      },
      pods.length,
    );
  }

  /** Budgets that protect a pod from preemption, `namespace/name`. */
  budgetsOf(pod: SimulatedPod): string[] {
    const { budgets } = this.state;
    return budgets
      .matchesOf((this.state.pod(pod.key) ?? pod.info).class)
      .flatMap((index) => budgets.budgets[index]?.key ?? []);
  }
}
