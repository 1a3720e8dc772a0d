import { say } from '../../util/say.ts';
import { titleOf } from '../../util/words.ts';
import { podPriority } from '../index/priority-classes.ts';
import { lowerAmong } from './support/lower-priority.ts';
import { findingAt } from './support/narrow.ts';
import { meantBy } from '../index/selection.ts';
import { requiredTermsOf } from './support/terms.ts';
import type { ObjectRule } from './support/rule.ts';

export const affinityToLowerPriority: ObjectRule = {
  code: 'affinity-to-lower-priority',
  title: 'Required affinity to pods of lower priority, where preemption cannot help',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const terms = requiredTermsOf(fact, 'podAffinity');
    if (terms.length === 0) return;
    const own = podPriority(facts, fact);
    if (own?.admitted !== true || own.preemptionPolicy === 'Never') return;
    for (const { term, path } of terms) {
      const meant = meantBy(facts, term, fact.namespace);
      const lower = lowerAmong(meant, own.priority, facts);
      const { first } = lower;
      if (first === undefined || lower.count < meant.length) continue;
      const message = say`This needs a pod of ${titleOf(first.fact)} beside it, which has a lower priority (${first.priority} < ${own.priority}). A node counts for preemption only if the pod fits with all lower pods gone, and then this affinity does not hold: such a node is never made room on. Prefer affinity to pods of equal or higher priority.`;
      yield findingAt(fact, [...path, 'labelSelector'], message, {
        related: lower.all,
      });
    }
  },
};
