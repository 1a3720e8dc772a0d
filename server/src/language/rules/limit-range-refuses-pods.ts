import { claimRangeProblems, limitRangeProblems } from '../../admission/request/limit-ranger.ts';
import type { LimitRange, PersistentVolumeClaim, Pod, PodSpec } from '../../kubernetes/objects.ts';
import { say } from '../../util/say.ts';
import type { Fact } from '../index/fact.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import type { ObjectRule } from './support/rule.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { compareQuantities, formatQuantity } from '../../kubernetes/quantity.ts';
import { limitRangesFor, madePod } from './support/made-pods.ts';
import { findingAt } from './support/narrow.ts';
import { refusalText } from './support/refused-pod.ts';

export const limitRangeRefusesPods: ObjectRule = {
  code: 'limit-range-refuses-pods',
  title: 'A LimitRange refuses every pod of a workload: it asks for more or for less than is allowed',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    const { template } = fact;
    const ranges = isStored(fact) ? [] : limitRangesFor(fact, facts);
    const bounds = ranges.map(({ object }): LimitRange => object);
    const pod = ranges.length === 0 || template === undefined ? undefined : madePod(fact, facts);
    const problems =
      pod !== undefined && template !== undefined
        ? [...limitRangeProblems(pod, bounds), ...aboveDefaults(pod, template.spec)]
        : fact.kind === 'PersistentVolumeClaim'
          ? claimRangeProblems(fact.object, bounds)
          : [];
    if (problems.length === 0) return;
    const text = problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`;
    const path =
      template === undefined ? ['spec', 'resources', 'requests', 'storage'] : [...template.path, 'spec', 'containers'];
    yield findingAt(fact, path, refusalText(fact, text), {
      related: () => ranges.map((range) => ({ fact: range, message: say`LimitRange ${range.name}` })),
    });
  },
};

function isStored(fact: Fact): boolean {
  return fact.kind === 'PersistentVolumeClaim'
    ? (fact.object as PersistentVolumeClaim).status !== undefined
    : fact.template === undefined || isStoredPod(fact);
}

/**
 * A request that the limit of a range is below, where the container writes none.
 * Source: pkg/apis/core/validation/validation.go (validateContainerResourceRequirements)
 */
function aboveDefaults({ spec }: Pod, template: PodSpec): readonly string[] {
  return (['containers', 'initContainers'] as const).flatMap((list) =>
    (spec?.[list] ?? []).flatMap(({ name, resources }, index) => {
      const limits = readResourceList(resources?.limits);
      const written = readResourceList(template[list]?.find((each) => each.name === name)?.resources?.limits);
      return [...readResourceList(resources?.requests)].flatMap(([resource, request]) => {
        const limit = limits.get(resource);
        if (limit === undefined || written.has(resource) || compareQuantities(request, limit) <= 0) return [];
        const [asked, given] = [formatQuantity(request), formatQuantity(limit)];
        const field = `spec.${list}[${index}].resources.requests`;
        return [`${field}: Invalid value: "${asked}": must be less than or equal to ${resource} limit of ${given}`];
      });
    }),
  );
}
