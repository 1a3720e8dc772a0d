import { titleOf } from '../../kit/words.ts';
import { validateQuota } from '../../admission/quota/validation.ts';
import { findingAt } from './support/narrow.ts';
import { quotaDemand } from './support/quotas.ts';
import type { ObjectRule } from './rule.ts';

export const quotaExceeded: ObjectRule = {
  code: 'quota-exceeded',
  title: 'The workloads of a namespace together ask for more than a ResourceQuota allows',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'ResourceQuota' || validateQuota(fact.object).length > 0) return;
    for (const { resource, asked, hard, isExceeded, shares } of quotaDemand(fact, facts).limits) {
      if (!isExceeded) continue;
      const path = ['spec', 'hard', resource];
      const message = `Running together, the workloads declared here ask for ${asked} of ${resource}; this quota allows ${hard}. Pods beyond that are refused when they are created.`;
      yield findingAt(fact, path, message, {
        related: () =>
          shares.map(({ workload, asked: share }) => ({ fact: workload, message: `${titleOf(workload)}: ${share}` })),
      });
    }
  },
};
