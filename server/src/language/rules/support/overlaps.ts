import type { PodDisruptionBudget } from '../../../kubernetes/objects.ts';
import { workloadKinds } from '../../../kubernetes/pod-template.ts';
import { derived } from '../../derived.ts';
import type { Fact, FactsReader } from '../../facts.ts';
import { selectedIn } from './selection.ts';

/** Other budgets that select pods of a workload that a budget selects. */
export interface Overlap {
  readonly shared: Fact;
  /** One at least, and `namedBudgets` at most. */
  readonly others: readonly Fact[];
  /** How many more there are. */
  readonly more: number;
}

/** How many budgets are remembered for each workload; the others are counted. */
const namedBudgets = 8;

/** The budgets that select one workload, several declarations of one budget counted once. */
interface Protection {
  readonly named: Fact[];
  count: number;
}

/** Who selects whom, worked out when somebody first asks, as selections need a reader. */
class Protections {
  readonly #budgets: readonly Fact[];
  readonly #firstShared = new WeakMap<readonly Fact[], { readonly shared: Fact | undefined }>();
  #known: Map<Fact, Protection> | undefined;

  constructor(budgets: readonly Fact[]) {
    this.#budgets = budgets;
  }

  overlapOf(budget: Fact, facts: FactsReader): Overlap | undefined {
    const selected = selectionOf(budget, facts);
    let first = this.#firstShared.get(selected);
    if (first === undefined) {
      const protections = this.#of(facts);
      first = { shared: selected.find((workload) => (protections.get(workload)?.count ?? 0) > 1) };
      this.#firstShared.set(selected, first);
    }
    const { shared } = first;
    if (shared === undefined) return undefined;
    const { named, count } = this.#of(facts).get(shared)!;
    const others = named.filter(({ name }) => name !== budget.name);
    return { shared, others, more: count - 1 - others.length };
  }

  #of(facts: FactsReader): Map<Fact, Protection> {
    if (this.#known !== undefined) return this.#known;
    const protections = new Map<Fact, Protection>();
    const selections = new Map<string, Set<readonly Fact[]>>();
    const declared = new Map<readonly Fact[], Map<string, Fact>>();
    for (const budget of this.#budgets) {
      const selected = selectionOf(budget, facts);
      if (selected.length === 0) continue;
      const key = `${budget.namespace}/${budget.name}`;
      const known = selections.get(key);
      if (known === undefined) selections.set(key, new Set([selected]));
      else known.add(selected);
      let budgets = declared.get(selected);
      if (budgets === undefined) declared.set(selected, (budgets = new Map<string, Fact>()));
      if (!budgets.has(key)) budgets.set(key, budget);
    }
    // A budget that is declared with several selectors is counted once for a workload that more than one of them finds.
    const several = new Map<string, Set<Fact>>();
    for (const [selected, budgets] of declared) {
      const alone: Fact[] = [];
      for (const [key, budget] of budgets) {
        if (selections.get(key)!.size === 1) {
          alone.push(budget);
          continue;
        }
        let counted = several.get(key);
        if (counted === undefined) several.set(key, (counted = new Set()));
        for (const workload of selected) {
          if (counted.has(workload)) continue;
          counted.add(workload);
          protect(protections, workload, [budget]);
        }
      }
      if (alone.length > 0) for (const workload of selected) protect(protections, workload, alone);
    }
    this.#known = protections;
    return protections;
  }
}

function protect(protections: Map<Fact, Protection>, workload: Fact, budgets: readonly Fact[]): void {
  let known = protections.get(workload);
  if (known === undefined) protections.set(workload, (known = { named: [], count: 0 }));
  known.count += budgets.length;
  for (const budget of budgets) {
    // One more than are shown, as a budget does not name itself.
    if (known.named.length > namedBudgets) break;
    known.named.push(budget);
  }
}

function selectionOf(budget: Fact, facts: FactsReader): readonly Fact[] {
  return selectedIn(facts, budget.namespace, (budget.object as PodDisruptionBudget).spec?.selector);
}

const protections = derived(['PodDisruptionBudget', ...workloadKinds], (budgets) => new Protections(budgets));

/** The first workload that a budget shares with others; undefined where it shares none. */
export function overlapOf(budget: Fact, facts: FactsReader): Overlap | undefined {
  return protections(facts).overlapOf(budget, facts);
}
