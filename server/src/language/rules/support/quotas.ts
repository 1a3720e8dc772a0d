import { withResolvedPriority } from '../../../admission/priority.ts';
import { type LimitedResource, type QuotaReview, reviewQuotas } from '../../../admission/quota.ts';
import { defaultPod } from '../../../kubernetes/defaults/index.ts';
import type { LimitRange, Pod, ResourceQuota } from '../../../kubernetes/objects.ts';
import { applyLimitRanges } from '../../../simulation/limit-ranges.ts';
import type { Fact, FactsReader } from '../../facts.ts';
import { isStoredPod, podPriority } from '../../priority-classes.ts';

/** Quotas of a namespace as if nothing were used yet: the server enforces `status`, which manifests rarely have. */
export function unusedQuotas(facts: FactsReader, namespace: string): readonly ResourceQuota[] {
  return facts
    .ofKind('ResourceQuota')
    .filter((quota) => quota.namespace === namespace)
    .map(({ object }) => {
      const quota = object as ResourceQuota;
      const hard = quota.spec?.hard;
      if (hard === undefined) return quota;
      const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
      return { ...quota, status: { hard, used } };
    });
}

/**
 * One pod of a workload as it reaches the quota admission: with defaults, limit ranges and its priority. Undefined for
 * pods that exist already and for those whose priority cannot be known.
 */
export function arrivingPod(workload: Fact, facts: FactsReader): Pod | undefined {
  const priority = podPriority(facts, workload);
  if (workload.template === undefined || isStoredPod(workload)) return undefined;
  const { metadata, spec } = workload.template;
  const name = workload.kind === 'Pod' ? workload.name : `${workload.name}-`;
  const pod: Pod = { metadata: { ...metadata, name, namespace: workload.namespace }, spec };
  const ranges = facts.ofKind('LimitRange').map(({ object }) => object as LimitRange);
  const defaulted = defaultPod(applyLimitRanges(pod, ranges));
  if (priority?.admitted !== true || priority.source === 'stored') return undefined;
  return withResolvedPriority(defaulted, priority);
}

/** What the quotas of its namespace say to one pod of a workload. */
export function quotaReview(workload: Fact, facts: FactsReader, limited: readonly LimitedResource[] = []): QuotaReview | undefined {
  const quotas = unusedQuotas(facts, workload.namespace);
  if (quotas.length === 0 && limited.length === 0) return undefined;
  const pod = arrivingPod(workload, facts);
  return pod === undefined ? undefined : reviewQuotas(pod, quotas, limited);
}
