import { say } from '../../util/say.ts';
import { count, titleOf } from '../../util/words.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { podPriority } from '../index/priority-classes.ts';
import { preemptors, type RankedWorkload, rankedWorkloads, systemPriority } from '../index/priority-ranking.ts';
import { findingAt } from './support/narrow.ts';
import { workloadsOfBudget } from './support/overlaps.ts';
import { type Case, type CasesOfOne, toldOnce } from './support/told-once.ts';
import type { Finding, ObjectRule } from './support/rule.ts';

export const budgetBrokenByPreemption: ObjectRule = {
  code: 'budget-broken-by-preemption',
  title: 'Pods behind a PodDisruptionBudget can be preempted by workloads of higher priority',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'PodDisruptionBudget' && fact.template === undefined) return;
    if (facts.ofKind('PodDisruptionBudget').length === 0) return;
    for (const cases of threats(facts).at(fact, facts)) {
      yield fact.kind === 'PodDisruptionBudget' ? atBudget(cases) : atCause(fact, cases);
    }
  },
};

function atBudget([first, ...others]: CasesOfOne<Threat>): Finding {
  const { of: budget, lowest, above, highest } = first;
  const more = others.length === 0 ? '' : say` The same goes for ${count(others.length, 'other budget')}.`;
  const message = say`This budget holds for drains and evictions. Preemption only prefers to keep it: ${count(above, 'workload')} of higher priority, ${titleOf(highest.fact)} (${highest.priority}) first, may evict pods of ${titleOf(lowest.fact)} (${lowest.priority}) all the same.${more}`;
  return findingAt(budget, ['kind'], message, {
    related: () => [
      { fact: highest.fact, message: say`${titleOf(highest.fact)}, priority ${highest.priority}` },
      { fact: lowest.fact, message: say`${titleOf(lowest.fact)}, priority ${lowest.priority}` },
      ...others.map(({ of }) => of),
    ],
  });
}

function atCause(fact: Fact, cases: CasesOfOne<Threat>): Finding {
  const { priority } = cases[0].highest;
  const message = say`Pods of this ${fact.kind} (priority ${priority}) may evict those behind ${cases.length} budgets: a budget holds for drains and evictions, and preemption only prefers to keep it.`;
  return findingAt(fact, [...fact.template!.path, 'spec', 'priorityClassName'], message, {
    related: () =>
      cases.map(({ of: budget, lowest }) => ({
        fact: budget,
        message: say`${titleOf(budget)}, with pods of ${titleOf(lowest.fact)} (${lowest.priority})`,
      })),
  });
}

/** A budget that workloads of higher priority may break; the highest of them is the cause. */
interface Threat extends Case {
  /** Who is evicted first. */
  readonly lowest: Lowest;
  readonly above: number;
  readonly highest: RankedWorkload;
}

/** Who may break which budgets, worked out when somebody first asks, as priorities need a reader. */
class Threats {
  readonly #budgets: readonly Fact[];
  #cases: ReadonlyMap<Fact, readonly CasesOfOne<Threat>[]> | undefined;

  constructor(budgets: readonly Fact[]) {
    this.#budgets = budgets;
  }

  /** Those that are told of at an object. */
  at(fact: Fact, facts: FactsReader): readonly CasesOfOne<Threat>[] {
    this.#cases ??= toldOnce(this.#find(facts));
    return this.#cases.get(fact) ?? [];
  }

  #find(facts: FactsReader): Threat[] {
    // Where all have one priority, nobody is above anybody.
    const ranked = rankedWorkloads(facts);
    if (ranked[0]?.priority === ranked.at(-1)?.priority) return [];
    // Budgets that select the same share the list.
    const known = new WeakMap<readonly Fact[], Omit<Threat, 'of'> | undefined>();
    return this.#budgets.flatMap((of) => {
      const selected = workloadsOfBudget(of, facts);
      if (!known.has(selected)) known.set(selected, threatTo(selected, facts));
      const threat = known.get(selected);
      return threat === undefined ? [] : [{ of, ...threat }];
    });
  }
}

const threats = derived(['PodDisruptionBudget', 'PriorityClass', ...workloadKinds], (budgets) => new Threats(budgets));

function threatTo(selected: readonly Fact[], facts: FactsReader): Omit<Threat, 'of'> | undefined {
  const lowest = lowestOf(selected, facts);
  if (lowest === undefined) return undefined;
  const { count: above, highest } = preemptors(facts, lowest.priority, selected, systemPriority);
  return highest === undefined ? undefined : { cause: highest.fact, lowest, above, highest };
}

interface Lowest {
  readonly fact: Fact;
  readonly priority: number;
}

/** The workload behind the budget that is evicted first. */
function lowestOf(workloads: readonly Fact[], facts: FactsReader): Lowest | undefined {
  let lowest: Lowest | undefined;
  for (const fact of workloads) {
    const resolved = podPriority(facts, fact);
    if (resolved?.admitted !== true || (lowest !== undefined && lowest.priority <= resolved.priority)) continue;
    lowest = { fact, priority: resolved.priority };
  }
  return lowest;
}
