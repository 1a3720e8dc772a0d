import { limitRangeProblems } from '../../admission/request/limit-ranger.ts';
import type { LimitRange } from '../../kubernetes/objects.ts';
import { say } from '../../util/say.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import type { ObjectRule } from './support/rule.ts';
import { limitRangesIn, madePod } from './support/made-pods.ts';
import { findingAt } from './support/narrow.ts';
import { refusalText } from './support/refused-pod.ts';

export const limitRangeRefusesPods: ObjectRule = {
  code: 'limit-range-refuses-pods',
  title: 'A LimitRange refuses every pod of a workload: it asks for more or for less than is allowed',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.template === undefined || isStoredPod(fact)) return;
    const ranges = limitRangesIn(facts, fact.namespace);
    const pod = ranges.length === 0 ? undefined : madePod(fact, facts);
    if (pod === undefined) return;
    const problems = limitRangeProblems(
      pod,
      ranges.map(({ object }): LimitRange => object),
    );
    if (problems.length === 0) return;
    const text = problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`;
    yield findingAt(fact, [...fact.template.path, 'spec', 'containers'], refusalText(fact, text), {
      related: () => ranges.map((range) => ({ fact: range, message: say`LimitRange ${range.name}` })),
    });
  },
};
