import { say } from '../../util/say.ts';
import { titleOf } from '../../util/words.ts';
import { podPriority } from '../index/priority-classes.ts';
import { lowerAmong } from './support/lower-priority.ts';
import { findingAt } from './support/narrow.ts';
import { meantBy } from '../index/selection.ts';
import { requiredTermsOf } from './support/terms.ts';
import type { ObjectRule } from './support/rule.ts';

/** Every node is a domain of its own. */
const hostname = 'kubernetes.io/hostname';

export const crossNodeAntiAffinity: ObjectRule = {
  code: 'cross-node-anti-affinity',
  title: 'Required anti-affinity across nodes, which only an eviction on another node could satisfy',
  severity: 'hint',
  scope: 'object',
  *check({ fact, facts }) {
    const terms = requiredTermsOf(fact, 'podAntiAffinity');
    if (terms.length === 0) return;
    const own = podPriority(facts, fact);
    if (own?.admitted !== true || own.preemptionPolicy === 'Never') return;
    for (const { term, path } of terms) {
      if (term.topologyKey === hostname) continue;
      const lower = lowerAmong(meantBy(facts, term, fact.namespace), own.priority, facts);
      if (lower.first === undefined) continue;
      const message = say`Pods of ${titleOf(lower.first.fact)} have a lower priority, but preemption looks at one node at a time: one on another node of the same ${term.topologyKey} is never evicted for this pod, which then stays pending.`;
      yield findingAt(fact, [...path, 'topologyKey'], message, {
        related: lower.all,
      });
    }
  },
};
