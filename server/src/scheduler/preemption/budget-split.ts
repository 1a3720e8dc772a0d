import type { BudgetTable } from '../framework/budgets.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/** Potential victims by whether evicting them would break a budget, each group in the order given. */
export interface BudgetSplit {
  readonly violating: readonly PodInfo[];
  readonly others: readonly PodInfo[];
  /** Violating pod → indexes of the budgets it breaks. */
  readonly broken: ReadonlyMap<PodInfo, readonly number[]>;
}

/**
 * Spends each budget on the pods in the order given, the most important first; so it is the least important ones that
 * come out as violating. Every node starts with the full budgets.
 * Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (filterPodsWithPDBViolation)
 */
export function splitByBudget(
  pods: readonly PodInfo[],
  table: BudgetTable,
  disruptionsAllowed: readonly number[],
): BudgetSplit {
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  const broken = new Map<PodInfo, readonly number[]>();
  const left = new Map<number, number>();
  for (const pod of pods) {
    const breaks: number[] = [];
    for (const index of table.matchesOf(pod.class)) {
      // An eviction that the API server has let through already is counted in the status.
      if (table.budgets[index]!.disruptedPods.has(pod.name)) continue;
      const after = (left.get(index) ?? disruptionsAllowed[index]!) - 1;
      left.set(index, after);
      if (after < 0) breaks.push(index);
    }
    if (breaks.length === 0) {
      others.push(pod);
    } else {
      violating.push(pod);
      broken.set(pod, breaks);
    }
  }
  return { violating, others, broken };
}

/** Indexes of the budgets that evicting these pods breaks, ascending. */
export function budgetsBrokenBy(victims: readonly PodInfo[], { broken }: BudgetSplit): readonly number[] {
  return [...new Set(victims.flatMap((victim) => broken.get(victim) ?? []))].sort((a, b) => a - b);
}
