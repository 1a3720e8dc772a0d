import { limitedSystemClasses } from '../../admission/quota/quota.ts';
import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { findingAt } from './support/narrow.ts';
import { quotaReview } from './support/quotas.ts';
import type { ObjectRule } from './rule.ts';

export const systemClassOutsideKubeSystem: ObjectRule = {
  code: 'system-class-outside-kube-system',
  title: 'A pod outside kube-system uses a system PriorityClass, which managed clusters allow only by quota',
  // Whether the API server is configured so, manifests do not tell.
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const className = fact.template?.spec.priorityClassName ?? '';
    if (fact.template === undefined || fact.namespace === 'kube-system' || !systemPriorityClasses.has(className)) {
      return;
    }
    const refusal = quotaReview(fact, facts, limitedSystemClasses)?.refusal;
    if (refusal?.includes('insufficient quota') !== true) return;
    const path = [...fact.template.path, 'spec', 'priorityClassName'];
    const message = `Managed clusters keep ${className} to namespaces whose ResourceQuota names it, and would answer: ${refusal}.`;
    yield findingAt(fact, path, message);
  },
};
