import { count, titleOf } from '../../kit/words.ts';
import { derived } from '../derived.ts';
import type { Fact, FactsReader } from '../facts.ts';
import { podPriority } from '../priority-classes.ts';
import { outrankingDaemons } from '../standing.ts';
import type { ObjectRule } from './rule.ts';
import { findingAt } from './support/narrow.ts';

export const daemonsetBelowWorkloads: ObjectRule = {
  code: 'daemonset-below-workloads',
  title: 'A DaemonSet has a lower priority than the workloads it serves',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'DaemonSet' || fact.template === undefined) return;
    const own = podPriority(facts, fact);
    if (own?.admitted !== true) return;
    const { count: above, highest } = outrankingDaemons(facts, own.priority);
    if (highest === undefined) return;
    const path = [...fact.template.path, 'spec', 'priorityClassName'];
    const message = `${count(above, 'workload')} may evict the pods of this DaemonSet (priority ${own.priority}) from their nodes, ${titleOf(highest.fact)} (${highest.priority}) first, and nothing can start them elsewhere.`;
    yield findingAt(fact, path, message, {
      related: () => [{ fact: highest.fact, message: `${titleOf(highest.fact)}, priority ${highest.priority}` }],
    });
  },
};

export const daemonsetsOfUnequalPriority: ObjectRule = {
  code: 'daemonsets-of-unequal-priority',
  title: 'DaemonSets of one namespace have unequal priorities, so that one can evict the other',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'DaemonSet' || fact.template === undefined) return;
    const own = podPriority(facts, fact);
    if (own?.admitted !== true) return;
    const highest = highestDaemonSets(facts).in(fact.namespace, facts);
    if (highest === undefined || highest.priority <= own.priority) return;
    const path = [...fact.template.path, 'spec', 'priorityClassName'];
    const message = `${titleOf(highest.fact)} has priority ${highest.priority}, this DaemonSet ${own.priority}: on a full node its pod evicts this one.`;
    yield findingAt(fact, path, message, {
      related: () => [highest.fact],
    });
  },
};

interface Highest {
  readonly fact: Fact;
  readonly priority: number;
}

/** The DaemonSet of each namespace that has the highest priority of those that preempt. */
class HighestDaemonSets {
  readonly #declared: readonly Fact[];
  #highest: Map<string, Highest> | undefined;

  constructor(declared: readonly Fact[]) {
    this.#declared = declared;
  }

  in(namespace: string, facts: FactsReader): Highest | undefined {
    this.#highest ??= this.#find(facts);
    return this.#highest.get(namespace);
  }

  #find(facts: FactsReader): Map<string, Highest> {
    const highest = new Map<string, Highest>();
    for (const fact of this.#declared) {
      const resolved = podPriority(facts, fact);
      if (resolved?.admitted !== true || resolved.preemptionPolicy === 'Never') continue;
      const known = highest.get(fact.namespace);
      if (known !== undefined && known.priority >= resolved.priority) continue;
      highest.set(fact.namespace, { fact, priority: resolved.priority });
    }
    return highest;
  }
}

const highestDaemonSets = derived(['DaemonSet', 'PriorityClass'], (declared) => new HighestDaemonSets(declared));
