import { podPriority } from '../priority-classes.ts';
import { narrowRange } from './support/narrow.ts';
import { nameOf } from './support/selection.ts';
import type { ObjectRule } from './rule.ts';

export const daemonsetsOfUnequalPriority: ObjectRule = {
  code: 'daemonsets-of-unequal-priority',
  title: 'DaemonSets of one namespace have unequal priorities, so that one can evict the other',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'DaemonSet' || fact.template === undefined) return;
    const own = podPriority(facts, fact);
    if (own?.admitted !== true) return;
    for (const sibling of facts.ofKind('DaemonSet')) {
      if (sibling.namespace !== fact.namespace || sibling === fact) continue;
      const other = podPriority(facts, sibling);
      if (other?.admitted !== true || other.preemptionPolicy === 'Never' || other.priority <= own.priority) continue;
      const path = [...fact.template.path, 'spec', 'priorityClassName'];
      yield {
        range: narrowRange(fact, path),
        message: `${nameOf(sibling)} has priority ${other.priority}, this DaemonSet ${own.priority}: on a full node its pod evicts this one.`,
        related: [{ fact: sibling, message: nameOf(sibling) }],
        fact,
        path,
      };
      return;
    }
  },
};
