import { validateQuota } from '../../admission/quota-validation.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import type { ResourceQuota } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { formatQuantity, integerQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import type { Fact, FactsReader } from '../facts.ts';
import { narrowRange } from './support/narrow.ts';
import { quotaReview } from './support/quotas.ts';
import { nameOf, workloadsIn } from './support/selection.ts';
import type { ObjectRule } from './rule.ts';

export const quotaExceeded: ObjectRule = {
  code: 'quota-exceeded',
  title: 'The workloads of a namespace together ask for more than a ResourceQuota allows',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'ResourceQuota') return;
    const quota = fact.object as ResourceQuota;
    if (validateQuota(quota).length > 0) return;
    const demands = demandsOn(fact, facts);
    for (const [resource, hard] of readResourceList(quota.spec?.hard)) {
      const charged = demands.flatMap(({ workload, amounts }) => {
        const amount = amounts.get(resource);
        return amount === undefined ? [] : [{ workload, nanos: amount.nanos * BigInt(replicasOf(workload.object)) }];
      });
      const total = charged.reduce((sum, { nanos }) => sum + nanos, 0n);
      if (total <= hard.nanos) continue;
      const path = ['spec', 'hard', resource];
      const largest = charged.sort((a, b) => (a.nanos < b.nanos ? 1 : -1)).slice(0, namedWorkloads);
      yield {
        range: narrowRange(fact, path),
        message: `Running together, the workloads declared here ask for ${amountText(total, hard)} of ${resource}; this quota allows ${formatQuantity(hard)}. Pods beyond that are refused when they are created.`,
        related: largest.map(({ workload, nanos }) => ({ fact: workload, message: `${nameOf(workload)}: ${amountText(nanos, hard)}` })),
        fact,
        path,
      };
    }
  },
};

/** How many workloads are named, the largest first. */
const namedWorkloads = 5;

/** What one pod of each workload is charged by a quota, as far as the quota applies to it. */
function demandsOn(quota: Fact, facts: FactsReader): { readonly workload: Fact; readonly amounts: ReadonlyMap<string, Quantity> }[] {
  return workloadsIn(facts, quota.namespace).flatMap((workload) => {
    const verdict = quotaReview(workload, facts)?.verdicts.find((one) => one.quota.metadata?.name === quota.name);
    return verdict?.matches === true ? [{ workload, amounts: verdict.charged }] : [];
  });
}

function amountText(nanos: bigint, like: Quantity): string {
  return formatQuantity({ ...integerQuantity(0, like.format), nanos, text: '' });
}
