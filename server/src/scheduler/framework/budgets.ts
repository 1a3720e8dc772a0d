import { keyOf, namespaceOf } from '../../kubernetes/names.ts';
import { type CompiledSelector, compileLabelSelector } from '../../kubernetes/labels.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { compareBytewise } from './order.ts';
import type { PodClass } from './pod-class.ts';

/** A PodDisruptionBudget as preemption reads it. */
export interface BudgetInfo {
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly selector: CompiledSelector;
  /** `status.disruptionsAllowed`, 0 when there is no status. */
  readonly disruptionsAllowed: number;
  /** Names in `status.disruptedPods`: these pods are paid for already. */
  readonly disruptedPods: ReadonlySet<string>;
}

const none: readonly number[] = [];

/** The budgets of a cluster. What changes, the disruptions still allowed, is kept by the cluster state. */
export class BudgetTable {
  /** Sorted by key; of two with one key the later counts. */
  readonly budgets: readonly BudgetInfo[];
  readonly #matches: (readonly number[] | undefined)[] = [];

  private constructor(budgets: readonly BudgetInfo[]) {
    const unique = new Map(budgets.map((budget) => [budget.key, budget]));
    this.budgets = [...unique.values()].sort((a, b) => compareBytewise(a.key, b.key));
  }

  static from(budgets: readonly PodDisruptionBudget[]): BudgetTable {
    return new BudgetTable(budgets.map(budgetInfoOf));
  }

  /** The same budgets and one more, or one in place of another. */
  with(budget: PodDisruptionBudget): BudgetTable {
    return new BudgetTable([...this.budgets, budgetInfoOf(budget)]);
  }

  without(key: string): BudgetTable {
    return new BudgetTable(this.budgets.filter((budget) => budget.key !== key));
  }

  /**
   * Indexes of the budgets that protect pods of this class from preemption. Other than for eviction, a budget with an
   * empty selector protects nothing, and pods without labels are not protected.
   * Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (filterPodsWithPDBViolation)
   */
  matchesOf(podClass: PodClass): readonly number[] {
    let found = this.#matches[podClass.id];
    if (found === undefined) {
      found = this.#find(podClass);
      this.#matches[podClass.id] = found;
    }
    return found;
  }

  #find({ namespace, labels }: PodClass): readonly number[] {
    if (this.budgets.length === 0 || Object.keys(labels).length === 0) return none;
    const found: number[] = [];
    for (const [index, budget] of this.budgets.entries()) {
      if (budget.namespace !== namespace || budget.selector.isEmpty) continue;
      if (budget.selector.matches(labels)) found.push(index);
    }
    return found.length === 0 ? none : found;
  }
}

function budgetInfoOf(budget: PodDisruptionBudget): BudgetInfo {
  return {
    key: keyOf(budget),
    namespace: namespaceOf(budget),
    selector: compileLabelSelector(budget.spec?.selector),
    disruptionsAllowed: budget.status?.disruptionsAllowed ?? 0,
    disruptedPods: new Set(Object.keys(budget.status?.disruptedPods ?? {})),
  };
}
