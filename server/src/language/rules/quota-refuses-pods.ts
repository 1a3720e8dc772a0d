import { findingAt } from './support/narrow.ts';
import { quotaReview, quotasIn } from './support/quotas.ts';
import { refusalText } from './support/refused-pod.ts';
import type { ObjectRule } from './rule.ts';

export const quotaRefusesPods: ObjectRule = {
  code: 'quota-refuses-pods',
  title: 'A ResourceQuota refuses every pod of a workload',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.template === undefined) return;
    const review = quotaReview(fact, facts);
    if (review?.refusal === undefined) return;
    const path = [...fact.template.path, 'spec', 'containers'];
    const quotas = quotasIn(facts, fact.namespace);
    yield findingAt(fact, path, refusalText(fact, review.refusal), {
      related: () => quotas.map((quota) => ({ fact: quota, message: `ResourceQuota ${quota.name}` })),
    });
  },
};
