import { say } from '../../util/say.ts';
import { count, titleOf } from '../../util/words.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { podPriority } from '../index/priority-classes.ts';
import { outrankingDaemons, systemPriority } from '../index/priority-ranking.ts';
import type { ObjectRule, Related } from './support/rule.ts';
import { findingAt } from './support/narrow.ts';
import { type Case, type CasesOfOne, toldOnce } from './support/told-once.ts';

export const daemonsetBelowWorkloads: ObjectRule = {
  code: 'daemonset-below-workloads',
  title: 'A DaemonSet has a lower priority than the workloads it serves',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.template === undefined || facts.ofKind('DaemonSet').length === 0) return;
    for (const cases of outrankedDaemons(facts).at(fact, facts)) {
      const [{ above, priority, highest }, ...others] = cases;
      const isAtCause = fact === highest.fact;
      const more = others.length === 0 ? '' : say` The same goes for ${count(others.length, 'other DaemonSet')}.`;
      const message = isAtCause
        ? say`Pods of this ${fact.kind} (priority ${highest.priority}) may evict those of ${cases.length} DaemonSets of lower priority from their nodes, and nothing can start them elsewhere.`
        : say`${count(above, 'workload')} may evict the pods of this DaemonSet (priority ${priority}) from their nodes, ${titleOf(highest.fact)} (${highest.priority}) first, and nothing can start them elsewhere.${more}`;
      yield findingAt(fact, [...fact.template.path, 'spec', 'priorityClassName'], message, {
        related: () =>
          isAtCause
            ? cases.map(({ of, priority: own }) => ranked(of, own))
            : [ranked(highest.fact, highest.priority), ...others.map(({ of, priority: own }) => ranked(of, own))],
      });
    }
  },
};

export const daemonsetsOfUnequalPriority: ObjectRule = {
  code: 'daemonsets-of-unequal-priority',
  title: 'DaemonSets of one namespace have unequal priorities, so that one can evict the other',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'DaemonSet' || fact.template === undefined) return;
    for (const cases of unequalDaemons(facts).at(fact, facts)) {
      const [{ priority, highest }, ...others] = cases;
      const isAtCause = fact === highest.fact;
      const more = others.length === 0 ? '' : say` The same goes for ${count(others.length, 'other DaemonSet')}.`;
      const message = isAtCause
        ? say`This DaemonSet has priority ${highest.priority}, and ${cases.length} DaemonSets of its namespace have less: on a full node its pod evicts theirs.`
        : say`${titleOf(highest.fact)} has priority ${highest.priority}, this DaemonSet ${priority}: on a full node its pod evicts this one.${more}`;
      yield findingAt(fact, [...fact.template.path, 'spec', 'priorityClassName'], message, {
        related: () =>
          isAtCause
            ? cases.map(({ of, priority: own }) => ranked(of, own))
            : [highest.fact, ...others.map(({ of, priority: own }) => ranked(of, own))],
      });
    }
  },
};

function ranked(fact: Fact, priority: number): Related {
  return { fact, message: say`${titleOf(fact)}, priority ${priority}` };
}

/** A DaemonSet whose pods others may evict from their nodes; the highest of them is the cause. */
interface Outranked extends Case {
  readonly priority: number;
  readonly above: number;
  readonly highest: Highest;
}

/** What is told of DaemonSets, worked out when somebody first asks, as priorities need a reader. */
class Outranks {
  readonly #find: (facts: FactsReader) => readonly Outranked[];
  #cases: ReadonlyMap<Fact, readonly CasesOfOne<Outranked>[]> | undefined;

  constructor(find: (facts: FactsReader) => readonly Outranked[]) {
    this.#find = find;
  }

  /** Those that are told of at an object. */
  at(fact: Fact, facts: FactsReader): readonly CasesOfOne<Outranked>[] {
    this.#cases ??= toldOnce(this.#find(facts));
    return this.#cases.get(fact) ?? [];
  }
}

const outrankedDaemons = derived(['DaemonSet', 'PriorityClass', ...workloadKinds], (daemons) => {
  return new Outranks((facts) =>
    daemons.flatMap((of) => {
      const own = podPriority(facts, of);
      if (own?.admitted !== true) return [];
      const { count: above, highest } = outrankingDaemons(facts, own.priority);
      return highest === undefined ? [] : [{ of, cause: highest.fact, priority: own.priority, above, highest }];
    }),
  );
});

const unequalDaemons = derived(['DaemonSet', 'PriorityClass'], (daemons) => {
  return new Outranks((facts) => {
    const highest = highestOf(daemons, facts);
    return daemons.flatMap((of) => {
      const own = podPriority(facts, of);
      const first = highest.get(of.namespace);
      if (own?.admitted !== true || first === undefined || first.priority <= own.priority) return [];
      return [{ of, cause: first.fact, priority: own.priority, above: 1, highest: first }];
    });
  });
});

interface Highest {
  readonly fact: Fact;
  readonly priority: number;
}

/** The DaemonSet of each namespace that has the highest priority of those that preempt. */
function highestOf(daemons: readonly Fact[], facts: FactsReader): ReadonlyMap<string, Highest> {
  const highest = new Map<string, Highest>();
  for (const fact of daemons) {
    const resolved = podPriority(facts, fact);
    if (resolved?.admitted !== true || resolved.preemptionPolicy === 'Never') continue;
    if (resolved.priority >= systemPriority) continue;
    const known = highest.get(fact.namespace);
    if (known !== undefined && known.priority >= resolved.priority) continue;
    highest.set(fact.namespace, { fact, priority: resolved.priority });
  }
  return highest;
}
