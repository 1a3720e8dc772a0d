import type { Pod } from '../kubernetes/objects.ts';
import type { Decision, NodeName, NodeRefusal, PodKey } from '../scheduler/decision.ts';
import { decide, type ClusterState, type DecideOptions, type PodInfo } from '../scheduler/index.ts';
import { amountsOf } from './amounts.ts';
import type { BudgetStatuses } from './budget-statuses.ts';
import type { Amounts } from './report.ts';
import type { SimulatedPod } from './simulated-pod.ts';

/** A cluster state with the scheduler that decides in it, and the changes that a decision entails. */
export class Cluster {
  readonly state: ClusterState;
  readonly #scheduler: DecideOptions;
  readonly #budgets: BudgetStatuses;

  constructor(state: ClusterState, scheduler: DecideOptions, budgets: BudgetStatuses) {
    this.state = state;
    this.#scheduler = scheduler;
    this.#budgets = budgets;
  }

  decide(pod: SimulatedPod): Decision {
    return decide(this.state, this.#pending(pod), this.#scheduler);
  }

  /** The pod is in the queue, with the nomination that its status names. */
  arrive(pod: SimulatedPod): void {
    this.state.addPending(pod.info);
  }

  /** As `decide`, for a pod that is not part of the cluster. */
  decideFor(pod: Pod): Decision {
    return decide(this.state, this.state.arriving(pod), this.#scheduler);
  }

  /** Why a node alone would refuse a pod; null when it would take it. */
  refusalOn(pod: Pod, node: NodeName): NodeRefusal | null {
    const decision = this.decideFor(pod);
    if (decision.kind !== 'fits' && decision.kind !== 'unschedulable') return null;
    return decision.refusals.get(node) ?? null;
  }

  bind(pod: SimulatedPod, node: NodeName): void {
    this.state.bind(this.#pending(pod), node);
  }

  remove(pod: SimulatedPod): void {
    this.state.removeRunning(pod.key);
  }

  nominatedNode(pod: SimulatedPod): NodeName | null {
    const nominated = this.#pending(pod).nominatedNodeName;
    return nominated === '' ? null : nominated;
  }

  nominate(pod: SimulatedPod, node: NodeName): void {
    this.state.nominate(this.#pending(pod), node);
  }

  clearNomination(pod: SimulatedPod): void {
    this.state.nominate(this.#pending(pod), '');
  }

  /**
   * Acts on a preemption: victims end, budgets are charged, less important nominations to the node are cleared.
   * Returns the pods that lost their nomination.
   * Source: pkg/scheduler/framework/preemption/preemption.go (prepareCandidate)
   */
  preempt(pod: SimulatedPod, node: NodeName, victims: readonly SimulatedPod[]): PodKey[] {
    const index = this.state.nodeSet.indexOf(node);
    const lower =
      index === undefined
        ? []
        : this.state.nominatedTo(index).filter(({ priority, key }) => priority < pod.priority && key !== pod.key);
    for (const other of lower) this.state.nominate(other, '');
    this.nominate(pod, node);
    for (const victim of victims) this.#terminate(victim);
    return lower.map(({ key }) => key);
  }

  /** The disruption controller has caught up with what happened. */
  refreshBudgets(): void {
    this.#budgets.refresh(this.state);
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
    return budgets.matchesOf(this.#info(pod).class).flatMap((index) => budgets.budgets[index]?.key ?? []);
  }

  #terminate(victim: SimulatedPod): void {
    const info = this.state.markTerminating(victim.key, true);
    if (info === undefined) return;
    const { budgets } = this.state;
    for (const index of budgets.matchesOf(info.class)) {
      if (budgets.budgets[index]?.disruptedPods.has(info.name) !== true) this.state.chargeBudget(index);
    }
  }

  #info(pod: SimulatedPod): PodInfo {
    return this.state.pod(pod.key) ?? pod.info;
  }

  /** The pod as the scheduler's queue holds it, with its present nomination. */
  #pending(pod: SimulatedPod): PodInfo {
    const known = this.state.pod(pod.key);
    // A StatefulSet's replacement has the name of the pod it replaces, which may still be ending.
    return known?.nodeName === '' ? known : pod.info;
  }
}
