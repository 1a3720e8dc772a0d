import { allowedDisruptions } from '../../disruption/budget-status.ts';
import { isHealthy } from '../../disruption/pods.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import type { Run } from '../run/run.ts';
import type { BudgetStatuses, CountedBudget } from '../cluster/budget-statuses.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

type Status = NonNullable<PodDisruptionBudget['status']>;

/**
 * The budgets of a cluster in motion as the disruption controller would write them at each moment, whoever took their
 * pods away: what is evicted counts again once its replacement runs. A budget with a status starts at what that says and
 * moves with its pods from there.
 */
export class LiveBudgets {
  readonly #run: Run;
  #statuses: BudgetStatuses;
  #budgets: ReadonlyMap<string, PodDisruptionBudget>;
  /** What the pods of budgets with a status came to when that was true, or else when it was asked for first. */
  readonly #starts = new Map<string, CountedBudget>();
  /** As they are at a version of the run. */
  readonly #counted = new Map<string, PodDisruptionBudget>();
  #version = -1;

  /** @param budgets with a status that is true of the pods that run now, or without one */
  constructor(run: Run, statuses: BudgetStatuses, budgets = statuses.budgets) {
    this.#run = run;
    this.#statuses = statuses;
    this.#budgets = byKey(budgets);
    const { state } = run.cluster;
    const known = [...state.budgets.budgets.entries()].filter(
      ([, { key }]) => this.#budgets.get(key)?.status?.disruptionsAllowed !== undefined,
    );
    const indexes = known.map(([index]) => index);
    for (const counted of statuses.count(state, indexes).values()) this.#starts.set(counted.key, counted);
  }

  /**
   * From here on there are other workloads behind the budgets, or other budgets.
   * @param changed keys of those that start anew
   */
  follow(statuses: BudgetStatuses, changed: ReadonlySet<string>): void {
    this.#statuses = statuses;
    this.#budgets = byKey(statuses.budgets);
    for (const key of changed) this.#starts.delete(key);
    this.#counted.clear();
  }

  /**
   * Those that are asked when one of some pods is evicted. A pod of several is refused whatever they say, so that only
   * the budget of a pod that has one is counted.
   */
  of(pods: Iterable<SimulatedPod>): readonly PodDisruptionBudget[] {
    const { budgets } = this.#run.cluster.state;
    const asked = new Map<number, boolean>();
    for (const podClass of new Set(Array.from(pods, ({ info }) => info.class))) {
      const selecting = budgets.selecting(podClass);
      for (const index of selecting) asked.set(index, selecting.length === 1 || asked.get(index) === true);
    }
    this.#count([...asked].flatMap(([index, isCounted]) => (isCounted ? [index] : [])));
    return [...asked].flatMap(([index, isCounted]) => {
      const { key } = budgets.budgets[index]!;
      return (isCounted ? this.#counted.get(key) : this.#budgets.get(key)) ?? [];
    });
  }

  /** Counts those that are not counted since anything has changed. */
  #count(indexes: readonly number[]): void {
    const { state } = this.#run.cluster;
    if (this.#version !== this.#run.version) {
      this.#version = this.#run.version;
      this.#counted.clear();
    }
    const wanted = indexes.filter((index) => !this.#counted.has(state.budgets.budgets[index]!.key));
    if (wanted.length === 0) return;
    const leaving = new Map<number, number>();
    for (const pod of this.#run.pods.leaving) {
      const info = state.pod(pod.key);
      if (info === undefined || info.terminating || !isHealthy(info.pod)) continue;
      for (const index of state.budgets.selecting(info.class)) leaving.set(index, (leaving.get(index) ?? 0) + 1);
    }
    for (const [index, counted] of this.#statuses.count(state, wanted)) {
      const budget = this.#budgets.get(counted.key);
      if (budget === undefined) continue;
      const healthy = counted.healthy - (leaving.get(index) ?? 0);
      this.#counted.set(counted.key, this.#withStatus(budget, { ...counted, healthy }));
    }
  }

  #withStatus(budget: PodDisruptionBudget, counted: CountedBudget): PodDisruptionBudget {
    const { arithmetic, healthy, key } = counted;
    const { status } = budget;
    // Whatever comes and goes, the next sync fails again.
    if (isSyncFailed(budget)) return budget;
    if (status?.disruptionsAllowed !== undefined) {
      const start = this.#starts.get(key);
      if (start !== undefined) return { ...budget, status: movedOn(status, start, counted) };
      this.#starts.set(key, counted);
      return budget;
    }
    const { expectedPods, desiredHealthy } = arithmetic ?? { expectedPods: 0, desiredHealthy: 0 };
    return {
      ...budget,
      status: {
        observedGeneration: budget.metadata?.generation ?? 0,
        ...status,
        expectedPods,
        desiredHealthy,
        currentHealthy: healthy,
        disruptionsAllowed: arithmetic === undefined ? 0 : allowedDisruptions(arithmetic, healthy),
      },
    };
  }
}

export function isSyncFailed({ status }: PodDisruptionBudget): boolean {
  return (status?.conditions ?? []).some(({ type, reason }) => type === 'DisruptionAllowed' && reason === 'SyncFailed');
}

/** A status by as much as its pods have changed since. */
function movedOn(status: Status, start: CountedBudget, now: CountedBudget): Status {
  const { disruptionsAllowed = 0, currentHealthy = disruptionsAllowed, desiredHealthy = 0 } = status;
  const moreHealthy = now.healthy - start.healthy;
  const desired = desiredHealthyThen(status, start);
  const moreDesired = (now.arithmetic?.desiredHealthy ?? desired) - desired;
  const spare = currentHealthy - desiredHealthy;
  // What the status allows beyond or below its own numbers, as while evictions are awaited, it goes on doing.
  const otherwise = disruptionsAllowed - Math.max(0, spare);
  return {
    ...status,
    currentHealthy: currentHealthy + moreHealthy,
    desiredHealthy: desiredHealthy + moreDesired,
    disruptionsAllowed: Math.max(0, Math.max(0, spare + moreHealthy - moreDesired) + otherwise),
  };
}

/** A status that expects another number of pods was written for another scale. */
function desiredHealthyThen(status: Status, { arithmetic }: CountedBudget): number {
  const { expectedPods, desiredHealthy = 0 } = status;
  if (arithmetic === undefined) return desiredHealthy;
  return expectedPods === undefined || expectedPods === arithmetic.expectedPods
    ? arithmetic.desiredHealthy
    : desiredHealthy;
}

function byKey(budgets: readonly PodDisruptionBudget[]): ReadonlyMap<string, PodDisruptionBudget> {
  return new Map(budgets.map((budget) => [keyOf(budget), budget]));
}
