import { limitRangeProblems } from '../../admission/request/limit-ranger.ts';
import type { LimitRange, Pod, PodSpec } from '../../kubernetes/objects.ts';
import { say } from '../../util/say.ts';
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
    if (fact.template === undefined || isStoredPod(fact)) return;
    const ranges = limitRangesFor(fact, facts);
    const pod = ranges.length === 0 ? undefined : madePod(fact, facts);
    if (pod === undefined) return;
    const problems = limitRangeProblems(
      pod,
      ranges.map(({ object }): LimitRange => object),
    );
    problems.push(...aboveDefaults(pod, fact.template.spec));
    if (problems.length === 0) return;
    const text = problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`;
    yield findingAt(fact, [...fact.template.path, 'spec', 'containers'], refusalText(fact, text), {
      related: () => ranges.map((range) => ({ fact: range, message: say`LimitRange ${range.name}` })),
    });
  },
};

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
