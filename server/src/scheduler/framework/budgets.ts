import { keyOf, namespaceOf } from '../../kubernetes/names.ts';
import { type CompiledSelector, compileLabelSelector } from '../../kubernetes/labels.ts';
import type { PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { addTo } from '../../util/maps.ts';
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
  readonly #inNamespace = new Map<string, number[]>();
  readonly #matches: (readonly number[] | undefined)[] = [];
  readonly #selecting: (readonly number[] | undefined)[] = [];

  private constructor(budgets: readonly BudgetInfo[]) {
    const unique = new Map(budgets.map((budget) => [budget.key, budget]));
    this.budgets = [...unique.values()].sort((a, b) => compareBytewise(a.key, b.key));
    for (const [index, { namespace }] of this.budgets.entries()) {
      addTo(this.#inNamespace, namespace, index);
    }
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
      const hasLabels = Object.keys(podClass.labels).length > 0;
      found = hasLabels ? this.selecting(podClass).filter((index) => !this.budgets[index]!.selector.isEmpty) : none;
      this.#matches[podClass.id] = found;
    }
    return found;
  }

  /**
   * Indexes of the budgets that count pods of this class and are asked when one is evicted.
   * Source: pkg/controller/disruption/disruption.go (getPodsForPdb), pkg/registry/core/pod/storage/eviction.go
   */
  selecting({ id, namespace, labels }: PodClass): readonly number[] {
    let found = this.#selecting[id];
    if (found === undefined) {
      const candidates = this.#inNamespace.get(namespace) ?? none;
      found = candidates.filter((index) => this.budgets[index]!.selector.matches(labels));
      this.#selecting[id] = found;
    }
    return found;
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
