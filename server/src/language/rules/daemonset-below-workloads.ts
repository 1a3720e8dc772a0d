import { count, titleOf } from '../../kit/words.ts';
import { podPriority } from '../priority-classes.ts';
import { outrankingDaemons } from '../standing.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './rule.ts';

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
